//! The schemas of the frames. Optional fields are absent, never null, so no schema allows null in their place.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::{ClientFrame, ServerFrame, ToolDefinition};

/// The schema of what a client sends.
#[must_use]
pub fn client_frame() -> Value {
    root::<ClientFrame>()
}

/// The schema of what a server sends.
#[must_use]
pub fn server_frame() -> Value {
    root::<ServerFrame>()
}

/// One document with every type under `$defs`; it accepts any frame of either side.
#[must_use]
pub fn all() -> Value {
    let mut generator = generator(SchemaSettings::draft2020_12());
    let frames = [generator.subschema_for::<ClientFrame>(), generator.subschema_for::<ServerFrame>()];
    generator.subschema_for::<ToolDefinition>();

    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Switchboard frames",
        "description": "What travels over the WebSocket at /ws, one JSON object per text frame.",
        "anyOf": frames,
        "$defs": generator.take_definitions(true),
    })
}

fn root<T: JsonSchema>() -> Value {
    generator(SchemaSettings::draft2020_12()).into_root_schema_for::<T>().to_value()
}

/// A generator with the project's rule on absent fields.
///
/// It goes first: what other dialects do to a `$ref` has to see the result.
#[must_use]
pub fn generator(mut settings: SchemaSettings) -> SchemaGenerator {
    settings.transforms.insert(0, Box::new(RecursiveTransform(absent_is_not_null)));
    settings.into_generator()
}

/// Takes null out of what an `Option` made: `["string", "null"]` is a string, `anyOf [X, null]` is X.
fn absent_is_not_null(schema: &mut Schema) {
    if schema.get("default") == Some(&Value::Null) {
        schema.remove("default");
    }
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| choice != &json!({"type": "null"}));
        if let [Value::Object(only)] = choices.as_slice() {
            let only = only.clone();
            schema.remove("anyOf");
            for (key, value) in only {
                schema.insert(key, value);
            }
        }
    }
}
