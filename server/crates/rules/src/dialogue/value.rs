//! Values by their references, also those that reach into JSON which a variable holds as text.

use serde_json::{Map, Value};
use switchboard_protocol::{ValueType, Variable};

use super::call::Call;
use crate::ops::{Stepped, text_of, value_called};
use switchboard_agent::TurnContext;
use switchboard_context::{Step, literal, reference};
use switchboard_events::ArtifactValue;

/// The longest value that is written out where a text is wanted.
const MAX_TEXT_BYTES: u64 = 1024 * 1024;

/// How many variables are looked into for a key.
const MAX_SEARCHED: usize = 100;

/// What a reference stands for.
pub(super) async fn value_of(wanted: &str, scene: &TurnContext<'_>) -> Result<ArtifactValue, String> {
    let (name, steps) = reference(wanted).ok_or_else(|| format!("`{wanted}` is not a reference that I can read."))?;
    let value =
        scene.view.context.value(scene.values, name).await.map_err(|_| format!("There is no variable `@{name}`."))?;
    if steps.is_empty() {
        return Ok(ArtifactValue::clone(&value));
    }
    let mut json = match value.as_ref() {
        ArtifactValue::Json(json) => json.clone(),
        ArtifactValue::Text(text) => serde_json::from_str(text)
            .map_err(|_| format!("`@{name}` is text that is not JSON, so it has no parts."))?,
        ArtifactValue::Bytes(_) => return Err(format!("`@{name}` holds bytes and has no parts.")),
    };
    for step in steps {
        let next = match &step {
            Step::Field(field) => json.get_mut(field.as_str()).map(Value::take),
            Step::Item(place) => json.get_mut(*place).map(Value::take),
        };
        json = next.ok_or_else(|| format!("`@{name}` has no `{step}` in `{wanted}`."))?;
    }
    Ok(ArtifactValue::Json(json))
}

/// What the newest variable holds under a key that people call this: `my name` in a user's data.
pub(super) async fn anywhere(called: &str, scene: &TurnContext<'_>) -> Option<Stepped> {
    let fits = |variable: &&Variable| {
        let holds = matches!(variable.value_type, ValueType::Object | ValueType::Text);
        holds && variable.bytes <= MAX_TEXT_BYTES && !variable.name.ends_with("_error")
    };
    for variable in scene.view.context.variables().rev().filter(fits).take(MAX_SEARCHED) {
        let Ok(value) = scene.view.context.value(scene.values, &variable.name).await else { continue };
        let Some(text) = text_of(&value).filter(|text| text.trim_start().starts_with('{')) else { continue };
        if let Some((name, found)) = value_called(&text, called) {
            let label = format!("{name}` in `{}", variable.name);
            return Some(Stepped {
                value: Some(ArtifactValue::Json(found)),
                variable: Some(label),
                ..Stepped::default()
            });
        }
    }
    None
}

/// The value of a reference as a step that was done.
pub(super) async fn loaded(wanted: &str, scene: &TurnContext<'_>) -> Result<Stepped, String> {
    let value = value_of(wanted, scene).await?;
    let label = wanted.trim_start_matches('@').trim_end_matches(".output").to_owned();
    Ok(Stepped { value: Some(value), variable: Some(label), ..Stepped::default() })
}

/// Puts the texts of values in the place of references to them, for operations that need no call.
pub(super) async fn put_in(values: &mut Map<String, Value>, scene: &TurnContext<'_>) -> Result<(), String> {
    let marked = values.keys().filter_map(|name| name.strip_suffix("_reference").map(str::to_owned));
    for name in marked.collect::<Vec<_>>() {
        let Some(wanted) = values.get(&name).and_then(Value::as_str).map(str::to_owned) else { continue };
        let value = value_of(&wanted, scene).await?;
        values.insert(name, text_of(&value).unwrap_or_default().into());
    }
    Ok(())
}

/// Puts values in the place of references that the tools' own resolution does not reach: parts of JSON that is text, and
/// the text of a value where the tool wants a text.
pub(super) async fn fit(call: &mut Call, scene: &TurnContext<'_>) {
    let Some(tool) = scene.registry.get(&call.tool) else { return };
    let properties = &tool.spec().definition.parameters["properties"];
    for (name, argument) in &mut call.arguments {
        let Some(text) = argument.as_str().map(str::to_owned) else { continue };
        let Some((variable, steps)) = reference(&text) else { continue };
        let Some(entry) = scene.view.context.get(variable) else { continue };
        let kind = entry.variable.value_type;
        let into_text = !steps.is_empty() && kind == ValueType::Text;
        let wants_text =
            properties[name.as_str()]["type"] == "string" && (!steps.is_empty() || kind != ValueType::Text);
        if !(into_text || wants_text) || entry.variable.bytes > MAX_TEXT_BYTES {
            continue;
        }
        let Ok(value) = value_of(&text, scene).await else { continue };
        match (&value, wants_text) {
            (_, true) => {
                if let Some(text) = text_of(&value) {
                    *argument = Value::String(literal(&text));
                }
            }
            (ArtifactValue::Json(json), false) => *argument = super::plan::literally(json.clone()),
            _ => {}
        }
    }
}
