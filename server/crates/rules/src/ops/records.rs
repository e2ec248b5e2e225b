//! The records of a file: a row of a table, an object in a list of JSON.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::Value;
use switchboard_nlu::Engine;

use super::rows::{Row, as_cell, placed_lines, rows, sign_in, sign_of};
use super::settings::Settings;
use super::slots::as_text;

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

impl Record {
    /// The record whose values are in these columns.
    fn of(names: &[String], cells: Vec<(String, Range<usize>)>, span: Range<usize>) -> Self {
        let named = names.iter().cloned().zip(cells);
        Self { fields: named.map(|(name, (value, span))| Field { name, value, span }).collect(), span }
    }
}

/// The records of a text, if it has any.
pub(super) fn records(path: &str, text: &str) -> Vec<Record> {
    match sign_in(path, text) {
        Some(sign) => of_lines(text, sign),
        None if path.ends_with(".json") => of_json(path, text),
        None if path.ends_with(".md") => of_markdown(text),
        None => Vec::new(),
    }
}

/// The values of the column at this place; rows may end before it.
pub(super) fn column(rows: &[Record], at: usize) -> impl Iterator<Item = &str> {
    rows.iter().filter_map(move |row| Some(row.fields.get(at)?.value.as_str()))
}

fn of_lines(text: &str, divider: char) -> Vec<Record> {
    let mut rows = rows(text, divider).into_iter();
    let Some(heading) = rows.next() else { return Vec::new() };
    let names: Vec<String> = heading.cells.into_iter().map(|(name, _)| name).collect();
    rows.map(|Row { cells, span }| Record::of(&names, cells, span)).collect()
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
    for (start, line) in placed_lines(text) {
        let is_row = line.starts_with('|') && line.trim_end().ends_with('|') && line.trim_end().len() > 1;
        match is_row {
            false => (names, ruled) = (Vec::new(), false),
            true if names.is_empty() => {
                names = cells(start, line.trim_end()).into_iter().map(|(name, _)| name).collect();
            }
            true if !ruled => ruled = true,
            true => {
                let span = start..(start + line.len() + 1).min(text.len());
                found.push(Record::of(&names, cells(start, line.trim_end()), span));
            }
        }
    }
    found
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
pub(super) fn told_words(about: &str) -> Vec<String> {
    let trim = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    about.split_whitespace().map(trim).filter(|word| !word.is_empty()).collect()
}

/// What is told on a condition, or of what is not so, is no reason to change anything.
pub(super) fn certain(about: &str) -> Result<(), String> {
    let doubtful = |word: &String| ["weighty", "doubtful"].iter().any(|list| Engine::shipped().lists(list, word));
    match told_words(about).iter().find(|word| doubtful(word)) {
        Some(word) => Err(format!("I do not know what `{word}` means for that, so I changed nothing.")),
        None => Ok(()),
    }
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

/// The same, with up to four digits as one.
pub(super) fn short_shape(value: &str) -> String {
    shape(value).replace("99", "9").replace("99", "9")
}

/// A new value as the file writes it where the old one stood.
pub(super) fn written(path: &str, text: &str, old: &str, new: &str) -> String {
    if !path.ends_with(".json") {
        return as_cell(new, sign_of(text));
    }
    match (serde_json::from_str::<Value>(old), serde_json::from_str::<Value>(new)) {
        (Ok(Value::String(_)), _) | (_, Err(_)) => Value::from(new).to_string(),
        (_, Ok(_)) => new.to_owned(),
    }
}
