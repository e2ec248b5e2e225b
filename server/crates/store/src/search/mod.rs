//! The index of all conversations: `search.db` in the data folder. Everything in it comes from the log, so it may be deleted
//! at any time: it is built again in the background.
//!
//! `index` is the task that keeps it up to date and the door for questions, `feed` reads the log into it, `find` answers,
//! `file` opens it, and `words` is what both sides do to text. `source` says what is asked of a log; `sqlite` is the log in SQLite
//! as the index reads it.

mod feed;
mod file;
mod find;
mod index;
mod source;
mod sqlite;
mod words;

pub use index::ConversationIndex;
pub use source::IndexedLog;
#[cfg(feature = "nats")]
pub(crate) use source::{ListedSession, ListedState, Portion, Room};

#[cfg(test)]
mod tests;
