//! The registry's claims: unique names, similar names, and changes that reach their subscribers in order.

use std::sync::{Arc, Mutex};

use serde_json::json;
use switchboard_protocol::Risk;

use super::*;
use crate::test_support::{Echo, spec};

fn echo(name: &str) -> Arc<dyn Tool> {
    Arc::new(Echo { spec: spec(name, Risk::Read) })
}

#[test]
fn a_name_is_taken_once() {
    let registry = ToolRegistry::new();
    registry.insert(echo("file_read")).expect("the first of its name");

    let second = registry.insert(echo("file_read"));

    assert_eq!(second, Err(ToolError::Taken("file_read".to_owned())));
    assert_eq!(registry.len(), 1);
}

#[test]
fn a_name_without_meaning_is_refused() {
    let registry = ToolRegistry::new();

    for name in ["", "a b", "a/b", "ä", &"x".repeat(129)] {
        assert_eq!(registry.insert(echo(name)), Err(ToolError::Name(name.to_owned())));
    }

    assert!(registry.is_empty());
}

#[test]
fn a_schema_that_cannot_be_used_is_refused_at_once() {
    let registry = ToolRegistry::new();
    let schemas = [
        json!({"type": "array"}),
        json!({"type": "object", "properties": {"a": {"type": "sometimes"}}}),
        json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/schema.json"}}}),
        json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "(unclosed"}}}),
        json!({"type": "object", "properties": {"a": {"const": "x".repeat(300_000)}}}),
    ];

    for schema in schemas {
        let mut bad = spec("bad", Risk::Read);
        bad.definition.parameters = schema;
        let refused = registry.insert(Arc::new(Echo { spec: bad }));

        assert!(matches!(refused, Err(ToolError::Schema { .. })), "{refused:?}");
    }
}

#[test]
fn near_misses_are_named_nearest_first() {
    let registry = ToolRegistry::new();
    for name in ["file_read", "file_write", "calculator"] {
        registry.insert(echo(name)).expect("a new name");
    }

    assert_eq!(registry.near("file_reed"), ["file_read", "file_write"]);
    assert_eq!(registry.near("pizza"), Vec::<String>::new());
}

#[test]
fn a_subscriber_hears_what_is_there_and_every_change() {
    let registry = ToolRegistry::new();
    registry.insert(echo("a")).expect("a new name");
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let news = Arc::clone(&heard);

    registry.on_change(move |change| {
        let line = match change {
            ToolChange::Added(definition) => format!("+{}", definition.name),
            ToolChange::Removed(name) => format!("-{name}"),
        };
        news.lock().expect("nobody panicked").push(line);
    });
    registry.insert(echo("b")).expect("a new name");
    assert!(registry.remove("a"));
    assert!(!registry.remove("a"));

    assert_eq!(*heard.lock().expect("nobody panicked"), ["+a", "+b", "-a"]);
    assert!(registry.get("a").is_none());
    assert!(registry.get("b").is_some());
}

#[test]
fn another_definition_has_another_fingerprint() {
    let registry = ToolRegistry::new();
    let mut changed = spec("b", Risk::Read);
    changed.definition.description.push_str(" And sends it away.");
    registry.insert(echo("a")).expect("a new name");
    registry.insert(Arc::new(Echo { spec: changed })).expect("a new name");
    let fingerprint = |name: &str| registry.get(name).map(|tool| tool.fingerprint().to_owned());

    assert_eq!(fingerprint("a").map(|text| text.len()), Some(64));
    assert_ne!(fingerprint("a"), fingerprint("b"));
}

#[test]
fn what_is_held_back_is_known_until_its_owner_says_otherwise() {
    let registry = ToolRegistry::new();

    registry.withhold("one", vec!["one__a".to_owned(), "one__b".to_owned()]);
    registry.withhold("two", vec!["two__a".to_owned()]);
    registry.withhold("one", vec!["one__b".to_owned()]);

    assert_eq!(["one__a", "one__b", "two__a"].map(|name| registry.is_withheld(name)), [false, true, true]);
    registry.withhold("one", Vec::new());
    assert!(!registry.is_withheld("one__b") && registry.is_withheld("two__a"));
}
