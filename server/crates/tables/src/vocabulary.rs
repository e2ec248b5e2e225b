//! What words mean in questions, read once from `data/words.toml`.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::entries::{Compare, Concept, Direction, Extreme, LogWords, Money, Phrase, Remainder, Rows, Unit};
use crate::tokens::{key, stems};

/// A meaning that does not depend on the table. Several words have more than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    Fill,
    Ask,
    Which,
    Who,
    When,
    /// `where was that`: at which place.
    Where,
    HowMuch,
    /// `how high`: at the end, what was measured.
    How,
    Count,
    Sum,
    Average,
    Median,
    Minimum,
    Maximum,
    Distinct,
    Duplicate,
    Share,
    /// `home vs away`: each by itself.
    Versus,
    Between,
    And,
    Or,
    Not,
    Except,
    Lacking,
    Contains,
    Starts,
    Ends,
    Empty,
    By,
    Per,
    /// All of something, which leaves nothing out: `over all`.
    Whole,
    Sort,
    Ascending,
    Descending,
    Top,
    Bottom,
    First,
    Last,
    Only,
    About,
    Them,
    /// One row that was spoken of: `its`, `her`.
    One,
    /// The order before, the other way round.
    Turn,
    Noun,
    Person,
    File,
    Daily,
    Weekly,
    Monthly,
    Yearly,
    Hourly,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
    /// An entry of [`Vocabulary::extremes`].
    #[serde(skip)]
    Extreme(usize),
    /// The same, of what was found before: `which of them is longer`.
    #[serde(skip)]
    Further(usize),
    /// An entry of [`Vocabulary::compares`].
    #[serde(skip)]
    Compare(usize),
}

#[derive(Debug, Deserialize)]
struct Alike {
    words: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Source {
    months: Vec<String>,
    weekdays: Vec<String>,
    roles: HashMap<Role, Vec<String>>,
    extreme: Vec<Extreme>,
    compare: Vec<Compare>,
    concept: Vec<Concept>,
    alike: Vec<Alike>,
    condition: Vec<Phrase>,
    remainder: Vec<Remainder>,
    direction: Vec<Direction>,
    log: LogWords,
    rows: Vec<Rows>,
    money: Vec<Money>,
    numbers: HashMap<String, f64>,
    unit: Vec<Unit>,
    sets: HashMap<String, Vec<String>>,
    abbreviations: HashMap<String, String>,
}

/// All that is known of words.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    phrases: HashMap<String, Vec<Role>>,
    pub(crate) months: Vec<String>,
    pub(crate) weekdays: Vec<String>,
    pub(crate) extremes: Vec<Extreme>,
    pub(crate) compares: Vec<Compare>,
    pub(crate) concepts: Vec<Concept>,
    pub(crate) directions: Vec<Direction>,
    conditions: Vec<Phrase>,
    pub(crate) remainders: Vec<Remainder>,
    pub(crate) log: LogWords,
    pub(crate) rows: Vec<Rows>,
    pub(crate) units: Vec<Unit>,
    alike: HashMap<String, Vec<String>>,
    called: HashMap<String, Vec<usize>>,
    verbs: HashMap<String, Vec<usize>>,
    said: HashMap<String, Vec<usize>>,
    money: HashMap<String, char>,
    numbers: HashMap<String, f64>,
    sets: HashMap<String, Vec<String>>,
    abbreviations: HashMap<String, String>,
}

/// The words of `data/words.toml`.
pub(crate) fn vocabulary() -> &'static Vocabulary {
    static SHIPPED: LazyLock<Vocabulary> = LazyLock::new(|| {
        let source =
            toml::from_str(include_str!("../data/words.toml")).expect("the words that are part of the program");
        Vocabulary::of(source)
    });
    &SHIPPED
}

impl Vocabulary {
    fn of(source: Source) -> Self {
        let mut phrases: HashMap<String, Vec<Role>> = HashMap::new();
        let mut put = |words: &[String], role: Role| {
            for word in words {
                let word = if word.starts_with('\'') { word.clone() } else { key(word) };
                let roles = phrases.entry(word).or_default();
                if !roles.contains(&role) {
                    roles.push(role);
                }
            }
        };
        source.roles.iter().for_each(|(role, words)| put(words, *role));
        source.extreme.iter().enumerate().for_each(|(at, extreme)| put(&extreme.words, Role::Extreme(at)));
        source.extreme.iter().enumerate().for_each(|(at, extreme)| put(&extreme.further, Role::Further(at)));
        source.compare.iter().enumerate().for_each(|(at, compare)| put(&compare.words, Role::Compare(at)));
        // The order of a hash map is not the same twice, and meanings are tried in their order.
        phrases.values_mut().for_each(|roles| roles.sort_by_key(|role| format!("{role:?}")));
        let mut alike: HashMap<String, Vec<String>> = HashMap::new();
        for group in &source.alike {
            let keys: Vec<String> = group.words.iter().map(|word| key(word)).collect();
            for word in &keys {
                let others = keys.iter().filter(|other| *other != word).cloned();
                alike.entry(word.clone()).or_default().extend(others);
            }
        }
        let places = |words: Vec<Vec<String>>| {
            let mut places: HashMap<String, Vec<usize>> = HashMap::new();
            for (at, words) in words.into_iter().enumerate() {
                for word in words {
                    let known = places.entry(word).or_default();
                    if known.last() != Some(&at) {
                        known.push(at);
                    }
                }
            }
            places
        };
        let both = |words: &Vec<String>| words.iter().flat_map(|word| [key(word), stems(word)]).collect::<Vec<_>>();
        let keys = |words: &Vec<String>| words.iter().map(|word| key(word)).collect::<Vec<_>>();
        let called = places(source.concept.iter().map(|concept| both(&concept.words)).collect());
        let verbs = places(source.concept.iter().map(|concept| keys(&concept.verbs)).collect());
        let said = places(source.condition.iter().map(|phrase| keys(&phrase.words)).collect());
        let signs = source.money.iter().flat_map(|money| money.words.iter().map(|word| (key(word), money.sign)));
        Self {
            phrases,
            months: source.months,
            weekdays: source.weekdays,
            alike,
            called,
            verbs,
            said,
            money: signs.collect(),
            numbers: source.numbers,
            sets: source.sets,
            abbreviations: source.abbreviations,
            extremes: source.extreme,
            compares: source.compare,
            concepts: source.concept,
            directions: source.direction,
            conditions: source.condition,
            remainders: source.remainder,
            log: source.log,
            rows: source.rows,
            units: source.unit,
        }
    }

    /// What a phrase means, its words in lower case.
    pub(crate) fn roles(&self, phrase: &str) -> &[Role] {
        self.phrases.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// Words that mean the same as this one in a cell.
    pub(crate) fn alike(&self, phrase: &str) -> &[String] {
        self.alike.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// The sign of a money's name.
    pub(crate) fn money(&self, word: &str) -> Option<char> {
        self.money.get(word).copied()
    }

    /// The number that a word is.
    pub(crate) fn number(&self, word: &str) -> Option<f64> {
        self.numbers.get(word).copied()
    }

    /// The month that a word names, from 1; short names have three letters or four.
    pub(crate) fn month(&self, word: &str) -> Option<i8> {
        named(&self.months, word)
    }

    /// The weekday that a word names, Monday is 1.
    pub(crate) fn weekday(&self, word: &str) -> Option<i8> {
        named(&self.weekdays, word.strip_suffix('s').filter(|_| word.len() > 6).unwrap_or(word))
    }

    /// Whether the word belongs to a group of those that tell times: `today`, `last`, `pm`.
    pub(crate) fn is_relative(&self, group: &str, word: &str) -> bool {
        self.sets.get(group).is_some_and(|words| words.iter().any(|known| known == word))
    }

    /// A set of words under `[sets]`.
    pub(crate) fn set(&self, group: &str) -> &[String] {
        self.sets.get(group).map_or(&[], Vec::as_slice)
    }

    /// What a word of a name is short for.
    pub(crate) fn long(&self, word: &str) -> Option<&str> {
        self.abbreviations.get(word).map(String::as_str)
    }

    /// All phrases that mean something.
    pub(crate) fn phrases(&self) -> impl Iterator<Item = &str> {
        self.phrases.keys().map(String::as_str)
    }

    /// The places of the concepts that a phrase, or its stems, are a name of.
    pub(crate) fn called(&self, phrase: &str) -> &[usize] {
        self.called.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// The places of the concepts that a verb is about.
    pub(crate) fn verbs(&self, phrase: &str) -> &[usize] {
        self.verbs.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// The conditions that a phrase says.
    pub(crate) fn conditions(&self, phrase: &str) -> impl Iterator<Item = &Phrase> {
        self.said.get(phrase).into_iter().flatten().map(|at| &self.conditions[*at])
    }
}

fn named(names: &[String], word: &str) -> Option<i8> {
    let fits = |name: &String| name == word || (matches!(word.len(), 3 | 4) && name.starts_with(word));
    let at = names.iter().position(fits)?;
    i8::try_from(at + 1).ok()
}
