//! What a tool's parameter is for, by its name and description: the general side of parameter extraction.

use serde_json::Value;

use super::goal::Role;
use super::words::name_words;

/// The parameter's role.
pub(super) fn role_of(name: &str, schema: &Value) -> Role {
    let words = name_words(name);
    let description = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let says = |wanted: &str| description.contains(wanted);
    let numeric = types_of(schema).iter().any(|kind| matches!(*kind, "number" | "integer"));

    if numeric {
        return numeric_role(&words);
    }
    if types_of(schema) == ["boolean"] {
        return match () {
            () if has(&["case"]) && has(&["ignore", "insensitive"]) => Role::AnyCase,
            () if has(&["replace"]) && has(&["all"]) => Role::Everywhere,
            () => Role::Other,
        };
    }
    if has(&["find"]) && words.len() == 1 {
        return Role::Find;
    }
    if has(&["replace", "replacement"]) && words.len() == 1 {
        return Role::Replacement;
    }
    if has(&["url", "uri", "link", "href", "website", "webpage"]) {
        Role::Url
    } else if has(&["email", "mail"]) {
        Role::Email
    } else if has(&["variables", "vars", "bindings"]) {
        Role::Variables
    } else if has(&["timezone", "tz", "zone"]) {
        Role::Zone
    } else if has(&["directory", "dir", "folder", "cwd", "root"]) {
        Role::Folder
    } else if has(&["filter", "jq", "jsonpath", "selector"]) {
        Role::Filter
    } else if has(&["glob", "globs"]) || (has(&["pattern", "include"]) && says("glob")) {
        Role::Glob
    } else if has(&["path", "paths", "file", "files", "filename", "filepath", "source", "destination"]) {
        Role::Path
    } else if has(&["pattern", "regex", "regexp"]) {
        Role::Pattern
    } else if has(&["command", "cmd", "shell", "script"]) {
        Role::Command
    } else if has(&["expression", "formula", "equation", "calculation"]) {
        Role::Expression
    } else if has(&["query", "search", "term", "terms", "keyword", "keywords", "q", "topic", "question", "prompt"]) {
        Role::Query
    } else if has(&["content", "contents", "body", "text", "message", "data", "json", "input", "document", "html"]) {
        Role::Content
    } else if has(&["location", "city", "place", "country", "address", "region", "town"]) {
        Role::Place
    } else if has(&["name", "variable", "key"]) && words.len() <= 2 {
        Role::Name
    } else if has(&["value"]) {
        Role::Value
    } else {
        Role::Other
    }
}

fn numeric_role(words: &[String]) -> Role {
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    if has(&["timeout", "seconds"]) {
        Role::Seconds
    } else if has(&["limit", "max", "maximum", "count", "top", "first", "results", "size"]) {
        Role::Limit
    } else if has(&["offset", "start", "skip", "page", "from"]) {
        Role::Offset
    } else {
        Role::Amount
    }
}

/// The types that the schema allows; none: any.
pub(super) fn types_of(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => {
            let options = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array);
            options.into_iter().flatten().flat_map(types_of).collect()
        }
    }
}

/// Whether the schema takes a value of this type.
pub(super) fn takes(schema: &Value, kind: &str) -> bool {
    let types = types_of(schema);
    types.is_empty() || types.contains(&kind) || (kind == "integer" && types.contains(&"number"))
}

/// The value as the schema wants it: a list of one, a number as text, a text as number; `None` when it cannot be.
pub(super) fn coerce(value: &Value, schema: &Value) -> Option<Value> {
    let fits = |kind: &str| takes(schema, kind);
    match value {
        Value::String(text) if is_reference(text) => Some(wrapped(value, schema)),
        Value::String(text) if !fits("string") => text
            .replace(',', "")
            .parse::<serde_json::Number>()
            .ok()
            .filter(|number| number.is_i64() || number.is_u64() || fits("number"))
            .filter(|_| fits("number") || fits("integer"))
            .map(Value::Number)
            .or_else(|| text.parse::<bool>().ok().filter(|_| fits("boolean")).map(Value::Bool))
            .or_else(|| fits("array").then(|| Value::Array(vec![value.clone()]))),
        Value::Number(number) if !(fits("number") || (fits("integer") && !number.is_f64())) => {
            fits("string").then(|| Value::String(number.to_string()))
        }
        Value::Bool(flag) if !fits("boolean") => fits("string").then(|| Value::String(flag.to_string())),
        Value::Array(_) if !fits("array") => None,
        Value::Object(_) if !fits("object") => fits("string").then(|| Value::String(value.to_string())),
        _ => Some(value.clone()),
    }
}

fn wrapped(value: &Value, schema: &Value) -> Value {
    let items = schema.get("items");
    let list_only = types_of(schema) == ["array"];
    match list_only && items.is_some_and(|items| types_of(items) == ["string"]) {
        // A list of files takes the one file that the variable names.
        true => Value::Array(vec![value.clone()]),
        false => value.clone(),
    }
}

/// Whether the text stands for a variable.
pub(super) fn is_reference(text: &str) -> bool {
    switchboard_context::reference(text).is_some()
}

#[cfg(test)]
#[path = "roles_tests.rs"]
mod tests;
