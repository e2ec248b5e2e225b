//! Putting back: all of it or nothing, also for somebody who is killed in the middle of it.
//!
//! First everything that is needed lies ready in a folder of the workspace, and nothing has changed. Then the journal says
//! so, and from there on it can only go forward: removals, folders, renames, permissions. Each step that is already done
//! is left out, so the next start may do all of them again.

use std::fs;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::{Mode, OFlags};
use uuid::Uuid;

use super::changes::PathChange;
use super::folders::Folders;
use super::node::{ContentHash, Node};
use super::objects::link;
use super::place::{self, Place};
use super::steps::{Step, act, same_files};
use super::store::{Checkpoints, StoredChanges};
use crate::denied_paths::Access;
use crate::root::Workspace;

const STAGING: &str = "staging";
const APPLYING: &str = "applying";

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
    place: Place,
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

    /// Does it. Folders that keep something in them which nobody noted stay: those are the answer.
    ///
    /// # Errors
    /// When the system refuses; then it was taken back.
    pub fn apply(&self, workspace: &Workspace, prepared: &Prepared) -> Result<Vec<String>, RestoreError> {
        let Prepared { changes, place, .. } = prepared;
        if changes.is_empty() {
            place.remove();
            return Ok(Vec::new());
        }
        let error = match self.carry_out(workspace, place, changes) {
            Ok(stays) => return Ok(stays),
            Err(error) => error,
        };
        let turned = changes.iter().filter(|change| change.is_undoable()).map(|change| PathChange {
            path: change.path.clone(),
            before: change.after.clone(),
            after: change.before.clone(),
        });
        let taken_back = self.carry_out(workspace, place, &turned.collect::<Vec<_>>());
        place.remove();
        Err(match taken_back {
            Ok(_) => RestoreError::Failed(error),
            Err(_) => RestoreError::Mixed(error),
        })
    }

    /// Forgets a restore that is not done after all.
    pub fn leave(&self, prepared: &Prepared) {
        prepared.place.remove();
    }

    /// At the start: restores that were cut off are done, or never began. How many were done.
    pub fn finish_restores(&self, workspace: &Workspace) -> usize {
        let cut_off = Place::all(&self.calls).into_iter().filter(|place| place.journal().exists());
        let done = cut_off.filter(|place| match self.finish_restore(workspace, place) {
            Ok(done) => done,
            Err(error) => {
                tracing::error!("an undo that was cut off cannot be finished: {error}");
                false
            }
        });
        done.count()
    }

    fn finish_restore(&self, workspace: &Workspace, place: &Place) -> io::Result<bool> {
        let Some(stored) = place::read::<StoredChanges>(&place.changes())? else { return Ok(false) };
        if stored.workspace != workspace.root() {
            return Ok(false);
        }
        if fs::read_to_string(place.journal())? == format!("\"{APPLYING}\"") {
            return self.carry_out(workspace, place, &stored.changes).map(|_| true);
        }
        let _ = fs::remove_dir_all(workspace.root().join(stage_name(place)));
        place.remove();
        Ok(false)
    }

    fn write_down(
        &self,
        workspace: &Workspace,
        place: &Place,
        mut wanted: Vec<Wanted>,
        from: &[PathBuf],
    ) -> Result<Vec<PathChange>, RestoreError> {
        wanted.sort_by(|left, right| left.path.cmp(&right.path));
        let mut folders = Folders::new(&workspace.inner);
        let (mut changes, mut refused) = (Vec::new(), Vec::new());
        let inner = &workspace.inner;
        let denied = inner.denied.deny_cache(&*inner.dir).map_err(RestoreError::Failed)?;
        for Wanted { path, becomes, left, content } in wanted {
            if !inner.shows(&denied, &path) || inner.denied_paths.covers(&path, Access::Change) {
                return Err(RestoreError::Closed(path));
            }
            let now = self.cache.look(&mut folders, &self.objects, self.limits, &path).map_err(RestoreError::Failed)?;
            if is_alike(now.as_ref(), becomes.as_ref()) {
                continue;
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
            changes.push(PathChange { path, before: now, after: becomes });
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

    /// A content that a checkpoint has gets a further name in this one.
    fn bring(&self, hash: &ContentHash, from: &[PathBuf], place: &Place) -> io::Result<()> {
        let (name, to) = (hash.to_string(), place.objects());
        let there = from.iter().map(|folder| folder.join(&name)).find(|path| path.exists());
        match there {
            Some(there) => link(&there, &to.join(&name)),
            None => self.objects.link(hash, &to),
        }
    }

    /// Makes everything what it is after the changes; what is so already is left alone.
    fn carry_out(&self, workspace: &Workspace, place: &Place, changes: &[PathChange]) -> io::Result<Vec<String>> {
        let inner = &workspace.inner;
        let mut folders = Folders::new(inner);
        let mut steps = Vec::new();
        for change in changes {
            let now = self.cache.look(&mut folders, &self.objects, self.limits, &change.path)?;
            if !is_alike(now.as_ref(), change.after.as_ref()) {
                steps.push(Step { path: &change.path, now, becomes: change.after.as_ref() });
            }
        }
        let name = stage_name(place);
        let _ = fs::remove_dir_all(workspace.root().join(&name));
        place::write(&place.journal(), &STAGING, true)?;
        let done = self.stage_all(workspace, place, &name, &steps).and_then(|stage| {
            rustix::fs::syncfs(&stage)?;
            place::write(&place.journal(), &APPLYING, true)?;
            let stays = act(&mut Folders::new(inner), &stage, &steps)?;
            same_files(&mut Folders::new(inner), &stage, changes);
            rustix::fs::syncfs(&stage)?;
            Ok(stays)
        });
        let _ = fs::remove_dir_all(workspace.root().join(&name));
        // Who could not finish goes back from here, or tries again at the next start.
        if done.is_ok() {
            let _ = fs::remove_file(place.journal());
        }
        done
    }

    /// Lays files and links ready under the numbers of their steps.
    fn stage_all(&self, workspace: &Workspace, place: &Place, name: &str, steps: &[Step<'_>]) -> io::Result<OwnedFd> {
        rustix::fs::mkdirat(&*workspace.inner.dir, name, Mode::RWXU)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let stage = rustix::fs::openat(&*workspace.inner.dir, name, flags, Mode::empty())?;
        let contents = [place.objects()];
        for (number, step) in steps.iter().enumerate() {
            match step.becomes {
                Some(Node::Link { target }) => rustix::fs::symlinkat(target.as_str(), &stage, number.to_string())?,
                Some(Node::File { hash, mode, .. }) if !step.is_of_permissions() => {
                    let content = self.objects.read(hash, &contents)?;
                    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
                    let file = rustix::fs::openat(&stage, number.to_string(), flags, Mode::RUSR | Mode::WUSR)?;
                    let mut file = fs::File::from(file);
                    file.write_all(&content)?;
                    rustix::fs::fchmod(&file, Mode::from_raw_mode(*mode))?;
                }
                _ => {}
            }
        }
        Ok(stage)
    }
}

fn stage_name(place: &Place) -> String {
    format!(".switchboard-{}.undo", place.id().unwrap_or_default())
}

fn is_alike(one: Option<&Node>, other: Option<&Node>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.is_like(other),
        (None, None) => true,
        _ => false,
    }
}

/// Why a path is not what was left there, if it is not.
fn differs(path: &str, now: Option<&Node>, left: &Left) -> Option<String> {
    // Git writes its index anew whenever it looks.
    let is_right = path == ".git/index"
        || match left {
            Left::Anything => true,
            Left::Node(node) => is_alike(now, node.as_ref()),
            Left::Content(hash) => now.and_then(Node::hash) == hash.as_ref() && now.is_some() == hash.is_some(),
        };
    if is_right {
        return None;
    }
    Some(if now.is_some() { format!("{path} has changed since then") } else { format!("{path} no longer exists") })
}
