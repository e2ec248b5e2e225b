//! Noun phrases: words that stand together, without the words that only say what the tool is for.

use std::ops::Range;
use std::rc::Rc;

use super::mention::{Mention, Piece};
use super::request::Request;
use crate::tools::lexer::Kind;
use crate::tools::words::{ACTIONS, QUESTIONS, STOP};

/// Words that end a phrase.
const BREAKS: &[&str] = &[
    "with",
    "without",
    "between",
    "during",
    "over",
    "under",
    "using",
    "via",
    "per",
    "near",
    "around",
    "through",
    "based",
    "after",
    "until",
    "since",
    "while",
    "than",
    "but",
    "nor",
    "if",
    "because",
    "considering",
    "including",
    "given",
    "assuming",
    "starting",
    "against",
    "among",
    "across",
    "towards",
    "toward",
    "along",
    "onto",
    "off",
    "down",
    "should",
    "must",
    "may",
    "might",
    "shall",
    "been",
    "being",
    "having",
    "want",
    "wants",
    "need",
    "needs",
    "looking",
    "make",
    "help",
    "provide",
    "retrieve",
    "him",
    "her",
    "he",
    "she",
    "his",
    "its",
    "won",
    "went",
    "getting",
    "interested",
    "today",
    "available",
    "specifically",
    "such",
    "each",
    "only",
    "not",
    "no",
    "more",
    "most",
    "very",
    "too",
    "both",
    "either",
    "located",
    "made",
    "named",
    "called",
    "titled",
    "i'd",
    "i'll",
    "we're",
    "let's",
    "into",
    "upon",
    "identify",
    "determine",
    "additionally",
    "finally",
    "lastly",
    "firstly",
    "secondly",
    "furthermore",
    "moreover",
    "afterwards",
    "preferably",
    "regarding",
    "concerning",
    "related",
    "focusing",
    "conducted",
    "conducting",
    "researching",
    "working",
    "assistance",
    "gather",
    "obtain",
    "ensure",
    "whether",
];

/// Words that are no value by themselves, and no part of one at its ends.
const VAGUE: &[&str] = &[
    "specific",
    "particular",
    "certain",
    "same",
    "different",
    "various",
    "following",
    "necessary",
    "desired",
    "information",
    "info",
    "details",
    "detail",
];

/// What stands before `to` and a verb.
const BEFORE_VERBS: &[&str] = &[
    "like",
    "want",
    "need",
    "me",
    "us",
    "wish",
    "going",
    "able",
    "trying",
    "love",
    "plan",
    "planning",
    "looking",
    "how",
    "hoping",
    "interested",
    "have",
    "wants",
    "needs",
    "used",
    "order",
    "ready",
    "supposed",
    "function",
    "tool",
];

/// The phrases of these tokens; at their ends no word that the tool uses of itself.
pub(super) fn phrases(request: &Request, range: &Range<usize>, own: &[Rc<str>]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut start = range.start;
    for place in range.start..=range.end {
        if place < range.end && continues(request, place, place == start) {
            continue;
        }
        if let Some((from, to)) = trimmed(request, start, place, own) {
            let text = request.written(from, to).to_owned();
            found.push(Mention { piece: Piece::Phrase, from, to, text });
        }
        start = place + 1;
    }
    found
}

fn continues(request: &Request, place: usize, first: bool) -> bool {
    let token = &request.tokens[place];
    let begins = place == 0 || request.numbers[place - 1] != request.numbers[place];
    let infinitive = place >= 2 && request.is(place - 1, &["to"]) && request.is(place - 2, BEFORE_VERBS);
    let verb = infinitive || (first && token.is(ACTIONS)) || (begins && token.is(QUESTIONS));
    let ends = verb
        || request.is_framing(place)
        || token.is(STOP)
        || token.is(BREAKS)
        || (first && token.kind == Kind::Number);
    matches!(token.kind, Kind::Word | Kind::Math | Kind::Path | Kind::Number) && !ends
}

fn trimmed(request: &Request, start: usize, end: usize, own: &[Rc<str>]) -> Option<(usize, usize)> {
    let (mut from, mut to) = (start, end);
    let says_nothing =
        |place: usize| own.contains(&request.stems[place]) && !is_name(request, place) || request.is(place, VAGUE);
    while from < to && says_nothing(from) {
        from += 1;
    }
    while from < to && says_nothing(to - 1) {
        to -= 1;
    }
    (from < to).then_some((from, to))
}

fn is_name(request: &Request, place: usize) -> bool {
    place > 0
        && request.numbers[place - 1] == request.numbers[place]
        && request.tokens[place].text.starts_with(char::is_uppercase)
}
