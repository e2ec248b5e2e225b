//! Logs as tables: an entry a row, with its line, time, level, source, message and whatever else its format tells. What
//! follows an entry without a stamp of its own, as a stack trace does, belongs to it.

mod access;
mod app;
mod logfmt;
mod syslog;

use std::sync::LazyLock;

use regex::Regex;

use crate::error::TableError;
use crate::table::{MAX_ROWS, Table, TableKind};

/// How many lines tell the format.
const SAMPLE: usize = 300;

/// A column of every log: the number of the entry's first line.
pub(crate) const LINE: &str = "line";

/// A column of every log: its lines as they stand in the file.
pub(crate) const TEXT: &str = "text";

/// A way to write logs: what an entry's first line holds, by column.
pub(crate) struct Format {
    pub(crate) columns: &'static [&'static str],
    pub(crate) read: fn(&str) -> Option<Vec<String>>,
}

/// The log as a table; `None` if its lines are not entries of a known format.
pub(crate) fn table(source: &str, text: &str) -> Result<Option<Table>, TableError> {
    let sample: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(SAMPLE).collect();
    let formats = [&access::FORMAT, &access::PLAIN, &syslog::FORMAT, &app::FORMAT];
    let fitting = formats.into_iter().find(|format| fits(format.read, &sample));
    let table = match fitting {
        Some(format) => of_lines(source, text, format)?,
        None => match logfmt::keys(&sample) {
            Some(keys) => logfmt::table(source, text, &keys)?,
            None => return Ok(None),
        },
    };
    Ok(Some(table))
}

/// Most lines are entries, and the first is: what follows an entry may be longer than the entry.
fn fits(read: fn(&str) -> Option<Vec<String>>, sample: &[&str]) -> bool {
    let entries = sample.iter().filter(|line| read(line).is_some()).count();
    sample.first().is_some_and(|line| read(line).is_some()) && entries >= 2 && entries * 3 >= sample.len()
}

fn of_lines(source: &str, text: &str, format: &Format) -> Result<Table, TableError> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        match ((format.read)(line), rows.last_mut().and_then(|row| row.last_mut())) {
            (Some(cells), _) => {
                let number = std::iter::once((at + 1).to_string());
                rows.push(number.chain(cells).chain([line.to_owned()]).collect());
            }
            (None, Some(own)) => {
                own.push('\n');
                own.push_str(line);
            }
            (None, None) => {}
        }
        if rows.len() > MAX_ROWS {
            return Err(TableError::TooMany { what: "entries", most: MAX_ROWS });
        }
    }
    rows.iter_mut().filter_map(|row| row.last_mut()).for_each(|own| own.truncate(own.trim_end().len()));
    let names = std::iter::once(LINE).chain(format.columns.iter().copied()).chain([TEXT]).map(str::to_owned).collect();
    finished(source, names, rows)
}

/// The table without the columns that this log does not fill.
pub(crate) fn finished(source: &str, mut names: Vec<String>, mut rows: Vec<Vec<String>>) -> Result<Table, TableError> {
    if let Some(message) = names.iter().position(|name| name == "message" || name == "msg")
        && let Some((unit, cells)) = durations(rows.iter().map(|row| row[message].as_str()))
        && !names.iter().any(|name| name == unit)
    {
        let at = names.len() - 1;
        names.insert(at, unit.to_owned());
        rows.iter_mut().zip(cells).for_each(|(row, cell)| row.insert(at, cell));
    }
    let filled: Vec<bool> = (0..names.len()).map(|at| rows.iter().any(|row| !row[at].is_empty())).collect();
    let kept =
        |cells: Vec<String>| cells.into_iter().zip(&filled).filter(|(_, kept)| **kept).map(|(cell, _)| cell).collect();
    let rows = rows.into_iter().map(kept).collect();
    Table::new("log", source, TableKind::Log, kept(names), rows)
}

/// How long each entry says that something took, in the unit that all of them say it in: `slow query 1840 ms`.
fn durations<'m>(messages: impl Iterator<Item = &'m str>) -> Option<(&'static str, Vec<String>)> {
    static TOOK: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(\d+(?:\.\d+)?) ?(?:(ms)|(s|sec|secs|seconds))\b"));
    let mut units = [false; 2];
    let cell = |message: &str| {
        let mut found = TOOK.captures_iter(message);
        // Of two, which is meant is not known.
        let (Some(only), None) = (found.next(), found.next()) else { return String::new() };
        units[usize::from(only.get(2).is_none())] = true;
        only[1].to_owned()
    };
    let cells: Vec<String> = messages.map(cell).collect();
    let several = cells.iter().filter(|cell| !cell.is_empty()).count() > 1;
    match units {
        [true, false] if several => Some(("ms", cells)),
        [false, true] if several => Some(("seconds", cells)),
        _ => None,
    }
}

/// A level in one spelling.
pub(crate) fn level(word: &str) -> String {
    let upper = word.to_ascii_uppercase();
    let spelled = match upper.as_str() {
        "WARNING" => "WARN",
        "ERR" | "SEVERE" => "ERROR",
        "CRIT" => "CRITICAL",
        "INFORMATION" | "NOTICE" => "INFO",
        "EMERG" => "FATAL",
        other => other,
    };
    spelled.to_owned()
}

/// A pattern that is part of the program.
pub(crate) fn pattern(text: &str) -> regex::Regex {
    regex::Regex::new(text).expect("a pattern of the program")
}
