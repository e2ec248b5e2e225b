//! Paths in arguments: the other names that people and models give them, and how they are read.

use serde_json::{Map, Value};

use switchboard_tools::{ToolContext, ToolFailure};

/// Other names for the path of one file.
const OTHER_NAMES: &[&str] = &["path", "filePath", "file_path", "file"];

/// Puts the path of one file, whatever its name, into `path`.
pub(super) fn one_path(arguments: &mut Map<String, Value>) {
    if arguments.contains_key("path") {
        return;
    }
    if let Some(given) = OTHER_NAMES.iter().find_map(|name| arguments.shift_remove(*name)) {
        arguments.shift_insert(0, "path".to_owned(), given);
    }
}

/// Puts a single path, whatever its name, into the list `name`, and makes lists in the list one list.
pub(super) fn one_or_more_paths(arguments: &mut Map<String, Value>, name: &str) {
    if !arguments.contains_key(name)
        && let Some(given) = OTHER_NAMES.iter().find_map(|name| arguments.shift_remove(*name))
    {
        arguments.shift_insert(0, name.to_owned(), given);
    }
    let Some(paths) = arguments.get_mut(name) else { return };
    match paths {
        Value::String(_) => *paths = Value::Array(vec![paths.take()]),
        // `["@paths"]`, where the variable is a list itself.
        Value::Array(items) if items.iter().any(Value::is_array) => {
            let flat = std::mem::take(items).into_iter().flat_map(|item| match item {
                Value::Array(inner) => inner,
                other => vec![other],
            });
            *paths = flat.collect();
        }
        _ => {}
    }
}

/// The texts in a list; the schema has seen that they are.
pub(super) fn texts<'a>(arguments: &'a Map<String, Value>, name: &str) -> Vec<&'a str> {
    let items = arguments.get(name).and_then(Value::as_array);
    items.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A text argument; empty if it is missing.
pub(super) fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Puts a value that came under one of these names under `name`.
pub(super) fn rename(arguments: &mut Map<String, Value>, others: &[&str], name: &str) {
    if arguments.contains_key(name) {
        return;
    }
    if let Some(given) = others.iter().find_map(|other| arguments.shift_remove(*other)) {
        arguments.insert(name.to_owned(), given);
    }
}

/// Where a search begins: the folder or file in `path`, else the workspace itself.
pub(super) fn start(context: &ToolContext, arguments: &Map<String, Value>) -> Result<String, ToolFailure> {
    let given = arguments.get("path").and_then(Value::as_str).unwrap_or(".");
    Ok(context.workspace.relative(given)?.to_string())
}
