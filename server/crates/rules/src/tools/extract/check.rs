//! Whether a value is one that a schema takes. What is checked is what schemas of tools commonly say; where a schema
//! says more, a full validator looks at it.

use serde_json::Value;

/// What is checked here; any other word that limits a value is for the validator.
const KNOWN: &[&str] = &[
    "type",
    "enum",
    "description",
    "title",
    "default",
    "items",
    "properties",
    "required",
    "example",
    "examples",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "optional",
    "unit",
    "example_values",
    "format",
    "nullable",
    "$schema",
    "$comment",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// Whether the schema takes the value.
pub(super) fn takes(schema: &Value, value: &Value) -> bool {
    match schema {
        // A list that does not say of what takes anything.
        Value::Null => true,
        Value::Bool(any) => *any,
        Value::Object(words) if words.keys().all(|word| KNOWN.contains(&word.as_str())) => known(schema, value),
        Value::Object(_) => jsonschema::validator_for(schema).is_ok_and(|validator| validator.is_valid(value)),
        _ => false,
    }
}

fn known(schema: &Value, value: &Value) -> bool {
    let options = schema.get("enum").and_then(Value::as_array);
    of_type(schema.get("type"), value)
        && options.is_none_or(|options| options.contains(value))
        && in_bounds(schema, value)
        && inside(schema, value)
}

fn of_type(kind: Option<&Value>, value: &Value) -> bool {
    match kind {
        None => true,
        Some(Value::String(kind)) => is(kind, value),
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).any(|kind| is(kind, value)),
        Some(_) => false,
    }
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => false,
    }
}

fn in_bounds(schema: &Value, value: &Value) -> bool {
    let limit = |word: &str| schema.get(word).and_then(Value::as_f64);
    let between = |amount: f64, least: &str, most: &str| {
        limit(least).is_none_or(|least| amount >= least) && limit(most).is_none_or(|most| amount <= most)
    };
    #[expect(clippy::cast_precision_loss, reason = "a length is far below 2^52")]
    let count = |length: usize| length as f64;
    match value {
        Value::Number(number) => between(number.as_f64().unwrap_or(f64::NAN), "minimum", "maximum"),
        Value::String(text) => between(count(text.chars().count()), "minLength", "maxLength"),
        Value::Array(items) => between(count(items.len()), "minItems", "maxItems"),
        _ => true,
    }
}

fn inside(schema: &Value, value: &Value) -> bool {
    match value {
        Value::Array(items) => schema.get("items").is_none_or(|schema| items.iter().all(|item| takes(schema, item))),
        Value::Object(fields) => {
            let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            let properties = schema.get("properties").and_then(Value::as_object);
            required.filter_map(Value::as_str).all(|name| fields.contains_key(name))
                && fields.iter().all(|(name, value)| {
                    properties.and_then(|properties| properties.get(name)).is_none_or(|schema| takes(schema, value))
                })
        }
        _ => true,
    }
}
