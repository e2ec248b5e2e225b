//! What an edit makes of a text.

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

/// An edit: path, text and what the request says.
pub(crate) type Edit = fn(&str, &str, &Slots<'_>) -> Result<Edited, Unmade>;
