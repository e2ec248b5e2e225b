//! What every reasoner with a language model needs: asking it, prompts, and JSON out of what it writes.

mod ask;
mod claims;
mod fence;
mod field;
mod longer;
mod pictures;
mod prompt;
mod sources;
mod tidy;
mod tools;
mod undone;

pub(super) use ask::{Asker, failed};
pub(super) use claims::{RESULT, TOLD, claims_a_call, noted};
pub(super) use fence::fence;
pub(super) use field::FieldReader;
pub(super) use longer::{cut_short, longer, own_limit};
pub(super) use pictures::{load_pictures, with_pictures, with_sight};
pub(super) use prompt::{Prompt, spoken, system_prompt};
pub(super) use sources::name_sources;
pub(super) use tidy::tidy;
pub(super) use undone::undone;
