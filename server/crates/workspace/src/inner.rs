//! [`Inner`]: what every question to the folder is answered from. What it can be asked is beside it: `files`, `look`,
//! `write`, `walk`, `left_behind`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::fs::Dir;

use super::denied_paths::DeniedPaths;
use super::error::WorkspaceError;
use super::locks::Locks;
use super::path::RelativePath;
use super::pending::Notes;
use super::reserved_folders::ReservedFolders;

/// The folder with what is refused in it.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) dir: Arc<Dir>,
    pub(super) denied: Arc<ReservedFolders>,
    pub(super) locks: Arc<Locks>,
    /// What rules deny.
    pub(super) denied_paths: DeniedPaths,
    pub(super) notes: Arc<Notes>,
    /// The folder without links, then as it was given.
    pub(super) roots: Vec<PathBuf>,
}

impl Inner {
    pub(super) fn root(&self) -> &Path {
        &self.roots[0]
    }

    /// The system's error at a path, in the workspace's terms.
    pub(super) fn failed<'a>(&'a self, path: &'a RelativePath) -> impl Fn(std::io::Error) -> WorkspaceError + 'a {
        |error| WorkspaceError::of_io(path.as_str(), self.root(), &error)
    }
}
