//! `@name` in the arguments of calls, and what stands there instead.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use switchboard_context::{ContextManager, Step, literal, reference, references as references_in};
use switchboard_events::{MemoryLog, StoredValue, Values};
use switchboard_protocol::SessionId;

use super::bytes::text;
use super::wait::wait;

/// What references are made of.
const PARTS: [&str; 24] = [
    "@data",
    "@text",
    "@@",
    "@",
    ".",
    ".a",
    ".b",
    ".name",
    ".a[0]",
    "[0]",
    "[1]",
    "[-1]",
    "[00]",
    "[",
    "]",
    "[18446744073709551616]",
    "..",
    " ",
    "ß",
    "_",
    "@data.a[1].b",
    "@none",
    "\n",
    "x",
];

/// What there is to refer to.
fn data() -> Value {
    json!({"a": [1, {"b": "@data"}, []], "b": null, "name": "@@x", "": {"": 0}})
}

fn context() -> ContextManager {
    let variable = |name: &str, kind: &str| {
        let origin = json!({"tool": "user", "inputs": []});
        let variable = json!({
            "name": name, "version": 1, "type": kind, "preview": "", "bytes": 1, "origin": origin, "stale": false,
        });
        serde_json::from_value(variable).expect("a variable")
    };
    let values = BTreeMap::from([
        ("data".to_owned(), StoredValue::Json(data())),
        ("text".to_owned(), StoredValue::Text("plain".to_owned())),
    ]);
    let mut context = ContextManager::default();
    context.apply(&[variable("data", "object"), variable("text", "text")], &[], &values);
    context
}

/// A reference gives what stands at its place, any other text is left as it is, and every text can be said so that it means
/// itself; whether it is a reference that stands for something.
pub fn references(data: &[u8]) -> bool {
    // A short text is a reference more often.
    let long = data.first().is_some_and(|first| first % 3 == 0);
    let text = text(&data[..data.len().min(if long { data.len() } else { 3 })], &PARTS, "");
    if let Some((name, steps)) = reference(&text) {
        let written: String = steps.iter().map(ToString::to_string).collect();
        assert_eq!(reference(&format!("@{name}{written}")), Some((name, steps)), "{text:?}");
    }
    let literal = literal(&text);
    assert_eq!(reference(&literal), None, "{literal:?} means itself");
    assert_eq!(resolved(&literal), Some(Value::String(text.clone())), "{literal:?}");

    let found = references_in(&arguments(&text));
    match (found.as_slice(), resolved(&text)) {
        ([], given) => {
            assert!(given.is_some_and(|given| given.is_string()), "{text:?}");
            false
        }
        ([one], given) => {
            assert_eq!(given, stands_at(&one.variable, &one.steps), "{text:?}");
            given.is_some()
        }
        (more, _) => panic!("{text:?} is {} references", more.len()),
    }
}

fn arguments(text: &str) -> Map<String, Value> {
    Map::from_iter([("value".to_owned(), json!(text))])
}

/// What a call gets for this text.
fn resolved(text: &str) -> Option<Value> {
    let values = Values::new(Arc::new(MemoryLog::new()), SessionId::random());
    let resolved = wait(context().resolve_params(&values, &arguments(text)));
    resolved.ok().and_then(|mut resolved| resolved.arguments.remove("value"))
}

fn stands_at(variable: &str, steps: &[Step]) -> Option<Value> {
    let whole = match variable {
        "data" => data(),
        "text" => json!("plain"),
        _ => return None,
    };
    steps.iter().try_fold(whole, |value, step| match step {
        Step::Field(name) => value.get(name).cloned(),
        Step::Item(number) => value.get(number).cloned(),
    })
}
