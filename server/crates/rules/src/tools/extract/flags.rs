//! Yes or no: the words of the parameter's name in the request, and whether they are denied.

use std::ops::Range;
use std::rc::Rc;

use serde_json::Value;

use super::param::{Param, Takes};
use super::request::Request;

/// Words of a flag's name that do not say which one it is.
const PREFIXES: &[&str] = &[
    "is", "has", "have", "includ", "include", "enabl", "enable", "allow", "with", "show", "use", "flag", "should",
    "return", "requir", "need", "onli", "only", "add", "availabl",
];

const DENIALS: &[&str] = &[
    "no",
    "not",
    "without",
    "don't",
    "doesn't",
    "non",
    "never",
    "exclude",
    "excluding",
    "disable",
    "isn't",
    "neither",
    "avoid",
    "except",
];

/// With a denial beside them they say that it does not matter.
const INDIFFERENT: &[&str] =
    &["mind", "care", "matter", "concerned", "whether", "preference", "picky", "worry", "particular"];

/// The values for no and for yes, if the parameter is a flag; some are texts.
pub(super) fn yes_and_no(param: &Param<'_>) -> Option<[Value; 2]> {
    if param.takes == Takes::Boolean {
        return Some([Value::Bool(false), Value::Bool(true)]);
    }
    let of = |word: &str| {
        let is = |option: &&Value| option.as_str().is_some_and(|option| option.eq_ignore_ascii_case(word));
        param.options().iter().find(is).cloned()
    };
    Some([of("false")?, of("true")?])
}

/// What the request says of a flag; nothing if it does not speak of it.
pub(super) fn flag(request: &Request, range: &Range<usize>, param: &Param<'_>) -> Option<bool> {
    let words: Vec<&Rc<str>> = param.words.iter().filter(|word| !PREFIXES.contains(&&***word)).collect();
    if words.is_empty() {
        return None;
    }
    let place_of = |word: &Rc<str>| range.clone().find(|place| request.stems[*place] == *word);
    let places: Vec<usize> = words.iter().filter_map(|word| place_of(word)).collect();
    let first = *places.iter().min()?;
    let last = *places.iter().max()?;
    let half = words.len() == 2 && places.len() < 2 && !distinct(param, &words);
    if places.len() < words.len().div_ceil(2) || half && !is_explained(request, range, param, first) {
        return None;
    }
    if last - first > 6 {
        return None;
    }
    let told = |place: usize, words: &[&str]| request.is(place, words);
    if (last + 1..(last + 5).min(range.end)).any(|place| told(place, &["false", "off", "disabled"])) {
        return Some(false);
    }
    let same = |place: &usize| request.numbers[*place] == request.numbers[first];
    let around = || (first.saturating_sub(9).max(range.start)..(last + 5).min(range.end)).filter(same);
    if around().any(|place| {
        told(place, INDIFFERENT) && (told(place, &["whether"]) || around().any(|other| told(other, DENIALS)))
    }) {
        return None;
    }
    let denied = (first.saturating_sub(4).max(range.start)..last)
        .any(|place| told(place, DENIALS) && request.numbers[place] == request.numbers[first]);
    Some(!denied)
}

/// A flag of two words is told by the first one if it is a long one.
fn distinct(param: &Param<'_>, words: &[&Rc<str>]) -> bool {
    param.name.len() > 10 && words[0].len() > 4
}

/// Whether a word of the description stands just before the one word of the name: `suitable for kids`; and no denial.
fn is_explained(request: &Request, range: &Range<usize>, param: &Param<'_>, place: usize) -> bool {
    let before = || place.saturating_sub(3).max(range.start)..place;
    let says = |at: usize| {
        let stem = &request.stems[at];
        stem.len() > 3 && param.notes.contains(stem) && !param.words.contains(stem)
    };
    before().any(says) && !before().any(|at| request.is(at, DENIALS))
}
