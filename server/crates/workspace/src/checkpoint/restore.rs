//! What is to be put back: whether it can be, what there is now, and all contents of both written down.

use std::io;
use std::path::PathBuf;

use uuid::Uuid;

use super::changes::PathChange;
use super::folders::Folders;
use super::node::{ContentHash, Node};
use super::note::Noted;
use super::objects::link;
use super::place::{self, Place};
use super::store::{Checkpoints, StoredChanges};
use crate::denied_paths::Access;
use crate::root::Workspace;

/// A path that becomes something.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Where, in the workspace.
    pub path: String,
    /// What it becomes; none: nothing is there.
    pub becomes: Option<Node>,
    /// What must be there now.
    pub left: Left,
    /// The content, where no checkpoint has it.
    pub content: Option<Vec<u8>>,
}

/// What must be at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Left {
    /// Anything: nobody knows what was left.
    Anything,
    /// This, or nothing.
    Node(Option<Node>),
    /// A file of this content, or nothing.
    Content(Option<ContentHash>),
}

/// A restore that can be done, and undone: its own checkpoint is written down.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// Its name.
    pub id: Uuid,
    /// What it changes, in the order of the paths.
    pub changes: Vec<PathChange>,
    pub(super) place: Place,
}

impl Prepared {
    /// Where the contents of before and after are.
    #[must_use]
    pub fn contents(&self) -> PathBuf {
        self.place.objects()
    }
}

/// Why nothing was put back.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// Somebody has changed these since.
    #[error("{}", .0.join("; "))]
    Changed(Vec<String>),
    /// A rule closes this path, or it is the server's own.
    #[error("a permission rule closes {0}")]
    Closed(String),
    /// A content is not kept any more.
    #[error("the earlier content of {0} is no longer kept")]
    NotKept(String),
    /// The system refused; everything is as it was.
    #[error("{0}")]
    Failed(io::Error),
    /// The system refused twice; these paths are not as they were.
    #[error("{0}, and not everything could be taken back")]
    Mixed(io::Error),
}

impl Checkpoints {
    /// Looks whether this can be put back, and writes down what is there now. `folders` have the contents.
    ///
    /// # Errors
    /// When something else is there than must be, or a content is not kept.
    pub fn prepare(
        &self,
        workspace: &Workspace,
        session: &str,
        wanted: Vec<Wanted>,
        folders: &[PathBuf],
    ) -> Result<Prepared, RestoreError> {
        let id = Uuid::new_v4();
        let place = Place::new(&self.calls, session, id).map_err(RestoreError::Failed)?;
        let prepared = self.write_down(workspace, &place, wanted, folders);
        if prepared.is_err() {
            place.remove();
        }
        prepared.map(|changes| Prepared { id, changes, place })
    }

    /// Forgets a restore that is not done after all.
    pub fn leave(&self, prepared: &Prepared) {
        prepared.place.remove();
    }

    fn write_down(
        &self,
        workspace: &Workspace,
        place: &Place,
        mut wanted: Vec<Wanted>,
        from: &[PathBuf],
    ) -> Result<Vec<PathChange>, RestoreError> {
        let _keeping = self.keeping();
        wanted.sort_by(|left, right| left.path.cmp(&right.path));
        let mut folders = Folders::new(&workspace.inner);
        let (mut changes, mut refused) = (Vec::new(), Vec::new());
        let inner = &workspace.inner;
        let denied = inner.denied.deny_cache(&*inner.dir).map_err(RestoreError::Failed)?;
        for Wanted { path, becomes, left, content } in wanted {
            if !inner.shows(&denied, &path) || inner.denied_paths.covers(&path, Access::Change) {
                return Err(RestoreError::Closed(path));
            }
            let now = self.look(&mut folders, &path).map_err(RestoreError::Failed)?;
            if is_alike(now.as_ref(), becomes.as_ref()) && self.is_linked(&mut folders, now.as_ref(), becomes.as_ref())
            {
                continue;
            }
            if matches!(becomes, Some(Node::Unkept { .. })) {
                return Err(RestoreError::NotKept(path));
            }
            if let Some(why) = differs(&path, now.as_ref(), &left) {
                refused.push(why);
                continue;
            }
            if let Some(hash) = becomes.as_ref().and_then(Node::hash) {
                let kept = match content {
                    Some(content) => {
                        self.objects.put(hash, &content).and_then(|()| self.objects.link(hash, &place.objects()))
                    }
                    None => self.bring(hash, from, place),
                };
                kept.map_err(|_| RestoreError::NotKept(path.clone()))?;
            }
            changes.push(PathChange { path, before: now.map(|now| now.node), after: becomes });
        }
        if !refused.is_empty() {
            return Err(RestoreError::Changed(refused));
        }
        let before = changes.iter().filter_map(|change| change.before.as_ref());
        self.keep_contents(place, before).map_err(RestoreError::Failed)?;
        let stored = StoredChanges { workspace: workspace.root().to_owned(), changes };
        place::write(&place.changes(), &stored, true).map_err(RestoreError::Failed)?;
        Ok(stored.changes)
    }

    /// Whether a file is one with its first name, if it has several.
    fn is_linked(&self, folders: &mut Folders<'_>, now: Option<&Noted>, becomes: Option<&Node>) -> bool {
        let (Some(now), Some(first)) = (now, first_name(becomes)) else { return true };
        folders.stamp(first).is_ok_and(|found| found.is_some_and(|found| found.inode == now.stamp.inode))
    }

    /// A content that a checkpoint has gets a further name in this one.
    fn bring(&self, hash: &ContentHash, from: &[PathBuf], place: &Place) -> io::Result<()> {
        let (name, to) = (hash.to_string(), place.objects());
        let there = from.iter().map(|folder| folder.join(&name)).find(|path| path.exists());
        match there {
            Some(there) => link(&there, &to.join(&name)),
            None => self.objects.link(hash, &to),
        }
    }

    pub(super) fn look(&self, folders: &mut Folders<'_>, path: &str) -> io::Result<Option<Noted>> {
        self.cache.look(folders, &self.objects, self.limits, path)
    }
}

/// The first name of a file that has several.
pub(super) fn first_name(node: Option<&Node>) -> Option<&str> {
    match node? {
        Node::File { same_as, .. } => same_as.as_deref(),
        Node::Link { .. } | Node::Folder { .. } | Node::Unkept { .. } => None,
    }
}

pub(super) fn is_alike(now: Option<&Noted>, node: Option<&Node>) -> bool {
    match (now, node) {
        (Some(now), Some(node)) => now.is(node),
        (None, None) => true,
        _ => false,
    }
}

/// Why a path is not what was left there, if it is not.
pub(super) fn differs(path: &str, now: Option<&Noted>, left: &Left) -> Option<String> {
    // Git writes its index anew whenever it looks.
    let is_right = path == ".git/index"
        || match left {
            Left::Anything => true,
            Left::Node(node) => is_alike(now, node.as_ref()),
            Left::Content(hash) => {
                now.and_then(|now| now.node.hash()) == hash.as_ref() && now.is_some() == hash.is_some()
            }
        };
    if is_right {
        return None;
    }
    Some(if now.is_some() { format!("{path} has changed since then") } else { format!("{path} no longer exists") })
}
