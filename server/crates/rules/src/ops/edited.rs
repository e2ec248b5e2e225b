//! What an edit makes of a text.

use std::ops::Range;

use super::slots::Slots;
use super::unmade::Unmade;

/// A changed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edited {
    /// All of it.
    pub(crate) text: String,
    /// What was changed, as a sentence.
    pub(crate) said: String,
}

impl Edited {
    /// The text with something else where a part of it stands.
    pub(super) fn put(text: &str, part: Range<usize>, written: &str, said: String) -> Self {
        Self { text: format!("{}{written}{}", &text[..part.start], &text[part.end..]), said }
    }
}

/// An edit: path, text and what the request says.
pub(crate) type Edit = fn(&str, &str, &Slots<'_>) -> Result<Edited, Unmade>;
