//! Tables in JSON: arrays of objects, wherever they stand, and objects of objects, whose keys are the names. What is
//! nested in a row is a column of its own, named by its path.

use serde_json::{Map, Value};

use super::base_name;
use crate::error::TableError;
use crate::table::{MAX_COLUMNS, MAX_ROWS, Table, TableKind};
use crate::tokens::name_words;

const MAX_TABLES: usize = 8;

/// An object, and its key if it stands in an object.
type Row<'a> = (Option<&'a str>, &'a Map<String, Value>);

/// How deep tables and columns are looked for.
const MAX_DEPTH: usize = 4;

/// The tables of a JSON text, the outermost first.
pub(super) fn tables(source: &str, text: &str) -> Result<Vec<Table>, TableError> {
    let Ok(json) = serde_json::from_str::<Value>(text) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    collect(source, &base_name(source), &json, MAX_DEPTH, &mut found)?;
    Ok(found)
}

/// The table of JSON lines: an object a line, all of them.
pub(super) fn lines(source: &str, text: &str) -> Result<Option<Table>, TableError> {
    let read = |line: &str| serde_json::from_str::<Map<String, Value>>(line).ok();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(MAX_ROWS + 1);
    let Some(objects) = lines.map(read).collect::<Option<Vec<_>>>() else { return Ok(None) };
    let objects: Vec<Row<'_>> = objects.iter().map(|object| (None, object)).collect();
    of_objects(source, &base_name(source), &objects)
}

/// A record that has a file of its own: an object of plain values, as a table of one row.
pub(crate) fn record(source: &str, text: &str) -> Option<Table> {
    let object = serde_json::from_str::<Map<String, Value>>(text).ok()?;
    let is_plain =
        |value: &Value| !value.is_object() && !value.as_array().is_some_and(|items| items.iter().any(Value::is_object));
    if object.len() < 2 || !object.values().all(is_plain) {
        return None;
    }
    of_objects(source, &base_name(source), &[(None, &object)]).ok().flatten()
}

fn collect(source: &str, name: &str, json: &Value, depth: usize, found: &mut Vec<Table>) -> Result<(), TableError> {
    let objects: Option<Vec<Row<'_>>> = match json {
        Value::Array(items) => items.iter().map(|item| Some((None, item.as_object()?))).collect(),
        Value::Object(map) if map.len() > 1 => {
            map.iter().map(|(key, item)| Some((Some(key.as_str()), item.as_object()?))).collect()
        }
        _ => None,
    };
    let table = match objects {
        // Settings under headings are objects, too, but have nothing in common.
        Some(objects) if json.is_array() || are_alike(&objects) => of_objects(source, name, &objects)?,
        _ => None,
    };
    match (table, json) {
        (Some(table), _) => found.push(table),
        (None, Value::Object(map)) if are_figures(name, map) => {
            let rows = map.iter().map(|(key, figure)| vec![key.clone(), figure.to_string()]).collect();
            let names = vec!["name".to_owned(), "amount".to_owned()];
            found.push(Table::new(name, source, TableKind::Records, names, rows)?);
        }
        (None, Value::Object(map)) if depth > 0 => {
            for (key, inner) in map {
                if found.len() < MAX_TABLES {
                    collect(source, key, inner, depth - 1, found)?;
                }
            }
        }
        (None, Value::Array(items)) if !items.is_empty() && items.iter().all(Value::is_number) => {
            let rows = items.iter().map(|item| vec![item.to_string()]).collect();
            found.push(Table::new(name, source, TableKind::Records, vec!["value".to_owned()], rows)?);
        }
        _ => {}
    }
    Ok(())
}

/// Whether an object is called by what it has many of, and tells a figure for each: `"expenses": {"heating": 7900, …}`.
fn are_figures(name: &str, map: &Map<String, Value>) -> bool {
    let many = name_words(name).iter().any(|word| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss"));
    many && map.len() > 2 && map.values().all(Value::is_number)
}

/// Whether most keys of the first are keys of all the others.
fn are_alike(objects: &[Row<'_>]) -> bool {
    let Some((_, first)) = objects.first() else { return false };
    let shared = first.keys().filter(|key| objects.iter().all(|(_, object)| object.contains_key(*key))).count();
    shared > 0 && shared * 2 >= first.len()
}

fn of_objects(source: &str, name: &str, objects: &[Row<'_>]) -> Result<Option<Table>, TableError> {
    if objects.is_empty() {
        return Ok(None);
    }
    let keyed = objects.iter().any(|(key, _)| key.is_some());
    let key_name = if objects.iter().any(|(_, object)| object.contains_key("name")) { "key" } else { "name" };
    let mut names: Vec<String> = keyed.then(|| key_name.to_owned()).into_iter().collect();
    let mut places: std::collections::HashMap<String, usize> = names.iter().cloned().map(|name| (name, 0)).collect();
    let mut rows = Vec::with_capacity(objects.len());
    for (key, object) in objects {
        let mut row: Vec<String> = key.map(str::to_owned).into_iter().collect();
        flatten("", object, MAX_DEPTH, &mut |path, cell| {
            let at = *places.entry(path.clone()).or_insert_with(|| {
                names.push(path);
                names.len() - 1
            });
            if row.len() <= at {
                row.resize(at + 1, String::new());
            }
            row[at] = cell;
        });
        if names.len() > MAX_COLUMNS {
            return Err(TableError::TooMany { what: "columns", most: MAX_COLUMNS });
        }
        rows.push(row);
    }
    if names.is_empty() {
        return Ok(None);
    }
    Table::new(name, source, TableKind::Records, names, rows).map(Some)
}

fn flatten(path: &str, object: &Map<String, Value>, depth: usize, put: &mut impl FnMut(String, String)) {
    for (key, value) in object {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Object(inner) if depth > 0 => flatten(&path, inner, depth - 1, put),
            _ => put(path, text_of(value)),
        }
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.iter().all(|item| !item.is_array() && !item.is_object()) => {
            items.iter().map(text_of).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
