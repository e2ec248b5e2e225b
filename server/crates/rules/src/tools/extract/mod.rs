//! From a request to a tool's arguments, driven by the tool's JSON Schema: one file a kind of value.
//!
//! [`Request`] takes the text apart once. For a tool, every parameter looks for the piece that suits it best: by its
//! kind, by the words of its name and description beside the piece, by what prepositions lead to. What was found is
//! only used if the schema takes it.

mod assign;
mod calls;
mod check;
mod dates;
mod enums;
mod fit;
mod flags;
mod heedful;
mod lists;
mod marked;
mod meant;
mod mention;
mod names;
mod numbers;
mod param;
mod phrases;
mod piece;
mod places;
mod relative;
mod request;
mod stems;
mod value;

pub(super) use assign::own_words;
pub(super) use calls::{Filled, calls_in};
pub(crate) use mention::EARLIER;
pub(super) use request::Request;
pub(super) use stems::stems;

/// Whether a word says nothing about what is asked for.
pub(super) fn is_empty_stem(stem: &str) -> bool {
    stem.len() < 2 || stems::is_empty(stem) || stem.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
pub(super) mod tests;
