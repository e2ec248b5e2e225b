//! What is checked when the log is opened: whether a database is there that should be, and whether it has all that its mark
//! says. What is missing is reported, and from then on it is another history.

use std::path::Path;

use rusqlite::Connection;

use super::connection::Store;
use super::history::{History, Standing};
use super::mark::{Found, Mark};
use super::schema;
use switchboard_events::LogError;

/// What a data folder has besides its database once it has been used.
const SIGNS: [&str; 4] = [super::mark::FILE, "switchboard.db-wal", "search.db", "checkpoints"];

/// What is taken out of the way of a new database.
const LEFT_BEHIND: [&str; 2] = ["switchboard.db-wal", "switchboard.db-shm"];

/// The log as it was found.
pub(super) struct Opened {
    pub(super) standing: Standing,
    pub(super) mark: Mark,
    /// What is wrong with it, for people.
    pub(super) report: Option<String>,
}

/// Refuses a folder that has been used and whose database is gone, unless a new one is wanted; whether one is begun in its
/// place.
pub(super) fn check_folder(folder: &Path, store_file: &str, new_log: bool) -> Result<bool, LogError> {
    let what = match std::fs::metadata(folder.join(store_file)) {
        Ok(file) if file.len() > 0 => return Ok(false),
        Ok(_) => "empty",
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "missing",
        Err(_) => return Ok(false),
    };
    if !SIGNS.iter().any(|sign| folder.join(sign).exists()) {
        return Ok(false);
    }
    if !new_log {
        return Err(LogError::Missing { folder: folder.display().to_string(), file: store_file.to_owned(), what });
    }
    for name in LEFT_BEHIND {
        // A write-ahead log belongs to one database; it is kept for whoever wants to look at it.
        let old = folder.join(format!("{name}.old"));
        match std::fs::rename(folder.join(name), old) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(LogError::Store(format!("{name} cannot be moved out of the way: {error}")));
            }
            _ => {}
        }
    }
    tracing::warn!("the database was {what}; a new one is begun, as --new-log says, and no earlier session is there");
    Ok(true)
}

/// Compares the database with its mark, and looks through what is small.
pub(super) fn compare(folder: &Path, store: &Store, connection: &Connection, begun: bool) -> Result<Opened, LogError> {
    let (mut standing, damaged) = schema::look_through(connection)?;
    let mut mark = Mark::in_folder(folder);
    let mut missing = if begun { None } else { missing(&mark.read()?, &standing.history()) };
    if missing.is_some() && !damaged.is_empty() {
        // What is damaged may only seem to be less.
        let unknown = "its list of sessions is damaged, so whether the database has all that was saved cannot be told";
        missing = Some(unknown.to_owned());
    }
    if missing.is_some() {
        standing.renew(connection)?;
    }
    mark.set(&standing.history())?;
    let report = sentences(missing, &damaged);
    if let Some(report) = &report {
        tracing::error!(file = %store.name(), "{report}");
    }
    Ok(Opened { standing, mark, report })
}

/// What the mark says that the database does not have.
pub(super) fn missing(mark: &Found, history: &History) -> Option<String> {
    let mark = match mark {
        // Nothing was written yet, or nothing since version 1, which had no mark and no such checksum.
        Found::Nothing if history.entries == 0 || history.chain == 0 => return None,
        Found::Nothing => {
            return Some(
                "the file switchboard.mark beside the database is missing, so whether the database has all that was saved \
                 cannot be told"
                    .to_owned(),
            );
        }
        Found::Damaged => {
            return Some(
                "the file switchboard.mark beside the database is damaged, so whether the database has all that was saved \
                 cannot be told"
                    .to_owned(),
            );
        }
        Found::Mark(mark) => mark,
    };
    let less = mark.entries.saturating_sub(history.entries);
    if mark.generation != history.generation {
        let at_least = match less {
            0 => "what was saved in the one before is missing".to_owned(),
            less => format!("at least {} missing", counted(less)),
        };
        return Some(format!("the database is not the one that was here before: {at_least}"));
    }
    if less > 0 {
        return Some(format!(
            "at least {} missing from the end of the log: its files were damaged or cut, or an older copy was put in their \
             place",
            counted(less)
        ));
    }
    (mark.entries == history.entries && mark.chain != history.chain).then(|| {
        "the database has as many events as it had, but not the same ones: another copy was put in its place".to_owned()
    })
}

fn counted(entries: u64) -> String {
    if entries == 1 { "1 event or change is".to_owned() } else { format!("{entries} events or changes are") }
}

fn sentences(missing: Option<String>, damaged: &[String]) -> Option<String> {
    let missing = missing.map(|missing| {
        format!(
            "the log is not whole: {missing}. What is there is used, and clients read it anew. To get back what is missing, \
             stop the server and restore a newer copy (docs/operations.md)"
        )
    });
    let damaged =
        (!damaged.is_empty()).then(|| format!("the log is damaged: {} cannot be trusted", damaged.join(", ")));
    match (missing, damaged) {
        (Some(missing), Some(damaged)) => Some(format!("{missing}; {damaged}")),
        (missing, damaged) => missing.or(damaged),
    }
}
