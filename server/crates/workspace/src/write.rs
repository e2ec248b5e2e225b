//! Writing as a whole: a new file without a name, durable, then named and renamed over the old one.
//!
//! All happens through the handle of the parent folder, which was opened beneath the workspace; the last name is never
//! followed by the system. Who writes to a link writes to the file that it leads to.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, Uid};
use sha2::{Digest, Sha256};

use super::denied_paths::Access;
use super::entries::Fingerprint;
use super::error::{WorkspaceError, shown};
use super::files::{only_name, regular};
use super::inner::Inner;
use super::path::RelativePath;
use super::pending::Pending;

/// What a write did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Whether there was no such file before.
    pub created: bool,
    /// How many bytes it has now.
    pub bytes: u64,
    /// What it is like now.
    pub fingerprint: Fingerprint,
}

impl Inner {
    pub(super) fn write(
        &self,
        path: &RelativePath,
        bytes: &[u8],
        mode: Option<u32>,
    ) -> Result<Written, WorkspaceError> {
        let target = self.target(path)?;
        let (Some(folder), Some(name)) = (target.parent(), target.name()) else {
            return Err(WorkspaceError::IsADirectory { path: path.to_string() });
        };
        let dir = self.make_dirs(&folder)?;
        self.allowed(&dir, Some(name), path)?;
        self.open_to_tools(&dir, Some(name), path, Access::Change)?;
        let old = self.replaceable(&dir, name, path)?;
        let pending = self.notes.begin(self.root(), &folder);
        let written = replace(&dir, name, bytes, old.as_ref(), mode, pending).map_err(self.failed(path))?;
        let fingerprint = Fingerprint::new(&written, bytes.len() as u64, Sha256::digest(bytes).into());
        Ok(Written { created: old.is_none(), bytes: bytes.len() as u64, fingerprint })
    }

    pub(super) fn remove(&self, path: &RelativePath) -> Result<(), WorkspaceError> {
        let (Some(folder), Some(name)) = (path.parent(), path.name()) else {
            return Err(WorkspaceError::IsADirectory { path: path.to_string() });
        };
        let dir = self.open_dir(&folder)?;
        self.allowed(&dir, Some(name), path)?;
        self.open_to_tools(&dir, Some(name), path, Access::Change)?;
        dir.remove_file(name).map_err(self.failed(path)).map_err(|error| self.with_near(path, error))?;
        sync_dir(&dir).map_err(self.failed(path))
    }

    /// The path without links: where a write to it goes, and the same for all names of a file but hard links.
    pub(super) fn unlinked(&self, path: &RelativePath) -> Result<RelativePath, WorkspaceError> {
        match self.target(path) {
            Ok(target) if target != *path => return Ok(target),
            Ok(_) => {}
            // There is nothing behind it, so the link itself is meant.
            Err(WorkspaceError::DanglingLink { .. }) => return Ok(path.clone()),
            Err(error) => return Err(error),
        }
        let (Some(folder), Some(name)) = (path.parent(), path.name()) else { return Ok(path.clone()) };
        let folder = match self.dir.canonicalize(&folder) {
            Ok(real) => real.to_str().map(|real| RelativePath::parse(real, &self.roots)).transpose()?.unwrap_or(folder),
            // A folder that is not there yet has no other names, but one above it may have.
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.unlinked(&folder)?,
            Err(error) => return Err(self.failed(path)(error)),
        };
        Ok(folder.child(name))
    }

    /// Where a write to this path goes: to the file that a link leads to, else to the path itself.
    fn target(&self, path: &RelativePath) -> Result<RelativePath, WorkspaceError> {
        match self.dir.symlink_metadata(path) {
            Ok(metadata) if metadata.is_symlink() => {}
            Ok(_) => return Ok(path.clone()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(path.clone()),
            Err(error) => return Err(self.failed(path)(error)),
        }
        match self.dir.canonicalize(path) {
            Ok(real) => match real.to_str() {
                Some(real) => RelativePath::parse(real, &self.roots),
                None => Err(WorkspaceError::BadPath {
                    path: path.to_string(),
                    reason: "it is a link to a name that is not UTF-8; write to another file",
                }),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(WorkspaceError::DanglingLink { path: shown(path.as_str()) })
            }
            Err(error) => Err(self.failed(path)(error)),
        }
    }

    /// The directory, made with those above it if need be. Each is made through the handle of the one above, and the
    /// server's own folders are refused before anything is made in them.
    fn make_dirs(&self, path: &RelativePath) -> Result<Dir, WorkspaceError> {
        let mut missing = Vec::new();
        let mut existing = path.clone();
        let mut dir = loop {
            match (self.open_dir(&existing), existing.parent()) {
                (Err(WorkspaceError::NotFound { .. }), Some(parent)) => {
                    missing.push(existing);
                    existing = parent;
                }
                (opened, _) => break opened?,
            }
        };
        for path in missing.iter().rev() {
            let name = path.name().unwrap_or_default();
            self.allowed(&dir, Some(name), path)?;
            self.open_to_tools(&dir, Some(name), path, Access::Change)?;
            match dir.create_dir(name) {
                Ok(()) => sync_dir(&dir).map_err(self.failed(path))?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(self.failed(path)(error)),
            }
            dir = dir.open_dir(name).map_err(self.failed(path))?;
        }
        Ok(dir)
    }

    /// What is there now, if it may be replaced.
    fn replaceable(
        &self,
        dir: &Dir,
        name: &str,
        path: &RelativePath,
    ) -> Result<Option<std::fs::Metadata>, WorkspaceError> {
        let mut look = OpenOptions::new();
        let flags = rustix::fs::OFlags::PATH | rustix::fs::OFlags::NOFOLLOW;
        look.read(true).custom_flags(flags.bits().cast_signed());
        let metadata = match dir.open_with(name, &look).and_then(|file| file.into_std().metadata()) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failed(path)(error)),
        };
        regular(path, &metadata)?;
        only_name(path, &metadata)?;
        Ok(Some(metadata))
    }
}

/// Puts a new file in place of `name`; on an error there is only the old one.
///
/// The new file has no name until it is whole, so that whoever is killed while writing leaves nothing behind; where the
/// file system knows no such files it is written under a name of its own.
fn replace(
    dir: &Dir,
    name: &str,
    bytes: &[u8],
    old: Option<&std::fs::Metadata>,
    mode: Option<u32>,
    mut pending: Pending,
) -> io::Result<std::fs::Metadata> {
    let temporary = pending.name.clone();
    let made_as = if old.is_some() || mode.is_some() { 0o600 } else { 0o666 };
    let (file, is_named) = match unnamed_file(dir, made_as) {
        Some(file) => (file, false),
        None => {
            let mut options = OpenOptions::new();
            (dir.open_with(&temporary, options.write(true).create_new(true).mode(made_as))?.into_std(), true)
        }
    };
    let renamed = fill(&file, bytes, old, mode).and_then(|metadata| {
        if !is_named {
            give_name(&file, dir, &temporary)?;
        }
        dir.rename(&temporary, dir, name)?;
        Ok(metadata)
    });
    match &renamed {
        Ok(_) => sync_dir(dir)?,
        Err(_) => {
            let removed = dir.remove_file(&temporary);
            if removed.is_err_and(|error| error.kind() != io::ErrorKind::NotFound) {
                pending.stays();
            }
        }
    }
    renamed
}

/// A file in this folder that has no name; it is gone when it is closed.
fn unnamed_file(dir: &Dir, mode: u32) -> Option<File> {
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    rustix::fs::openat(dir, ".", flags, Mode::from_raw_mode(mode)).ok().map(File::from)
}

fn give_name(file: &File, dir: &Dir, name: &str) -> io::Result<()> {
    // The way for whoever is not allowed to name a file by its handle alone.
    let handle = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(rustix::fs::linkat(CWD, handle, dir, name, AtFlags::SYMLINK_FOLLOW)?)
}

fn fill(
    mut file: &File,
    bytes: &[u8],
    old: Option<&std::fs::Metadata>,
    mode: Option<u32>,
) -> io::Result<std::fs::Metadata> {
    file.write_all(bytes)?;
    if let Some(old) = old {
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            // Only root can give files away; for anybody else the file becomes theirs, as with any editor.
            let (owner, group) = (Uid::from_raw(old.uid()), Gid::from_raw(old.gid()));
            let _ = rustix::fs::fchown(file, Some(owner), Some(group));
        }
    }
    if let Some(mode) = mode.or(old.map(MetadataExt::mode)) {
        file.set_permissions(Permissions::from_mode(mode & 0o777))?;
    }
    file.sync_all()?;
    file.metadata()
}

/// Makes the names in a directory durable. Its handle may be for looking only, so it is opened once more.
fn sync_dir(dir: &Dir) -> io::Result<()> {
    match dir.open(".")?.sync_all() {
        // Some file systems know no such thing.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
    }
}
