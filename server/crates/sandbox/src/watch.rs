//! What the kernel does not limit on its own: how many processes a command has, and how full the disk gets.

use std::path::PathBuf;
use std::time::Duration;

use rustix::fs::statvfs;

use super::descendants::descendants;
use super::spec::{RunEnd, RunSpec};
use super::world::World;

/// How often the processes are counted and the disk is looked at.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The limits that are looked at.
pub(super) struct Watch {
    processes: usize,
    /// What is counted but not the command's.
    own: usize,
    folders: Vec<PathBuf>,
    free_bytes: u64,
}

impl Watch {
    pub(super) fn of(spec: &RunSpec) -> Self {
        let written = spec.confinement.as_ref().map(|confinement| confinement.writable.clone());
        let folders = written.unwrap_or_else(|| vec![spec.working_dir.clone()]);
        // A disk that is nearly full already is no fault of this command.
        let folders = folders.into_iter().filter(|folder| free(folder).is_some_and(|free| free > spec.free_bytes));
        Self {
            processes: spec.processes,
            own: usize::from(World::of(spec).has_namespaces()),
            folders: folders.collect(),
            free_bytes: spec.free_bytes,
        }
    }

    /// Why the command must be ended, if it must.
    pub(super) fn beyond(&self) -> Option<RunEnd> {
        match descendants(self.processes + self.own + 1).map(|found| found.len().saturating_sub(self.own)) {
            Ok(count) if count > self.processes => return Some(RunEnd::TooManyProcesses(count)),
            // What cannot be counted could be anything.
            Err(error) => return Some(RunEnd::Unwatched(error.to_string())),
            Ok(_) => {}
        }
        let full = self.folders.iter().any(|folder| free(folder).is_some_and(|free| free < self.free_bytes));
        full.then_some(RunEnd::DiskFull)
    }
}

/// Bytes that can still be written in a folder.
fn free(folder: &PathBuf) -> Option<u64> {
    statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize))
}
