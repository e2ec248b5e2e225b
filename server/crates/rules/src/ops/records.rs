//! The records of a file, found by what a request tells of them: a row of a table, an object in a list of JSON. "26-048 came
//! in today, mark it as paid" names one by a value that only it has; every number and name that is told must be its own.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use serde_json::Value;
use switchboard_nlu::Engine;
use switchboard_tables::divider;

use super::edited::{Edit, Edited};
use super::outline::word_stems;
use super::rows::{as_cell, fields};
use super::settings::{Settings, plain, worded};
use super::show::cut_line;
use super::slots::{Slots, as_text};

/// The edits of records, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[("set_in_record", set_in_record)];

/// A shorter pattern of digits and letters is that of any number.
const LEAST_SHAPE: usize = 6;

/// What is longer names nothing.
const LONGEST_NAME: usize = 40;

/// One value of a record.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// Its column or key.
    pub(super) name: String,
    pub(super) value: String,
    /// Where it is written.
    pub(super) span: Range<usize>,
}

/// A row of a table, or an object of a list.
#[derive(Debug, Clone)]
pub(super) struct Record {
    pub(super) fields: Vec<Field>,
    /// Where all of it is written, a line with its end.
    pub(super) span: Range<usize>,
}

/// The records of a text, if it has any.
pub(super) fn records(path: &str, text: &str) -> Vec<Record> {
    match divider(text).filter(|_| path.ends_with(".csv") || path.ends_with(".tsv")) {
        Some(sign) => of_lines(text, char::from(sign)),
        None if path.ends_with(".json") => of_json(path, text),
        None if path.ends_with(".md") => of_markdown(text),
        None => Vec::new(),
    }
}

fn of_lines(text: &str, divider: char) -> Vec<Record> {
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            lines.push((at..at + line.len(), fields(line.trim_end_matches(['\n', '\r']), divider)));
        }
        at += line.len();
    }
    let cells = |(span, fields): &(Range<usize>, Vec<Range<usize>>)| -> Vec<(String, Range<usize>)> {
        let cell = |field: &Range<usize>| {
            let span = span.start + field.start..span.start + field.end;
            (without_quotes(&text[span.clone()]), span)
        };
        fields.iter().map(cell).collect()
    };
    let Some((heading, rows)) = lines.split_first() else { return Vec::new() };
    let names: Vec<String> = cells(heading).into_iter().map(|(name, _)| name).collect();
    let record = |line: &(Range<usize>, Vec<Range<usize>>)| {
        let named = names.iter().cloned().zip(cells(line));
        let fields = named.map(|(name, (value, span))| Field { name, value, span }).collect();
        Record { fields, span: line.0.clone() }
    };
    rows.iter().map(record).collect()
}

/// The rows of the tables of a text in markdown.
fn of_markdown(text: &str) -> Vec<Record> {
    let cells = |start: usize, line: &str| -> Vec<(String, Range<usize>)> {
        let mut at = 0;
        let each = line.split('|').map(|cell| {
            let from = at + cell.len() - cell.trim_start().len();
            at += cell.len() + 1;
            (cell.trim().to_owned(), start + from..start + from + cell.trim().len())
        });
        let all: Vec<_> = each.collect();
        all[1..all.len() - 1].to_vec()
    };
    let mut found = Vec::new();
    let (mut names, mut ruled): (Vec<String>, bool) = (Vec::new(), false);
    for (start, line) in super::entries::placed_lines(text) {
        let is_row = line.starts_with('|') && line.trim_end().ends_with('|') && line.trim_end().len() > 1;
        match is_row {
            false => (names, ruled) = (Vec::new(), false),
            true if names.is_empty() => {
                names = cells(start, line.trim_end()).into_iter().map(|(name, _)| name).collect();
            }
            true if !ruled => ruled = true,
            true => {
                let named = names.iter().cloned().zip(cells(start, line.trim_end()));
                let fields = named.map(|(name, (value, span))| Field { name, value, span }).collect();
                found.push(Record { fields, span: start..(start + line.len() + 1).min(text.len()) });
            }
        }
    }
    found
}

fn without_quotes(cell: &str) -> String {
    match cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => cell.to_owned(),
    }
}

fn of_json(path: &str, text: &str) -> Vec<Record> {
    let Ok(settings) = Settings::of(path, text) else { return Vec::new() };
    let mut members: HashMap<&[String], Vec<Field>> = HashMap::new();
    for entry in settings.entries.iter().filter(|entry| !entry.group && !entry.key.is_empty()) {
        if let Some((name, above)) = entry.path.split_last() {
            let value = as_text(&settings.value(entry));
            members.entry(above).or_default().push(Field { name: name.clone(), value, span: entry.value.clone() });
        }
    }
    // The items of lists have no keys of their own.
    let items = settings.entries.iter().filter(|entry| entry.group && entry.key.is_empty());
    items
        .filter_map(|item| Some(Record { fields: members.remove(item.path.as_slice())?, span: item.value.clone() }))
        .collect()
}

/// The words of what is told, as values are compared.
fn told_words(about: &str) -> Vec<String> {
    let trim = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    about.split_whitespace().map(trim).filter(|word| !word.is_empty()).collect()
}

/// Whether the words have all of a value, one after the other.
fn tells(words: &[String], value: &str) -> bool {
    let value = told_words(value);
    !value.is_empty() && words.windows(value.len()).any(|run| run == value)
}

/// What is told on a condition, or of what is not so, is no reason to change anything.
pub(super) fn certain(about: &str) -> Result<(), String> {
    let doubtful = |word: &String| ["weighty", "doubtful"].iter().any(|list| Engine::shipped().lists(list, word));
    match told_words(about).iter().find(|word| doubtful(word)) {
        Some(word) => Err(format!("I do not know what `{word}` means for that, so I changed nothing.")),
        None => Ok(()),
    }
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
    let old = &text[field.span.clone()];
    let sign = divider(text).map_or(',', char::from);
    let written = if path.ends_with(".json") {
        match (serde_json::from_str::<Value>(old), serde_json::from_str::<Value>(&new)) {
            (Ok(Value::String(_)), _) | (_, Err(_)) => Value::String(new.clone()).to_string(),
            (_, Ok(_)) => new.clone(),
        }
    } else {
        as_cell(&new, sign)
    };
    let first = record.fields.first().map_or("", |field| field.value.as_str());
    let said = format!(
        "I changed `{}` of `{}` in `{path}` from `{}` to `{new}`.",
        field.name,
        cut_line(first),
        cut_line(&field.value)
    );
    Ok(Edited { text: format!("{}{written}{}", &text[..field.span.start], &text[field.span.end..]), said })
}

/// Digits and letters as what they are, once for each run of letters.
pub(super) fn shape(value: &str) -> String {
    let mut shape = String::new();
    for letter in value.chars() {
        let kind = if letter.is_ascii_digit() {
            '9'
        } else if letter.is_alphabetic() {
            'a'
        } else {
            letter
        };
        if kind != 'a' || !shape.ends_with('a') {
            shape.push(kind);
        }
    }
    shape
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
#[path = "records_tests.rs"]
mod tests;
