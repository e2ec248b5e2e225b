//! All sessions of one log in another one: their events and large values as they are, and what the list says of them.
//!
//! A session is copied under the name of an import, so that nobody sees it; it gets its owner when it has been read back and is
//! the same. So a migration can be cut off at any moment, and the next one goes on behind the last event that the target has.

mod carry;
mod end;
mod outcome;
mod place;
mod sqlite;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;

use switchboard_events::LogError;

use crate::backup::Watch;
use crate::connection::{FILE, SqliteOptions};
use crate::log::SqliteLog;
use crate::nats::{NatsLog, NatsOptions};
use carry::Carrier;
pub(crate) use end::{End, PAGE, Page};
pub use outcome::{MigrateError, Migrated};
pub use place::LogPlace;

/// Copies all sessions from one log to another, and compares them. No server may have either of them. In the folder `scratch` files
/// are made that may be lost.
///
/// # Errors
/// When a log cannot be opened, a server has it, or it refuses something. A session that cannot be carried over is in
/// [`Migrated`], and the others are.
pub async fn migrate(
    (from, to): (&LogPlace, &LogPlace),
    scratch: &Path,
    watch: Watch<'_>,
) -> Result<Migrated, MigrateError> {
    if from.is_same(to) {
        return Err(MigrateError::Same);
    }
    let source = open(from, &scratch.join("from"), false).await?;
    let target = match open(to, &scratch.join("to"), true).await {
        Ok(target) => target,
        Err(error) => {
            source.close().await;
            return Err(error);
        }
    };
    let carrier = Carrier::new((from, &*source), (to, &*target), watch);
    let migrated = carrier.carry_all().await;
    target.close().await;
    source.close().await;
    migrated
}

/// Opens a log that no server has; with `make` it is made if there is none.
async fn open(place: &LogPlace, scratch: &Path, make: bool) -> Result<Arc<dyn End>, MigrateError> {
    let failed = |error: LogError| MigrateError::Log { place: place.to_string(), error };
    match place {
        LogPlace::Sqlite(folder) => {
            if !make && !folder.join(FILE).exists() {
                return Err(MigrateError::NoLog(place.to_string()));
            }
            // How much there may be is a matter of the server that goes on with it.
            let options = SqliteOptions { max_pages: None, max_sessions: None, ..SqliteOptions::default() };
            // What an earlier migration copied is an import that is not finished.
            let log = SqliteLog::start(folder, options, |_, _| Ok(())).map_err(failed)?;
            Ok(Arc::new(log))
        }
        LogPlace::Nats(options) => {
            let options = NatsOptions { max_sessions: None, ..options.clone() };
            let log = Arc::new(NatsLog::start(scratch, options, make).await.map_err(failed)?);
            match log.wait_until_alone().await {
                Ok(()) => Ok(log),
                Err(error) => {
                    let log: Arc<dyn End> = log;
                    log.close().await;
                    Err(failed(error))
                }
            }
        }
    }
}
