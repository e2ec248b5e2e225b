//! The server's own folders, which tools must not touch even when they lie inside the workspace.
//!
//! What counts is where an opened file is, as the kernel says it, so that no link and no other spelling helps.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::path::{Path, PathBuf};

use super::path::normalized;

/// Folders and files that are refused.
#[derive(Debug, Default)]
pub(super) struct ReservedFolders(Vec<Place>);

#[derive(Debug)]
struct Place {
    /// Where it was when the server started, whether it was there or not.
    path: PathBuf,
    /// Itself, so that it is found again when somebody has moved it.
    handle: Option<File>,
}

impl ReservedFolders {
    pub(super) fn new(paths: &[PathBuf]) -> io::Result<Self> {
        paths.iter().map(|path| Place::new(path)).collect::<io::Result<_>>().map(Self)
    }

    /// The place that `folder` lies in, if there is one.
    pub(super) fn around(&self, folder: &Path) -> Option<&Path> {
        self.0.iter().map(|place| place.path.as_path()).find(|path| folder.starts_with(path))
    }

    /// What may be shown of an opened folder.
    pub(super) fn deny_cache(&self, folder: impl AsFd) -> io::Result<DenyCache> {
        let moved = self.0.iter().filter_map(|place| place.handle.as_ref()).map(place_of);
        let mut denied: Vec<PathBuf> = moved.collect::<io::Result<_>>()?;
        denied.extend(self.0.iter().map(|place| place.path.clone()));
        Ok(DenyCache { place: place_of(folder)?, denied })
    }

    /// Whether this opened file or folder, or the entry `name` in it, is refused.
    pub(super) fn covers(&self, opened: impl AsFd, name: Option<&str>) -> io::Result<bool> {
        if self.0.is_empty() {
            return Ok(false);
        }
        let mut path = place_of(opened)?;
        if let Some(name) = name {
            path.push(name);
        }
        self.0.iter().map(|place| place.contains(&path)).find(|found| !matches!(found, Ok(false))).unwrap_or(Ok(false))
    }
}

/// One opened folder, and the denied places as they are at that moment: enough to tell which of its entries may be shown
/// without asking the kernel for each. What is opened is asked about once more.
#[derive(Debug)]
pub(super) struct DenyCache {
    /// Where the folder is.
    pub(super) place: PathBuf,
    denied: Vec<PathBuf>,
}

impl DenyCache {
    /// Whether something beneath the folder is refused.
    pub(super) fn is_inside(&self) -> bool {
        self.denied.iter().any(|denied| denied.starts_with(&self.place))
    }

    /// Whether this entry of the folder is refused.
    pub(super) fn covers(&self, name: &str) -> bool {
        let path = self.place.join(name);
        self.denied.iter().any(|denied| path.starts_with(denied))
    }
}

impl Place {
    fn new(path: &Path) -> io::Result<Self> {
        let path = real(path)?;
        Ok(Self { handle: File::open(&path).ok(), path })
    }

    fn contains(&self, path: &Path) -> io::Result<bool> {
        if path.starts_with(&self.path) {
            return Ok(true);
        }
        let Some(handle) = &self.handle else { return Ok(false) };
        Ok(path.starts_with(place_of(handle)?))
    }
}

/// Where an opened file is now.
pub(super) fn place_of(opened: impl AsFd) -> io::Result<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", opened.as_fd().as_raw_fd()))
}

/// The path without links; what is not there yet is taken as it is written.
fn real(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let path = normalized(&path).unwrap_or(path);
    for ancestor in path.ancestors() {
        if let Ok(existing) = ancestor.canonicalize() {
            return Ok(existing.join(path.strip_prefix(ancestor).unwrap_or(Path::new(""))));
        }
    }
    Ok(path)
}
