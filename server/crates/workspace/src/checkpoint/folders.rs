//! Folders opened one beneath the other, never through a link: where a path is looked at or changed by its last name.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};

use super::node::Stamp;
use crate::inner::Inner;

const OPEN: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The folders above the path that was asked for last stay open for the next one.
pub(super) struct Folders<'a> {
    inner: &'a Inner,
    open: Vec<(String, OwnedFd)>,
}

impl<'a> Folders<'a> {
    pub(super) fn new(inner: &'a Inner) -> Self {
        Self { inner, open: Vec::new() }
    }

    /// The folder that a path is in, and its name there.
    pub(super) fn parent<'p>(&mut self, path: &'p str) -> io::Result<(BorrowedFd<'_>, &'p str)> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if matches!(name, "" | "." | "..") {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        Ok((self.folder(folder)?, name))
    }

    /// What is at a path, itself; nothing where a folder above it is missing, or is no folder.
    pub(super) fn stamp(&mut self, path: &str) -> io::Result<Option<Stamp>> {
        let found = self.parent(path).and_then(|(folder, name)| Ok(statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?));
        match found {
            Ok(stat) => Ok(Some(Stamp::new(&stat))),
            Err(error) if is_nothing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Forgets what is open: a folder may be another one now.
    pub(super) fn forget(&mut self) {
        self.open.clear();
    }

    fn folder(&mut self, path: &str) -> io::Result<BorrowedFd<'_>> {
        let names: Vec<&str> = if path.is_empty() { Vec::new() } else { path.split('/').collect() };
        let same = self.open.iter().zip(&names).take_while(|((open, _), name)| open == *name).count();
        self.open.truncate(same);
        for name in &names[same..] {
            if matches!(*name, "" | "." | "..") {
                return Err(io::Error::from(io::ErrorKind::InvalidInput));
            }
            let above = self.open.last().map_or_else(|| self.inner.dir.as_fd(), |(_, fd)| fd.as_fd());
            let opened = openat(above, *name, OPEN, Mode::empty())?;
            self.open.push(((*name).to_owned(), opened));
        }
        Ok(self.open.last().map_or_else(|| self.inner.dir.as_fd(), |(_, fd)| fd.as_fd()))
    }
}

/// Whether an error says that there is nothing at the path.
pub(super) fn is_nothing(error: &io::Error) -> bool {
    // A link in place of a folder is "not a directory" or "too many links", as the kernel sees it.
    let other = [rustix::io::Errno::NOTDIR, rustix::io::Errno::LOOP];
    error.kind() == io::ErrorKind::NotFound
        || other.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}
