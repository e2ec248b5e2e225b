//! Logs of keys and values: `time=2025-03-10T08:00:00Z level=info msg="started"`.

use std::sync::LazyLock;

use regex::Regex;

use super::{LINE, TEXT, finished, level, pattern};
use crate::error::TableError;
use crate::table::{MAX_ROWS, Table};

const MAX_KEYS: usize = 40;

static PAIR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?:^|\s)([A-Za-z_][\w.-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))"#));

/// The keys of such a log, if nearly all lines are made of them.
pub(super) fn keys(sample: &[&str]) -> Option<Vec<String>> {
    let entries = sample.iter().filter(|line| is_entry(line)).count();
    if entries < 2 || entries * 10 < sample.len() * 9 {
        return None;
    }
    let mut keys: Vec<String> = Vec::new();
    for found in sample.iter().flat_map(|line| PAIR.captures_iter(line)) {
        let known = keys.iter().any(|key| *key == found[1]);
        if !known && keys.len() < MAX_KEYS {
            keys.push(found[1].to_owned());
        }
    }
    Some(keys)
}

pub(super) fn table(source: &str, text: &str, keys: &[String]) -> Result<Table, TableError> {
    let entries = text.lines().enumerate().filter(|(_, line)| is_entry(line)).take(MAX_ROWS + 1);
    let rows = entries.map(|(at, line)| {
        let mut row = vec![String::new(); keys.len() + 2];
        row[0] = (at + 1).to_string();
        row[keys.len() + 1] = line.to_owned();
        for found in PAIR.captures_iter(line) {
            let value = found.get(2).or_else(|| found.get(3)).map_or("", |part| part.as_str());
            if let Some(at) = keys.iter().position(|key| *key == found[1]) {
                let is_level = matches!(keys[at].as_str(), "level" | "lvl" | "severity");
                row[at + 1] = if is_level { level(value) } else { value.to_owned() };
            }
        }
        row
    });
    let rows = rows.collect();
    let names = std::iter::once(LINE.to_owned()).chain(keys.iter().cloned()).chain([TEXT.to_owned()]).collect();
    finished(source, names, rows)
}

fn is_entry(line: &str) -> bool {
    let has = |keys: &[&str]| PAIR.captures_iter(line).any(|found| keys.contains(&&found[1]));
    has(&["level", "lvl", "severity"]) && has(&["msg", "message"])
}
