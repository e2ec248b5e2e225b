//! Words that mean one thing: those of one group of `kin.toml`, and a day in each way of writing it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::Deserialize;

use crate::data::{self, MONTHS};

#[derive(Debug, Deserialize)]
struct Kin {
    groups: Vec<Vec<String>>,
    apart: HashSet<String>,
}

fn data() -> &'static Kin {
    static KIN: LazyLock<Kin> = LazyLock::new(|| data::read(include_str!("kin.toml")));
    &KIN
}

fn groups() -> &'static [Vec<String>] {
    &data().groups
}

fn group(word: &str) -> Option<&'static [String]> {
    static GROUPS: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
        let each = groups().iter().enumerate();
        each.flat_map(|(at, words)| words.iter().map(move |word| (word.as_str(), at))).collect()
    });
    let at = |word: &str| GROUPS.get(word).copied();
    let found = at(word).or_else(|| word.strip_suffix('s').filter(|word| word.len() > 2).and_then(at))?;
    groups().get(found).map(Vec::as_slice)
}

/// The one word that stands for a word in lower case and all that mean the same.
pub(crate) fn kin_of(word: &str) -> &str {
    group(word).map_or(word, |words| words[0].as_str())
}

/// Whether a word in lower case is never meant by one that is only like it.
pub(super) fn is_apart(word: &str) -> bool {
    data().apart.contains(kin_of(word)) || data().apart.contains(word)
}

/// A word in lower case with all that mean the same.
pub(crate) fn all_kin(word: &str) -> Vec<&str> {
    group(word).map_or_else(|| vec![word], |words| words.iter().map(String::as_str).collect())
}

/// The names of months, in a pattern that ignores case.
pub(super) const MONTH_NAMES: &str = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";

/// How the name of a month begins, from 1.
fn short(month: usize) -> Option<&'static str> {
    MONTHS.get(month.checked_sub(1)?).map(|name| &name[..3])
}

fn days() -> &'static Regex {
    static DAYS: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = format!(
            r"(?i)\b(?:\d{{4}}-(?P<m1>\d\d)-(?P<d1>\d\d)\b|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?P<m2>{MONTH_NAMES})\b|(?P<m3>{MONTH_NAMES})\b\.?\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b|(?P<d4>\d{{1,2}})\.(?P<m4>\d{{1,2}})\.(?:\d{{4}}|\s|$))"
        );
        Regex::new(&pattern).unwrap_or_else(|error| panic!("{error}"))
    });
    &DAYS
}

/// The number of a month by its name.
pub(super) fn month(name: &str) -> Option<u32> {
    let lower = name.to_lowercase();
    let at = MONTHS.iter().position(|month| lower.starts_with(&month[..3]))?;
    u32::try_from(at + 1).ok()
}

/// The month of a day or month that is written as files do: `2026-03-01`, `2026-03`.
pub(crate) fn month_in(value: &str) -> Option<&'static str> {
    let parts: Vec<&str> = value.split('-').collect();
    let digits = |part: &&str, count: usize| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    let ([year, month] | [year, month, _]) = parts.as_slice() else { return None };
    let written = digits(year, 4) && digits(month, 2) && parts.get(2).is_none_or(|day| digits(day, 2));
    short(month.parse().ok().filter(|_| written)?)
}

/// A day as one word: `d1130`.
fn day(found: &Captures<'_>) -> Option<String> {
    let part = |names: &[&str]| names.iter().find_map(|name| found.name(name)).map(|part| part.as_str());
    let day: u32 = part(&["d1", "d2", "d3", "d4"])?.parse().ok()?;
    let told = part(&["m1", "m2", "m3", "m4"])?;
    let month = told.parse().ok().or_else(|| month(told))?;
    ((1..=31).contains(&day) && (1..=12).contains(&month)).then(|| format!("d{month:02}{day:02}"))
}

/// The days that a text tells, each as one word.
pub(crate) fn days_in(text: &str) -> impl Iterator<Item = String> {
    days().captures_iter(text).filter_map(|found| day(&found))
}

/// The text with each day as one word in its place.
pub(crate) fn with_days(text: &str) -> Cow<'_, str> {
    days().replace_all(text, |found: &Captures<'_>| {
        day(found).map_or_else(|| found[0].to_owned(), |day| format!("{day} "))
    })
}

/// A pattern for a day that is told as one word, in each way of writing it.
pub(crate) fn pattern_of_day(word: &str) -> Option<String> {
    let is_day = |digits: &&str| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let digits = word.strip_prefix('d').filter(is_day)?;
    let (month, day): (usize, u32) = (digits[..2].parse().ok()?, digits[2..].parse().ok()?);
    let name = short(month)?;
    Some(format!(
        r"-{month:02}-{day:02}\b|\b0?{day}(?:st|nd|rd|th)?\.? (?:of )?{name}|\b{name}\w* 0?{day}(?:st|nd|rd|th)?\b|\b0?{day}\.0?{month}\."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_in_one_group_only() {
        let mut seen = std::collections::BTreeSet::new();
        for word in groups().iter().flatten() {
            assert!(seen.insert(word), "{word}");
        }
    }

    #[test]
    fn a_day_is_the_same_in_each_way_of_writing_it() {
        for text in ["2026-11-30", "30 November", "the 30th of nov.", "nov 30", "30.11.2026", "November 30th"] {
            assert_eq!(days_in(text).collect::<Vec<_>>(), ["d1130"], "{text}");
            let pattern = pattern_of_day("d1130").expect("a day");
            assert!(Regex::new(&format!("(?i){pattern}")).expect("a pattern").is_match(text), "{text}");
        }
        assert_eq!(with_days("who brings it on the 16th of jan?"), "who brings it on the d0116 ?");
        assert_eq!(days_in("version 1.2.3, may 99").count(), 0);
        for word in ["doña", "dune", "d1301", "d+1-1", "d"] {
            assert_eq!(pattern_of_day(word), None, "{word}");
        }
    }

    #[test]
    fn a_month_is_told_by_a_day_as_files_write_it() {
        for (value, month) in
            [("2026-03-01", Some("mar")), ("2025-05", Some("may")), ("2025-13", None), ("555-03-1", None)]
        {
            assert_eq!(month_in(value), month, "{value}");
        }
    }

    #[test]
    fn words_of_one_group_have_one_kin() {
        assert_eq!(kin_of("mum"), kin_of("mothers"));
        assert_eq!(kin_of("harbour"), "harbour");
        assert!(all_kin("db").contains(&"database"));
    }
}
