//! The settings file: TOML with one key per setting. An error in it is reported with its line.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::declared::SETTINGS;
use super::error::ConfigError;
use super::settings::{Kind, Setting};
use switchboard_runtime::nearest;

/// The largest settings file.
const MAX_BYTES: u64 = 1024 * 1024;

/// A value of the file and the line it stands on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileValue {
    pub(super) value: String,
    pub(super) line: usize,
    /// The texts of a list, and their lines.
    pub(super) items: Vec<(String, usize)>,
}

/// What the file says, by key; `None` when there is no file.
pub(super) fn read(path: &Path) -> Result<Option<BTreeMap<&'static str, FileValue>>, ConfigError> {
    let unreadable = |problem: String| ConfigError::Unreadable { path: path.display().to_string(), problem };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if metadata.len() > MAX_BYTES => {
            return Err(unreadable(format!("it is larger than {MAX_BYTES} bytes")));
        }
        _ => {}
    }
    let text = fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    parse(&text, path).map(Some)
}

fn parse(text: &str, path: &Path) -> Result<BTreeMap<&'static str, FileValue>, ConfigError> {
    let wrong = |line: usize, problem: String| ConfigError::Wrong { place: place(path, line), problem };
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        wrong(line, error.message().to_owned())
    })?;
    let mut values = BTreeMap::new();
    for (key, value) in table.get_ref() {
        let line = line_of(text, key.span().start);
        let name = key.get_ref().as_ref();
        let setting = match find(name) {
            Some(setting) => setting,
            None if matches!(value.get_ref(), DeValue::Table(_)) => {
                return Err(wrong(
                    line,
                    format!("there are no sections: remove [{name}], its settings belong at the top level"),
                ));
            }
            None => return Err(wrong(line, unknown(name))),
        };
        let items = items(setting, value.get_ref(), text).map_err(|(at, problem)| wrong(at, problem))?;
        let value = match value.get_ref() {
            DeValue::Array(_) if setting.kind.is_list() => {
                items.iter().map(|(item, _)| item.as_str()).collect::<Vec<_>>().join("\n")
            }
            value => scalar(setting, value).map_err(|problem| wrong(line, problem))?,
        };
        values.insert(setting.key, FileValue { value, line, items });
    }
    Ok(values)
}

/// How a place in the file is written.
pub(super) fn place(path: &Path, line: usize) -> String {
    format!("{}:{line}", path.display())
}

fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == name)
}

fn unknown(name: &str) -> String {
    let keys = SETTINGS.iter().map(|setting| setting.key);
    // `max_iterations` is meant as `max-iterations`.
    match nearest(&name.replace('_', "-"), keys, 1).first() {
        Some(near) => format!("there is no setting \"{name}\"; did you mean \"{near}\"?"),
        None => format!("there is no setting \"{name}\"; `switchboard config` lists them"),
    }
}

/// The texts in a list, if the setting takes one.
fn items(setting: &Setting, value: &DeValue<'_>, text: &str) -> Result<Vec<(String, usize)>, (usize, String)> {
    let DeValue::Array(items) = value else { return Ok(Vec::new()) };
    if !setting.kind.is_list() {
        return Ok(Vec::new());
    }
    let item = |item: &toml::Spanned<DeValue<'_>>| {
        let line = line_of(text, item.span().start);
        match item.get_ref() {
            DeValue::String(text) => Ok((text.to_string(), line)),
            other => {
                Err((line, format!("\"{}\" takes a list of strings in quotes, not {}", setting.key, words(other))))
            }
        }
    };
    items.iter().map(item).collect()
}

fn scalar(setting: &Setting, value: &DeValue<'_>) -> Result<String, String> {
    let key = setting.key;
    match (setting.kind, value) {
        (_, DeValue::String(text)) => Ok(text.to_string()),
        (Kind::Number(_), DeValue::Integer(number)) => Ok(number.to_string()),
        (Kind::Number(_), other) => Err(format!("\"{key}\" takes a whole number, not {}", words(other))),
        (Kind::List(_), other) => Err(format!("\"{key}\" takes a list of strings in quotes, not {}", words(other))),
        // The one number with a fraction.
        (Kind::Text("NUMBER"), DeValue::Float(number)) => Ok(number.to_string()),
        (Kind::Text("NUMBER"), DeValue::Integer(number)) => Ok(number.to_string()),
        (_, other) => Err(format!("\"{key}\" takes a string in quotes, not {}", words(other))),
    }
}

fn words(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}
