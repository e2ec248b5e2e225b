//! Tables, JSON and logs as tables: a question in plain English becomes SQL on a database in memory.
//!
//! Every word of a question must have a meaning for the table: a column, a cell, a comparison, or one of the words that
//! people put around them; for a wrong answer is far worse than none. What was asked is a [`Query`], a value that can be
//! written to a log and changed by the next question. Knows no tool and no session: texts come in, answers go out.

mod answer;
mod axes;
mod catalogue;
mod date;
mod derived;
mod entries;
mod error;
mod keys;
mod known;
mod lists;
mod log;
mod markdown;
mod nouns;
mod number;
pub mod query;
mod question;
mod read;
mod save;
mod schema;
mod sql;
mod table;
mod tell;
mod tokens;
mod united;
mod value;
mod vocabulary;

pub use answer::Answer;
pub use axes::Axes;
pub use catalogue::{Catalogue, Outcome, Seen, ask, understand};
pub use error::TableError;
pub use keys::Key;
pub use known::Known;
pub use query::Query;
pub use question::{Asking, Misread, Understood};
pub use read::divider;
pub use save::Format;
pub use schema::Schema;
pub use table::{Column, ColumnKind, Table, TableKind};
pub use tell::answer;
pub use value::Value;

#[cfg(test)]
mod answer_tests;
#[cfg(test)]
mod claims_tests;
#[cfg(test)]
mod united_tests;
