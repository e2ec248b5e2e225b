//! Finds the tools that fit a request.
//!
//! [`ToolIndex`] can change while it is searched: a tool is in it or not, never halfway, and what a search finds
//! depends on the tools in it and on nothing else.

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

pub use embedding::{Meaning, similarity};
pub use encoder::Encoder;
pub use fusion::Likeness;
pub use index::{Found, ToolIndex};
pub use stop_words::is_stop_word;
pub use words::stem;
