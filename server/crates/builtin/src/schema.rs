//! The JSON Schemas in which tools say what they take and give.

use serde_json::{Value, json};

/// What a call may say: these properties and no others; those in `required` must be there.
pub(super) fn arguments(required: &[&str], properties: Value) -> Value {
    let mut schema = object(properties);
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema["additionalProperties"] = false.into();
    schema
}

/// An object with these properties.
pub(super) fn object(properties: Value) -> Value {
    let mut schema = json!({"type": "object"});
    schema["properties"] = properties;
    schema
}

/// A list of things of this kind.
pub(super) fn list(items: Value) -> Value {
    let mut schema = json!({"type": "array"});
    schema["items"] = items;
    schema
}

/// The path of a file.
pub(super) fn path(description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "description": description})
}

/// The folder where something begins; absent: the workspace itself.
pub(super) fn start(description: &str) -> Value {
    json!({"type": "string", "minLength": 1, "default": ".", "description": description})
}
