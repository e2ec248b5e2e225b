//! The record that a request tells about, changed or taken out: "26-048 came in today, mark it as paid" names one by a value
//! that only it has; every number and name that is told must be its own.

use std::collections::BTreeSet;

use serde_json::Value;
use switchboard_nlu::Engine;

use super::along::along;
use super::edited::{Edit, Edited};
use super::outline::word_stems;
use super::records::{Field, Record, certain, records, shape, told_words, written};
use super::settings::{plain, worded};
use super::show::cut_line;
use super::slots::{Slots, as_text};

/// The edits of records, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[("set_in_record", set_in_record)];

/// A shorter pattern of digits and letters is that of any number.
const LEAST_SHAPE: usize = 6;

/// What is longer names nothing.
const LONGEST_NAME: usize = 40;

/// Whether the words have all of a value, one after the other.
fn tells(words: &[String], value: &str) -> bool {
    let value = told_words(value);
    !value.is_empty() && words.windows(value.len()).any(|run| run == value)
}

/// Whether it is a number in letters: "three"; "one" stands for the thing itself.
fn is_number_word(word: &str) -> bool {
    let engine = Engine::shipped();
    engine.means("numbers", word).is_some() && !engine.lists("one", word)
}

/// The one record that is told about.
fn named<'r>(path: &str, records: &'r [Record], about: &str) -> Result<&'r Record, String> {
    let words = told_words(about);
    certain(about)?;
    let none = || format!("There is no `{}` in `{path}`.", cut_line(about));
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
        return Err(format!("`{}` fits {} rows of `{path}`. Which one?", cut_line(about), best.len()));
    };
    // A number or name that is not this record's speaks of another one.
    let own: BTreeSet<String> = told.iter().flat_map(|value| told_words(value)).collect();
    let other =
        all.iter().flat_map(|(told, _)| told).flat_map(|value| told_words(value)).find(|word| !own.contains(word));
    let counts = |word: &str| word.contains(|c: char| c.is_ascii_digit()) || is_number_word(word);
    let number = words.iter().find(|word| counts(word) && !own.contains(*word));
    match other.as_ref().or(number) {
        Some(word) => Err(format!("`{word}` is not of the same row of `{path}` as `{}`.", told.join("`, `"))),
        None => Ok(record),
    }
}

/// The field that is to get the value: by its name, or by what it may hold: "paid" is yes in a column of that name.
fn field<'r>(
    path: &str,
    records: &[Record],
    record: &'r Record,
    key: Option<&str>,
    slots: &Slots<'_>,
    value: &Value,
) -> Result<(&'r Field, String), String> {
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
        let [only] = found.as_slice() else { return Err(format!("There is no `{}` in `{path}`.", cut_line(key))) };
        return Ok((only, new));
    }
    let switch = |field: &&Field| {
        plain(&field.name).trim_start_matches("is") == plain(&new) && worded(&field.value, true).is_some()
            || plain(&field.name).trim_start_matches("is") == plain(&new) && field.value.parse::<bool>().is_ok()
    };
    if let Some(field) = record.fields.iter().find(switch) {
        return Ok((field, worded(&field.value, true).unwrap_or_else(|| "true".to_owned())));
    }
    let holds = |field: &&Field| of_column(&field.name).any(|other| other.value.eq_ignore_ascii_case(&new));
    let found: Vec<&Field> = record.fields.iter().filter(holds).collect();
    match found.as_slice() {
        [only] => {
            let written = of_column(&only.name).find(|other| other.value.eq_ignore_ascii_case(&new));
            Ok((only, written.map_or(new, |other| other.value.clone())))
        }
        _ => Err(format!("There is no column of `{path}` that holds `{}`.", cut_line(&new))),
    }
}

/// `set_in_record`: about, value, key (else the column that the value belongs to).
pub(super) fn set_in_record(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, String> {
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
) -> Result<Edited, String> {
    let records = records(path, text);
    let record = named(path, &records, about)?;
    let (field, new) = field(path, &records, record, key, slots, value)?;
    if field.value == new {
        return Err(format!("`{}` of `{}` in `{path}` is `{new}` already.", field.name, cut_line(about)));
    }
    let written = written(path, text, &text[field.span.clone()], &new);
    let first = record.fields.first().map_or("", |field| field.value.as_str());
    let said = format!(
        "I changed `{}` of `{}` in `{path}` from `{}` to `{new}`.",
        field.name,
        cut_line(first),
        cut_line(&field.value)
    );
    let edited = Edited { text: format!("{}{written}{}", &text[..field.span.start], &text[field.span.end..]), said };
    Ok(if field.value.is_empty() { along(path, edited, field.span.start) } else { edited })
}

/// Takes out the record all of whose name was said, if the file holds records.
pub(super) fn remove_whole(path: &str, text: &str, about: &str) -> Option<Result<Edited, String>> {
    let records = records(path, text);
    let record = named(path, &records, about).ok()?;
    let has = |word: &String| record.fields.iter().any(|field| told_words(&field.value).contains(word));
    told_words(about).iter().all(has).then(|| remove(path, text, about))
}

/// Takes the record out that is told about.
pub(super) fn remove(path: &str, text: &str, about: &str) -> Result<Edited, String> {
    let records = records(path, text);
    let record = named(path, &records, about)?;
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
