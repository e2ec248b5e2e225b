//! Backups: the log as one file that is copied while a server writes, looked through to the last checksum, and put back as
//! another history, so that no client mistakes what it holds for what was there before.

mod contents;
mod copy;
mod error;
mod restore;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::path::Path;

use super::connection::FILE;
use super::error::store_error;
use super::mark::{Found, Mark};
use super::opening;
use super::schema::{self, Prepared};
use super::upgrade::is_left_over;

pub use contents::Contents;
pub use error::BackupError;
pub use restore::{Restore, restore};

/// How far long work has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many bytes were copied of about so many.
    Copied {
        /// As the new file has them.
        bytes: u64,
        /// As the old one has them, unused pages too.
        of: u64,
    },
    /// So many sessions were looked through.
    Checked {
        /// So far.
        sessions: u64,
        /// There are.
        of: u64,
    },
    /// So many sessions were carried over.
    Carried {
        /// So far.
        sessions: u64,
        /// There are.
        of: u64,
        /// How many events were copied for that.
        events: u64,
    },
}

/// Is told again and again how far it has come; whoever breaks off ends it with [`BackupError::Cancelled`].
pub type Watch<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// Copies the log in this data folder to the new file `file`, whether or not a server has it, and looks the copy through.
///
/// # Errors
/// When there is no log, when `file` is there, when it cannot be written, or when the log is so damaged that it cannot be
/// copied. Other damage is in [`Contents`].
pub fn back_up(folder: &Path, file: &Path, watch: Watch<'_>) -> Result<Contents, BackupError> {
    let (folder, file) = (&copy::absolute(folder)?, &copy::absolute(file)?);
    let part = copy::Part::of(file)?;
    copy::copy(&folder.join(FILE), part.path(), watch)?;
    let copy = copy::open_copy(part.path())?;
    schema::prepare(&copy)?;
    let contents = contents::look_through(&copy, watch)?;
    drop(copy);
    part.keep_as(file)?;
    Ok(contents)
}

/// Looks through a backup, or through the log in a data folder, whether or not a server has it. The log is not changed.
///
/// # Errors
/// When there is no log, when an earlier or a later version wrote it, or when it cannot be read. Damage is in [`Contents`].
pub fn verify(path: &Path, watch: Watch<'_>) -> Result<Contents, BackupError> {
    let path = &copy::absolute(path)?;
    let is_folder = path.is_dir();
    // The mark first: it is never ahead of the database, but may fall behind while a server writes.
    let mark = if is_folder { Some(read_mark(path)?) } else { None };
    let database = if is_folder { path.join(FILE) } else { path.to_owned() };
    let connection = copy::open_to_read(&database)?;
    let transaction = connection.unchecked_transaction().map_err(|error| store_error(&error))?;
    match schema::recognize(&transaction)? {
        Prepared::Current => {}
        Prepared::New => return Err(BackupError::NotALog(path.to_owned())),
        // What cannot be read of an earlier version's events stays; everything else is as it should be.
        Prepared::Upgraded if is_left_over(&transaction)? => {}
        Prepared::Upgraded => return Err(BackupError::OtherForm(path.to_owned())),
    }
    let mut contents = contents::look_through(&transaction, watch)?;
    if let (Some(mark), Some(history)) = (mark, &contents.history) {
        contents.damage.extend(opening::missing(&mark, history));
    }
    Ok(contents)
}

/// The mark; one that was being written just then is read again.
fn read_mark(folder: &Path) -> Result<Found, BackupError> {
    let mark = Mark::in_folder(folder);
    match mark.read()? {
        Found::Damaged => Ok(mark.read()?),
        found => Ok(found),
    }
}
