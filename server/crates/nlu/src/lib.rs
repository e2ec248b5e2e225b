//! What a request means without a model.
//!
//! The knowledge is data: example sentences in `intents/<topic>.toml`, whose format [`corpus`] describes. [`Engine::read`]
//! divides a text into clauses and gives for each the intents that its words may mean, best first, with the slots filled
//! and a cost that accounts for every word: 0 is a sentence as it stands in the data.
//!
//! What always holds: no text makes it panic, its work is bounded whatever the text, and the same text over the same
//! [`World`] reads the same. It knows no tool's code and no file's content.

pub mod commands;
pub mod corpus;
pub mod slots;
pub mod text;
pub mod world;

mod align;
mod automaton;
mod clauses;
mod costs;
mod engine;
#[cfg(test)]
mod engine_tests;
mod entities;
#[cfg(test)]
mod entities_tests;
mod free;
mod kinds;
mod lexicon;
mod outline;
mod possessive;
mod reader;
mod rewording;
mod runs;
mod scan;
mod shortlist;
#[cfg(test)]
mod test_support;
mod vocabulary;
mod workbench;

pub use corpus::{CorpusError, Intent, Risk, Step};
pub use engine::{Clause, Engine, Entity, Reading};
pub use reader::Candidate;
pub use slots::{Anaphor, Given, Line, SlotType, SlotValue, Slots};
pub use world::{Paths, World};
