//! Texts and identifiers as words that can be compared: split, in lower case, stemmed, without stop words.

use std::cell::RefCell;
use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::stop_words::is_stop_word;

/// How much of a text is read, in characters; a name and a description are far shorter.
const MAX_TEXT: usize = 8192;

/// The stems of a text, as often as they occur.
pub(super) fn stems(text: &str) -> Vec<String> {
    let mut stems = Vec::new();
    each_word(text, |word| stems.push(stem(word)));
    stems
}

/// Calls `take` with each word in lower case that is no stop word.
pub(super) fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let mut word = String::new();
    let mut finish = |word: &mut String| {
        if !word.is_empty() && !is_stop_word(word) {
            take(word);
        }
        word.clear();
    };
    let mut characters = text.chars().take(MAX_TEXT).peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
        if begins_word(before, character, next_is_lower) {
            finish(&mut word);
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        } else if !matches!(character, '\'' | '’') {
            finish(&mut word);
        }
        before = character;
    }
    finish(&mut word);
}

/// An identifier as separate words, numbers left out: `getHTTPCode_2` is `get HTTP Code`.
pub(super) fn spaced(identifier: &str) -> String {
    let mut spaced = String::with_capacity(identifier.len() + 8);
    let mut characters = identifier.chars().take(MAX_TEXT).peekable();
    let mut before = ' ';
    while let Some(character) = characters.next() {
        let next_is_lower = characters.peek().is_some_and(|next| next.is_lowercase());
        if begins_word(before, character, next_is_lower) || !character.is_alphanumeric() {
            spaced.push(' ');
        }
        if character.is_alphanumeric() {
            spaced.push(character);
        }
        before = character;
    }
    let words = spaced.split_whitespace().filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
    words.collect::<Vec<_>>().join(" ")
}

/// `fileRead`, `HTTPServer`, and scripts that write without spaces.
fn begins_word(before: char, character: char, next_is_lower: bool) -> bool {
    let camel = character.is_uppercase() && (before.is_lowercase() || (before.is_uppercase() && next_is_lower));
    camel || is_ideograph(character) || is_ideograph(before)
}

/// Whether it belongs to a script that writes without spaces.
pub(super) fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// What is compared of a word in lower case.
#[must_use]
pub fn stem(word: &str) -> String {
    thread_local! {
        /// Stemming is most of the work of indexing, and tools share their words.
        static KNOWN: RefCell<HashMap<String, String>> = RefCell::default();
    }
    const MOST_KNOWN: usize = 4096;
    KNOWN.with_borrow_mut(|known| {
        if let Some(stem) = known.get(word) {
            return stem.clone();
        }
        let stem = Stemmer::create(Algorithm::English).stem(word).into_owned();
        if known.len() == MOST_KNOWN {
            known.clear();
        }
        known.insert(word.to_owned(), stem.clone());
        stem
    })
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
