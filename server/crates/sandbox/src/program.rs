//! Which program is started as a worker.

use std::path::{Path, PathBuf};

/// The argument that makes the binary a worker.
pub const WORKER_ARGUMENT: &str = "__run";

/// The program that workers are: one whose `main` hands its first argument to the functions of this room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerProgram(PathBuf);

impl WorkerProgram {
    /// The program that is running: the link, which also finds a binary that was replaced while it runs.
    #[must_use]
    pub fn own() -> Self {
        Self("/proc/self/exe".into())
    }

    /// The program at this path.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// The program that is running.
impl Default for WorkerProgram {
    fn default() -> Self {
        Self::own()
    }
}
