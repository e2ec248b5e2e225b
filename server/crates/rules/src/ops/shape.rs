//! How a value is built, in words: keys, types, counts, depth; for text its lines, words and headings.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use switchboard_context::preview_json;
use switchboard_events::{ArtifactValue, LoadedPicture, NOT_SEEN};

/// How many keys are listed.
const MAX_KEYS: usize = 40;

/// The longest value that stands beside its key, in characters.
const MAX_VALUE_CHARS: usize = 60;

/// What `name` is like.
pub(crate) fn describe(name: &str, value: &ArtifactValue) -> String {
    match value {
        ArtifactValue::Json(json @ (Value::Object(_) | Value::Array(_))) => describe_json(name, json),
        ArtifactValue::Json(Value::Null) => format!("{name} is null."),
        ArtifactValue::Json(json) => format!("{name} is a {}: {}.", kind(json), preview_json(json, MAX_VALUE_CHARS)),
        ArtifactValue::Text(text) => describe_text(name, text),
        ArtifactValue::Bytes(bytes) => match LoadedPicture::of(bytes.clone()) {
            Some(shown) => format!("{name} is a {}. {NOT_SEEN}", shown.picture),
            None => format!("{name} holds {} that are not text.", counted(bytes.len(), "byte")),
        },
    }
}

fn describe_json(name: &str, json: &Value) -> String {
    let mut tally = Tally::default();
    tally.count(json, 1);
    let size = match json {
        Value::Array(items) => format!("array of {}", counted(items.len(), "element")),
        other => format!("object with {}", counted(other.as_object().map_or(0, Map::len), "top-level key")),
    };
    let mut out = format!("{name} is a JSON {size}, {}.\n\n", levels(tally.depth));
    lines_of(json, &mut out);
    let kinds = [
        (tally.objects, "object"),
        (tally.arrays, "array"),
        (tally.texts, "text"),
        (tally.numbers, "number"),
        (tally.truths, "boolean"),
        (tally.nulls, "null"),
    ];
    let kinds: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, kind)| counted(*count, kind)).collect();
    let _ = write!(out, "\nAltogether: {}; {} in all.", kinds.join(", "), counted(tally.keys, "key"));
    out
}

fn lines_of(json: &Value, out: &mut String) {
    match json {
        Value::Object(map) => {
            for (key, value) in map.iter().take(MAX_KEYS) {
                let _ = writeln!(out, "- `{key}`: {}", detail(value));
            }
            if map.len() > MAX_KEYS {
                let _ = writeln!(out, "- … and {} more", map.len() - MAX_KEYS);
            }
        }
        Value::Array(items) => {
            if let Some(first) = items.first() {
                let alike = items.iter().all(|item| kind(item) == kind(first));
                let _ = writeln!(
                    out,
                    "- {}: the first is {}",
                    if alike { "all are alike" } else { "they differ" },
                    detail(first)
                );
            }
        }
        _ => {}
    }
}

fn detail(value: &Value) -> String {
    match value {
        Value::Object(map) if map.is_empty() => "an empty object".to_owned(),
        Value::Object(map) => {
            let keys: Vec<String> = map.keys().take(8).map(|key| format!("`{key}`")).collect();
            let more = if map.len() > 8 { ", …" } else { "" };
            format!("object with {} ({}{more})", counted(map.len(), "key"), keys.join(", "))
        }
        Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Value::Array(items) => {
            let kinds = items.iter().take(1000).map(kind).collect::<std::collections::BTreeSet<_>>();
            format!(
                "array of {} ({})",
                counted(items.len(), "element"),
                kinds.into_iter().collect::<Vec<_>>().join(", ")
            )
        }
        other => format!("{} `{}`", kind(other), preview_json(other, MAX_VALUE_CHARS).replace('`', "'")),
    }
}

fn describe_text(name: &str, text: &str) -> String {
    let lines = text.lines().count();
    let mut out = format!(
        "{name} is text: {}, {}, {}.",
        counted(lines, "line"),
        counted(text.split_whitespace().count(), "word"),
        counted(text.chars().count(), "character")
    );
    let headings: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with('#') && line.trim_start_matches('#').starts_with(' '))
        .take(30)
        .collect();
    if !headings.is_empty() {
        out.push_str("\n\nIts headings:\n");
        for heading in headings {
            let level = heading.chars().take_while(|c| *c == '#').count();
            let _ = write!(
                out,
                "\n{}- {}",
                "  ".repeat(level.saturating_sub(1).min(4)),
                heading.trim_start_matches('#').trim()
            );
        }
    } else if let Some(columns) = columns(text) {
        let _ = write!(out, "\n\nIt looks like a table with the columns {}.", columns.join(", "));
    } else if let Some(first) = text.lines().find(|line| !line.trim().is_empty()) {
        let _ = write!(out, "\n\nIt begins: `{}`", first.chars().take(80).collect::<String>().replace('`', "'"));
    }
    out
}

fn columns(text: &str) -> Option<Vec<String>> {
    let mut lines = text.lines().filter(|line| !line.is_empty());
    let (first, second) = (lines.next()?, lines.next()?);
    let separator = [',', '\t', ';'].into_iter().find(|separator| first.contains(*separator))?;
    let same = first.matches(separator).count() == second.matches(separator).count();
    same.then(|| first.split(separator).take(20).map(|name| format!("`{}`", name.trim().trim_matches('"'))).collect())
}

/// A value's kind, for people.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// `1 key`, `2 keys`, `2 entries`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    match (count, what.strip_suffix('y'), what.ends_with("match") || what.ends_with("ss")) {
        (1, ..) => format!("1 {what}"),
        (_, Some(stem), _) if !stem.ends_with(['e', 'a', 'o']) => format!("{count} {stem}ies"),
        (_, _, true) => format!("{count} {what}es"),
        _ => format!("{count} {what}s"),
    }
}

/// What was done to a file all of whose lines, so many, gave way to others.
pub(super) fn replaced(path: &str, lines: usize) -> String {
    let them = if lines == 1 { "it" } else { "them" };
    format!("I replaced {} of `{path}`; undo restores {them}.", counted(lines, "line"))
}

fn levels(depth: usize) -> String {
    if depth <= 1 { "not nested".to_owned() } else { format!("{depth} levels deep") }
}

#[derive(Default)]
struct Tally {
    objects: usize,
    arrays: usize,
    texts: usize,
    numbers: usize,
    truths: usize,
    nulls: usize,
    keys: usize,
    depth: usize,
}

impl Tally {
    fn count(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Object(map) => {
                self.depth = self.depth.max(depth);
                self.objects += 1;
                self.keys += map.len();
                map.values().for_each(|value| self.count(value, depth + 1));
            }
            Value::Array(items) => {
                self.depth = self.depth.max(depth);
                self.arrays += 1;
                items.iter().for_each(|value| self.count(value, depth + 1));
            }
            Value::String(_) => self.texts += 1,
            Value::Number(_) => self.numbers += 1,
            Value::Bool(_) => self.truths += 1,
            Value::Null => self.nulls += 1,
        }
    }
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;
