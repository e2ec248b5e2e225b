//! Whether the log's files are still those that were opened. What is written to a file that somebody has removed or
//! replaced is gone with the process, so nothing of it may be acknowledged.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use switchboard_events::LogError;

/// The file of a name: device and inode. Both are another's once it was replaced.
type Identity = (u64, u64);

/// The files as they were when they were first seen.
#[derive(Debug, Default)]
pub(super) struct Presence {
    database: Option<Identity>,
    write_ahead: Option<Identity>,
}

impl Presence {
    /// Says so if one of the files is no longer there, or is another one. The first time it takes note of them.
    ///
    /// # Errors
    /// Which file it is, and what to do.
    pub(super) fn check(&mut self, database: &Path, write_ahead: &Path) -> Result<(), LogError> {
        same(&mut self.database, database)?;
        same(&mut self.write_ahead, write_ahead)
    }
}

fn same(known: &mut Option<Identity>, path: &Path) -> Result<(), LogError> {
    let now = std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    match (&*known, now) {
        (None, found) => *known = found,
        (Some(known), Some(found)) if *known == found => {}
        (Some(_), found) => {
            return Err(lost(path, if found.is_some() { "replaced" } else { "removed" }));
        }
    }
    Ok(())
}

/// What it means that a file was removed or replaced.
pub(super) fn lost(path: &Path, what: &str) -> LogError {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    LogError::Store(format!(
        "its file {name} was {what} while the server is running, so nothing can be saved any more; stop the server, put the \
         file back and start again (docs/operations.md says how to restore a backup)"
    ))
}
