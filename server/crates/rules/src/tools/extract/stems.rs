//! Stems of words, remembered: a request and the tools it is held against share most of theirs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::tools::words::{name_words, stem as stem_of};

/// How many stems a thread remembers.
const MOST_KNOWN: usize = 8192;

/// How much of a description is read, in characters.
const MAX_TEXT: usize = 1500;

/// Words that say nothing in a request or in a description, in alphabetical order.
const EMPTY: &[&str] = &[
    "a",
    "about",
    "all",
    "also",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "between",
    "but",
    "by",
    "can",
    "could",
    "default",
    "did",
    "do",
    "does",
    "e",
    "eg",
    "example",
    "for",
    "format",
    "from",
    "g",
    "get",
    "give",
    "given",
    "had",
    "has",
    "have",
    "how",
    "i",
    "ie",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "know",
    "let",
    "like",
    "may",
    "me",
    "must",
    "my",
    "need",
    "no",
    "not",
    "of",
    "on",
    "optional",
    "or",
    "our",
    "out",
    "parameter",
    "per",
    "please",
    "provide",
    "required",
    "s",
    "should",
    "show",
    "so",
    "some",
    "specific",
    "specified",
    "specify",
    "such",
    "t",
    "tell",
    "than",
    "that",
    "the",
    "then",
    "there",
    "these",
    "this",
    "those",
    "to",
    "up",
    "use",
    "used",
    "using",
    "value",
    "want",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whose",
    "will",
    "with",
    "would",
    "you",
    "your",
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
    EMPTY.binary_search(&word).is_ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_in_order_so_that_they_can_be_searched() {
        assert!(EMPTY.is_sorted());
    }
}
