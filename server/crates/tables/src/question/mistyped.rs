//! Words that are nearly others.

use strsim::osa_distance;

use super::meanings::{Item, Meaning, Words, put};
use crate::tokens::{TokenKind, key};
use crate::vocabulary::{Role, vocabulary};

const TYPO: f32 = 0.2;

/// Shorter words are not taken for mistyped ones.
const MIN_TYPO: usize = 5;

/// Nor are shorter phrases, or those of more words.
const MIN_PHRASE: usize = 7;
const MAX_MISTYPED: usize = 3;

impl<'a> Words<'a> {
    pub(crate) fn mistyped(&self, at: usize, found: &mut Vec<Item>) {
        self.mistyped_phrase(at, found);
        let token = &self.tokens[at];
        if token.kind != TokenKind::Word || token.lower.chars().count() < MIN_TYPO {
            return;
        }
        let most = if token.lower.chars().count() > 8 { 2 } else { 1 };
        let near =
            |word: &str| word.len().abs_diff(token.lower.len()) <= most && osa_distance(word, &token.lower) <= most;
        for (column, known) in self.schema.columns.iter().enumerate() {
            if known.words.len() == 1 && near(&known.words[0]) {
                put(found, at, at + 1, Meaning::Column(column), TYPO);
            }
            if known.words.len() > 1 && known.words.iter().any(|word| word.len() >= MIN_TYPO && near(word)) {
                put(found, at, at + 1, Meaning::Column(column), 2.0 * TYPO);
            }
            let fitting: Vec<String> = self
                .spelled(column)
                .iter()
                .filter(|value| near(&key(value)) && !key(value).starts_with(&token.lower))
                .map(|value| (*value).clone())
                .collect();
            if !fitting.is_empty() {
                put(found, at, at + 1, Meaning::Cell(column, fitting), TYPO);
            }
        }
        let phrases = vocabulary().phrases().filter(|phrase| phrase.len() > MIN_TYPO && near(phrase));
        self.put_roles(phrases, (at, at + 1), found);
        if self.schema.nouns.iter().any(|noun| near(noun)) {
            put(found, at, at + 1, Meaning::Rows, TYPO);
        }
    }

    /// `hom many`: several words that are nearly those of a phrase.
    fn mistyped_phrase(&self, at: usize, found: &mut Vec<Item>) {
        for length in 2..=MAX_MISTYPED.min(self.tokens.len() - at) {
            let tokens = &self.tokens[at..at + length];
            let phrase = tokens.iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" ");
            if phrase.len() < MIN_PHRASE || tokens.iter().any(|token| token.kind != TokenKind::Word) {
                continue;
            }
            let near = |known: &&str| {
                known.len().abs_diff(phrase.len()) <= 1
                    && known.split(' ').count() == length
                    && osa_distance(known, &phrase) == 1
            };
            self.put_roles(vocabulary().phrases().filter(near), (at, at + length), found);
        }
    }

    /// What phrases mean that are nearly the words from one place to another; those that turn a question round are typed right.
    fn put_roles<'p>(&self, phrases: impl Iterator<Item = &'p str>, (from, to): (usize, usize), found: &mut Vec<Item>) {
        let is_open = |role: &&Role| !matches!(role, Role::Fill | Role::Not | Role::Except | Role::Lacking);
        let roles = phrases.flat_map(|phrase| vocabulary().roles(phrase));
        for role in roles.filter(is_open).filter(|role| self.admits(**role)) {
            put(found, from, to, Meaning::Role(*role), TYPO);
        }
    }

    /// The cells of a column that are one word.
    pub(crate) fn spelled(&self, column: usize) -> Vec<&'a String> {
        let values = &self.schema.columns[column].values;
        values.iter().filter(|value| value.len() >= MIN_TYPO && !value.contains(' ')).collect()
    }
}
