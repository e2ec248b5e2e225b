//! From what a clause means to what a call gets: `that` becomes a reference, `the second one` a path.

use serde_json::{Map, Value};
use switchboard_protocol::ValueType;

use super::focus::Focus;
use super::goal::{Act, Given, Role};
use super::listing::entries;
use switchboard_agent::TurnContext;
use switchboard_agent::TurnView;
use switchboard_context::{literal, preview_json, reference};
use switchboard_events::ArtifactValue;

/// The longest value that is written out where a text is wanted.
const MAX_TEXT_BYTES: u64 = 1024 * 1024;

/// The act's values, or what there is nothing for.
pub(super) async fn settle(act: &Act, scene: &TurnContext<'_>, focus: &Focus) -> Result<Vec<(Role, Value)>, String> {
    let mut settled = Vec::new();
    for (role, given) in &act.given {
        match given {
            Given::Value(value) if *role == Role::Variables => settled.push((*role, bound(value, scene.view, focus)?)),
            Given::Value(value) => settled.push((*role, value.clone())),
            Given::That => settled.push((*role, Value::String(that(scene.view, focus)?))),
            Given::ThatFile if focus.files.is_empty() => {
                return Err("which file is meant: none was read yet".to_owned());
            }
            Given::ThatFile => settled.extend(focus.files.iter().map(|file| (*role, Value::String(file.clone())))),
            Given::ThatFolder => {
                let folder = focus.folder.clone().or_else(|| focus.files.first().cloned());
                settled.push((*role, Value::String(folder.unwrap_or_else(|| ".".to_owned()))));
            }
            Given::Nth(number) => settled.push((*role, Value::String(nth(*number, scene, focus).await?))),
        }
    }
    Ok(settled)
}

/// A reference to the last result: of a command, to its output.
pub(super) fn that(view: &TurnView, focus: &Focus) -> Result<String, String> {
    let name = focus.variable.as_ref().ok_or("what `that` is: there is no result yet")?;
    let command = view.context.get(name).is_some_and(|entry| entry.variable.origin.tool == "bash");
    Ok(if command { format!("@{name}.output") } else { format!("@{name}") })
}

/// Variables of an expression, with the last result in its place.
fn bound(value: &Value, view: &TurnView, focus: &Focus) -> Result<Value, String> {
    let Value::Object(variables) = value else { return Ok(value.clone()) };
    let mut bound = Map::new();
    for (name, value) in variables {
        let value = match value.as_str() {
            Some(super::intents::THAT) => Value::String(that(view, focus)?),
            _ => value.clone(),
        };
        bound.insert(name.clone(), value);
    }
    Ok(Value::Object(bound))
}

/// A file of the list made last.
async fn nth(number: i64, scene: &TurnContext<'_>, focus: &Focus) -> Result<String, String> {
    let listing = focus.listing.as_ref().ok_or("which list is meant: no files were listed yet")?;
    let value = scene.view.context.value(scene.values, listing).await.map_err(|error| error.to_string())?;
    let names = entries(&value);
    let place = if number < 0 { names.len().checked_sub(1) } else { usize::try_from(number).ok() };
    let name = place.and_then(|place| names.get(place));
    let name = name.ok_or_else(|| format!("which file is meant: the list has only {}", names.len()))?;
    Ok(match focus.listing_folder.as_deref() {
        Some(folder) if folder != "." => format!("{}/{name}", folder.trim_end_matches('/')),
        _ => name.clone(),
    })
}

/// Puts the text of a value where a text is wanted and the variable holds something else, and a number where the
/// variable holds its digits.
pub(super) async fn fit_references(arguments: &mut Map<String, Value>, parameters: &Value, scene: &TurnContext<'_>) {
    for (name, value) in arguments.iter_mut() {
        let Some(schema) = parameters.get("properties").and_then(|properties| properties.get(name)) else { continue };
        let Some((variable, steps)) = value.as_str().and_then(reference) else { continue };
        let Some(entry) = scene.view.context.get(variable).filter(|_| steps.is_empty()) else { continue };
        let kind = entry.variable.value_type;
        let types = super::roles::types_of(schema);
        let wants_text = types == ["string"] && !matches!(kind, ValueType::Text | ValueType::Bytes);
        let wants_number = matches!(types.as_slice(), ["number" | "integer"]) && kind == ValueType::Text;
        if !(wants_text || wants_number) || entry.variable.bytes > MAX_TEXT_BYTES {
            continue;
        }
        let Ok(loaded) = scene.view.context.value(scene.values, variable).await else { continue };
        if wants_text {
            *value = Value::String(literal(&as_text(&loaded)));
        } else if let ArtifactValue::Text(text) = loaded.as_ref()
            && let Some(number) = super::intents::number(text.trim())
        {
            *value = number;
        }
    }
}

/// A value as a file would hold it.
pub(super) fn as_text(value: &ArtifactValue) -> String {
    match value {
        ArtifactValue::Text(text) => text.clone(),
        ArtifactValue::Json(Value::String(text)) => text.clone(),
        ArtifactValue::Json(json @ (Value::Object(_) | Value::Array(_))) => {
            serde_json::to_string_pretty(json).unwrap_or_else(|_| preview_json(json, 2000))
        }
        ArtifactValue::Json(json) => json.to_string(),
        ArtifactValue::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    }
}
