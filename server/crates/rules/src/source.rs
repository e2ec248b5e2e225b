//! Where an answer is: finds the value that a question speaks of, or says which tool must bring it.

use std::sync::Arc;

use serde_json::{Map, Value};
use switchboard_protocol::ValueType;

use super::focus::{Focus, paths_of};
use super::goal::{Act, Given, Role, Skill, Source};
use switchboard_agent::{ReasonerError, TurnContext};
use switchboard_events::ArtifactValue;

/// Text longer than this is not looked at for JSON in it.
const MAX_JSON_BYTES: u64 = 8 * 1024 * 1024;

/// What a question's source came to.
pub(super) enum Looked {
    /// Here it is.
    Found(Held),
    /// A tool must bring it first.
    Needs(Act),
    /// There is nothing; for people.
    Nothing(String),
}

/// A value with its names.
pub(super) struct Held {
    /// As people call it: `config.json`, `parsed_data`.
    pub(super) label: String,
    /// The variable that holds it.
    pub(super) variable: String,
    pub(super) value: Arc<ArtifactValue>,
}

/// Finds the source's value. `as_json`: text that is JSON must be parsed first.
pub(super) async fn look(
    source: &Source,
    scene: &TurnContext<'_>,
    focus: &Focus,
    as_json: bool,
    clause: &super::clause::Clause,
) -> Result<Looked, ReasonerError> {
    let (name, label) = match source {
        Source::File(given) => {
            let Some(path) = file(given, focus) else {
                return Ok(Looked::Nothing("I do not know which file you mean: none was read yet.".to_owned()));
            };
            match holder(&path, scene) {
                Some(name) => (name, format!("`{path}`")),
                None => return Ok(Looked::Needs(Act::new(Skill::Read, clause).with_text(Role::Path, &path))),
            }
        }
        Source::Variable(reference) => return variable(reference, scene, as_json, clause).await,
        Source::That | Source::Context => match &focus.variable {
            Some(name) => (name.clone(), label_of(name, scene, focus)),
            None => return Ok(Looked::Nothing("There is no result yet that I could look at.".to_owned())),
        },
    };
    held(name, label, scene, as_json, clause).await
}

async fn held(
    name: String,
    label: String,
    scene: &TurnContext<'_>,
    as_json: bool,
    clause: &super::clause::Clause,
) -> Result<Looked, ReasonerError> {
    if as_json && let Some(parsed) = parsed_from(&name, scene) {
        let value = load(&parsed, scene).await?;
        return Ok(Looked::Found(Held { label, variable: parsed, value }));
    }
    let value = load(&name, scene).await?;
    if as_json && is_json_text(&value) {
        return Ok(match scene.registry.get("json_parse") {
            Some(_) => Looked::Needs(Act::new(Skill::Parse, clause).with_text(Role::Content, &format!("@{name}"))),
            None => Looked::Found(Held { label, variable: name, value: Arc::new(parsed(&value)) }),
        });
    }
    Ok(Looked::Found(Held { label, variable: name, value }))
}

async fn variable(
    reference: &str,
    scene: &TurnContext<'_>,
    as_json: bool,
    clause: &super::clause::Clause,
) -> Result<Looked, ReasonerError> {
    let written = format!("@{reference}");
    let Some((name, steps)) = switchboard_context::reference(&written) else {
        return Ok(Looked::Nothing(format!("`{written}` is no reference to a variable.")));
    };
    if scene.view.context.get(name).is_none() {
        return Ok(Looked::Nothing(unknown(name, scene)));
    }
    if steps.is_empty() {
        return held(name.to_owned(), format!("`{name}`"), scene, as_json, clause).await;
    }
    let arguments = Map::from_iter([("value".to_owned(), Value::String(written.clone()))]);
    Ok(match scene.view.context.resolve_params(scene.values, &arguments).await {
        Ok(mut resolved) => Looked::Found(Held {
            label: format!("`{reference}`"),
            variable: name.to_owned(),
            value: Arc::new(ArtifactValue::Json(resolved.arguments.remove("value").unwrap_or_default())),
        }),
        Err(error) => Looked::Nothing(format!("I cannot look there: {error}.")),
    })
}

/// Loads a variable's value.
pub(super) async fn load(name: &str, scene: &TurnContext<'_>) -> Result<Arc<ArtifactValue>, ReasonerError> {
    let loaded = scene.view.context.value(scene.values, name).await;
    loaded.map_err(|error| ReasonerError::Context(error.to_string()))
}

fn unknown(name: &str, scene: &TurnContext<'_>) -> String {
    let names = scene.view.context.names();
    let near = switchboard_runtime::nearest(name, names.iter().copied(), 3);
    match (near.as_slice(), names.is_empty()) {
        ([], true) => format!("There is no variable `{name}`: nothing is stored yet."),
        ([], false) => format!("There is no variable `{name}`. There are: {}.", listed(&names)),
        (near, _) => format!("There is no variable `{name}`. Did you mean {}?", listed(near)),
    }
}

fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().rev().take(10).map(|name| format!("`{name}`")).collect();
    shown.join(", ")
}

fn file(given: &Given, focus: &Focus) -> Option<String> {
    match given {
        Given::Value(Value::String(path)) => Some(path.clone()),
        _ => focus.files.first().cloned(),
    }
}

/// The variable that holds the file as it was last read, when nothing has run since that could have changed it.
fn holder(path: &str, scene: &TurnContext<'_>) -> Option<String> {
    for operation in scene.view.operations.iter().rev().filter(|operation| operation.success) {
        let paths = paths_of(operation);
        let same = matches!(paths.as_slice(), [only] if only == path);
        let limited = operation.inputs.contains_key("limit") || operation.inputs.contains_key("offset");
        match operation.tool.as_str() {
            "file_read" if same && !limited => {
                let name = operation.output_variable.as_ref()?;
                let entry = scene.view.context.get(name)?;
                let current = entry.variable.origin.call_id.as_ref() == Some(&operation.call_id);
                return current.then(|| name.clone());
            }
            "file_write" if same => return None,
            "bash" => return None,
            _ => {}
        }
    }
    None
}

/// The variable that was parsed from this one and is still good.
fn parsed_from(name: &str, scene: &TurnContext<'_>) -> Option<String> {
    let made = scene.view.context.variables().rev().find(|variable| {
        variable.origin.tool == "json_parse"
            && !variable.stale
            && variable.origin.inputs.iter().any(|input| input == name)
    })?;
    Some(made.name.clone())
}

/// What people would call the variable: the file that was read into it, or its name.
fn label_of(name: &str, scene: &TurnContext<'_>, focus: &Focus) -> String {
    let from = |name: &str| {
        let operation =
            scene.view.operations.iter().rev().find(|operation| operation.output_variable.as_deref() == Some(name))?;
        (operation.tool == "file_read").then(|| paths_of(operation)).filter(|paths| paths.len() == 1)?.pop()
    };
    let inputs = scene.view.context.get(name).map(|entry| entry.variable.origin.inputs.clone()).unwrap_or_default();
    if scene
        .view
        .operations
        .iter()
        .rev()
        .find(|operation| operation.output_variable.as_deref() == Some(name))
        .is_some_and(|operation| paths_of(operation).len() > 1)
    {
        return "the files".to_owned();
    }
    let path = from(name).or_else(|| inputs.iter().find_map(|input| from(input)));
    let made_by = scene.view.context.get(name).map(|entry| entry.variable.origin.tool.as_str());
    match made_by {
        Some("bash") => return "the output".to_owned(),
        Some("grep") => return "the search".to_owned(),
        Some("glob") => return "the list".to_owned(),
        _ => {}
    }
    let listing = focus.listing.as_deref() == Some(name);
    match path.filter(|path| focus.files.contains(path)).or_else(|| focus.listing_folder.clone().filter(|_| listing)) {
        Some(path) if path == "." => "the current directory".to_owned(),
        Some(path) => format!("`{path}`"),
        None => format!("`{name}`"),
    }
}

/// Whether it is text that holds a JSON object or array.
pub(super) fn is_json_text(value: &ArtifactValue) -> bool {
    let ArtifactValue::Text(text) = value else { return false };
    let begins = text.trim_start().starts_with(['{', '[']);
    begins && text.len() as u64 <= MAX_JSON_BYTES && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Text as the JSON that it is.
pub(super) fn parsed(value: &ArtifactValue) -> ArtifactValue {
    match value {
        ArtifactValue::Text(text) => serde_json::from_str(text).map_or_else(|_| value.clone(), ArtifactValue::Json),
        other => other.clone(),
    }
}

/// Whether the variable can be looked into when the whole context is searched.
pub(super) fn is_searched(variable: &switchboard_protocol::Variable) -> bool {
    const MAX_BYTES: u64 = 1024 * 1024;
    !variable.name.ends_with("_error") && variable.bytes <= MAX_BYTES && variable.value_type != ValueType::Bytes
}
