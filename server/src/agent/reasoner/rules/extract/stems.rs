//! Stems of words, remembered: a request and the tools it is held against share most of theirs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::agent::reasoner::rules::words::{name_words, stem as stem_of};

/// How many stems a thread remembers.
const MOST_KNOWN: usize = 8192;

/// How much of a description is read, in characters.
const MAX_TEXT: usize = 1500;

/// Words that say nothing in a request or in a description.
const EMPTY: &[&str] = &[
    "a",
    "an",
    "the",
    "of",
    "in",
    "on",
    "at",
    "for",
    "to",
    "from",
    "by",
    "with",
    "and",
    "or",
    "is",
    "are",
    "be",
    "it",
    "its",
    "this",
    "that",
    "these",
    "those",
    "as",
    "if",
    "not",
    "no",
    "i",
    "me",
    "my",
    "we",
    "our",
    "you",
    "your",
    "can",
    "could",
    "would",
    "should",
    "will",
    "do",
    "does",
    "did",
    "please",
    "what",
    "which",
    "who",
    "how",
    "when",
    "where",
    "there",
    "which",
    "any",
    "some",
    "all",
    "e",
    "g",
    "eg",
    "ie",
    "such",
    "like",
    "example",
    "default",
    "optional",
    "was",
    "were",
    "has",
    "have",
    "had",
    "been",
    "into",
    "per",
    "between",
    "about",
    "using",
    "use",
    "used",
    "also",
    "s",
    "t",
    "whose",
    "want",
    "need",
    "get",
    "give",
    "tell",
    "show",
    "let",
    "know",
    "specify",
    "specified",
    "specific",
    "value",
    "parameter",
    "provide",
    "given",
    "required",
    "should",
    "must",
    "may",
    "format",
    "up",
    "out",
    "so",
    "than",
    "then",
    "but",
];

/// What is compared of a word in lower case.
pub(super) fn stem(word: &str) -> Rc<str> {
    thread_local! {
        static KNOWN: RefCell<HashMap<String, Rc<str>>> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(stem) = known.get(word) {
            return Rc::clone(stem);
        }
        let stem: Rc<str> = stem_of(word).into();
        if known.len() == MOST_KNOWN {
            known.clear();
        }
        known.insert(word.to_owned(), Rc::clone(&stem));
        stem
    })
}

/// Whether the word says nothing.
pub(super) fn is_empty(word: &str) -> bool {
    EMPTY.contains(&word)
}

/// The stems of a text that say something, each once, in order.
pub(crate) fn stems(text: &str) -> Vec<Rc<str>> {
    let mut stems: Vec<Rc<str>> = Vec::new();
    let text: String = text.chars().take(MAX_TEXT).collect();
    for word in text.split_whitespace().flat_map(name_words) {
        if is_empty(&word) {
            continue;
        }
        let stem = stem(&word);
        if !stems.contains(&stem) {
            stems.push(stem);
        }
    }
    stems
}
