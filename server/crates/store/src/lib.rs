//! The log in a SQLite file: one thread writes and commits for everybody, a few connections read beside it.
//!
//! `writer` gathers appends and commits them together, `append` applies them to the tables, `records` reads events and detects
//! damage, `read` answers all other queries, `connection` opens the file so that a commit is durable, `presence` sees
//! whether it is still there, and `lock` makes sure that only one server uses it. `history` counts what is committed and
//! `mark` notes the count beside the database, so that `opening` can tell when something is missing; `seal` has the checksums
//! of rows that are not records. `tables` has the tables of each version, and `upgrade` brings those of an earlier one up to date, with `moved` for their events. `backup` copies a log, looks through it and puts it back. `search` is another file beside it,
//! in which everything that was said is found. `nats` is the log on NATS JetStream, for several servers that share it;
//! `migrate` carries all sessions from one of the two to the other.

mod append;
mod backup;
mod connection;
mod error;
mod history;
mod listing;
mod lock;
mod log;
mod mark;
#[cfg(feature = "nats")]
mod migrate;
mod moved;
#[cfg(feature = "nats")]
mod nats;
mod opening;
mod presence;
mod queue;
mod read;
mod readers;
mod records;
mod schema;
mod seal;
mod search;
mod tables;
#[cfg(any(test, feature = "test_support"))]
pub mod test_support;
mod upgrade;
mod writer;

pub use backup::{BackupError, Contents, Progress, Restore, Watch, back_up, restore, verify};
pub use connection::SqliteOptions;
pub use log::SqliteLog;
#[cfg(feature = "nats")]
pub use migrate::{LogPlace, MigrateError, Migrated, migrate};
#[cfg(feature = "nats")]
pub use nats::{ClusterKeys, NatsLog, NatsOptions, NatsValues, RebuiltList, rebuild_list};
pub use search::{ConversationIndex, IndexedLog};

#[cfg(test)]
mod claims_tests;
#[cfg(test)]
mod commit_tests;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod losses_tests;
#[cfg(test)]
mod page_writes_tests;
#[cfg(test)]
mod queue_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod upgrade_tests;
