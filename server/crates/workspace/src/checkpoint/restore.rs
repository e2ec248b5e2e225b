//! Putting back: all of it or nothing, also for somebody who is killed in the middle of it.
//!
//! First everything that is needed lies ready in a folder of the workspace, and nothing has changed. Then the journal says
//! so, and from there on it can only go forward: removals, folders, renames, permissions. Each step that is already done
//! is left out, so the next start may do all of them again.

use std::fs;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use rustix::fs::{AtFlags, Gid, Mode, OFlags, Uid};
use uuid::Uuid;

use super::changes::PathChange;
use super::folders::Folders;
use super::node::{ContentHash, Node};
use super::objects::link;
use super::place::{self, Place};
use super::store::{Checkpoints, StoredChanges};
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
        for Wanted { path, becomes, left, content } in wanted {
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

/// A path, what is there and what it becomes; these differ.
struct Step<'a> {
    path: &'a str,
    now: Option<Node>,
    becomes: Option<&'a Node>,
}

impl Step<'_> {
    /// Whether what is there has to go first.
    fn goes(&self) -> bool {
        let kind = |node: &Node| match node {
            Node::File { .. } | Node::Unkept { .. } => 0,
            Node::Link { .. } => 1,
            Node::Folder { .. } => 2,
        };
        self.now.as_ref().is_some_and(|now| self.becomes.is_none_or(|becomes| kind(now) != kind(becomes)))
    }

    /// Whether only the permissions of a file differ.
    fn is_of_permissions(&self) -> bool {
        self.now
            .as_ref()
            .and_then(Node::hash)
            .zip(self.becomes.and_then(Node::hash))
            .is_some_and(|(now, then)| now == then)
    }
}

/// The steps; the folders that stay, because something is in them.
fn act(folders: &mut Folders<'_>, stage: &OwnedFd, steps: &[Step<'_>]) -> io::Result<Vec<String>> {
    let mut stays = Vec::new();
    for step in steps.iter().filter(|step| step.goes()) {
        // What is in a closed folder could not be removed.
        if matches!(step.now, Some(Node::Folder { mode }) if mode & 0o700 != 0o700) {
            set_mode(folders, step.path, 0o700)?;
        }
    }
    for step in steps.iter().rev().filter(|step| step.goes()) {
        let is_folder = matches!(step.now, Some(Node::Folder { .. }));
        let (folder, name) = folders.parent(step.path)?;
        let flags = if is_folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        match rustix::fs::unlinkat(folder, name, flags) {
            Err(rustix::io::Errno::NOTEMPTY | rustix::io::Errno::EXIST) if step.becomes.is_none() => {
                stays.push(step.path.to_owned());
            }
            done => done?,
        }
    }
    folders.forget();
    for step in steps {
        match step.becomes {
            Some(Node::Folder { .. }) if !matches!(step.now, Some(Node::Folder { .. })) => {
                make_parents(folders, step.path)?;
                let (folder, name) = folders.parent(step.path)?;
                rustix::fs::mkdirat(folder, name, Mode::RWXU)?;
                give_to_owner(folder, folder, name);
            }
            // So that it can be written into; its permissions come last.
            Some(Node::Folder { .. }) => set_mode(folders, step.path, 0o700)?,
            _ => {}
        }
    }
    for (number, step) in steps.iter().enumerate() {
        match step.becomes {
            Some(Node::File { mode, .. }) if step.is_of_permissions() => set_mode(folders, step.path, *mode)?,
            Some(Node::File { .. } | Node::Link { .. }) => {
                make_parents(folders, step.path)?;
                let (folder, name) = folders.parent(step.path)?;
                give_to_owner(folder, stage, &number.to_string());
                rustix::fs::renameat(stage, number.to_string(), folder, name)?;
            }
            _ => {}
        }
    }
    for step in steps.iter().rev() {
        if let Some(Node::Folder { mode }) = step.becomes {
            set_mode(folders, step.path, *mode)?;
        }
    }
    Ok(stays)
}

/// Files that were one under several names are one again; where that cannot be done they are copies.
fn same_files(folders: &mut Folders<'_>, stage: &OwnedFd, changes: &[PathChange]) {
    for change in changes {
        let Some(Node::File { same_as: Some(first), .. }) = &change.after else { continue };
        let (Ok(Some(one)), Ok(Some(other))) = (folders.stamp(first), folders.stamp(&change.path)) else { continue };
        if one.inode == other.inode {
            continue;
        }
        let linked = folders
            .parent(first)
            .and_then(|(folder, name)| Ok(rustix::fs::linkat(folder, name, stage, "same", AtFlags::empty())?));
        if linked.is_ok() {
            let _ = folders
                .parent(&change.path)
                .and_then(|(folder, name)| Ok(rustix::fs::renameat(stage, "same", folder, name)?));
        }
    }
}

/// Makes the folders above a path that are missing: nobody noted them.
fn make_parents(folders: &mut Folders<'_>, path: &str) -> io::Result<()> {
    if folders.parent(path).is_ok() {
        return Ok(());
    }
    for (at, _) in path.match_indices('/') {
        let (folder, name) = folders.parent(&path[..at])?;
        match rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o777)) {
            Ok(()) => give_to_owner(folder, folder, name),
            Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

fn set_mode(folders: &mut Folders<'_>, path: &str, mode: u32) -> io::Result<()> {
    let (folder, name) = folders.parent(path)?;
    Ok(rustix::fs::chmodat(folder, name, Mode::from_raw_mode(mode), AtFlags::empty())?)
}

/// What root makes belongs to the owner of the folder that it comes into.
fn give_to_owner(folder: impl std::os::fd::AsFd, at: impl std::os::fd::AsFd, name: &str) {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    if let Ok(owner) = rustix::fs::fstat(folder) {
        let (user, group) = (Uid::from_raw(owner.st_uid), Gid::from_raw(owner.st_gid));
        if !user.is_root() || !group.is_root() {
            let _ = rustix::fs::chownat(at, name, Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW);
        }
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
