//! One server per data folder: the lock on the file `lock`, which holds the process id of its owner, and one on the database
//! itself, which holds when somebody removes that file.
//!
//! The kernel lets go of the lock when the process ends, however it ends, so there is no stale lock to clean up. A child that the process
//! had just forked holds the lock a moment longer, until it runs its own program: the lock of a dead process is waited for.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use switchboard_events::LogError;

/// How long the last child of a dead server may keep the folder.
const LAST_CHILD: Duration = Duration::from_secs(5);

/// How long the database's lock may outlive the folder's: a child that lets go of both lets go of one first.
const BOTH: Duration = Duration::from_secs(1);

/// Holds the data folder until it is dropped.
#[derive(Debug)]
pub(super) struct DataLock {
    file: File,
    /// Closed when no connection to the database is open any more: this process would lose SQLite's own locks with it.
    database: Option<File>,
}

impl DataLock {
    /// Takes the folder, and makes it first if it does not exist.
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
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {
                    let pid = holder(&mut file);
                    if pid.is_none_or(is_alive) || begun.elapsed() > LAST_CHILD {
                        return Err(LogError::InUse { folder: folder.display().to_string(), pid });
                    }
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        Ok(Self { file, database: None })
    }

    /// Takes the database too, before anybody opens it, and says in `lock` who has both.
    pub(super) fn take_database(&mut self, path: &Path) -> Result<(), LogError> {
        let failed = |error: std::io::Error| LogError::Store(format!("{} cannot be locked: {error}", path.display()));
        let database = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
        let begun = Instant::now();
        loop {
            match database.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if begun.elapsed() > BOTH => {
                    let folder = path.parent().unwrap_or(path).display().to_string();
                    return Err(LogError::InUse { folder, pid: None });
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        self.database = Some(database);
        self.file.set_len(0).and_then(|()| self.file.rewind()).map_err(failed)?;
        writeln!(self.file, "{}", std::process::id()).map_err(failed)
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_none_or(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder whose lock is held in the name of process `pid`, by the file that comes with it.
    fn held_by(pid: u32) -> (tempfile::TempDir, File) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = File::create(folder.path().join("lock")).expect("the file");
        writeln!(&file, "{pid}").expect("the process id");
        file.lock().expect("the lock");
        (folder, file)
    }

    fn dead() -> u32 {
        let mut child = std::process::Command::new("true").spawn().expect("a process");
        child.wait().expect("its end");
        child.id()
    }

    #[test]
    fn the_lock_of_a_dead_process_is_waited_for() {
        let (folder, file) = held_by(dead());
        std::thread::scope(|threads| {
            let taken = threads.spawn(|| DataLock::take(folder.path()));
            std::thread::sleep(Duration::from_millis(200));
            drop(file);
            taken.join().expect("no panic").expect("the lock");
        });
    }

    #[test]
    fn the_lock_of_a_living_process_is_refused_at_once() {
        let (folder, _file) = held_by(std::process::id());

        let error = DataLock::take(folder.path()).expect_err("refused");

        assert!(matches!(error, LogError::InUse { pid: Some(pid), .. } if pid == std::process::id()), "{error:?}");
    }
}
