//! An option that no word of the request names, but that the request means: by what people commonly call it, or by the
//! likeness of their words.

use std::ops::Range;

use serde_json::Value;

use super::enums::{Chosen, place_of};
use super::param::Param;
use super::request::Request;
use super::stems::is_empty;
use crate::tools::lexer::Kind;
use crate::tools::words::name_words;
use switchboard_search::Meaning;

/// A word of the request must be this much like the option …
const ALIKE: f64 = 0.5;

/// … and this much more than like any other.
const AHEAD: f64 = 0.25;

/// How many words of a request and how many options are compared.
const MAX_WORDS: usize = 40;
const MAX_OPTIONS: usize = 12;

/// Options, and how people say them: what the likeness of words does not know, or has the wrong way round.
const CALLED: &[(&[&str], &[&str])] = &[
    (
        &["desc", "descending"],
        &["highest first", "largest first", "newest first", "latest first", "most recent first", "high to low"],
    ),
    (&["asc", "ascending"], &["lowest first", "smallest first", "oldest first", "earliest first", "low to high"]),
    (&["metric"], &["km", "kilometers", "kilometres", "celsius", "kg", "kilograms", "meters", "metres", "cm"]),
    (&["imperial"], &["miles", "fahrenheit", "pounds", "lbs", "feet", "inches", "ounces"]),
    (&["economy"], &["cheap", "cheapest", "affordable", "budget", "coach"]),
];

/// The option that people commonly call by words of the request.
pub(super) fn called(request: &Request, range: &Range<usize>, param: &Param<'_>) -> Option<Chosen> {
    let mut found = param.options().iter().take(MAX_OPTIONS).filter_map(|option| {
        let (_, names) = CALLED.iter().find(|(own, _)| own.iter().any(|own| is(option, own)))?;
        let (from, to) = names.iter().find_map(|name| place_of(request, range, name))?;
        Some(Chosen { value: option.clone(), from, to })
    });
    let first = found.next();
    // Who says both has not said which.
    first.filter(|_| found.next().is_none())
}

fn is(option: &Value, text: &str) -> bool {
    option.as_str().is_some_and(|option| option.eq_ignore_ascii_case(text))
}

/// The option that a word of the request is alike, and no other option nearly as much.
pub(super) fn meant(request: &Request, range: &Range<usize>, param: &Param<'_>, used: &[bool]) -> Option<Chosen> {
    let options: Vec<(&Value, Meaning)> =
        param.options().iter().filter_map(|option| Some((option, told(option, param)?))).collect();
    if !(2..=MAX_OPTIONS).contains(&options.len()) {
        return None;
    }
    let says = |place: &usize| {
        let token = &request.tokens[*place];
        token.kind == Kind::Word && token.text.len() > 2 && !is_empty(&token.lower) && !used[*place]
    };
    let mut best: Option<(f64, Chosen)> = None;
    for place in range.clone().filter(says).take(MAX_WORDS) {
        let word = Meaning::of(&request.tokens[place].lower);
        let mut ranked: Vec<(f64, &Value)> =
            options.iter().map(|(option, meaning)| (word.alike(meaning), *option)).collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
        let (alike, option) = ranked[0];
        let ahead = alike - ranked[1].0;
        if alike >= ALIKE && ahead >= AHEAD && best.as_ref().is_none_or(|(most, _)| alike > *most) {
            best = Some((alike, Chosen { value: option.clone(), from: place, to: place + 1 }));
        }
    }
    best.map(|(_, chosen)| chosen)
}

/// What an option means, with what the description says stands for it.
fn told(option: &Value, param: &Param<'_>) -> Option<Meaning> {
    let text = option.as_str()?;
    let coded = param.codes.iter().find(|(code, _)| code == text).map_or("", |(_, meaning)| meaning.as_str());
    Some(Meaning::of(&format!("{} {coded}", name_words(text).join(" "))))
}
