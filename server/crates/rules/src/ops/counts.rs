//! The reply that counts: of the unit that was asked for, and of no other.

use serde_json::Value;

use super::done::{Done, Reply, WHETHER};
use super::listing::entries;
use super::lookups::looked_up;
use super::settings::Settings;
use super::shape::counted;
use super::show::cut_line;

pub(super) const REPLIES: &[(&str, Reply)] = &[("count", count)];

/// `count`: how many of a unit, or how often a text stands there.
fn count(done: &Done<'_>) -> Result<String, String> {
    let label = done.label();
    let unit = done.slots.text("unit").unwrap_or("items");
    if let Some(wanted) = done.slots.told("text") {
        let text = done.text()?;
        let (mut found, mut how) = (text.matches(wanted.as_str()).count(), "");
        if found == 0 {
            found = text.to_lowercase().matches(&wanted.to_lowercase()).count();
            how = if found > 0 { " (in any case)" } else { "" };
        }
        // Plain words that stand nowhere rather describe what is meant.
        let said = !done.slots.is_quoted("text") && !wanted.starts_with('-');
        if found == 0 && said && !done.slots.flag(WHETHER) {
            return Err(format!(
                "`{}` occurs nowhere in {label}. Put words in quotation marks to count them.",
                cut_line(&wanted)
            ));
        }
        return Ok(format!("`{}` occurs {} in {label}{how}.", cut_line(&wanted), counted(found, "time")));
    }
    if let Some(key) = done.slots.told("key") {
        return count_at(done, &key, &label);
    }
    if matches!(unit, "items" | "files" | "folders" | "keys") {
        return count_items(done, unit, &label);
    }
    let several = done.texts()?;
    let mut total = 0;
    let mut each = Vec::new();
    for (path, text) in &several {
        let number = count_in(text, unit);
        total += number;
        each.push(format!("- `{path}`: {number}"));
    }
    let what = unit.strip_suffix('s').unwrap_or(unit);
    Ok(match several.len() {
        1 => format!("{label} has **{}**.", counted(total, what)),
        count => format!("{} in {}:\n\n{}", counted(total, what), counted(count, "file"), each.join("\n")),
    })
}

fn count_in(text: &str, unit: &str) -> usize {
    match unit {
        "words" => text.split_whitespace().count(),
        "characters" => text.chars().count(),
        "bytes" => text.len(),
        "blank lines" => text.lines().filter(|line| line.trim().is_empty()).count(),
        "paragraphs" => text.split("\n\n").filter(|part| !part.trim().is_empty()).count(),
        "sentences" => text.split(['.', '!', '?']).filter(|part| part.chars().any(char::is_alphabetic)).count(),
        _ => text.lines().count(),
    }
}

/// How many there are under a key: so many as it says, or as it lists.
fn count_at(done: &Done<'_>, key: &str, label: &str) -> Result<String, String> {
    let texts = done.texts()?;
    let [(path, text)] = texts.as_slice() else { return Err("That are several files; name one.".to_owned()) };
    let (name, value) = looked_up(path, text, key)?;
    Ok(match value {
        Value::Number(number) => format!("`{name}` in {label} is **{number}**."),
        Value::Array(items) => format!("`{name}` in {label} has **{}**.", counted(items.len(), "item")),
        Value::Object(fields) => format!("`{name}` in {label} has **{}**.", counted(fields.len(), "key")),
        _ => return Err(format!("`{name}` in {label} is nothing that could be counted.")),
    })
}

fn count_items(done: &Done<'_>, unit: &str, label: &str) -> Result<String, String> {
    let value = done.value()?;
    let names = entries(&value);
    let folders = names.iter().filter(|name| name.ends_with('/')).count();
    let listed = done.last()?.is_listing();
    let number = match (unit, done.json()) {
        ("folders", _) if listed => folders,
        ("files", _) if listed => names.len() - folders,
        (_, _) if listed => names.len(),
        (_, Ok(Value::Object(fields))) => {
            match fields.values().filter(|value| value.is_array()).collect::<Vec<_>>()[..] {
                [Value::Array(items)] if unit == "items" => items.len(),
                _ if unit == "keys" => return Ok(format!("{label} has **{}**.", counted(fields.len(), "key"))),
                _ => return Err(format!("{label} is not a list of {unit}.")),
            }
        }
        (_, Ok(Value::Array(items))) => items.len(),
        _ => {
            let (path, text) = done.texts()?.remove(0);
            match (unit, Settings::of(&path, &text)) {
                ("keys", settings) => settings?.names().iter().filter(|name| !name.contains('.')).count(),
                // A plain list holds as many things as lines.
                ("items", Err(_)) => return Ok(format!("{label} has **{}**.", counted(text.lines().count(), "line"))),
                _ => return Err(format!("{label} is not a list of {unit}.")),
            }
        }
    };
    let capped = if done.last()?.is_capped() { "at least " } else { "" };
    let what = unit.strip_suffix('s').unwrap_or(unit);
    let are = if number == 1 { "is" } else { "are" };
    Ok(match listed {
        true => format!("There {are} {capped}**{}** in {label}.", counted(number, what)),
        false => format!("{label} has **{}**.", counted(number, what)),
    })
}
