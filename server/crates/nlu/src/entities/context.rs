//! What the recognisers look at and what they find.

use jiff::civil::Date;

use crate::kinds::Kinds;
use crate::lexicon::Lexicon;
use crate::runs::Runs;
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

/// The most words of a name that a table or list knows.
const MOST: usize = 4;

/// What the recognisers look at.
pub(crate) struct Context<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [Token],
    pub(crate) vocabulary: &'a Vocabulary,
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) runs: &'a Runs<'a>,
    pub(crate) world: &'a dyn World,
    pub(crate) today: Date,
}

impl Context<'_> {
    /// The word there in lower case; empty beyond the end, and for quoted text.
    pub(crate) fn lower(&self, at: usize) -> &str {
        self.tokens.get(at).filter(|token| matches!(token.kind, Kind::Word)).map_or("", |token| &token.lower)
    }

    /// That many words there with spaces between them, in lower case; nothing if a mark or quoted text is among them.
    pub(crate) fn words(&self, at: usize, length: usize) -> Option<&str> {
        self.runs.words(at, length).filter(|_| self.is_plain(at, length))
    }

    /// The longest run of up to four words there that a table knows: what it says, and how many words.
    pub(crate) fn means(&self, table: &str, at: usize) -> Option<(&str, usize)> {
        let meaning = |length: usize| self.runs.means(table, at, length).filter(|_| self.is_plain(at, length));
        (1..=MOST).rev().find_map(|length| Some((meaning(length)?, length)))
    }

    /// What a table says of the word there, as it is or without its plural.
    pub(crate) fn one_means(&self, table: &str, at: usize) -> Option<&str> {
        self.runs.means(table, at, 1).filter(|_| self.is_plain(at, 1))
    }

    /// The longest run of up to four words there that a list has.
    pub(crate) fn listed(&self, list: &str, at: usize) -> Option<usize> {
        (1..=MOST).rev().find(|length| self.runs.is_in(list, at, *length) && self.is_plain(at, *length))
    }

    /// Whether a list has the word there.
    pub(crate) fn is_in(&self, list: &str, at: usize) -> bool {
        self.runs.is_in(list, at, 1) && self.is_plain(at, 1)
    }

    fn is_plain(&self, at: usize, length: usize) -> bool {
        self.tokens.get(at..at + length).is_some_and(|tokens| tokens.iter().all(|token| token.kind == Kind::Word))
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
