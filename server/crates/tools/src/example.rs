//! Arguments that a call could have, made from the schema: for tools that bring no example of their own.

use serde_json::{Map, Value, json};

/// How deep objects are filled in.
const LEVELS: usize = 4;

/// The required arguments, each with a value that fits: one that the schema gives, else one of its type.
#[must_use]
pub fn example_arguments(parameters: &Value) -> Value {
    object(parameters, LEVELS)
}

fn object(schema: &Value, levels: usize) -> Value {
    let names = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let fields = names.map(|name| (name.to_owned(), value(&schema["properties"][name], levels)));
    Value::Object(fields.collect::<Map<String, Value>>())
}

fn value(schema: &Value, levels: usize) -> Value {
    let given = [&schema["default"], &schema["examples"][0], &schema["enum"][0], &schema["const"]];
    if let Some(given) = given.into_iter().find(|value| !value.is_null()) {
        return given.clone();
    }
    let least = |name: &str| schema[name].as_u64().unwrap_or_default();
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match kind {
        Some("number" | "integer") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        Some("boolean") => json!(true),
        Some("array") if levels > 0 && least("minItems") > 0 => json!([value(&schema["items"], levels - 1)]),
        Some("array") => json!([]),
        Some("object") if levels > 0 => object(schema, levels - 1),
        Some("object") => json!({}),
        Some("null") => Value::Null,
        _ => json!("…"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_has_what_is_required_and_fits() {
        let schema = json!({
            "type": "object",
            "required": ["city", "days", "units", "where", "tags"],
            "properties": {
                "city": {"type": "string"},
                "days": {"type": "integer", "minimum": 3},
                "units": {"enum": ["C", "F"]},
                "where": {"type": "object", "required": ["lat"], "properties": {"lat": {"type": "number"}}},
                "tags": {"type": "array", "minItems": 1, "items": {"type": "string"}},
                "note": {"type": "string"},
            },
        });

        let example = example_arguments(&schema);

        let expected = json!({"city": "…", "days": 3, "units": "C", "where": {"lat": 1}, "tags": ["…"]});
        assert_eq!(example, expected);
    }
}
