//! Proper names and places, by capital letters and simple grammar.

use super::places::is_city;
use super::request::Request;
use super::stems::is_empty;
use crate::tools::lexer::{Kind, Token};
use crate::tools::words::{ACTIONS, QUESTIONS, STOP};

/// Words inside a name.
const INSIDE: &[&str] = &[
    "of", "the", "de", "la", "le", "du", "del", "von", "van", "der", "den", "da", "di", "&", "and", "to", "in", "on",
    "for",
];

/// Words that begin a sentence and are no names.
const BEGIN: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "first",
    "second",
    "third",
    "next",
    "finally",
    "lastly",
    "firstly",
    "secondly",
    "thirdly",
    "furthermore",
    "moreover",
    "preferably",
    "specifically",
    "moving",
    "afterwards",
    "similarly",
    "likewise",
    "currently",
    "based",
    "consider",
    "gather",
    "obtain",
    "assist",
    "additionally",
    "also",
    "then",
    "after",
    "before",
    "if",
    "since",
    "while",
    "because",
    "as",
    "given",
    "suppose",
    "assume",
    "assuming",
    "determine",
    "identify",
    "retrieve",
    "provide",
    "submit",
    "estimate",
    "predict",
    "generate",
    "perform",
    "rotate",
    "during",
    "help",
    "need",
    "want",
    "looking",
    "today",
    "tomorrow",
    "yesterday",
    "now",
    "later",
    "once",
    "lets",
    "let's",
    "i'd",
    "i'll",
    "i'm",
    "i've",
    "we'd",
    "he",
    "she",
    "they",
    "his",
    "her",
    "their",
    "one",
    "two",
    "some",
    "each",
    "every",
    "another",
    "other",
    "both",
    "under",
    "when's",
    "who's",
    "where's",
    "thanks",
    "thank",
    "okay",
    "ok",
    "yes",
    "no",
    "not",
    "but",
    "however",
    "meanwhile",
    "suggest",
    "recommend",
    "schedule",
    "reserve",
    "arrange",
    "transfer",
    "simulate",
    "analyze",
    "assess",
    "verify",
    "monitor",
    "delete",
    "modify",
    "initiate",
    "request",
    "discover",
    "compare",
    "rank",
    "select",
    "pick",
    "choose",
    "cancel",
    "rate",
    "mr",
    "mrs",
    "ms",
    "dr",
];

/// Where a name that begins here ends, and where the place that it is part of ends.
pub(super) fn name_at(request: &Request, place: usize) -> Option<(usize, Option<usize>)> {
    if let Some(to) = known_place(request, place) {
        return Some((to, None));
    }
    let begins = begins_sentence(request, place) || request.is_mark(place + 1, ",");
    if !capital(request.token(place)?) || begins && is_plain(request.token(place)?) {
        return None;
    }
    let mut to = place + 1;
    while let Some(next) = request.token(to) {
        if capital(next) && !next.is(&["i", "i'm", "i'd"]) {
            to += 1;
            continue;
        }
        let inside = (1..=2).find(|gap| {
            (to..to + gap).all(|at| request.is(at, INSIDE)) && request.token(to + gap).is_some_and(capital)
        });
        // `Paris and Berlin` are two; `Ticket to Ride` is one.
        match inside.filter(|_| !request.is(to, &["and", "in", "on", "for", "&", "to"])) {
            Some(gap) => to += gap + 1,
            None => break,
        }
    }
    let region =
        request.is_mark(to, ",") && request.token(to + 1).is_some_and(capital) && !begins_sentence(request, to + 1);
    let mut end = to + 2;
    while region && request.token(end).is_some_and(capital) && !request.is_mark(end, ",") {
        end += 1;
    }
    // A list of three names is no place.
    let state =
        request.token(to + 1).is_some_and(|token| token.text.len() == 2 && token.text.chars().all(char::is_uppercase));
    let list = !state
        && request.is_mark(end, ",")
        && (request.token(end + 1).is_some_and(capital) || request.is(end + 1, &["and", "or"]))
        || !state && request.is(end, &["and", "or"]) && request.token(end + 1).is_some_and(capital);
    let place_to = (region && !list && end - to <= 4).then_some(end);
    Some((to, place_to))
}

fn capital(token: &Token) -> bool {
    let written = token.text.as_str();
    let coded = written.contains('_') || (written.len() > 6 && written.contains(|c: char| c.is_ascii_digit()));
    let plain = coded || token.is(&["id", "i", "i'm", "i'd", "i've", "i'll"]);
    matches!(token.kind, Kind::Word | Kind::Path) && written.starts_with(char::is_uppercase) && !plain
}

fn begins_sentence(request: &Request, place: usize) -> bool {
    place == 0 || {
        let before = &request.tokens[place - 1];
        before.kind == Kind::Mark && ".!?\n:;".contains(before.text.as_str())
    }
}

/// Whether a word at the beginning of a sentence is one of everyday.
fn is_plain(token: &Token) -> bool {
    let word = token.lower.as_str();
    let cut = word.split_once('\'').map_or(word, |(before, _)| before);
    [word, cut].iter().any(|word| {
        ACTIONS.contains(word)
            || QUESTIONS.contains(word)
            || STOP.contains(word)
            || BEGIN.contains(word)
            || is_empty(word)
    })
}

/// A city written without capital letters.
fn known_place(request: &Request, place: usize) -> Option<usize> {
    let first = request.token(place)?;
    if first.kind != Kind::Word
        || !first.text.starts_with(char::is_lowercase)
        || first.text.len() < 4 && !first.is(&["new", "san", "los", "las"])
    {
        return None;
    }
    (1..=3)
        .rev()
        .map(|length| place + length)
        .filter(|to| *to <= request.tokens.len())
        .find(|to| is_city(request.written(place, *to)))
}
