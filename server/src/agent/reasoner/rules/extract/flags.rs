//! Yes or no: the words of the parameter's name in the request, and whether they are denied.

use std::ops::Range;
use std::rc::Rc;

use super::param::Param;
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

/// What the request says of a flag; nothing if it does not speak of it.
pub(super) fn flag(request: &Request, range: &Range<usize>, param: &Param<'_>) -> Option<bool> {
    let words: Vec<&Rc<str>> = param.words.iter().filter(|word| !PREFIXES.contains(&&***word)).collect();
    if words.is_empty() {
        return None;
    }
    let place_of = |word: &Rc<str>| range.clone().find(|place| request.stems[*place] == *word);
    let places: Vec<usize> = words.iter().filter_map(|word| place_of(word)).collect();
    if places.len() < words.len().div_ceil(2) || (words.len() == 2 && places.len() < 2 && !distinct(param, &words)) {
        return None;
    }
    let first = *places.iter().min()?;
    let last = *places.iter().max()?;
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
