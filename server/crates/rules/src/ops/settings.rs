//! Settings files: values found by what people call their keys, read and written in the file's own way.

use serde_json::Value;
use switchboard_search::is_stop_word;

use super::entries::{Entry, Format, entries, unquoted};
use super::unmade::Unmade;
use switchboard_context::letters;
use switchboard_nlu::Engine;

/// How many places are named when several fit.
const MAX_NAMED: usize = 5;

/// Whether a name is short for a word: `db` for "database".
fn is_short(name: &str, word: &str) -> bool {
    let (name, word) = (plain(name), plain(word));
    let mut rest = word.chars();
    name.len() > 1 && name.chars().next() == word.chars().next() && name.chars().all(|c| rest.any(|other| other == c))
}

/// True or false in the words in which the old value says it, if it does.
pub(super) fn worded(old: &str, new: bool) -> Option<String> {
    let pairs = [("on", "off"), ("yes", "no"), ("Yes", "No"), ("y", "n"), ("enabled", "disabled"), ("True", "False")];
    let (yes, no) = pairs.into_iter().find(|(yes, no)| [*yes, *no].contains(&old))?;
    Some(if new { yes } else { no }.to_owned())
}

/// A settings file.
pub(super) struct Settings<'t> {
    pub(super) path: &'t str,
    pub(super) text: &'t str,
    pub(super) format: Format,
    pub(super) entries: Vec<Entry>,
}

impl<'t> Settings<'t> {
    pub(super) fn of(path: &'t str, text: &'t str) -> Result<Self, Unmade> {
        let format = Format::of(path, text).ok_or_else(|| {
            Unmade::Absent(format!(
                "`{path}` has no keys that I can tell: it is not JSON, TOML, YAML, INI or `key=value`."
            ))
        })?;
        let settings = Self { path, text, format, entries: entries(format, text) };
        if format == Format::Json
            && let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(text)
        {
            return Err(format!("`{path}` is not valid JSON: {error}.").into());
        }
        Ok(settings)
    }

    /// Code is more than its names and values.
    pub(super) fn is_no_code(&self) -> Result<(), String> {
        match self.format {
            Format::Code | Format::Directives | Format::Pairs => {
                Err(format!("In `{}` I can only change a value; say which text to replace.", self.path))
            }
            _ => Ok(()),
        }
    }

    /// All keys, with points between them.
    pub(super) fn names(&self) -> Vec<String> {
        self.entries.iter().map(Entry::name).collect()
    }

    /// The one entry that people call this.
    pub(super) fn find(&self, key: &str) -> Result<&Entry, Unmade> {
        let exact = self.entries.iter().find(|entry| entry.name() == key);
        let once = |entry: &&Entry| {
            self.format != Format::Code || self.entries.iter().filter(|other| other.name() == entry.name()).count() == 1
        };
        if let Some(entry) = exact.filter(once) {
            return Ok(entry);
        }
        let wanted = plain(key);
        let fits = |entry: &&Entry| (0..entry.path.len()).any(|from| plain(&entry.path[from..].concat()) == wanted);
        let mut found: Vec<&Entry> = self.entries.iter().filter(fits).collect();
        let whole: Vec<&Entry> = found.iter().copied().filter(|entry| plain(&entry.path.concat()) == wanted).collect();
        if whole.len() == 1 {
            found = whole;
        }
        // "database host" is the `host` of `db`.
        if let (true, Some((group, rest))) = (found.is_empty(), key.trim().rsplit_once(' ')) {
            let rest = plain(rest);
            let of_group = |entry: &&Entry| match entry.path.split_last() {
                Some((last, above)) => plain(last) == rest && above.iter().any(|part| is_short(part, group)),
                None => false,
            };
            found = self.entries.iter().filter(of_group).collect();
        }
        // An article before the key is none of it; any other word says which one.
        let article = |(first, _): &(&str, &str)| is_stop_word(&first.to_lowercase());
        if let (true, Some((_, rest))) = (found.is_empty(), key.trim().split_once(' ').filter(article)) {
            return self.find(rest).map_err(|why| if matches!(why, Unmade::Absent(_)) { self.none(key) } else { why });
        }
        match found.as_slice() {
            [] => Err(self.none(key)),
            [entry] => Ok(entry),
            several => {
                let names: Vec<String> =
                    several.iter().take(MAX_NAMED).map(|entry| format!("`{}`", entry.name())).collect();
                Err(format!("`{key}` stands at several places in `{}`: {}. Which one?", self.path, names.join(", "))
                    .into())
            }
        }
    }

    fn none(&self, key: &str) -> Unmade {
        Unmade::Absent(format!("There is no `{key}` in `{}`.{}", self.path, self.nearest(&plain(key))))
    }

    fn nearest(&self, wanted: &str) -> String {
        let alike = self.entries.iter().map(|entry| {
            let last = entry.path.last().map(|name| plain(name)).unwrap_or_default();
            (strsim::normalized_damerau_levenshtein(wanted, &last), entry)
        });
        match alike.filter(|(alike, _)| *alike > 0.6).max_by(|one, other| one.0.total_cmp(&other.0)) {
            Some((_, entry)) => format!(" The nearest is `{}`.", entry.name()),
            None => String::new(),
        }
    }

    pub(super) fn shown(&self, entry: &Entry) -> &'t str {
        &self.text[entry.value.clone()]
    }

    /// The value as JSON; of a group, its text.
    pub(super) fn value(&self, entry: &Entry) -> Value {
        let shown = self.shown(entry);
        match self.format {
            Format::Json => serde_json::from_str(shown).unwrap_or_default(),
            Format::Yaml if entry.group => Value::String(self.block(entry)),
            Format::Code if matches!(shown, "True" | "False") => Value::Bool(shown == "True"),
            _ if shown.starts_with(['"', '\'']) => Value::String(unquoted(shown)),
            _ => as_plain(shown),
        }
    }

    /// The lines that stand below a key and further in.
    fn block(&self, entry: &Entry) -> String {
        let start = self.text[..entry.key.start].rfind('\n').map_or(0, |end| end + 1);
        let indent = |line: &str| line.len() - line.trim_start().len();
        let own = indent(&self.text[start..]);
        let rest = self.text[start..].lines().skip(1).take_while(|line| line.trim().is_empty() || indent(line) > own);
        rest.collect::<Vec<_>>().join("\n")
    }

    /// The new value as it is written in the place of the old one.
    pub(super) fn written(&self, key: &str, like: &str, old: &Value, new: &Value) -> Result<String, String> {
        let text = new.as_str().map_or_else(|| new.to_string(), str::to_owned);
        let other = |kind: &str, old: &str| {
            Err(format!("`{key}` holds {kind} ({old}), and `{text}` is none, so I left it as it is."))
        };
        if let (Some(old), Some(new)) = (old.as_str(), new.as_bool())
            && let Some(word) = worded(old, new)
        {
            return Ok(self.literal(&Value::String(word), Some(like)));
        }
        let has_ending = self.path.rsplit('/').next().is_some_and(|name| name.contains('.'));
        let in_style = key.starts_with("--");
        if self.format == Format::Code
            && has_ending
            && !in_style
            && old.is_string()
            && !like.starts_with(['"', '\'', '`'])
        {
            return Err(format!(
                "`{key}` is `{like}` in `{}`, which is no plain value, so I left it as it is.",
                self.path
            ));
        }
        let new = match old {
            Value::Number(_) if as_plain(&text).is_number() => return Ok(text),
            Value::Number(old) => match in_its_unit(key, &text) {
                Some(number) => return Ok(number),
                None => return other("a number", &old.to_string()),
            },
            Value::Bool(old) => match text.to_lowercase().as_str() {
                "true" | "on" | "yes" | "enabled" => Value::Bool(true),
                "false" | "off" | "no" | "disabled" => Value::Bool(false),
                _ => return other("true or false", &old.to_string()),
            },
            Value::Array(_) | Value::Object(_) if new.is_array() || new.is_object() => new.clone(),
            Value::Array(_) => return other("a list", "several values"),
            Value::Object(_) => return other("a group of keys", "several values"),
            Value::String(_) if new.is_array() || new.is_object() => new.clone(),
            Value::String(old) => match retagged(old, &text).or_else(|| with_its_unit(old, &text)) {
                Some(text) => Value::String(text),
                None => Value::String(text),
            },
            Value::Null => match new {
                Value::String(text) => as_plain(text),
                other => other.clone(),
            },
        };
        Ok(self.literal(&new, Some(like)))
    }

    /// A value in the file's own way of writing; `like`: how the old one is written.
    pub(super) fn literal(&self, value: &Value, like: Option<&str>) -> String {
        match value {
            Value::Bool(value) if matches!(like, Some("True" | "False")) => {
                if *value { "True" } else { "False" }.to_owned()
            }
            Value::String(text) => match self.format {
                Format::Json => value.to_string(),
                Format::Toml => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
                _ => match like.and_then(|like| like.chars().next()).filter(|c| matches!(c, '"' | '\'')) {
                    Some(mark) => format!("{mark}{text}{mark}"),
                    None if self.format == Format::Yaml && must_be_quoted(text) => format!("\"{text}\""),
                    None => text.clone(),
                },
            },
            other => other.to_string(),
        }
    }
}

/// `redis:7.2-alpine` with another version: what the image is called stays, and so does its kind.
fn retagged(old: &str, new: &str) -> Option<String> {
    let (name, tag) = old.split_once(':')?;
    let is_name = name.contains(char::is_alphabetic) && !name.contains(char::is_whitespace);
    let is_tag = !tag.is_empty() && !tag.contains(|c: char| c.is_whitespace() || "/:\"'{}".contains(c));
    let is_version = new.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit())
        && new.chars().all(|c| c.is_ascii_alphanumeric() || ".-_".contains(c));
    let kind = tag.split_once('-').filter(|_| !new.contains('-')).map(|(_, kind)| format!("-{kind}"));
    (is_name && is_tag && is_version).then(|| format!("{name}:{new}{}", kind.unwrap_or_default()))
}

/// A number and the unit behind it.
fn measured(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.')?);
    let is_word = |unit: &str| unit == "%" || (!unit.is_empty() && unit.chars().all(char::is_alphabetic));
    (number.parse::<f64>().is_ok() && is_word(unit.trim())).then_some((number, unit.trim()))
}

/// How much a unit of time or size is, if it is one.
fn amount(unit: &str) -> Option<(&'static str, &'static str)> {
    let means = |table| Some((table, Engine::shipped().means(table, &unit.to_lowercase())?));
    means("durations").or_else(|| means("sizes"))
}

/// The number of `30 days` where the key says that it counts days, or where there is but one such unit: `85 percent`.
fn in_its_unit(key: &str, text: &str) -> Option<String> {
    let (number, unit) = measured(text)?;
    let wanted = amount(unit);
    let same = key.split(|c: char| !c.is_alphanumeric()).any(|word| amount(word) == wanted);
    (wanted.is_none() || same).then(|| number.to_owned())
}

/// `90 seconds` written as the old `45s` is.
fn with_its_unit(old: &str, text: &str) -> Option<String> {
    let ((_, own), (number, unit)) = (measured(old)?, measured(text)?);
    (amount(own).is_some() && amount(own) == amount(unit)).then(|| format!("{number}{own}"))
}

/// The value in a JSON text that people call this, and its name.
pub(crate) fn value_called(text: &str, called: &str) -> Option<(String, Value)> {
    let settings = Settings::of(".json", text).ok()?;
    let entry = settings.find(called).ok()?;
    Some((entry.name(), settings.value(entry)))
}

/// Lower case, and only what names are told apart by.
pub(crate) fn plain(key: &str) -> String {
    letters(key).collect()
}

pub(super) fn as_plain(text: &str) -> Value {
    match text.trim() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" | "" => Value::Null,
        text => match serde_json::from_str::<Value>(text) {
            Ok(value) => value,
            Err(_) => Value::String(text.to_owned()),
        },
    }
}

fn must_be_quoted(text: &str) -> bool {
    text.is_empty()
        || text.contains(": ")
        || text.contains(" #")
        || text.starts_with(['-', '?', '*', '&', '!', '|', '>', '%', '@', '`', '"', '\'', '{', '['])
        || !as_plain(text).is_string()
}

pub(super) fn told(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    }
}
