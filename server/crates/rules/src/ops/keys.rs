//! Values by their keys in settings files: found by what people call them, changed in their place, added where they
//! belong. All else of the file stays as it is.

use serde_json::{Map, Value};

use super::code::delete_entry;
use super::edited::{Edit, Edited};
use super::edits::replace_text;
use super::entries::{Entry, Format};
use super::outline::word_stems;
use super::places::{Place, chosen, is_said, of_settings};
use super::rows::line_end;
use super::settings::{Settings, as_plain, plain, told};
use super::slots::{Slots, as_text};
use super::unmade::Unmade;

/// The edits of settings files, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[
    ("set_value", set_value),
    ("add_key", add_key),
    ("remove_key", remove_key),
    ("rename_key", rename_key),
    ("add_to_value", add_to_value),
    ("bump_version", bump_version),
    ("add_item", add_item),
    ("remove_item", remove_item),
];

/// `set_value`: key, value.
fn set_value(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let settings = match Settings::of(path, text) {
        Ok(settings) => settings,
        Err(why) => return other_word(path, text, slots).unwrap_or(Err(why)),
    };
    // `LOG_LEVEL=debug` in one word.
    let pair = slots.text("pair").and_then(|pair| pair.split_once('='));
    let (key, given) = match pair {
        Some((key, value)) => (key.to_owned(), Some(as_plain(value))),
        None => (slots.need("key")?, slots.get("value").cloned()),
    };
    let entry = named(&settings, &key, slots)?;
    let old = settings.value(entry);
    if entry.group && settings.format != Format::Json {
        return Err(format!("`{}` holds several lines in `{path}`; name the key below it.", entry.name()).into());
    }
    if let Some(said) = slots.told("old").filter(|said| !is_said(&as_text(&old), said)) {
        return Err(
            format!("`{}` in `{path}` is {}, not `{said}`; I changed nothing.", entry.name(), told(&old)).into()
        );
    }
    let spared = word_stems(slots.text("spared").unwrap_or_default());
    let named = word_stems(&entry.name().replace(['_', '.'], " "));
    if let Some(word) = spared.iter().find(|word| named.contains(*word)) {
        return Err(
            format!("`{}` in `{path}` is what is to stay, as `{word}` says; I changed nothing.", entry.name()).into()
        );
    }
    let new = given.ok_or("You did not say what the value is to be.")?;
    put(&settings, entry, &old, &new)
}

/// A word of a text in the place of another: a name for a name, a number for a number. "the price" is no word to be
/// replaced by its value.
pub(super) fn other_word(path: &str, text: &str, slots: &Slots<'_>) -> Option<Result<Edited, Unmade>> {
    let (old, new) = (slots.text("key")?, slots.told("value")?);
    let begins = |kind: fn(&char) -> bool| {
        old.chars().next().filter(kind).is_some() == new.chars().next().filter(kind).is_some()
    };
    let alike = strsim::damerau_levenshtein(old, &new) <= 2 && old.len() > 3;
    let named = old.starts_with(char::is_uppercase) || old.starts_with(|c: char| c.is_ascii_digit());
    let as_key = text.contains(&format!("{old}:")) || text.contains(&format!("{old} ="));
    let fits = (alike || named) && begins(|c| c.is_uppercase()) && begins(char::is_ascii_digit) && !as_key;
    let slots = Map::from_iter(
        [("old", old.into()), ("new", new.into()), ("whole", Value::Bool(true))]
            .map(|(name, value)| (name.to_owned(), value)),
    );
    fits.then(|| replace_text(path, text, &Slots::of(&slots)))
}

/// The entry of that name, or the one place that is called so.
fn named<'s>(settings: &'s Settings<'_>, key: &str, slots: &Slots<'_>) -> Result<&'s Entry, Unmade> {
    let switches = slots.get("value").is_some_and(Value::is_boolean);
    match settings.find(key) {
        Ok(entry) if entry.group && switches => placed(settings, key, slots),
        Err(why) => placed(settings, key, slots).map_err(|_| why),
        found => found,
    }
}

/// The one place that is called so in other words.
pub(super) fn placed<'s>(settings: &'s Settings<'_>, called: &str, slots: &Slots<'_>) -> Result<&'s Entry, Unmade> {
    let (entries, places): (Vec<usize>, Vec<Place>) = of_settings(settings).into_iter().unzip();
    let found = chosen(settings.path, &places, called, slots)?;
    settings
        .entries
        .get(entries[found])
        .ok_or_else(|| Unmade::Absent(format!("There is no `{called}` in `{}`.", settings.path)))
}

/// `add_to_value`: key, n (negative: less).
fn add_to_value(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let settings = Settings::of(path, text)?;
    let entry = named(&settings, &slots.need("key")?, slots)?;
    let old = settings.value(entry);
    let step = slots.number("n").unwrap_or(1.0) * slots.number("sign").unwrap_or(1.0);
    let Some(number) = old.as_f64().or_else(|| old.as_str()?.parse().ok()) else {
        return Err(format!("`{}` holds {}, which is no number.", entry.name(), told(&old)).into());
    };
    let new = slots.number("factor").map_or(number + step, |factor| number * factor);
    put(&settings, entry, &old, &number_value(new))
}

/// `bump_version`: key (absent: `version`), part: major, minor or patch.
fn bump_version(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let settings = Settings::of(path, text)?;
    let entry = settings.find(slots.text("key").unwrap_or("version"))?;
    let old = settings.value(entry);
    let shown = old.as_str().map_or_else(|| old.to_string(), str::to_owned);
    let mut numbers: Vec<u64> = Vec::new();
    for part in shown.split('.') {
        numbers.push(part.parse().map_err(|_| format!("The version `{shown}` is not made of numbers and points."))?);
    }
    let place = match slots.text("part") {
        Some("major") => 0,
        Some("minor") => 1,
        _ => 2,
    };
    let number = numbers.get_mut(place).ok_or_else(|| format!("The version `{shown}` has no such part."))?;
    *number += 1;
    numbers.iter_mut().skip(place + 1).for_each(|number| *number = 0);
    let new = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(".");
    put(&settings, entry, &Value::String(shown), &Value::String(new))
}

/// The text with another value in the place of an entry's.
pub(super) fn put(settings: &Settings<'_>, entry: &Entry, old: &Value, new: &Value) -> Result<Edited, Unmade> {
    let like = settings.shown(entry);
    let written = settings.written(&entry.name(), like, old, new)?;
    if written == like {
        return Err(format!("`{}` in `{}` is {} already.", entry.name(), settings.path, told(old)).into());
    }
    let said = format!("I changed `{}` in `{}` from `{}` to `{written}`.", entry.name(), settings.path, like.trim());
    Ok(Edited::put(settings.text, entry.value.clone(), &written, said))
}

/// `remove_key`: key.
fn remove_key(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let settings = Settings::of(path, text)?;
    // In code it is a line of its own.
    if settings.format == Format::Code {
        return delete_entry(path, text, &Slots::of(&Map::from_iter([("text".to_owned(), slots.need("key")?.into())])));
    }
    settings.is_no_code()?;
    let entry = settings.find(&slots.need("key")?)?;
    let said = format!("I removed `{}` from `{path}`.", entry.name());
    if settings.format != Format::Json {
        if entry.group {
            return Err(
                format!("`{}` holds several lines in `{path}`; I only remove single ones.", entry.name()).into()
            );
        }
        let start = text[..entry.key.start].rfind('\n').map_or(0, |end| end + 1);
        let end = text[entry.value.end..].find('\n').map_or(text.len(), |end| entry.value.end + end + 1);
        return Ok(Edited::put(text, start..end, "", said));
    }
    let start = if entry.key.is_empty() { entry.value.start } else { entry.key.start };
    let after = &text[entry.value.end..];
    let text = match after.trim_start().strip_prefix(',') {
        Some(rest) => {
            let next = rest.trim_start();
            format!("{}{next}", &text[..start])
        }
        // The last one takes the comma before it with it.
        None => {
            let before = text[..start].trim_end();
            format!("{}{after}", before.strip_suffix(',').unwrap_or(before))
        }
    };
    Ok(Edited { text, said })
}

/// `rename_key`: key, new.
fn rename_key(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let settings = Settings::of(path, text)?;
    settings.is_no_code()?;
    let entry = settings.find(&slots.need("key")?)?;
    let new = slots.need("new")?;
    let written = if settings.format == Format::Json { Value::String(new.clone()).to_string() } else { new.clone() };
    let said = format!("I renamed `{}` to `{new}` in `{path}`.", entry.name());
    Ok(Edited::put(text, entry.key.clone(), &written, said))
}

/// `add_key`: key, value.
fn add_key(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    let settings = Settings::of(path, text)?;
    settings.is_no_code()?;
    let key = slots.need("key")?;
    if let Ok(entry) = settings.find(&key) {
        return Err(format!(
            "`{}` is in `{path}` already; it is {}. To change it, say: set {} in {path} to …",
            entry.name(),
            told(&settings.value(entry)),
            entry.name()
        )
        .into());
    }
    let value = slots.get("value").ok_or("You did not say what the value is to be.")?;
    let value = value.as_str().filter(|_| !slots.is_quoted("value")).map_or_else(|| value.clone(), as_plain);
    let (group, own) = match key.rsplit_once('.') {
        Some((group, own)) => (Some(group), own),
        None => (None, key.as_str()),
    };
    let end = line_end(text);
    let written = settings.literal(&value, None);
    let text = match settings.format {
        Format::Json => in_json(&settings, group, own, &value)?,
        Format::Yaml if group.is_some() => {
            return Err(Unmade::Absent(format!("There is no `{}` in `{path}`.", group.unwrap_or_default())));
        }
        format => {
            let line = match format {
                Format::Yaml => format!("{own}: {written}{end}"),
                Format::Toml => format!("{own} = {written}{end}"),
                _ if text.contains(" = ") => format!("{own} = {written}{end}"),
                _ => format!("{own}={written}{end}"),
            };
            at_end_of_section(text, group, &line, path)?
        }
    };
    Ok(Edited { text, said: format!("I added `{key}` with {} to `{path}`.", told(&value)) })
}

/// `add_item`: key of a list, value.
fn add_item(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    with_list(path, text, slots, "added", |items, value| {
        let new = !items.contains(&value);
        items.push(value);
        new
    })
}

/// `remove_item`: key of a list, value.
fn remove_item(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, Unmade> {
    with_list(path, text, slots, "removed", |items, value| {
        let before = items.len();
        items.retain(|item| *item != value);
        items.len() < before
    })
}

/// Changes a list that stands in one place, in its own way of writing: on one line, or an item a line.
fn with_list(
    path: &str,
    text: &str,
    slots: &Slots<'_>,
    what: &str,
    change: impl Fn(&mut Vec<Value>, Value) -> bool,
) -> Result<Edited, Unmade> {
    let settings = Settings::of(path, text)?;
    let entry = settings.find(&slots.need("key")?)?;
    let many_lines = entry.group && settings.format == Format::Toml;
    let end = text[entry.value.start..].find("\n]").filter(|_| many_lines).map(|end| entry.value.start + end + 2);
    let span = entry.value.start..end.unwrap_or(entry.value.end);
    let shown = &text[span.clone()];
    let inner = shown.strip_suffix(']').map_or(shown, str::trim_end);
    let (bare, comma) = inner.strip_suffix(',').map_or((shown.to_owned(), ""), |bare| (format!("{bare}\n]"), ","));
    let Ok(Value::Array(mut items)) = serde_json::from_str(&bare.replace('\'', "\"")) else {
        return Err(format!("`{}` in `{path}` holds no list that I can change.", entry.name()).into());
    };
    let value = slots.get("value").ok_or("You did not say what.")?;
    let like_others = items.first().is_none_or(Value::is_string);
    let value = if like_others { Value::String(super::slots::as_text(value)) } else { value.clone() };
    let told = told(&value);
    if !change(&mut items, value) {
        let state = if what == "added" { "is in it already" } else { "is not in it" };
        return Err(format!("{told} {state}: `{}` in `{path}`.", entry.name()).into());
    }
    let items: Vec<String> = items.iter().map(Value::to_string).collect();
    let written = match shown.split_once('\n') {
        Some((_, rest)) => {
            let indent = &rest[..rest.len() - rest.trim_start().len()];
            let close = text[..entry.value.start].rfind('\n').map_or(0, |end| end + 1);
            let close = &text[close..][..text[close..].len() - text[close..].trim_start().len()];
            format!("[\n{indent}{}{comma}\n{close}]", items.join(&format!(",\n{indent}")))
        }
        None => format!("[{}]", items.join(", ")),
    };
    Ok(Edited::put(text, span, &written, format!("I {what} {told} in `{}` of `{path}`.", entry.name())))
}

fn in_json(settings: &Settings<'_>, group: Option<&str>, own: &str, value: &Value) -> Result<String, Unmade> {
    let text = settings.text;
    let object = match group {
        Some(group) => settings.find(group)?.value.clone(),
        None => text.find('{').unwrap_or_default()..text.trim_end().len(),
    };
    if !text[object.clone()].starts_with('{') {
        return Err(format!("`{}` holds a list and no keys.", group.unwrap_or(settings.path)).into());
    }
    let inner = text[object.start + 1..object.end - 1].trim_end();
    let end = object.start + 1 + inner.len();
    let member = format!("{}: {value}", Value::String(own.to_owned()));
    let many_lines = text[object.clone()].contains('\n');
    let gap = match (inner.trim().is_empty(), many_lines) {
        (true, true) => format!("{}  ", line_end(text)),
        (true, false) => String::new(),
        (false, true) => {
            let first = &text[object.start + 1..end];
            format!(",{}", &first[..first.len() - first.trim_start().len()])
        }
        (false, false) => ", ".to_owned(),
    };
    Ok(format!("{}{gap}{member}{}", &text[..end], &text[end..]))
}

/// A line at the end of a section, or before the first one.
fn at_end_of_section(text: &str, section: Option<&str>, line: &str, path: &str) -> Result<String, Unmade> {
    let mut place = None;
    let mut inside = section.is_none();
    let mut at = 0;
    let mut last = 0;
    for old in text.split_inclusive('\n') {
        if let Some(name) = old.trim().strip_prefix('[') {
            if inside && place.is_none() {
                place = Some(last);
            }
            let name = name.trim_start_matches('[').split(']').next().unwrap_or_default();
            inside = section.is_some_and(|section| plain(section) == plain(name));
            last = at + old.len();
        }
        at += old.len();
        if inside && !old.trim().is_empty() {
            last = at;
        }
    }
    let place = match place {
        Some(place) => place,
        None if inside => last,
        None => {
            return Err(Unmade::Absent(format!("There is no section `{}` in `{path}`.", section.unwrap_or_default())));
        }
    };
    let gap = if place > 0 && !text[..place].ends_with('\n') { line_end(text) } else { "" };
    Ok(format!("{}{gap}{line}{}", &text[..place], &text[place..]))
}

/// A number without a fraction that it does not have.
pub(super) fn number_value(number: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "only whole numbers within the range")]
    if number.fract() == 0.0 && number.abs() < 9e15 { Value::from(number as i64) } else { Value::from(number) }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
