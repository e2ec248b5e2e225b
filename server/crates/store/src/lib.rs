//! The log in a SQLite file: one thread writes and commits for everybody, a few connections read beside it.
//!
//! `writer` gathers appends and commits them together, `append` is what one of them does to the tables, `read` is what
//! is asked of them and where damage shows, `connection` opens the file so that a commit is a promise, and `lock` sees
//! that only one server has it.

mod append;
mod connection;
mod error;
mod lock;
mod log;
mod queue;
mod read;
mod readers;
mod schema;
mod writer;

pub use connection::SqliteOptions;
pub use log::SqliteLog;

#[cfg(test)]
mod claims_tests;
#[cfg(test)]
mod damage_tests;
#[cfg(test)]
mod tests;
