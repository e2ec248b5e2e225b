//! The steps of a restore, in their order: what goes, folders, files and links, permissions. What they put in place lies
//! ready in a folder, under their numbers.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, Uid, fstat, openat};

use super::folders::Folders;
use super::node::{ContentHash, Node};
use super::note::Noted;

/// A path, what is there and what it becomes; these differ.
pub(super) struct Step<'a> {
    pub(super) path: &'a str,
    pub(super) now: Option<Noted>,
    pub(super) becomes: Option<&'a Node>,
}

impl Step<'_> {
    /// Whether what is there has to go first.
    fn goes(&self) -> bool {
        let kind = |node: &Node| match node {
            Node::File { .. } | Node::Unkept { .. } => 0,
            Node::Link { .. } => 1,
            Node::Folder { .. } => 2,
        };
        self.now.as_ref().is_some_and(|now| self.becomes.is_none_or(|becomes| kind(&now.node) != kind(becomes)))
    }

    fn is_folder(&self) -> bool {
        self.now.as_ref().is_some_and(|now| matches!(now.node, Node::Folder { .. }))
    }

    /// The permissions of a folder in which even its owner can change nothing.
    fn closed_folder(&self) -> Option<u32> {
        match self.now.as_ref()?.node {
            Node::Folder { mode } if mode & 0o700 != 0o700 => Some(mode),
            _ => None,
        }
    }

    /// Where a file goes first that nothing could bring back.
    fn aside(&self) -> Option<String> {
        matches!(self.now.as_ref()?.node, Node::Unkept { .. }).then(|| aside(self.path))
    }

    /// Whether only the permissions of a file differ.
    pub(super) fn is_of_permissions(&self) -> bool {
        self.now
            .as_ref()
            .and_then(|now| now.node.hash())
            .zip(self.becomes.and_then(Node::hash))
            .is_some_and(|(now, then)| now == then)
    }
}

/// The steps; the folders that stay, because something is in them.
pub(super) fn act(folders: &mut Folders<'_>, stage: &OwnedFd, steps: &[Step<'_>]) -> io::Result<Vec<String>> {
    let mut stays = Vec::new();
    for step in steps.iter().filter(|step| step.closed_folder().is_some()) {
        // What is in a closed folder could not be removed.
        set_mode(folders, step.path, 0o700)?;
    }
    for step in steps.iter().rev() {
        if let Some(aside) = step.aside() {
            let (folder, name) = folders.parent(step.path)?;
            rustix::fs::renameat(folder, name, stage, aside)?;
        } else if step.goes() && !remove(folders, step)? {
            stays.push(step.path.to_owned());
        }
    }
    folders.forget();
    for step in steps {
        match step.becomes {
            Some(Node::Folder { .. }) if !step.is_folder() => {
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
            Some(Node::Unkept { .. }) => {
                make_parents(folders, step.path)?;
                let (folder, name) = folders.parent(step.path)?;
                rustix::fs::renameat(stage, aside(step.path), folder, name)?;
            }
            Some(Node::Folder { .. }) | None => {}
        }
    }
    for step in steps.iter().rev() {
        if let Some(Node::Folder { mode }) = step.becomes {
            set_mode(folders, step.path, *mode)?;
        }
    }
    Ok(stays)
}

/// Removes what is there; not a folder that has something in it, unless something else has to come there.
fn remove(folders: &mut Folders<'_>, step: &Step<'_>) -> io::Result<bool> {
    let (folder, name) = folders.parent(step.path)?;
    let flags = if step.is_folder() { AtFlags::REMOVEDIR } else { AtFlags::empty() };
    match rustix::fs::unlinkat(folder, name, flags) {
        Err(rustix::io::Errno::NOTEMPTY | rustix::io::Errno::EXIST) if step.becomes.is_none() => {
            step.closed_folder().map_or(Ok(()), |mode| set_mode(folders, step.path, mode)).map(|()| false)
        }
        removed => Ok(removed.map(|()| true)?),
    }
}

/// Makes a path a further name of a file, in place of what is there.
pub(super) fn link_over(folders: &mut Folders<'_>, stage: &OwnedFd, first: &str, path: &str) -> io::Result<()> {
    let (folder, name) = folders.parent(first)?;
    let _ = rustix::fs::unlinkat(stage, "same", AtFlags::empty());
    rustix::fs::linkat(folder, name, stage, "same", AtFlags::empty())?;
    let (folder, name) = folders.parent(path)?;
    Ok(rustix::fs::renameat(stage, "same", folder, name)?)
}

/// Under which name the file of a path, whose content is not kept, lies in the stage, so that it can be taken back. Two
/// paths may be names of one file, and moving one of these over the other does nothing.
fn aside(path: &str) -> String {
    format!("aside-{}", ContentHash::of(path.as_bytes()))
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

/// Sets the permissions of a file or folder itself: a link that somebody puts in its place is not followed.
fn set_mode(folders: &mut Folders<'_>, path: &str, mode: u32) -> io::Result<()> {
    let (folder, name) = folders.parent(path)?;
    let mode = Mode::from_raw_mode(mode);
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    match openat(folder, name, OFlags::RDONLY | flags, Mode::empty()) {
        // Its own permissions forbid to open it; then it is named by a handle that opens nothing.
        Err(rustix::io::Errno::ACCESS) => {
            let found = openat(folder, name, OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
            if FileType::from_raw_mode(fstat(&found)?.st_mode) == FileType::Symlink {
                return Err(rustix::io::Errno::LOOP.into());
            }
            Ok(rustix::fs::chmod(format!("/proc/self/fd/{}", found.as_raw_fd()), mode)?)
        }
        opened => Ok(rustix::fs::fchmod(opened?, mode)?),
    }
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
