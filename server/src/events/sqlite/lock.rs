//! One server a data folder: the lock on the file `lock`, which holds the process id of whoever has it.
//!
//! The kernel lets go of the lock when the process ends, however it ends, so there is no stale lock to clean up.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use super::super::error::LogError;

/// Holds the data folder until it is dropped.
#[derive(Debug)]
pub(super) struct DataLock {
    _file: File,
}

impl DataLock {
    /// Takes the folder, and makes it first if it is not there.
    pub(super) fn take(folder: &Path) -> Result<Self, LogError> {
        let failed = |error: std::io::Error| {
            LogError::Store(format!(
                "the data folder {} cannot be used ({error}); check its permissions, or choose another with --data",
                folder.display()
            ))
        };
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(folder.join("lock"))
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LogError::InUse { folder: folder.display().to_string(), pid: holder(&mut file) });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(failed)?;
        Ok(Self { _file: file })
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
