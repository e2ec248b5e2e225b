//! What the recognisers look at and what they find.

use crate::kinds::Kinds;
use crate::lexicon::Lexicon;
use crate::slots::{SlotType, SlotValue};
use crate::text::{Kind, Token};
use crate::vocabulary::Vocabulary;
use crate::world::World;

/// What some words may name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// How many tokens.
    pub(crate) length: usize,
    /// The slots that take it.
    pub(crate) kinds: Kinds,
    pub(crate) value: SlotValue,
    /// How far the words are from the name.
    pub(crate) cost: f32,
    /// Whether the words surely name something, so that plain slots shun them.
    pub(crate) strong: bool,
}

impl Found {
    pub(crate) fn new(length: usize, kinds: &[SlotType], value: SlotValue) -> Self {
        Self { length, kinds: Kinds::of(kinds), value, cost: 0.0, strong: false }
    }

    pub(crate) fn costs(self, cost: f32) -> Self {
        Self { cost, ..self }
    }

    pub(crate) fn strong(self) -> Self {
        Self { strong: true, ..self }
    }
}

/// What the recognisers look at.
pub(crate) struct Context<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [Token],
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) world: &'a dyn World,
}

impl Context<'_> {
    /// The word there in lower case; empty beyond the end, and for quoted text.
    pub(crate) fn lower(&self, at: usize) -> &str {
        self.tokens.get(at).filter(|token| matches!(token.kind, Kind::Word)).map_or("", |token| &token.lower)
    }

    /// That many words there with spaces between them, in lower case; nothing if a mark or quoted text is among them.
    pub(crate) fn words(&self, at: usize, length: usize) -> Option<String> {
        let tokens = self.tokens.get(at..at + length)?;
        let plain = tokens.iter().all(|token| token.kind == Kind::Word);
        plain.then(|| tokens.iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" "))
    }

    /// The longest run of up to four words there that a table knows: what it says, and how many words.
    pub(crate) fn means(&self, table: &str, at: usize) -> Option<(&str, usize)> {
        (1..=4).rev().find_map(|length| Some((self.lexicon.means(table, &self.words(at, length)?)?, length)))
    }

    /// The longest run of up to four words there that a list has.
    pub(crate) fn listed(&self, list: &str, at: usize) -> Option<usize> {
        (1..=4).rev().find(|length| self.words(at, *length).is_some_and(|words| self.lexicon.lists(list, &words)))
    }
}

/// The slots that take a reference or a variable in the place of what they hold.
pub(crate) const BY_REFERENCE: [SlotType; 16] = [
    SlotType::File,
    SlotType::Folder,
    SlotType::Files,
    SlotType::Content,
    SlotType::Text,
    SlotType::Number,
    SlotType::Percent,
    SlotType::Quantity,
    SlotType::Expression,
    SlotType::Value,
    SlotType::Date,
    SlotType::Duration,
    SlotType::Variable,
    SlotType::Command,
    SlotType::Url,
    SlotType::Ref,
];
