//! Names of variables: `[A-Za-z_][A-Za-z0-9_]{0,63}`. A user gets a proposal, a reasoner's name is corrected.

use serde_json::Value;

use super::error::ContextError;
use switchboard_events::{ArtifactValue, MAX_VALUE_BYTES};

/// The longest name, in bytes.
const MAX_NAME: usize = 64;

/// How deep a JSON value may be nested; the log must be able to read it back, wrapped in an event.
const MAX_DEPTH: usize = 100;

/// Whether this can be a variable's name.
///
/// # Errors
/// When it cannot, with a name that could be taken instead.
pub fn valid_name(name: &str) -> Result<(), ContextError> {
    if is_name(name) {
        Ok(())
    } else {
        Err(ContextError::Name { name: name.chars().take(MAX_NAME).collect(), proposal: corrected_name(name) })
    }
}

/// The nearest name that is allowed: `my-result 1` becomes `my_result_1`.
#[must_use]
pub fn corrected_name(name: &str) -> String {
    let mut corrected = String::new();
    for character in name.trim().trim_start_matches('@').chars() {
        if corrected.len() == MAX_NAME {
            break;
        }
        if character.is_ascii_alphanumeric() || character == '_' {
            if corrected.is_empty() && character.is_ascii_digit() {
                corrected.push('_');
            }
            corrected.push(character);
        } else if !corrected.is_empty() && !corrected.ends_with('_') {
            corrected.push('_');
        }
    }
    corrected.truncate(MAX_NAME);
    if !name.ends_with('_') {
        corrected.truncate(corrected.trim_end_matches('_').len());
    }
    if corrected.is_empty() { "value".to_owned() } else { corrected }
}

/// Whether a variable can have this name and this value (seed 000).
///
/// # Errors
/// When the name is not allowed, or the value is too large or nested too deep.
pub fn validate_context_variable(name: &str, value: &ArtifactValue) -> Result<(), ContextError> {
    valid_name(name)?;
    if let ArtifactValue::Json(json) = value
        && deeper_than(json, MAX_DEPTH)
    {
        return Err(ContextError::Depth { name: name.to_owned(), limit: MAX_DEPTH });
    }
    let bytes = byte_length(value);
    if bytes > MAX_VALUE_BYTES as u64 {
        return Err(ContextError::Size { name: name.to_owned(), bytes, limit: MAX_VALUE_BYTES as u64 });
    }
    Ok(())
}

/// The size of a value: of the text, of the bytes, or of the JSON text.
#[must_use]
pub fn byte_length(value: &ArtifactValue) -> u64 {
    match value {
        ArtifactValue::Json(json) => json_length(json),
        ArtifactValue::Text(text) => text.len() as u64,
        ArtifactValue::Bytes(bytes) => bytes.len() as u64,
    }
}

/// The length of a value's JSON text, without making the text.
pub(super) fn json_length(value: &Value) -> u64 {
    struct Counter(u64);
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, value).expect("a JSON value can be written, and the counter takes everything");
    counter.0
}

pub(super) fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The name, or the name with `_2`, `_3`, … behind the last that is taken.
pub(super) fn free_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    // Results of one tool are many: the first number that is free is found by doubling and halving.
    let (mut last_taken, mut free): (u64, u64) = (1, 2);
    while taken(&numbered(name, free)) {
        (last_taken, free) = (free, free * 2);
    }
    while free - last_taken > 1 {
        let middle = last_taken.midpoint(free);
        if taken(&numbered(name, middle)) { last_taken = middle } else { free = middle }
    }
    numbered(name, free)
}

fn numbered(name: &str, number: u64) -> String {
    let suffix = format!("_{number}");
    let stem = &name[..name.len().min(MAX_NAME - suffix.len())];
    format!("{stem}{suffix}")
}

fn deeper_than(value: &Value, limit: usize) -> bool {
    match value {
        Value::Array(items) => limit == 0 || items.iter().any(|item| deeper_than(item, limit - 1)),
        Value::Object(fields) => limit == 0 || fields.values().any(|field| deeper_than(field, limit - 1)),
        _ => false,
    }
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
