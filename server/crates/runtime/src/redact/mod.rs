//! Secrets in text: keys, tokens and passwords of well-known formats become `[redacted: what it was]` before a person,
//! a prompt or a log sees them. The values that tools work with stay as they are.
//!
//! They are recognized by format alone, so one without a known format is not found. Linear in the length of the text.

mod formats;
mod stream;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::Value;

pub use self::stream::Redactor;

/// What every mark begins with.
pub const REDACTED: &str = "[redacted: ";

/// The text with a mark in place of each secret.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    formats::redact(text)
}

/// Whether a secret is in the text, and what kind of one.
#[must_use]
pub fn secret_in(text: &str) -> Option<&'static str> {
    formats::kinds(text).next()
}

/// Whether a text, or one that is written inside it as JSON, can hold a secret at all: a quick look that says no for
/// most texts, and yes whenever [`redact`] or [`redact_json`] would find one.
#[must_use]
pub fn may_hold_secret(text: &str) -> bool {
    formats::has_sign(text)
}

/// Redacts every string inside a value, also one whose field is called `password` and the like; tells whether there
/// was any.
pub fn redact_json(value: &mut Value) -> bool {
    match value {
        Value::String(text) => replace(text, redact),
        Value::Array(items) => items.iter_mut().map(redact_json).filter(|found| *found).count() > 0,
        Value::Object(fields) => fields.iter_mut().fold(false, |found, (name, field)| {
            let named = match field {
                Value::String(text) => replace(text, |text| formats::redact_named(name, text)),
                _ => false,
            };
            redact_json(field) || named || found
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn replace(text: &mut String, redact: impl Fn(&str) -> Cow<'_, str>) -> bool {
    match redact(text) {
        Cow::Borrowed(_) => false,
        Cow::Owned(redacted) => {
            *text = redacted;
            true
        }
    }
}

/// Writes lines, redacted. Each write is taken as whole lines, as the log writes them.
pub(super) struct RedactingWriter<W>(pub(super) W);

impl<W: Write> Write for RedactingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(redact(text).as_bytes())?,
            Err(_) => self.0.write_all(redact(&String::from_utf8_lossy(bytes)).as_bytes())?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
