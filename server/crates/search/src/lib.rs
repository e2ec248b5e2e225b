//! Finds tools by what is asked for.
//!
//! [`ToolIndex`] changes while it is searched: a tool is in it or not, never by half, and what a search finds depends on
//! the tools that are in it and on nothing else.

mod embedding;
mod encoder;
mod fusion;
mod index;
mod keyword;
mod query;
mod stop_words;
mod table;
mod wordpiece;
mod words;

pub use embedding::Meaning;
pub use encoder::Encoder;
pub use fusion::Likeness;
pub use index::{Found, ToolIndex};
