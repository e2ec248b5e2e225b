//! Keys of files of settings: JSON, TOML, YAML and INI, with their dotted paths.

use serde_json::Value;

/// How many keys of a file are known.
const MAX_KEYS: usize = 500;

/// How long a value may be that is kept with its key.
const MAX_VALUE: usize = 80;

/// A key and what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Its path, with dots between: `db.port`.
    pub path: String,
    /// Its value as text; nothing for what has keys of its own, or is long.
    pub value: Option<String>,
}

/// The keys of a file by its ending.
pub(crate) fn keys(path: &str, text: &str) -> Vec<Key> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    let mut found = Vec::new();
    match ending.as_str() {
        "json" => {
            if let Ok(json) = serde_json::from_str::<Value>(text) {
                collect("", &json, &mut found);
            }
        }
        "toml" => {
            if let Ok(json) = toml::from_str::<Value>(text) {
                collect("", &json, &mut found);
            }
        }
        "ini" | "cfg" | "conf" => ini(text, &mut found),
        "yaml" | "yml" => yaml(text, &mut found),
        _ => {}
    }
    found
}

fn push(found: &mut Vec<Key>, path: String, value: Option<String>) {
    if found.len() < MAX_KEYS {
        found.push(Key { path, value: value.filter(|value| value.len() <= MAX_VALUE) });
    }
}

fn collect(prefix: &str, json: &Value, found: &mut Vec<Key>) {
    let Value::Object(map) = json else { return };
    for (key, value) in map {
        if found.len() >= MAX_KEYS {
            return;
        }
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        let text = match value {
            Value::String(text) => Some(text.clone()),
            Value::Array(_) | Value::Object(_) => None,
            other => Some(other.to_string()),
        };
        push(found, path.clone(), text);
        collect(&path, value, found);
    }
}

fn ini(text: &str, found: &mut Vec<Key>) {
    let mut section = String::new();
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name.trim().to_owned();
        } else if let Some((key, value)) = line.split_once(['=', ':']) {
            let key = key.trim();
            let path = if section.is_empty() { key.to_owned() } else { format!("{section}.{key}") };
            push(found, path, Some(value.trim().trim_matches(['"', '\'']).to_owned()));
        }
    }
}

/// Mappings by their indentation; lists and long texts have no keys here.
fn yaml(text: &str, found: &mut Vec<Key>) {
    let mut above: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        let Some((key, value)) = bare.split_once(':').filter(|_| !bare.starts_with(['#', '-'])) else { continue };
        let word = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
        if !word || !(value.is_empty() || value.starts_with(' ')) {
            continue;
        }
        above.retain(|(own, _)| *own < indent);
        let parents = above.iter().map(|(_, key)| key.as_str()).chain([key]);
        let path = parents.collect::<Vec<_>>().join(".");
        let value = value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\'']);
        push(found, path, (!value.is_empty()).then(|| value.to_owned()));
        above.push((indent, key.to_owned()));
    }
}
