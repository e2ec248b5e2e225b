//! Arguments as models give them, without what says nothing.

use serde_json::{Map, Value};

use super::fence::names_a_fence;

/// Leaves out optional arguments that say nothing (null, "" or 0) where the tool takes no such thing: a model that fills
/// in every field means by them that it has nothing to say. So does the name of a fence, wherever it stands.
pub(in crate::reasoner) fn tidy(arguments: &mut Map<String, Value>, schema: &Value) {
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    arguments.retain(|name, value| {
        let says_nothing = value.is_null() || *value == "" || value.as_f64() == Some(0.0);
        if required.iter().any(|other| other == name) {
            return true;
        }
        if value.as_str().is_some_and(names_a_fence) {
            return false;
        }
        if !says_nothing {
            return true;
        }
        let Some(property) = schema.get("properties").and_then(|properties| properties.get(name)) else { return true };
        jsonschema::is_valid(property, value)
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_says_nothing_is_left_out_where_it_is_not_wanted() {
        let schema = json!({
            "type": "object",
            "properties": {
                "path": {"type": "string", "minLength": 1},
                "offset": {"type": "integer", "minimum": 1},
                "limit": {"type": "integer", "minimum": 0},
                "glob": {"type": "string", "minLength": 1},
                "mode": {"enum": ["a", "b"]},
                "note": {"type": "string"},
            },
            "required": ["path"],
        });
        let mut given = json!({
            "path": "", "offset": 0, "limit": 0, "glob": null, "mode": "", "note": "", "other": null, "in": "@request-abc57666"
        });
        let arguments = given.as_object_mut().expect("an object");

        tidy(arguments, &schema);

        assert_eq!(given, json!({"path": "", "limit": 0, "note": "", "other": null}), "the rest is the validator's");
        let mut wrong = json!({"path": "a", "offset": -1, "mode": "c"});
        tidy(wrong.as_object_mut().expect("an object"), &schema);
        assert_eq!(wrong, json!({"path": "a", "offset": -1, "mode": "c"}), "what says something wrong stays wrong");
    }
}
