//! The words that the engine itself must know: `words.toml`.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;
use switchboard_search::stem;

/// What leaving a word unread costs: its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// "please", "the": next to nothing.
    Filler,
    /// "is", "there": little.
    Light,
    /// "in", "to": some.
    Joining,
    /// "not", "except": much.
    Weighty,
    /// Any other.
    Plain,
}

/// The tables of `words.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lexicon {
    /// Shared parts of sentences, `<name>` in templates.
    #[serde(default)]
    pub(crate) phrases: BTreeMap<String, String>,
    /// As typed, and as it is read.
    #[serde(default)]
    pub(crate) spellings: HashMap<String, String>,
    /// Words that may stand for each other in sentences, at a small cost.
    #[serde(default)]
    pub(crate) alike: BTreeMap<String, Vec<String>>,
    /// Lists of words by their use.
    #[serde(default)]
    pub(crate) lists: HashMap<String, HashSet<String>>,
    /// Tables of words and what they mean.
    #[serde(default)]
    pub(crate) tables: HashMap<String, HashMap<String, String>>,
    /// The groups of `alike` by the stems of their words.
    #[serde(skip)]
    pub(crate) groups: HashMap<String, u16>,
}

impl Lexicon {
    pub(crate) fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let mut lexicon: Self = toml::from_str(text)?;
        for (number, words) in (1..).zip(lexicon.alike.values()) {
            lexicon.groups.extend(words.iter().map(|word| (stem(word), number)));
        }
        Ok(lexicon)
    }

    /// Whether a list has the word, or words with single spaces between them, in lower case.
    pub(crate) fn lists(&self, list: &str, word: &str) -> bool {
        self.lists.get(list).is_some_and(|words| words.contains(word))
    }

    /// What a table says of the word, as it is or without its plural.
    pub(crate) fn means(&self, table: &str, word: &str) -> Option<&str> {
        let table = self.tables.get(table)?;
        let single = || word.strip_suffix('s').filter(|single| single.len() > 2);
        table.get(word).or_else(|| table.get(single()?)).map(String::as_str)
    }

    pub(crate) fn weight(&self, word: &str) -> Weight {
        let classes = [
            ("filler", Weight::Filler),
            ("light", Weight::Light),
            ("joining", Weight::Joining),
            ("weighty", Weight::Weighty),
        ];
        classes.into_iter().find(|(list, _)| self.lists(list, word)).map_or(Weight::Plain, |(_, weight)| weight)
    }
}
