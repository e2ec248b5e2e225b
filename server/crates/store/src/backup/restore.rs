//! A backup becomes the log of a data folder, in two steps: it is made ready in a folder of its own, where what it holds can be
//! changed, and then takes its place. What was there stays beside it.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use super::Watch;
use super::contents::{self, Contents};
use super::copy::{self, with};
use super::error::BackupError;
use crate::connection::FILE;
use crate::lock::DataLock;
use crate::mark::{self, Mark};
use crate::schema;

/// Where it is made ready, in the data folder.
const STAGING: &str = "restoring";

/// What belongs to a database beside it.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// A backup that is ready to take the place of a data folder's log. Until then nothing has changed, and when it is dropped it
/// is gone.
#[derive(Debug)]
pub struct Restore {
    /// What it holds.
    pub contents: Contents,
    staging: PathBuf,
    folder: PathBuf,
    _lock: DataLock,
}

/// Makes a backup ready for this data folder, which no server may have: as another history, so that clients read their sessions
/// anew. With `replace` a log may be there.
///
/// # Errors
/// When a server has the folder, it is another user's, a log is there and `replace` is not said, `file` is no log or one that no
/// server would open, or a file cannot be written. Other damage of the backup is in [`Contents`].
pub fn restore(file: &Path, folder: &Path, replace: bool, watch: Watch<'_>) -> Result<Restore, BackupError> {
    let file = &copy::absolute(file)?;
    // Before a folder is made for it.
    drop(copy::open_to_read(file)?);
    check_owner(folder)?;
    let mut lock = DataLock::take(folder)?;
    let database = folder.join(FILE);
    // An empty one has nothing to lose; one that cannot be seen may have everything.
    let there = match fs::metadata(&database) {
        Ok(found) => {
            lock.take_database(&database)?;
            found.len() > 0
        }
        Err(error) if error.kind() == ErrorKind::NotFound && database.symlink_metadata().is_err() => false,
        Err(problem) => return Err(BackupError::File { path: database, problem }),
    };
    if there && !replace {
        return Err(BackupError::LogThere(folder.to_owned()));
    }
    let staging = folder.join(STAGING);
    if file.starts_with(copy::absolute(&staging)?) {
        return Err(BackupError::Unfinished(file.clone()));
    }
    match fs::remove_dir_all(&staging) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(BackupError::file(&staging)(error)),
        _ => {}
    }
    DirBuilder::new().mode(0o700).create(&staging).map_err(BackupError::file(&staging))?;
    let mut restore = Restore { contents: Contents::default(), staging, folder: folder.to_owned(), _lock: lock };
    let staged = restore.staging.join(FILE);
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(&staged).map_err(BackupError::file(&staged))?;
    copy::copy(file, &staged, watch)?;
    let connection = copy::open_copy(&staged)?;
    schema::prepare(&connection)?;
    restore.contents = contents::look_through(&connection, watch)?;
    // What a server would refuse takes no other log's place.
    let (mut standing, _) = schema::look_through(&connection)?;
    standing.renew(&connection)?;
    drop(connection);
    Mark::in_folder(&restore.staging).set(&standing.history())?;
    Ok(restore)
}

impl Restore {
    /// The folder in which it can be opened as a log and changed.
    #[must_use]
    pub fn staging(&self) -> &Path {
        &self.staging
    }

    /// Puts it into its place; where the log is that was there before. Nobody may have it open any more.
    ///
    /// # Errors
    /// When a file cannot be moved; then the folder is as it was.
    pub fn put_in_place(self) -> Result<Option<PathBuf>, BackupError> {
        copy::sync(&self.staging.join(FILE))?;
        let database = self.folder.join(FILE);
        let there = fs::metadata(&database).is_ok_and(|file| file.len() > 0);
        settle(&database);
        let now = switchboard_runtime::timestamp().replace(':', "-");
        let kept = with(&database, &format!(".{now}"));
        let mut moves = vec![(database.clone(), kept.clone()), (self.folder.join(mark::FILE), with(&kept, ".mark"))];
        // Without its database, a write-ahead log would be taken for one of the new database.
        moves.extend(BESIDE.map(|end| (with(&database, end), with(&kept, end))));
        moves.extend([FILE, mark::FILE].map(|name| (self.staging.join(name), self.folder.join(name))));
        in_order(&moves)?;
        copy::sync_folder_of(&database)?;
        Ok(Some(kept).filter(|_| there))
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.staging);
    }
}

/// Refuses a folder of another user: what is written there would be this user's, and its server could not use it.
fn check_owner(folder: &Path) -> Result<(), BackupError> {
    match fs::metadata(folder) {
        Ok(found) if found.uid() != geteuid().as_raw() => {
            Err(BackupError::Owner { path: folder.to_owned(), owner: found.uid() })
        }
        // It is made.
        _ => Ok(()),
    }
}

/// Takes what is in the write-ahead log of the old database over into it, so that it is one file; one that is damaged stays as
/// it is.
fn settle(database: &Path) {
    if let Ok(old) = copy::open_copy(database) {
        let _ = old.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }
}

/// Moves files that are there, all or none.
fn in_order(moves: &[(PathBuf, PathBuf)]) -> Result<(), BackupError> {
    let mut done: Vec<&(PathBuf, PathBuf)> = Vec::new();
    for one @ (from, to) in moves {
        match fs::rename(from, to) {
            Ok(()) => done.push(one),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                for (from, to) in done.into_iter().rev() {
                    let _ = fs::rename(to, from);
                }
                return Err(BackupError::file(from)(error));
            }
        }
    }
    Ok(())
}
