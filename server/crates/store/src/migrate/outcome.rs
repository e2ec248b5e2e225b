//! What came of a migration.

use switchboard_events::LogError;

/// What a migration did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Migrated {
    /// How many sessions were copied, or the rest of them.
    pub copied: u64,
    /// How many sessions were there already, and are the same.
    pub there: u64,
    /// How many events were copied.
    pub events: u64,
    /// How many large values were copied.
    pub values: u64,
    /// Why other sessions were not carried over, a sentence each.
    pub left: Vec<String>,
}

/// Why a migration ended early; what was copied stays.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// There is only one log.
    #[error("--from and --to are the same log")]
    Same,
    /// There is nothing to carry over.
    #[error("{0}: there is no log there")]
    NoLog(String),
    /// One of the logs refused.
    #[error("{place}: failed to {error}")]
    Log {
        /// Which one.
        place: String,
        /// Why.
        error: LogError,
    },
    /// It was broken off.
    #[error("cancelled; run it again to go on where it stopped")]
    Cancelled,
}
