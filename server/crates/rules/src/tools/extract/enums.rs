//! A value out of a few: the option whose words the request has, or what the description says stands for it.

use std::ops::Range;
use std::rc::Rc;

use serde_json::Value;

use super::param::Param;
use super::request::Request;
use super::stems::{is_empty, stem};
use crate::tools::words::name_words;
use switchboard_context::letters;

/// An option that was found, and where.
pub(super) struct Chosen {
    pub(super) value: Value,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The options that the request names, in its order.
pub(super) fn named(request: &Request, range: &Range<usize>, param: &Param<'_>) -> Vec<Chosen> {
    let mut found: Vec<Chosen> = Vec::new();
    for option in param.options().iter().take(60) {
        let text = match option {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => continue,
        };
        let coded = param.codes.iter().filter(|(code, _)| *code == text).map(|(_, meaning)| meaning.as_str());
        let places = std::iter::once(text.as_str()).chain(coded).filter_map(|text| place_of(request, range, text));
        if let Some((from, to)) = places.max_by_key(|(from, to)| to - from) {
            found.push(Chosen { value: option.clone(), from, to });
        }
    }
    // `current` inside `current account` does not count beside the whole.
    let spans: Vec<(usize, usize)> = found.iter().map(|chosen| (chosen.from, chosen.to)).collect();
    let inside = |chosen: &Chosen| {
        spans.iter().any(|&(from, to)| from <= chosen.from && chosen.to <= to && to - from > chosen.to - chosen.from)
    };
    found.retain(|chosen| !inside(chosen));
    found.sort_by_key(|chosen| chosen.from);
    found
}

/// What the description says stands for words of the request: `1` where it says `1 for Bangkok`.
pub(super) fn coded(request: &Request, range: &Range<usize>, param: &Param<'_>) -> Option<Chosen> {
    let found = param.codes.iter().filter_map(|(code, meaning)| Some((code, place_of(request, range, meaning)?)));
    let (code, (from, to)) = found.max_by_key(|(_, (from, to))| to - from)?;
    let value =
        if param.is_numeric() { code.parse::<i64>().map(Value::from).ok()? } else { Value::from(code.as_str()) };
    Some(Chosen { value, from, to })
}

/// The examples of the description that the request names, as the description writes them.
pub(super) fn examples(request: &Request, range: &Range<usize>, param: &Param<'_>) -> Vec<Chosen> {
    let found = param.examples.iter().filter_map(|example| {
        let (from, to) = place_of(request, range, example)?;
        let plain = example.split_whitespace().all(|word| !is_empty(&word.to_lowercase()) && word.chars().count() > 1);
        (plain || example.contains(" and ")).then(|| Chosen { value: Value::from(example.as_str()), from, to })
    });
    let found: Vec<Chosen> = found.collect();
    let longest = found.iter().map(|chosen| chosen.to - chosen.from).max().unwrap_or(0);
    found.into_iter().filter(|chosen| chosen.to - chosen.from == longest).collect()
}

/// Where the words of an option stand one after the other.
pub(super) fn place_of(request: &Request, range: &Range<usize>, text: &str) -> Option<(usize, usize)> {
    if text.chars().count() == 1 && !text.starts_with(|c: char| c.is_ascii_digit()) {
        let fits = |place: &usize| request.tokens[*place].text == text;
        return range.clone().find(fits).map(|place| (place, place + 1));
    }
    if let Some(place) = range.clone().find(|place| request.tokens[*place].text.eq_ignore_ascii_case(text)) {
        return Some((place, place + 1));
    }
    if let Some(span) = squashed(request, range, text) {
        return Some(span);
    }
    let words: Vec<String> = text.split_whitespace().flat_map(name_words).collect();
    if words.is_empty() || words.len() > 8 {
        return None;
    }
    let stems: Vec<Rc<str>> = words.iter().map(|word| stem(word)).collect();
    let last = range.end.checked_sub(stems.len())?;
    (range.start..=last)
        .find(|&place| request.stems[place..place + stems.len()] == stems[..])
        .map(|place| (place, place + stems.len()))
}

/// Where the letters of an option stand, however they are divided: `Gluten Free` is `gluten-free`.
fn squashed(request: &Request, range: &Range<usize>, text: &str) -> Option<(usize, usize)> {
    let squash = |text: &str| letters(text).collect::<String>();
    let wanted = squash(text);
    if wanted.chars().count() < 4 || wanted.len() > 60 {
        return None;
    }
    for start in range.clone() {
        let mut rest = wanted.as_str();
        for place in start..range.end.min(start + 5) {
            let word = squash(&request.tokens[place].lower);
            let Some(left) = rest.strip_prefix(word.as_str()).filter(|_| !word.is_empty()) else { break };
            rest = left;
            if rest.is_empty() {
                return Some((start, place + 1));
            }
        }
    }
    None
}
