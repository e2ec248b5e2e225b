//! Short forms of values: for the list of variables, for prompts, for the arguments in frames.
//!
//! Every cut is at a character's boundary and says how much there is; nothing is rendered that will not be shown.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::names::json_length;
use switchboard_events::ArtifactValue;
use switchboard_runtime::{redact, redact_json};

/// The longest preview of a variable, in characters.
pub(super) const PREVIEW_CHARS: usize = 200;

/// A value of an argument up to this many bytes stands whole in a frame.
const WHOLE_ARGUMENT: u64 = 2048;

/// What the arguments in a frame have together, at most, before the rest is cut shorter.
const ALL_ARGUMENTS: u64 = 32 * 1024;

/// The same for arguments that somebody is asked about: what is allowed must be seen.
const WHOLE_ASKED: u64 = 64 * 1024;
const ALL_ASKED: u64 = 256 * 1024;

/// The same for those that a model is given again.
const WHOLE_SAID: u64 = 256 * 1024;
const ALL_SAID: u64 = 1024 * 1024;

/// How many arguments a frame shows.
const SHOWN_ARGUMENTS: usize = 200;

/// As much of a text is read for a preview; much more than is shown, so that no secret is cut before it is seen.
const READ_BYTES: usize = 64 * 1024;

/// How many lines of a text a preview has.
const LINES: usize = 3;

/// Texts inside a JSON value that is too large are cut to this many characters.
const INNER_TEXT: usize = 60;

/// A short form of a value, in at most `max_chars` characters (seed 000).
#[must_use]
pub fn get_variable_preview(value: &ArtifactValue, max_chars: usize) -> String {
    match value {
        ArtifactValue::Json(Value::String(text)) | ArtifactValue::Text(text) => preview_text(text, max_chars),
        ArtifactValue::Json(json) => preview_json(json, max_chars),
        ArtifactValue::Bytes(bytes) => fit(&describe_bytes(bytes), max_chars),
    }
}

/// The first lines of a text, in at most `max_chars` characters.
#[must_use]
pub fn preview_text(text: &str, max_chars: usize) -> String {
    let lines = text.trim_end().lines().count();
    let shown: Vec<&str> = text.trim_end().lines().take(LINES).collect();
    let shown = shown.join("\n");
    let shown = redact(&shown[..shown.floor_char_boundary(READ_BYTES)]).into_owned();
    if lines <= LINES && shown.chars().count() <= max_chars {
        return printable(&shown);
    }
    let size = if lines > 1 { format!("… ({lines} lines, {})", size(text.len() as u64)) } else { rest(text.len()) };
    cut(&printable(&shown), &size, max_chars)
}

/// A JSON value as JSON text, in at most `max_chars` characters; a large one loses long texts and later items.
#[must_use]
pub fn preview_json(value: &Value, max_chars: usize) -> String {
    let mut short = Short { text: String::new(), room: max_chars, shorten: false };
    if short.value(value).is_some() {
        return redact(&short.text).into_owned();
    }
    let size = match value {
        Value::Array(items) => format!("… ({} items)", items.len()),
        Value::Object(fields) => format!("… ({} fields)", fields.len()),
        _ => "…".to_owned(),
    };
    let mut short = Short { text: String::new(), room: max_chars.saturating_sub(size.chars().count()), shorten: true };
    if short.value(value).is_some() {
        return redact(&short.text).into_owned();
    }
    fit(&format!("{}{size}", redact(&short.text)), max_chars)
}

/// The arguments of a call for a frame: values over 2 KiB are cut and say how large they are.
#[must_use]
pub fn preview_arguments(arguments: &Map<String, Value>) -> Map<String, Value> {
    shortened(arguments, WHOLE_ARGUMENT, ALL_ARGUMENTS)
}

/// The arguments of a call that somebody is asked about: values over 64 KiB are cut and say how large they are.
#[must_use]
pub fn asked_arguments(arguments: &Map<String, Value>) -> Map<String, Value> {
    shortened(arguments, WHOLE_ASKED, ALL_ASKED)
}

/// The arguments of a call as a model is given them again: whole, unless a value is too large for any window.
#[must_use]
pub fn said_arguments(arguments: &Map<String, Value>) -> Map<String, Value> {
    shortened(arguments, WHOLE_SAID, ALL_SAID)
}

fn shortened(arguments: &Map<String, Value>, each: u64, all: u64) -> Map<String, Value> {
    let mut shown = Map::new();
    let mut sum = 0;
    for (name, value) in arguments.iter().take(SHOWN_ARGUMENTS) {
        let length = json_length(value);
        let whole = if sum < all { each } else { PREVIEW_CHARS as u64 };
        sum += length.min(whole);
        let value = if length <= whole { value.clone() } else { short_argument(value, whole, length) };
        shown.insert(fit(name, PREVIEW_CHARS), value);
    }
    let mut shown = redacted(shown);
    if arguments.len() > SHOWN_ARGUMENTS {
        shown.insert("…".to_owned(), format!("{} more", arguments.len() - SHOWN_ARGUMENTS).into());
    }
    shown
}

fn redacted(arguments: Map<String, Value>) -> Map<String, Value> {
    let mut value = Value::Object(arguments);
    redact_json(&mut value);
    match value {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    }
}

fn short_argument(value: &Value, whole: u64, length: u64) -> Value {
    let room = usize::try_from(whole / 2).unwrap_or(PREVIEW_CHARS);
    let text = match value {
        Value::String(text) => cut(&redact(&text[..text.floor_char_boundary(READ_BYTES)]), &rest(text.len()), room),
        value => format!("{} ({} in all)", preview_json(value, room), size(length)),
    };
    Value::String(text)
}

/// Whether this is a picture or a sound as MCP has it, with its bytes in base64.
fn is_media(fields: &Map<String, Value>) -> bool {
    fields.get("mimeType").is_some_and(Value::is_string) && fields.get("data").is_some_and(Value::is_string)
}

/// Whether there is such a thing in it: no prompt has its bytes.
pub(super) fn has_media(value: &Value) -> bool {
    match value {
        Value::Object(fields) => is_media(fields) || fields.values().any(has_media),
        Value::Array(items) => items.iter().any(has_media),
        _ => false,
    }
}

/// A number of bytes, for people.
pub(super) fn size(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let exact = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KiB", exact / 1024.0),
        _ => format!("{:.1} MiB", exact / 1_048_576.0),
    }
}

fn rest(bytes: usize) -> String {
    format!("… ({} in all)", size(bytes as u64))
}

fn describe_bytes(bytes: &[u8]) -> String {
    let kind = match bytes {
        [0x89, b'P', b'N', b'G', ..] => "PNG image",
        [0xff, 0xd8, 0xff, ..] => "JPEG image",
        [b'G', b'I', b'F', b'8', ..] => "GIF image",
        [b'%', b'P', b'D', b'F', ..] => "PDF document",
        [b'P', b'K', 3, 4, ..] => "ZIP archive",
        [0x1f, 0x8b, ..] => "gzip archive",
        [0x7f, b'E', b'L', b'F', ..] => "ELF binary",
        _ => "bytes",
    };
    let mut text = format!("{kind}, {}", size(bytes.len() as u64));
    for (number, byte) in bytes.iter().take(8).enumerate() {
        let _ = write!(text, "{}{byte:02x}", if number == 0 { ": " } else { " " });
    }
    if bytes.len() > 8 {
        text.push_str(" …");
    }
    text
}

/// As much of the text as there is room for beside `sign`, and `sign`.
fn cut(text: &str, sign: &str, max_chars: usize) -> String {
    let room = max_chars.saturating_sub(sign.chars().count());
    let kept: String = text.chars().take(room).collect();
    fit(&format!("{}{sign}", kept.trim_end()), max_chars)
}

fn fit(text: &str, max_chars: usize) -> String {
    text.chars().take(max_chars).collect()
}

/// Characters that are not seen and change how others are: what turns the direction of text, and tags.
fn is_unseen(character: char) -> bool {
    matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(character, '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// A text as JSON in which everything can be seen: what cannot is escaped, so that it is still the same value.
fn quoted(text: String) -> String {
    let mut quoted = String::new();
    for character in Value::String(text).to_string().chars() {
        if is_unseen(character) || matches!(character, '\u{7f}'..='\u{9f}') {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(quoted, "\\u{unit:04x}");
            }
        } else {
            quoted.push(character);
        }
    }
    quoted
}

/// Control characters, which would control a terminal, as visible symbols, and invisible characters as one symbol.
fn printable(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '\n' | '\t' => character,
            '\0'..' ' => char::from_u32('\u{2400}' as u32 + character as u32).unwrap_or('\u{fffd}'),
            '\u{7f}'..='\u{9f}' => '\u{fffd}',
            unseen if is_unseen(unseen) => '\u{fffd}',
            other => other,
        })
        .collect()
}

/// Compact JSON that ends when there is no more room; `None` then.
struct Short {
    text: String,
    room: usize,
    /// Cut long texts inside the value.
    shorten: bool,
}

impl Short {
    fn value(&mut self, value: &Value) -> Option<()> {
        match value {
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.push("[")?;
                for (number, item) in items.iter().enumerate() {
                    self.comma(number)?;
                    self.value(item)?;
                }
                self.push("]")
            }
            Value::Object(fields) => {
                self.push("{")?;
                for (number, (name, field)) in fields.iter().enumerate() {
                    self.comma(number)?;
                    self.string(name)?;
                    self.push(":")?;
                    match field {
                        Value::String(data) if name == "data" && is_media(fields) => {
                            self.push(&quoted(format!("… ({} of base64)", size(data.len() as u64))))?;
                        }
                        field => self.value(field)?,
                    }
                }
                self.push("}")
            }
            scalar => self.push(&scalar.to_string()),
        }
    }

    fn string(&mut self, text: &str) -> Option<()> {
        let text = &*redact(&text[..text.floor_char_boundary(READ_BYTES)]);
        let limit = if self.shorten { INNER_TEXT } else { self.room };
        let kept: String = text.chars().take(limit).collect();
        if kept.len() == text.len() {
            return self.push(&quoted(kept));
        }
        if !self.shorten {
            return None;
        }
        self.push(&quoted(format!("{kept}…")))
    }

    fn comma(&mut self, number: usize) -> Option<()> {
        if number == 0 { Some(()) } else { self.push(",") }
    }

    fn push(&mut self, text: &str) -> Option<()> {
        for character in text.chars() {
            self.room = self.room.checked_sub(1)?;
            self.text.push(character);
        }
        Some(())
    }
}

#[cfg(test)]
#[path = "preview_tests.rs"]
mod tests;
