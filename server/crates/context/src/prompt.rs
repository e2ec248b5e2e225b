//! The variables as a prompt lists them: values up to 2 KiB whole, larger ones as previews.

use std::fmt::Write as _;

use serde_json::Value;

use super::artifacts::{ContextManager, Entry};
use super::preview::{has_media, size};
use switchboard_events::StoredValue;
use switchboard_runtime::{redact, redact_json};

/// Values up to this many bytes stand whole in a prompt.
const WHOLE_BYTES: u64 = 2048;

impl ContextManager {
    /// One paragraph per variable, in order of creation; empty if there are none. When all of it would have more than
    /// `max_chars` characters, older values give way first: to previews, then to their names alone.
    #[must_use]
    pub fn format_context_for_prompt(&self, max_chars: usize) -> String {
        let mut room = max_chars;
        let mut lines: Vec<String> = Vec::new();
        let mut left_out = Vec::new();
        for entry in self.entries().rev() {
            let mut fitting = [whole, preview].into_iter().take_while(|_| room > 0).filter_map(|form| form(entry));
            let line = fitting.find(|line| line.chars().count() < room);
            match line {
                Some(line) => {
                    room -= line.chars().count();
                    lines.push(line);
                }
                None => {
                    room = 0;
                    left_out.push(format!("@{}", entry.variable.name));
                }
            }
        }
        lines.reverse();
        left_out.reverse();
        if !left_out.is_empty() {
            lines.insert(0, names_only(&left_out, max_chars));
        }
        lines.concat()
    }
}

fn whole(entry: &Entry) -> Option<String> {
    if entry.variable.bytes > WHOLE_BYTES {
        return None;
    }
    match entry.value.as_ref() {
        StoredValue::Text(text) | StoredValue::Json(Value::String(text)) => Some(paragraph(entry, &redact(text))),
        StoredValue::Json(value) if has_media(value) => None,
        StoredValue::Json(value) => {
            let mut value = value.clone();
            redact_json(&mut value);
            Some(paragraph(entry, &redact(&value.to_string())))
        }
        StoredValue::Bytes(_) | StoredValue::Blob { .. } => None,
    }
}

fn preview(entry: &Entry) -> Option<String> {
    Some(paragraph(entry, &entry.variable.preview))
}

/// `- @name (type, size, from tool): value`; a value of several lines stands below, indented.
fn paragraph(entry: &Entry, value: &str) -> String {
    let variable = &entry.variable;
    let mut text = format!("- @{} ({}, {}", variable.name, kind(entry), size(variable.bytes));
    let _ = write!(text, ", from {}", variable.origin.tool);
    text.push_str(if variable.stale { ", out of date): " } else { "): " });
    if value.contains('\n') {
        text.truncate(text.trim_end().len());
        for line in value.lines() {
            let _ = write!(text, "\n    {line}");
        }
    } else {
        text.push_str(value);
    }
    text.push('\n');
    text
}

/// The type, and of a list how long it is: models that see bytes alone take them for its items.
fn kind(entry: &Entry) -> String {
    let kind = serde_json::to_value(entry.variable.value_type).unwrap_or_default();
    let kind = kind.as_str().unwrap_or("value");
    match entry.value.as_ref() {
        StoredValue::Json(Value::Array(items)) if items.len() == 1 => format!("{kind} of 1 item"),
        StoredValue::Json(Value::Array(items)) => format!("{kind} of {} items", items.len()),
        _ => kind.to_owned(),
    }
}

fn names_only(names: &[String], max_chars: usize) -> String {
    let mut text = format!("- {} older ones, not shown: ", names.len());
    for (number, name) in names.iter().rev().enumerate() {
        if text.len() + name.len() > max_chars / 4 {
            text.push('…');
            break;
        }
        if number > 0 {
            text.push_str(", ");
        }
        text.push_str(name);
    }
    text.push('\n');
    text
}

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
