//! Lines of cells: the sign that divides all of them alike.

use std::sync::LazyLock;

use regex::Regex;

use super::base_name;
use crate::error::TableError;
use crate::log::pattern;
use crate::number::{Number, Style};
use crate::table::{MAX_ROWS, Table, TableKind};

/// A heading of a table is not a sentence.
const MAX_HEADING: usize = 60;

const MAX_HEADING_WORDS: usize = 4;

/// How many lines tell which sign divides them.
const SAMPLE: usize = 200;

/// The table of a text whose lines are divided alike and whose first line names the columns.
pub(super) fn table(source: &str, text: &str) -> Result<Option<Table>, TableError> {
    let Some(sign) = divider(text) else { return Ok(None) };
    let mut records = reader(text, sign).into_records().map_while(Result::ok);
    let Some(head) = records.next() else { return Ok(None) };
    let names: Vec<String> = head.iter().map(|cell| cell.trim().to_owned()).collect();
    let heads = |name: &String| name.chars().count() <= MAX_HEADING && Number::parse(name, Style::Point).is_none();
    if !names.iter().all(heads) || names.iter().all(String::is_empty) {
        return Ok(None);
    }
    let rows: Vec<Vec<String>> = records
        .filter(|record| record.iter().any(|cell| !cell.trim().is_empty()))
        .take(MAX_ROWS + 1)
        .map(|record| record.iter().map(|cell| cell.trim().to_owned()).collect())
        .collect();
    // More cells than columns means that a sign within a cell was not quoted: nothing can be said of such rows.
    let wild = rows.iter().filter(|row| row.len() != names.len()).count();
    if rows.is_empty() || wild * 20 > rows.len() || rows.iter().any(|row| row.len() > names.len()) {
        return Ok(None);
    }
    Table::new(&base_name(source), source, TableKind::Records, names, rows).map(Some)
}

/// The sign that divides the lines of a text into cells, all of them alike.
#[must_use]
pub fn divider(text: &str) -> Option<u8> {
    [b',', b'\t', b';', b'|'].into_iter().find(|sign| divides(text, *sign))
}

/// The table of a text that is not called one: prose has commas, too, but its first line is not made of headings.
pub(super) fn table_in_text(source: &str, text: &str) -> Result<Option<Table>, TableError> {
    let sentence = |line: &str| line.trim_end().ends_with(['.', '!', '?', ':', ',']) || line.contains(". ");
    let words = |cell: &str| cell.split_whitespace().count();
    let Some(head) = text.lines().next() else { return Ok(None) };
    let heads = !sentence(head) && head.split([',', ';', '\t', '|']).all(|cell| words(cell) <= MAX_HEADING_WORDS);
    if !heads || text.lines().filter(|line| !line.trim().is_empty()).count() < 3 {
        return Ok(None);
    }
    table(source, text)
}

/// The table of a text whose lines are each a name and an amount of money: `Netflix 15.49`.
pub(super) fn amounts(source: &str, text: &str) -> Result<Option<Table>, TableError> {
    static LINE: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^\s*(?:[-*+]\s+)?(\p{L}[^:=]*?)\s*[\s:=]\s*([€$£]?\d+[.,]\d\d(?:\s?[€$£])?)\s*$"));
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let row = |line: &str| LINE.captures(line).map(|found| vec![found[1].to_owned(), found[2].to_owned()]);
    match lines.map(row).collect::<Option<Vec<_>>>() {
        Some(rows) if rows.len() > 2 => {
            let names = vec!["name".to_owned(), "amount".to_owned()];
            Table::new(&base_name(source), source, TableKind::Records, names, rows).map(Some)
        }
        _ => Ok(None),
    }
}

fn reader(text: &str, sign: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new().delimiter(sign).flexible(true).has_headers(false).from_reader(text.as_bytes())
}

fn divides(text: &str, sign: u8) -> bool {
    let widths: Vec<usize> =
        reader(text, sign).into_records().take(SAMPLE).map_while(Result::ok).map(|record| record.len()).collect();
    let Some(first) = widths.first().copied().filter(|width| *width > 1) else { return false };
    let alike = widths.iter().filter(|width| **width == first).count();
    widths.len() > 1 && alike * 10 >= widths.len() * 9
}
