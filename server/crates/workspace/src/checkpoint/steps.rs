//! The steps of a restore, in their order: what goes, folders, files and links, permissions. What they put in place lies
//! ready in a folder, under their numbers.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Gid, Mode, Uid};

use super::changes::PathChange;
use super::folders::Folders;
use super::node::Node;

/// A path, what is there and what it becomes; these differ.
pub(super) struct Step<'a> {
    pub(super) path: &'a str,
    pub(super) now: Option<Node>,
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
        self.now.as_ref().is_some_and(|now| self.becomes.is_none_or(|becomes| kind(now) != kind(becomes)))
    }

    /// Whether only the permissions of a file differ.
    pub(super) fn is_of_permissions(&self) -> bool {
        self.now
            .as_ref()
            .and_then(Node::hash)
            .zip(self.becomes.and_then(Node::hash))
            .is_some_and(|(now, then)| now == then)
    }
}

/// The steps; the folders that stay, because something is in them.
pub(super) fn act(folders: &mut Folders<'_>, stage: &OwnedFd, steps: &[Step<'_>]) -> io::Result<Vec<String>> {
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
pub(super) fn same_files(folders: &mut Folders<'_>, stage: &OwnedFd, changes: &[PathChange]) {
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
