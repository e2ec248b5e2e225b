//! A request that changes one thing of the one before it: `do it again for b.txt`, `and Paris?`, `the same with 5`.
//!
//! It is said anew: the request before it, with what is new in place of what is of the same sort. Then it is
//! understood like any other, so that whatever works once works again. Where several things could be meant, the user is
//! asked.

use std::ops::Range;

use serde_json::Value;

use super::clause::{Clause, split};
use super::extract::{Sort, sorted};
use super::words::{ACTIONS, QUESTIONS};
use switchboard_agent::TurnView;
use switchboard_events::ChatRole;

/// How many requests are looked back at: one may follow the other.
const LOOK_BACK: usize = 8;

/// The values of so many calls are known, and so many of them.
const MAX_CALLS: usize = 20;
const MAX_VALUES: usize = 200;

/// A longer value is not looked for in a request.
const MAX_VALUE_BYTES: usize = 200;

/// The same is wanted; what is new follows after a preposition.
const SAME: &[&str] = &[
    "do it|that|this again",
    "do the? same thing?",
    "the? same thing? again?",
    "again",
    "once more",
    "one more time",
    "repeat it|that|this?",
    "redo it|that|this?",
    "rerun it|that|this?",
    "run|try|execute|calculate|count|search|check it|that|this? again",
];

/// The same may be wanted.
const ABOUT: &[&str] = &["what about", "how about"];

/// The same may be wanted if what follows is of a sort that the request before has.
const OPENINGS: &[&str] = &["and", "now", "also", "then"];

const PREPOSITIONS: &[&str] = &["for", "with", "in", "on", "at", "of", "from", "to", "using", "by", "per"];

/// What points at something instead of naming it.
const POINTING: &[&str] = &[
    "it", "that", "this", "them", "these", "those", "me", "you", "us", "one", "ones", "other", "others", "rest", "the",
    "a", "an", "my", "your",
];

/// How many words may name something that is of no sort.
const MAX_WORDS: usize = 4;

/// A message, seen as a change of the request before it.
#[derive(Debug, PartialEq)]
pub(super) enum Restated {
    /// It is none.
    No,
    /// It asks for this.
    As(String),
    /// It is not clear what it changes; for people.
    Unclear(String),
}

/// What is new.
struct Change {
    text: String,
    /// If it is of one.
    sort: Option<Sort>,
    preposition: Option<String>,
    /// That the same is wanted was said.
    plain: bool,
}

/// The message as a request of its own, if it changes the one before it. It is the `back`th of the conversation's last.
pub(super) fn said_anew(text: &str, clauses: &[Clause], view: &TurnView, back: usize) -> Restated {
    let said = view.conversation.messages().rev().filter(|message| message.role == ChatRole::User);
    let mut before: Vec<&str> = said.skip(back).take(LOOK_BACK).map(|message| message.content.as_str()).collect();
    before.reverse();
    restated(text, clauses, &before, &|| values_of(view))
}

/// `before`: what the user said before, oldest first; `used`: the values of the latest calls.
fn restated(text: &str, clauses: &[Clause], before: &[&str], used: &dyn Fn() -> Vec<String>) -> Restated {
    let Some(change) = Change::of(text, clauses) else { return Restated::No };
    let Some((last, earlier)) = before.split_last() else { return Restated::No };
    match restated(last, &split(last).clauses, earlier, used) {
        Restated::No => change.made_in(last, &used()),
        Restated::As(last) => change.made_in(&last, &used()),
        unclear @ Restated::Unclear(_) => unclear,
    }
}

/// The texts and numbers that the latest calls were given.
fn values_of(view: &TurnView) -> Vec<String> {
    let mut values = Vec::new();
    for operation in view.operations.iter().rev().take(MAX_CALLS) {
        operation.inputs.values().for_each(|value| add(value, &mut values));
    }
    values
}

fn add(value: &Value, values: &mut Vec<String>) {
    if values.len() >= MAX_VALUES {
        return;
    }
    match value {
        Value::String(text) if !text.is_empty() && text.len() <= MAX_VALUE_BYTES => values.push(text.clone()),
        Value::Number(number) => values.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| add(item, values)),
        _ => {}
    }
}

impl Change {
    fn of(text: &str, clauses: &[Clause]) -> Option<Self> {
        let [clause] = clauses else { return None };
        let opening = text.get(..clause.tokens.first()?.start)?.to_lowercase();
        let opened = opening.split(|c: char| !c.is_alphabetic()).any(|word| OPENINGS.contains(&word));
        let same = SAME.iter().find_map(|words| clause.starts(words));
        let about = ABOUT.iter().find_map(|words| clause.starts(words));
        let start = same.or(about).or(opened.then_some(0))?;
        let preposition =
            clause.tokens.get(start).filter(|token| token.is(PREPOSITIONS)).map(|token| token.lower.clone());
        if same.is_some() && preposition.is_none() {
            return None;
        }
        let new = clause.tail(start + usize::from(preposition.is_some()));
        let points = new.tokens.iter().any(|token| token.is(POINTING));
        if new.tokens.is_empty() || points || new.has(ACTIONS) || new.has(QUESTIONS) {
            return None;
        }
        let pieces = sorted(&new.text);
        let sort = if is_quoted(&new.text) { Some(Sort::Name) } else { only_sort(&new.text, &pieces) };
        let asked = preposition.is_some() || about.is_some() || clause.question;
        let fits = match sort {
            Some(Sort::Source | Sort::Number | Sort::Moment) => true,
            Some(Sort::Name) => asked || is_quoted(&new.text),
            None => asked && pieces.is_empty() && new.tokens.len() <= MAX_WORDS,
        };
        fits.then(|| Self { text: new.text.clone(), sort, preposition, plain: same.is_some() })
    }

    /// The request with what is new in its place.
    fn made_in(&self, request: &str, used: &[String]) -> Restated {
        let mut places = self.places(request, used);
        let known = |place: &Range<usize>| used.iter().any(|value| value == bare(&request[place.clone()]));
        let led = |place: &Range<usize>| self.preposition.as_deref() == last_word(&request[..place.start]).as_deref();
        let unit = last_word(&self.text).filter(|_| self.sort == Some(Sort::Number));
        let measured = |place: &Range<usize>| unit.is_some() && unit == first_word(&request[place.end..]);
        let as_quoted = |place: &Range<usize>| is_quoted(&self.text) == is_quoted(&request[place.clone()]);
        prefer(&mut places, measured);
        prefer(&mut places, as_quoted);
        prefer(&mut places, known);
        prefer(&mut places, led);
        match places.as_slice() {
            [place] => Restated::As(self.put(request, place)),
            [] => match &self.preposition {
                Some(preposition) if self.plain && preposition != "for" => {
                    let end = request.trim_end_matches(['.', '?', '!', ' ']);
                    Restated::As(format!("{end} {preposition} {}", self.text))
                }
                Some(_) if self.plain => Restated::Unclear(format!(
                    "I cannot tell what {} takes the place of in \"{}\". Please say the whole request.",
                    self.text,
                    shortened(request)
                )),
                _ => Restated::No,
            },
            [first, .., last] => Restated::Unclear(format!(
                "I cannot tell whether {} takes the place of {} or of {}. Please say the whole request.",
                self.text,
                &request[first.clone()],
                &request[last.clone()]
            )),
        }
    }

    /// Where it could stand.
    fn places(&self, request: &str, used: &[String]) -> Vec<Range<usize>> {
        let pieces = sorted(request);
        let mut places: Vec<Range<usize>> = Vec::new();
        for (_, piece) in pieces.iter().filter(|(sort, _)| Some(*sort) == self.sort) {
            match places.last_mut() {
                // A list is changed as a whole.
                Some(list) if is_between(&request[list.end..piece.start]) => list.end = piece.end,
                _ => places.push(piece.clone()),
            }
        }
        if places.is_empty() && matches!(self.sort, None | Some(Sort::Name)) {
            let lower = request.to_ascii_lowercase();
            let words = |value: &&String| !value.contains(['.', '/']);
            let found = used.iter().filter(words).filter_map(|value| stands(&lower, &value.to_ascii_lowercase()));
            places.extend(found.max_by_key(ExactSizeIterator::len).or_else(|| divided_by(&lower)));
        }
        places
    }

    fn put(&self, request: &str, place: &Range<usize>) -> String {
        let (mut start, mut end) = (place.start, place.end);
        let unit = last_word(&self.text).filter(|_| self.sort == Some(Sort::Number));
        if unit.is_some() && unit == first_word(&request[end..]) {
            // Its unit comes with it.
            end += request[end..].find(char::is_alphabetic).unwrap_or(0);
            end += request[end..].find(|c: char| !c.is_alphabetic()).unwrap_or(request.len() - end);
        }
        if is_quoted(&request[place.clone()]) && !is_quoted(&self.text) {
            (start, end) = (start + 1, end - 1);
        }
        format!("{}{}{}", &request[..start], self.text, &request[end..])
    }
}

/// The sort of all pieces, if they are all of one and nothing else is said but the unit of a number.
fn only_sort(text: &str, pieces: &[(Sort, Range<usize>)]) -> Option<Sort> {
    let (sort, first) = pieces.first()?;
    let between =
        pieces.windows(2).all(|pair| pair[0].0 == pair[1].0 && is_between(&text[pair[0].1.end..pair[1].1.start]));
    let rest = &text[pieces.last()?.1.end..];
    let unit = *sort == Sort::Number && rest.split_whitespace().count() <= 1;
    (between && text[..first.start].trim().is_empty() && (unit || rest.trim().is_empty())).then_some(*sort)
}

/// Whether only what stands between the items of a list does.
fn is_between(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || c == ',').all(|word| matches!(word, "" | "and" | "or" | "&"))
}

/// Only those that are preferred, if there are some.
fn prefer(places: &mut Vec<Range<usize>>, preferred: impl Fn(&Range<usize>) -> bool) {
    if places.iter().any(&preferred) {
        places.retain(preferred);
    }
}

/// Where the value stands as a word of its own.
fn stands(text: &str, value: &str) -> Option<Range<usize>> {
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(value)
        .map(|(start, found)| start..start + found.len())
        .find(|place| is_edge(text[..place.start].chars().next_back()) && is_edge(text[place.end..].chars().next()))
}

/// What rows are divided by: `region` in `the total by region`.
fn divided_by(text: &str) -> Option<Range<usize>> {
    let start = [" by ", " per "].iter().find_map(|word| Some(text.find(word)? + word.len()))?;
    let length = text[start..].find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len() - start);
    (length > 0).then_some(start..start + length)
}

fn shortened(text: &str) -> String {
    let short: String = text.chars().take(80).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

fn is_quoted(text: &str) -> bool {
    ['"', '\'', '`'].iter().any(|mark| text.len() > 1 && text.starts_with(*mark) && text.ends_with(*mark))
}

fn bare(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

fn last_word(text: &str) -> Option<String> {
    text.split_whitespace().next_back().filter(|word| word.chars().all(char::is_alphabetic)).map(str::to_lowercase)
}

fn first_word(text: &str) -> Option<String> {
    let word = text.split_whitespace().next()?.trim_end_matches(|c: char| !c.is_alphanumeric());
    word.chars().all(char::is_alphabetic).then(|| word.to_lowercase())
}

#[cfg(test)]
#[path = "follow_up_tests.rs"]
mod tests;
