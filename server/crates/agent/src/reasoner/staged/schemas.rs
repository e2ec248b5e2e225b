//! What a reply of each stage must look like. The reasoning comes before the decision: one that is made first is made
//! without thought, and mostly "true".

use serde_json::{Map, Value, json};

use crate::reasoner::CandidateTool;

/// Longest texts, so that a small model comes to its decision.
const REASONING: usize = 600;

pub(super) fn need() -> Value {
    object(&json!({"reasoning": {"type": "string", "maxLength": REASONING}, "needsTools": {"type": "boolean"}}))
}

pub(super) fn decision() -> Value {
    object(&json!({
        "reasoning": {"type": "string", "maxLength": REASONING},
        "complete": {"type": "boolean"},
        "nextAction": {"anyOf": [{"type": "string", "maxLength": 300}, {"type": "null"}]},
        "userResponse": {"type": "string"},
    }))
}

/// One branch a tool, and one for none; that may ask for another search.
pub(super) fn selection(candidates: &[CandidateTool], variables: bool, searches: bool) -> Value {
    let tools = candidates.iter().map(|CandidateTool { definition, .. }| {
        branch(&json!({"type": "string", "enum": [definition.name]}), &parameters(&definition.parameters, variables))
    });
    let mut none = branch(&json!({"type": "null"}), &json!({"type": "object", "properties": {}}));
    if searches {
        let query = json!({"anyOf": [{"type": "string", "maxLength": 200}, {"type": "null"}]});
        none["properties"]["searchFor"] = query;
    }
    json!({"anyOf": tools.chain([none]).collect::<Vec<_>>()})
}

fn branch(tool: &Value, parameters: &Value) -> Value {
    object(&json!({
        "reasoning": {"type": "string", "maxLength": REASONING},
        "selectedTool": tool,
        "parameters": parameters,
        "outputVariable": {"anyOf": [{"type": "string", "maxLength": 64}, {"type": "null"}]},
    }))
}

fn object(properties: &Value) -> Value {
    let names: Vec<&String> = properties.as_object().map(|fields| fields.keys().collect()).unwrap_or_default();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}

/// The tool's own schema; where there are variables, any parameter may be a reference to one. A schema with
/// definitions of its own cannot stand inside another one.
fn parameters(schema: &Value, variables: bool) -> Value {
    if schema.to_string().contains("\"$ref\"") {
        return json!({"type": "object"});
    }
    let mut schema = schema.clone();
    if let Some(fields) = schema.as_object_mut() {
        fields.retain(|name, _| matches!(name.as_str(), "type" | "properties" | "required" | "additionalProperties"));
        if let Some(properties) = fields.get_mut("properties").and_then(Value::as_object_mut) {
            with_kinds(properties);
            if variables {
                with_references(properties);
            }
        }
    }
    schema
}

/// What takes any value takes a text first: small models that may write anything write null.
fn with_kinds(properties: &mut Map<String, Value>) {
    const KINDS: [&str; 5] = ["string", "number", "boolean", "array", "object"];
    for property in properties.values_mut().filter_map(Value::as_object_mut) {
        if !["type", "enum", "const", "anyOf", "oneOf", "allOf"].iter().any(|word| property.contains_key(*word)) {
            property.insert("anyOf".to_owned(), KINDS.iter().map(|kind| json!({"type": kind})).collect());
        }
    }
}

fn with_references(properties: &mut Map<String, Value>) {
    for (_, property) in properties.iter_mut() {
        if property.get("type").is_some_and(|kind| kind != "string") || property.get("enum").is_some() {
            *property = json!({"anyOf": [property.take(), {"type": "string", "maxLength": 128}]});
        }
    }
}

#[cfg(test)]
mod tests {
    use switchboard_protocol::Risk;

    use super::*;
    use switchboard_search::Likeness;
    use switchboard_tools::test_support::spec;

    #[test]
    fn the_reasoning_comes_first_and_each_tool_has_its_branch() {
        let mut definition = spec("count_to", Risk::Read).definition;
        definition.parameters = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
        let candidate = CandidateTool {
            definition: definition.into(),
            confidence: 0.9,
            likeness: Likeness::default(),
            reasons: Vec::new(),
            of_part: false,
        };

        let schema = selection(&[candidate], true, false);
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let fits = |tool: Value, n: Value| {
            let parameters = if tool.is_null() { json!({}) } else { json!({"n": n}) };
            validator.is_valid(
                &json!({"reasoning": "r", "selectedTool": tool, "parameters": parameters, "outputVariable": null}),
            )
        };

        assert_eq!(schema["anyOf"].as_array().map(Vec::len), Some(2));
        for branch in schema["anyOf"].as_array().into_iter().flatten().chain([&need(), &decision()]) {
            let first = branch["properties"].as_object().and_then(|fields| fields.keys().next());
            assert_eq!(first.map(String::as_str), Some("reasoning"));
        }
        assert!(fits(json!("count_to"), json!(3)) && fits(json!("count_to"), json!("@n")));
        assert!(fits(Value::Null, Value::Null));
        assert!(!fits(json!("other"), json!(3)) && !fits(json!("count_to"), json!([3])));
    }
}
