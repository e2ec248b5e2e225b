//! The words and patterns by which people tell rows, `row_told.toml`, and what is made of a list of values with them.

use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::outline::{divided, kin_stems, word_stems};
use crate::data;

/// How people tell rows.
#[derive(Deserialize)]
pub(super) struct RowWays {
    pub(super) opens: Vec<String>,
    pub(super) words: String,
    pub(super) asks: String,
    pub(super) closes: String,
    pub(super) thanks: String,
    pub(super) leads: String,
    pub(super) tells: String,
    pub(super) nouns: Vec<String>,
    pub(super) light: Vec<String>,
    pub(super) denies: Vec<String>,
    pub(super) settled: Vec<String>,
    pub(super) leaves: Vec<String>,
    pub(super) denied: Vec<String>,
    pub(super) called: Vec<Vec<String>>,
    pub(super) money: Vec<String>,
}

impl RowWays {
    pub(super) fn get() -> &'static Self {
        static WAYS: LazyLock<RowWays> = LazyLock::new(|| data::read(include_str!("row_told.toml")));
        &WAYS
    }
}

/// A pattern of the data, which ignores case.
pub(super) fn read(pattern: &str) -> Regex {
    Regex::new(&format!("(?is){pattern}")).unwrap_or_else(|error| panic!("{error}"))
}

/// The values of a list: behind commas, and sentences of their own.
pub(super) fn told_values(list: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut letters = list.trim().trim_end_matches(['.', '!']).chars().peekable();
    let mut quoted = false;
    while let Some(letter) = letters.next() {
        quoted ^= letter == '"';
        let last = found.last().map(String::as_str).unwrap_or_default();
        // "Dr. Rossi".
        let word = last.rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_title = word.len() < 4 && word.starts_with(char::is_uppercase);
        let ends = matches!(letter, ',' | ';' | '!') || letter == '.' && !is_title;
        if ends && !quoted && letters.peek().is_some_and(|next| next.is_whitespace()) {
            found.push(String::new());
        } else if let Some(last) = found.last_mut() {
            last.push(letter);
        }
    }
    let trimmed = found.iter().map(|value| value.trim().trim_matches('"').trim_end_matches(['.', '!']).to_owned());
    trimmed.filter(|value| !value.is_empty()).collect()
}

/// The stems of a column's name, and of what it is called, too.
pub(super) fn names_of(column: &str) -> Vec<String> {
    let own = kin_stems(&divided(column).replace('_', " "));
    let groups = RowWays::get().called.iter();
    let groups = groups.filter(|group| group.iter().any(|word| kin_stems(word).is_subset(&own)));
    let called: Vec<String> = groups.flatten().flat_map(|word| kin_stems(word)).collect();
    own.into_iter().chain(word_stems(column)).chain(called).collect()
}

/// Whether a word only says that something is done: "paid", "has".
pub(super) fn is_said_so(word: &str) -> bool {
    let ways = RowWays::get();
    [&ways.settled, &ways.light].into_iter().any(|list| list.iter().any(|own| own == word))
}

/// Whom a text is about that says why a list is to lose them: "Anna" of "Anna has moved to Leeds".
pub(super) fn leaver(text: &str) -> Option<&str> {
    let leaves = |word: &str| RowWays::get().leaves.iter().any(|own| own == &word.to_lowercase());
    let (at, _) = text.match_indices(' ').find(|(at, _)| text[at + 1..].split(' ').next().is_some_and(leaves))?;
    Some(text[..at].trim()).filter(|subject| !subject.is_empty())
}
