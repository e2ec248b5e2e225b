//! Lists of files in whatever shape a tool gives them: names in an array, objects with a name or path, lines of text.

use serde_json::Value;

use switchboard_events::ArtifactValue;

/// How many entries are looked at.
const MAX_ENTRIES: usize = 10_000;

/// The names in the list; folders end in `/` when the list says so.
pub(crate) fn entries(value: &ArtifactValue) -> Vec<String> {
    match value {
        ArtifactValue::Json(json) => in_json(json),
        ArtifactValue::Text(text) => {
            text.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_ENTRIES).map(str::to_owned).collect()
        }
        ArtifactValue::Bytes(_) => Vec::new(),
    }
}

fn in_json(json: &Value) -> Vec<String> {
    match json {
        Value::Array(items) => items.iter().take(MAX_ENTRIES).filter_map(name_of).collect(),
        Value::Object(map) => {
            let lists = ["entries", "files", "matches", "paths", "items", "results"];
            lists.iter().find_map(|key| map.get(*key).filter(|list| list.is_array())).map(in_json).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

fn name_of(item: &Value) -> Option<String> {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    match item {
        Value::String(name) => Some(name.clone()),
        Value::Object(_) => {
            let name = text("path").or_else(|| text("name")).or_else(|| text("file"))?;
            let kind = text("type").or_else(|| text("kind")).unwrap_or_default();
            let folder = matches!(kind, "directory" | "dir" | "folder") && !name.ends_with('/');
            Some(if folder { format!("{name}/") } else { name.to_owned() })
        }
        _ => None,
    }
}
