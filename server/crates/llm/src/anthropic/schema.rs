//! JSON Schema as Anthropic takes it for a tool: an object, and no choice of shapes at its top.

use serde_json::{Map, Value, json};

/// The same as an object. Of several shapes it has the properties of all, and needs what all of them need: what does not
/// go together is seen when it is checked.
pub(super) fn of_object(schema: &Value) -> Value {
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    let branches: Vec<Value> = ["anyOf", "oneOf", "allOf"]
        .iter()
        .filter_map(|word| schema.remove(*word))
        .flat_map(|branches| branches.as_array().cloned().unwrap_or_default())
        .collect();
    schema.insert("type".to_owned(), "object".into());
    if schema.contains_key("properties") {
        return schema.into();
    }
    schema.insert("properties".to_owned(), merged(&branches).into());
    if let Some(first) = branches.first() {
        let needs = |branch: &Value, name: &Value| {
            branch.get("required").and_then(Value::as_array).is_some_and(|names| names.contains(name))
        };
        let names = first.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let required = names.into_iter().filter(|name| branches.iter().all(|branch| needs(branch, name)));
        schema.insert("required".to_owned(), required.collect());
    }
    schema.into()
}

/// All properties of all shapes; one that looks different in each may look like any of them.
fn merged(branches: &[Value]) -> Map<String, Value> {
    let mut shapes: Map<String, Value> = Map::new();
    for (name, shape) in branches.iter().filter_map(|branch| branch.get("properties")?.as_object()).flatten() {
        let known = shapes.entry(name.as_str()).or_insert_with(|| json!([]));
        if let Some(known) = known.as_array_mut().filter(|known| !known.contains(shape)) {
            known.push(shape.clone());
        }
    }
    for shape in shapes.values_mut() {
        *shape = match shape.as_array().map(Vec::as_slice) {
            Some([one]) => one.clone(),
            _ => json!({"anyOf": shape.take()}),
        };
    }
    shapes
}
