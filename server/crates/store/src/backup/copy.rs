//! A database as one new file: what was committed at one moment, without unused pages. Whoever writes to it goes on.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::error::BackupError;
use super::{Progress, Watch};
use crate::connection::BUSY;
use crate::error::store_error;
use crate::schema::{self, Prepared};

/// What every file of SQLite begins with.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// How often it is told how far it has come.
const TICK: Duration = Duration::from_millis(200);

/// A file that is being written: it is taken away unless it is kept.
pub(super) struct Part {
    path: PathBuf,
    kept: bool,
    _lock: File,
}

impl Part {
    /// What is to become `file`, beside it.
    pub(super) fn of(file: &Path) -> Result<Self, BackupError> {
        if file.symlink_metadata().is_ok() {
            return Err(BackupError::Exists(file.to_owned()));
        }
        let path = with(file, ".part");
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let file = match made {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                abandoned(&path).ok_or_else(|| BackupError::Begun(path.clone()))?
            }
            made => made.map_err(BackupError::file(&path))?,
        };
        // Another backup of this name sees that this one is at work.
        file.try_lock().map_err(|_| BackupError::Begun(path.clone()))?;
        Ok(Self { path, kept: false, _lock: file })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives it its name, when the disk has it.
    pub(super) fn keep_as(mut self, file: &Path) -> Result<(), BackupError> {
        sync(&self.path)?;
        match renameat_with(CWD, &self.path, CWD, file, RenameFlags::NOREPLACE) {
            Ok(()) => {}
            Err(Errno::EXIST) => return Err(BackupError::Exists(file.to_owned())),
            // Not every file system can do that; a second name is not written over another file either.
            Err(Errno::INVAL | Errno::NOSYS) => {
                fs::hard_link(&self.path, file).map_err(BackupError::file(file))?;
                let _ = fs::remove_file(&self.path);
            }
            Err(errno) => return Err(BackupError::file(file)(errno.into())),
        }
        self.kept = true;
        sync_folder_of(file)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Half of a backup that nobody writes any more, emptied.
fn abandoned(path: &Path) -> Option<File> {
    let mut file = OpenOptions::new().read(true).write(true).open(path).ok()?;
    file.try_lock().ok()?;
    let mut magic = [0; MAGIC.len()];
    let is_ours = file.metadata().ok()?.len() == 0 || file.read_exact(&mut magic).is_ok() && magic == *MAGIC;
    (is_ours && file.set_len(0).is_ok()).then_some(file)
}

/// A path with this at the end of its name.
pub(super) fn with(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// A path that SQLite takes for nothing else, such as an address.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, BackupError> {
    std::path::absolute(path).map_err(BackupError::file(path))
}

/// Waits until the disk has a file.
pub(super) fn sync(path: &Path) -> Result<(), BackupError> {
    File::open(path).and_then(|file| file.sync_all()).map_err(BackupError::file(path))
}

/// Waits until the disk has the names in a file's folder.
pub(super) fn sync_folder_of(path: &Path) -> Result<(), BackupError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    sync(folder)
}

/// Copies what the log `from` has at this moment into `to`, which is empty or not there.
pub(super) fn copy(from: &Path, to: &Path, watch: Watch<'_>) -> Result<(), BackupError> {
    let source = open_to_read(from)?;
    if schema::recognize(&source)? == Prepared::New {
        return Err(BackupError::NotALog(from.to_owned()));
    }
    let of = number(&source, "page_count")?.saturating_mul(number(&source, "page_size")?);
    let name = to
        .to_str()
        .ok_or_else(|| BackupError::file(to)(std::io::Error::new(ErrorKind::InvalidInput, "its name is not UTF-8")))?;
    let progress = || Progress::Copied { bytes: fs::metadata(to).map_or(0, |file| file.len()), of };
    watched(&source, watch, progress, || match source.execute("VACUUM INTO ?1", [name]) {
        Ok(_) => Ok(()),
        // The one file that is written is the copy.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull) => {
            Err(BackupError::file(to)(ErrorKind::StorageFull.into()))
        }
        Err(error) => Err(store_error(&error).into()),
    })
}

/// Does long work on a connection, tells how far it has come meanwhile, and interrupts it when whoever is told breaks off.
pub(super) fn watched<T>(
    connection: &Connection,
    watch: Watch<'_>,
    progress: impl Fn() -> Progress + Sync,
    work: impl FnOnce() -> Result<T, BackupError>,
) -> Result<T, BackupError> {
    let cancelled = AtomicBool::new(false);
    let interrupt = connection.get_interrupt_handle();
    let (done, ended) = mpsc::channel::<()>();
    let result = std::thread::scope(|threads| {
        threads.spawn(|| {
            let ended = ended;
            loop {
                if watch(progress()).is_break() {
                    cancelled.store(true, Ordering::Relaxed);
                    interrupt.interrupt();
                }
                if ended.recv_timeout(TICK) != Err(mpsc::RecvTimeoutError::Timeout) {
                    return;
                }
            }
        });
        let result = work();
        drop(done);
        result
    });
    if cancelled.load(Ordering::Relaxed) { Err(BackupError::Cancelled) } else { result }
}

/// A connection to a log that changes nothing in it.
pub(super) fn open_to_read(path: &Path) -> Result<Connection, BackupError> {
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

/// A connection to a copy that nobody else has.
pub(super) fn open_copy(path: &Path) -> Result<Connection, BackupError> {
    open(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

fn open(path: &Path, how: OpenFlags) -> Result<Connection, BackupError> {
    let mut magic = [0; MAGIC.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    match read {
        Ok(()) if magic == *MAGIC => {}
        Ok(()) => return Err(BackupError::NotALog(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Err(BackupError::NotALog(path.to_owned())),
        Err(problem) => return Err(BackupError::File { path: path.to_owned(), problem }),
    }
    let connection = Connection::open_with_flags(path, how | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let opened = connection.and_then(|connection| {
        connection.busy_timeout(BUSY)?;
        connection.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;")?;
        Ok(connection)
    });
    opened.map_err(|error| store_error(&error).into())
}

fn number(connection: &Connection, pragma: &str) -> Result<u64, BackupError> {
    let number = connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    number.map(|number| u64::try_from(number).unwrap_or(0)).map_err(|error| store_error(&error).into())
}
