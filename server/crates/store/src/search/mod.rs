//! The index of all conversations: `search.db`, beside the log. Everything in it comes from the log, so it may be deleted
//! at any time: it is built again in the background.
//!
//! `index` is the task that keeps it up to date and the door for questions, `feed` reads the log into it, `find` answers,
//! `file` opens it, and `words` is what both sides do to text.

mod feed;
mod file;
mod find;
mod index;
mod words;

pub use index::ConversationIndex;

#[cfg(test)]
mod tests;
