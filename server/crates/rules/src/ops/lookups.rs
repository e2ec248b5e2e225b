//! Replies about values by their keys.

use serde_json::Value;

use super::done::{Done, Reply};
use super::settings::{Settings, plain};
use super::shape::counted;
use super::show::{block, cut_line, inline};

/// How many keys a list shows.
const MAX_LISTED: usize = 100;

/// The replies about keys.
pub(super) const REPLIES: &[(&str, Reply)] = &[("value_at", value_at), ("keys", keys), ("is_there", is_there)];

/// What was read, as a text with a path; a JSON value as its text.
fn source(done: &Done<'_>) -> Result<(String, String), String> {
    let mut texts = done.texts()?;
    match texts.len() {
        1 => Ok(texts.remove(0)),
        count => Err(format!("These are {count} files; name one.")),
    }
}

/// The value of a key, also of a line such as `Port: 80` in plain text.
pub(super) fn looked_up(path: &str, text: &str, key: &str) -> Result<(String, Value), String> {
    match Settings::of(path, text) {
        Ok(settings) => {
            let entry = settings.find(key)?;
            Ok((entry.name(), settings.value(entry)))
        }
        Err(why) => {
            let wanted = plain(key);
            let mut lines = text.lines().filter_map(|line| line.split_once([':', '=']));
            let found = lines.find(|(name, _)| plain(name) == wanted);
            let (name, value) = found.ok_or(why)?;
            let name = name.trim_matches(|c: char| !c.is_alphanumeric());
            Ok((name.to_owned(), Value::String(value.trim().trim_matches(['*', '`']).trim().to_owned())))
        }
    }
}

/// `value_at`; of several files, the one that has the key.
fn value_at(done: &Done<'_>) -> Result<String, String> {
    let (texts, key) = (done.texts()?, done.slots.need("key")?);
    let mut found = Vec::new();
    let mut failure = None;
    for (path, text) in &texts {
        match looked_up(path, text, &key) {
            Ok((name, value)) => found.push((path, name, value)),
            Err(why) => failure = failure.or(Some(why)),
        }
    }
    let (path, name, value) = match found.len() {
        0 if texts.len() > 1 => {
            return Err(format!("I found no `{key}` in {}.", counted(texts.len(), "settings file")));
        }
        0 => return Err(failure.unwrap_or_default()),
        1 => found.remove(0),
        _ => {
            let line =
                |(path, name, value): &(&String, String, Value)| format!("- `{name}` in `{path}` is {}", inline(value));
            let lines: Vec<String> = found.iter().map(line).collect();
            return Ok(format!("`{key}` stands in several files:\n\n{}", lines.join("\n")));
        }
    };
    let label = if texts.len() > 1 { format!("`{path}`") } else { done.label() };
    Ok(match &value {
        Value::Object(_) | Value::Array(_) => {
            let pretty = serde_json::to_string_pretty(&value).unwrap_or_else(|_| value.to_string());
            format!("`{name}` in {label}:\n\n{}", block(&pretty, "json"))
        }
        Value::String(text) if text.contains('\n') => format!("`{name}` in {label}:\n\n{}", block(text, "text")),
        value => format!("`{name}` in {label} is {}.", inline(value)),
    })
}

/// `keys`: of all or of a group.
fn keys(done: &Done<'_>) -> Result<String, String> {
    let (path, text) = source(done)?;
    let settings = Settings::of(&path, &text)?;
    let group = done.slots.told("key").map(|key| settings.find(&key).map(super::entries::Entry::name)).transpose()?;
    let below = |name: &String| match &group {
        Some(group) => name.strip_prefix(group.as_str()).and_then(|rest| rest.strip_prefix('.')).map(str::to_owned),
        None => Some(name.clone()),
    };
    let names: Vec<String> = settings.names().iter().filter_map(below).filter(|name| !name.contains('.')).collect();
    let of = group.map_or_else(|| done.label(), |group| format!("`{group}` in {}", done.label()));
    let listed: Vec<String> = names.iter().take(MAX_LISTED).map(|name| format!("- `{name}`")).collect();
    match names.is_empty() {
        true => Err(format!("{of} has no keys.")),
        false => Ok(format!("{of} has {}:\n\n{}", counted(names.len(), "key"), listed.join("\n"))),
    }
}

/// `is_there`: a key or a text.
fn is_there(done: &Done<'_>) -> Result<String, String> {
    let (path, text) = source(done)?;
    let label = done.label();
    if let Some(key) = done.slots.told("key") {
        return Ok(match looked_up(&path, &text, &key) {
            Ok((name, value)) => format!("Yes, `{name}` in {label} is {}.", inline(&value)),
            // What has no keys at all has no answer either.
            Err(why) if Settings::of(&path, &text).is_err() => return Err(why),
            Err(why) => format!("No. {why}"),
        });
    }
    let wanted = done.slots.need("text")?;
    let lower = wanted.to_lowercase();
    let found = text.lines().position(|line| line.to_lowercase().contains(&lower));
    Ok(match found {
        Some(line) => format!("Yes, `{}` stands in line {} of {label}.", cut_line(&wanted), line + 1),
        None => format!("No, `{}` is not in {label}.", cut_line(&wanted)),
    })
}
