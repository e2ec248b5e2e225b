//! The words and patterns by which people tell changes, and what values are made of: `told.toml`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use crate::data::{self, Pattern};

/// How people tell changes.
#[derive(Deserialize)]
pub(super) struct Ways {
    pub(super) old_before: Pattern,
    pub(super) new_before: Pattern,
    pub(super) from_before: Pattern,
    pub(super) old_after: Pattern,
    pub(super) more_before: Pattern,
    pub(super) less_before: Pattern,
    pub(super) taking: Pattern,
    pub(super) more_after: Pattern,
    pub(super) less_after: Pattern,
    pub(super) word_pairs: Vec<String>,
    pub(super) word_new: String,
    pub(super) switches: Vec<Switch>,
    pub(super) ticks: Pattern,
    pub(super) signals: Pattern,
    pub(super) questions: Pattern,
    pub(super) demands: Pattern,
    pub(super) asides: Pattern,
    pub(super) months: Pattern,
    pub(super) commands: Pattern,
    pub(super) many: Pattern,
    pub(super) shifts: Pattern,
    pub(super) adds: Pattern,
    pub(super) polite: Pattern,
    pub(super) points: Pattern,
    pub(super) adverbs: Pattern,
    pub(super) frames: Pattern,
    pub(super) optional: BTreeSet<String>,
    pub(super) means: Vec<Vec<String>>,
    pub(super) enumerations: Vec<Vec<String>>,
    pub(super) aside: BTreeSet<String>,
    /// What values of a kind are called.
    pub(super) kinds: BTreeMap<String, Vec<String>>,
    /// What a unit measures, and how much of the smallest one it is.
    pub(super) measures: HashMap<String, (String, f64)>,
    /// The words for yes and no.
    pub(super) opposites: Vec<(String, String)>,
}

/// What says that something is switched, and to which side.
#[derive(Deserialize)]
pub(super) struct Switch {
    pub(super) says: Pattern,
    pub(super) on: bool,
}

impl Ways {
    pub(super) fn get() -> &'static Self {
        static WAYS: LazyLock<Ways> = LazyLock::new(|| data::read(include_str!("told.toml")));
        &WAYS
    }

    /// How words are told as values: several ways with the old and the new one, and one with the new one alone.
    pub(super) fn words() -> &'static (Vec<Regex>, Regex) {
        static WORDS: LazyLock<(Vec<Regex>, Regex)> = LazyLock::new(|| {
            let word = r"[\p{L}#@][\p{L}\p{N}@./_#-]*[\p{L}\p{N}]|\p{L}";
            let with = |pattern: &String| {
                let named = pattern.replace("W)", &format!("{word})"));
                Regex::new(&named).unwrap_or_else(|error| panic!("{error}"))
            };
            (Ways::get().word_pairs.iter().map(with).collect(), with(&Ways::get().word_new))
        });
        &WORDS
    }
}
