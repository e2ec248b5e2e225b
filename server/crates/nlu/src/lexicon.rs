//! The words that the engine itself must know: `words.toml`.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Deserialize;
use switchboard_search::stem;

/// What leaving a word unread costs: its class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    #[default]
    Plain,
}

/// The tables of `words.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    /// Shared parts of sentences, `<name>` in templates.
    #[serde(default)]
    phrases: BTreeMap<String, String>,
    /// As typed, and as it is read.
    #[serde(default)]
    spellings: HashMap<String, String>,
    /// Words that may stand for each other in sentences, at a small cost.
    #[serde(default)]
    alike: BTreeMap<String, Vec<String>>,
    /// Lists of words by their use.
    #[serde(default)]
    lists: HashMap<String, HashSet<String>>,
    /// Tables of words and what they mean.
    #[serde(default)]
    tables: HashMap<String, HashMap<String, String>>,
}

/// What `words.toml` says, by word.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lexicon {
    /// Shared parts of sentences, `<name>` in templates.
    pub(crate) phrases: BTreeMap<String, String>,
    /// As typed, and as it is read.
    pub(crate) spellings: HashMap<String, String>,
    /// The groups of words that are alike by the stems of their words.
    pub(crate) groups: HashMap<String, u16>,
    known: HashMap<String, Known>,
}

/// What the lists and tables say of a word, or of several with single spaces between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    lists: Vec<String>,
    tables: Vec<(String, String)>,
    pub(crate) weight: Weight,
    /// How many words the longest has that begins with this one.
    pub(crate) longest: usize,
}

impl Known {
    /// Whether a list has it.
    pub(crate) fn is_in(&self, list: &str) -> bool {
        self.lists.iter().any(|name| name == list)
    }

    /// What a table says of it.
    pub(crate) fn means(&self, table: &str) -> Option<&str> {
        self.tables.iter().find(|(name, _)| name == table).map(|(_, meaning)| meaning.as_str())
    }
}

impl Lexicon {
    pub(crate) fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let Source { phrases, spellings, alike, lists, tables } = toml::from_str(text)?;
        let mut lexicon = Self { phrases, spellings, ..Self::default() };
        for (number, words) in (1..).zip(alike.values()) {
            lexicon.groups.extend(words.iter().map(|word| (stem(word), number)));
        }
        for (list, words) in lists {
            words.into_iter().for_each(|word| lexicon.note(word).lists.push(list.clone()));
        }
        for (table, words) in tables {
            words.into_iter().for_each(|(word, meaning)| lexicon.note(word).tables.push((table.clone(), meaning)));
        }
        let classes = [
            ("filler", Weight::Filler),
            ("light", Weight::Light),
            ("joining", Weight::Joining),
            ("weighty", Weight::Weighty),
        ];
        for known in lexicon.known.values_mut() {
            let class = classes.into_iter().find(|(list, _)| known.is_in(list));
            known.weight = class.map_or(Weight::Plain, |(_, weight)| weight);
        }
        Ok(lexicon)
    }

    /// What is known of the words, in lower case.
    pub(crate) fn known(&self, words: &str) -> Option<&Known> {
        self.known.get(words)
    }

    /// What is known of the words without their plural.
    pub(crate) fn single(&self, words: &str) -> Option<&Known> {
        self.known(words.strip_suffix('s').filter(|single| single.len() > 2)?)
    }

    /// Whether a list has the word, or words with single spaces between them, in lower case.
    pub(crate) fn lists(&self, list: &str, word: &str) -> bool {
        self.known(word).is_some_and(|known| known.is_in(list))
    }

    /// What a table says of the word, as it is or without its plural.
    pub(crate) fn means(&self, table: &str, word: &str) -> Option<&str> {
        let exact = self.known(word).and_then(|known| known.means(table));
        exact.or_else(|| self.single(word)?.means(table))
    }

    pub(crate) fn weight(&self, word: &str) -> Weight {
        self.known(word).map_or(Weight::Plain, |known| known.weight)
    }

    /// The entry of these words; their first word knows how many there are.
    fn note(&mut self, words: String) -> &mut Known {
        if let Some((first, _)) = words.split_once(' ') {
            let first = self.known.entry(first.to_owned()).or_default();
            first.longest = first.longest.max(words.split(' ').count());
        }
        self.known.entry(words).or_default()
    }
}
