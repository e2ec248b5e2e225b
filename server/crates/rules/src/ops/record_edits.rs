//! The record that a request tells about, changed or taken out: "26-048 came in today, mark it as paid" names one by a value
//! that only it has; every number and name that is told must be its own.

use std::collections::BTreeSet;

use serde_json::Value;
use switchboard_nlu::Engine;
use switchboard_search::is_stop_word;

use super::along::along;
use super::edited::{Edit, Edited};
use super::outline::{kin_stems, word_stems};
use super::records::{Field, Record, certain, records, shape, told_words, written};
use super::row_ways::{is_said_so, leaver, names_of};
use super::settings::{plain, worded};
use super::show::cut_line;
use super::slots::{Slots, as_text};
use super::unmade::Unmade;

/// The edits of records, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[("set_in_record", set_in_record)];

/// A shorter pattern of digits and letters is that of any number.
const LEAST_SHAPE: usize = 6;

/// How many rows are named when several fit.
const MAX_NAMED: usize = 4;

/// What is longer names nothing.
const LONGEST_NAME: usize = 40;

/// Whether the words have all of a value, one beside the other: "7x50 binoculars" are `Binoculars 7x50`.
fn tells(words: &[String], value: &str) -> bool {
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words
    };
    let value = sorted(&told_words(value));
    !value.is_empty() && words.windows(value.len()).any(|run| sorted(run) == value)
}

/// Whether it is a number in letters: "three"; "one" stands for the thing itself.
fn is_number_word(word: &str) -> bool {
    let engine = Engine::shipped();
    engine.means("numbers", word).is_some() && !engine.lists("one", word)
}

/// The one record that is told about.
fn named<'r>(path: &str, records: &'r [Record], about: &str) -> Result<&'r Record, Unmade> {
    let words = told_words(about);
    certain(about)?;
    let none = || Unmade::not_in(path, about);
    let fits = |field: &&Field| {
        let switch =
            ["yes", "no", "y", "n", "true", "false", "on", "off"].contains(&field.value.to_lowercase().as_str());
        !switch && field.value.len() <= LONGEST_NAME && tells(&words, &field.value)
    };
    let told = |record: &Record| record.fields.iter().filter(fits).map(|field| field.value.clone()).collect::<Vec<_>>();
    let all: Vec<(Vec<String>, &Record)> = records.iter().map(|record| (told(record), record)).collect();
    let most = all.iter().map(|(told, _)| told.len()).max().filter(|most| *most > 0).ok_or_else(none)?;
    let best: Vec<&(Vec<String>, &Record)> = all.iter().filter(|(told, _)| told.len() == most).collect();
    let [(told, record)] = best.as_slice() else {
        return Err(format!("`{}` fits {} rows of `{path}`. Which one?", cut_line(about), best.len()).into());
    };
    // A number or name that is not this record's speaks of another one.
    let own: BTreeSet<String> = told.iter().flat_map(|value| told_words(value)).collect();
    let other =
        all.iter().flat_map(|(told, _)| told).flat_map(|value| told_words(value)).find(|word| !own.contains(word));
    let counts = |word: &str| word.contains(|c: char| c.is_ascii_digit()) || is_number_word(word);
    let number = words.iter().find(|word| counts(word) && !own.contains(*word));
    match other.as_ref().or(number) {
        Some(word) => Err(format!("`{word}` is not of the same row of `{path}` as `{}`.", told.join("`, `")).into()),
        None => Ok(record),
    }
}

/// The one record that has a part of a name: "Jones" of Marion Jones, if every name that is told is of it.
/// No other word may be left over.
fn by_a_part<'r>(path: &str, records: &'r [Record], about: &str) -> Option<Result<&'r Record, Unmade>> {
    let words = told_words(about);
    let parts = |record: &Record| -> BTreeSet<String> {
        let names = record.fields.iter().filter(|field| field.value.len() <= LONGEST_NAME && is_name(&field.value));
        names.flat_map(|field| told_words(&field.value)).collect()
    };
    let all: Vec<(BTreeSet<String>, &Record)> = records.iter().map(|record| (parts(record), record)).collect();
    let told: Vec<&String> = words.iter().filter(|word| all.iter().any(|(parts, _)| parts.contains(*word))).collect();
    let counts = |word: &String| word.contains(|c: char| c.is_ascii_digit()) || is_number_word(word);
    let columns = records.first().into_iter().flat_map(|record| &record.fields);
    let known: BTreeSet<String> = columns.flat_map(|field| names_of(&field.name)).chain(word_stems(path)).collect();
    let has_a_part = |word: &String| {
        told.contains(&word) || is_stop_word(word) || is_said_so(word) || kin_stems(word).is_subset(&known)
    };
    if told.is_empty() || words.iter().any(counts) || !words.iter().all(has_a_part) {
        return None;
    }
    let fitting: Vec<&(BTreeSet<String>, &Record)> =
        all.iter().filter(|(parts, _)| told.iter().all(|word| parts.contains(*word))).collect();
    let name = |record: &Record| {
        let named = record.fields.iter().find(|field| told_words(&field.value).iter().any(|word| told.contains(&word)));
        format!("`{}`", named.map_or("", |field| field.value.as_str()))
    };
    match fitting.as_slice() {
        [] => None,
        [(_, record)] => Some(Ok(record)),
        several if several.len() <= MAX_NAMED => {
            let names: Vec<String> = several.iter().map(|(_, record)| name(record)).collect();
            Some(Err(Unmade::InPart(format!(
                "There is no single row of `{path}` that fits: {}. Which one?",
                names.join(", ")
            ))))
        }
        _ => None,
    }
}

/// The one record that is told about, by its names or by a part of one.
fn called<'r>(path: &str, records: &'r [Record], about: &str) -> Result<&'r Record, Unmade> {
    match named(path, records, about) {
        Err(none @ Unmade::Absent(_)) => by_a_part(path, records, about).unwrap_or(Err(none)),
        found => found,
    }
}

/// Whether it is called by several words that all begin as names do: "Marion Jones".
fn is_name(value: &str) -> bool {
    let words: Vec<&str> = value.split(' ').collect();
    let begins = |word: &&str| {
        word.starts_with(char::is_uppercase) && word.chars().all(|c| c.is_alphabetic() || "'.-".contains(c))
    };
    (2..=4).contains(&words.len()) && words.iter().all(begins)
}

/// The field that is to get the value: by its name, or by what it may hold: "paid" is yes in a column of that name.
fn field<'r>(
    path: &str,
    records: &[Record],
    record: &'r Record,
    key: Option<&str>,
    slots: &Slots<'_>,
    value: &Value,
) -> Result<(&'r Field, String), Unmade> {
    let new = as_text(value);
    let of_column = |name: &str| {
        let name = name.to_owned();
        records.iter().flat_map(|record| &record.fields).filter(move |field| field.name == name)
    };
    if let Some(key) = key {
        let wanted = word_stems(key);
        let fits = |field: &&Field| word_stems(&field.name) == wanted || plain(&field.name) == plain(key);
        let mut found: Vec<&Field> = record.fields.iter().filter(fits).collect();
        // "a new number" may stand in the one column that holds such numbers.
        let nouns: BTreeSet<String> = slots.texts("nouns").into_iter().flat_map(word_stems).collect();
        if found.is_empty() && wanted.iter().all(|word| nouns.contains(word)) && shape(&new).len() >= LEAST_SHAPE {
            let alike = |field: &&Field| {
                !field.value.is_empty()
                    && of_column(&field.name).all(|other| other.value.is_empty() || shape(&other.value) == shape(&new))
            };
            found = record.fields.iter().filter(alike).collect();
        }
        let [only] = found.as_slice() else {
            return Err(Unmade::not_in(path, key));
        };
        return Ok((only, new));
    }
    let is_switch = |field: &&Field| worded(&field.value, true).is_some() || field.value.parse::<bool>().is_ok();
    let called = |field: &&Field| plain(&field.name).trim_start_matches("is") == plain(&new);
    // "paid" is said of what is called `dues_paid`, if nothing else is.
    let ends =
        |field: &&Field| field.name.rsplit(['_', ' ', '-']).next().is_some_and(|last| plain(last) == plain(&new));
    let switches: Vec<&Field> = record.fields.iter().filter(is_switch).collect();
    let ending: Vec<&Field> = switches.iter().copied().filter(|field| ends(field)).collect();
    let switch =
        switches.iter().copied().find(called).or_else(|| ending.first().copied().filter(|_| ending.len() == 1));
    if let Some(field) = switch {
        return Ok((field, worded(&field.value, true).unwrap_or_else(|| "true".to_owned())));
    }
    let holds = |field: &&Field| of_column(&field.name).any(|other| other.value.eq_ignore_ascii_case(&new));
    let found: Vec<&Field> = record.fields.iter().filter(holds).collect();
    match found.as_slice() {
        [only] => {
            let written = of_column(&only.name).find(|other| other.value.eq_ignore_ascii_case(&new));
            Ok((only, written.map_or(new, |other| other.value.clone())))
        }
        _ => Err(Unmade::Absent(format!("There is no column of `{path}` that holds `{}`.", cut_line(&new)))),
    }
}

/// `set_in_record`: about, value, key (else the column that the value belongs to).
pub(super) fn set_in_record(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let (about, value) = (slots.need("about")?, slots.get("value").ok_or("You did not say what the value is to be.")?);
    set(path, text, &about, slots.text("key"), value, slots)
}

/// Sets a field of the record that is told about.
pub(super) fn set(
    path: &str,
    text: &str,
    about: &str,
    key: Option<&str>,
    value: &Value,
    slots: &Slots<'_>,
) -> Result<Edited, Unmade> {
    let records = records(path, text);
    let record = called(path, &records, about)?;
    let (field, new) = field(path, &records, record, key, slots, value)?;
    if field.value == new {
        return Err(format!("`{}` of `{}` in `{path}` is `{new}` already.", field.name, cut_line(about)).into());
    }
    let written = written(path, text, &text[field.span.clone()], &new);
    let first = record.fields.first().map_or("", |field| field.value.as_str());
    let said = format!(
        "I changed `{}` of `{}` in `{path}` from `{}` to `{new}`.",
        field.name,
        cut_line(first),
        cut_line(&field.value)
    );
    let edited = Edited::put(text, field.span.clone(), &written, said);
    Ok(if field.value.is_empty() { along(path, edited, field.span.start) } else { edited })
}

/// Takes out the record all of whose name was said, if the file holds records.
pub(super) fn remove_whole(path: &str, text: &str, about: &str) -> Option<Result<Edited, Unmade>> {
    let records = records(path, text);
    let record = match called(path, &records, about) {
        Err(several @ Unmade::InPart(_)) => return Some(Err(several)),
        found => found.ok()?,
    };
    let has = |word: &String| record.fields.iter().any(|field| told_words(&field.value).contains(word));
    told_words(about).iter().all(has).then(|| remove(path, text, about))
}

/// Takes the record out that is told about.
pub(super) fn remove(path: &str, text: &str, about: &str) -> Result<Edited, Unmade> {
    let records = records(path, text);
    let record = match (called(path, &records, about), leaver(about)) {
        (Err(Unmade::Absent(_)), Some(subject)) => called(path, &records, subject),
        (found, _) => found,
    }?;
    let values: Vec<&str> = record.fields.iter().map(|field| field.value.as_str()).collect();
    let said = format!("I removed `{}` from `{path}`.", cut_line(&values.join(", ")));
    if !path.ends_with(".json") {
        let (before, after) = (&text[..record.span.start], &text[record.span.end..]);
        let before =
            if after.is_empty() && !text.ends_with('\n') { before.trim_end_matches(['\n', '\r']) } else { before };
        return Ok(Edited { text: format!("{before}{after}"), said });
    }
    // An object takes the comma behind it along, the last one that before it.
    let (before, after) = (&text[..record.span.start], &text[record.span.end..]);
    let text = match (after.trim_start().strip_prefix(','), before.trim_end().strip_suffix(',')) {
        (Some(rest), _) => format!("{before}{}", rest.trim_start()),
        (None, Some(before)) => format!("{before}{after}"),
        (None, None) => format!("{}{}", before.trim_end(), after.trim_start()),
    };
    Ok(Edited { text, said })
}

#[cfg(test)]
#[path = "record_edits_tests.rs"]
mod tests;
