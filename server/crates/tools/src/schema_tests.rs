//! G09: schemas that would hang or grow the server are refused when they are registered.

use std::time::{Duration, Instant};

use serde_json::json;

use super::*;

/// Whether the library takes it as it is.
fn unguarded(schema: &Value) -> bool {
    jsonschema::options().offline().build(schema).is_ok()
}

#[track_caller]
fn refused(schema: &Value, why: &str) {
    let error = Schema::new(schema).expect_err("a schema that must be refused");
    assert!(error.contains(why), "{error}");
}

#[test]
fn g09_what_is_no_schema_is_refused() {
    refused(&json!({"type": "object", "properties": {"a": {"type": "nonsense"}}}), "");
    refused(&json!({"type": "object", "properties": {"a": {"pattern": "("}}}), "");
    refused(&json!({"$ref": "https://example.com/schema.json"}), "only #/… is supported");
    refused(&json!({"$ref": "#/$defs/nowhere"}), "which does not exist");
}

#[test]
fn g09_a_schema_of_5_mb_is_refused() {
    let schema = json!({"type": "object", "description": "x".repeat(5_000_000)});

    // Baseline: the library takes it.
    assert!(unguarded(&schema));
    refused(&schema, "the limit is");
}

#[test]
fn g09_a_cycle_of_references_is_refused_and_a_tree_is_not() {
    let cycle =
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}});
    let tree = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
    });

    // Baseline: the library takes it.
    assert!(unguarded(&cycle));
    refused(&cycle, "refers to itself endlessly");
    let tree = Schema::new(&tree).expect("a tree is fine");
    assert!(tree.validator().is_valid(&json!({"children": [{"children": [{"name": "leaf"}]}]})));
    assert_eq!(tree.max_depth, None);
}

#[test]
fn g09_a_schema_that_doubles_itself_is_refused() {
    let doubled =
        |at: usize| json!({"allOf": [{"$ref": format!("#/$defs/d{at}")}, {"$ref": format!("#/$defs/d{at}")}]});
    let mut defs: serde_json::Map<String, Value> = (0..40).map(|at| (format!("d{at}"), doubled(at + 1))).collect();
    defs.insert("d40".to_owned(), json!({"type": "object"}));
    let schema = json!({"$ref": "#/$defs/d0", "$defs": defs});

    // Baseline: the library takes it.
    assert!(unguarded(&schema));
    refused(&schema, "describe the same place");
}

#[test]
fn g09_values_are_not_looked_into_deeper_than_the_schema_allows_in_a_moment() {
    let branching = json!({
        "$ref": "#/$defs/node",
        "$defs": {"node": {"anyOf": [
            {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "end": {"const": 1}}, "required": ["end"]},
            {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "end": {"const": 2}}, "required": ["end"]},
        ]}},
    });
    let nested = |levels: usize| (0..levels).fold(json!({}), |inner, _| json!({"next": inner}));

    let schema = Schema::new(&branching).expect("it can be used");

    let limit = schema.max_depth.expect("a limit");
    assert!((10..=30).contains(&limit), "{limit}");
    assert_eq!((schema.too_deep(&nested(5)), schema.too_deep(&nested(100))), (None, Some(limit)));
    // A generous limit: it is 10 million checks at most, not forever.
    let began = Instant::now();
    assert!(!schema.validator().is_valid(&nested(5)));
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn g09_a_pattern_runs_in_linear_time() {
    let text = format!("{}b", "a".repeat(20_000));
    let schema = json!({"type": "string", "pattern": "^(a+)+$"});
    let lookahead = json!({"type": "string", "pattern": "^(?=a)"});

    // Baseline: the library's own engine takes patterns that go back and forth; ours has none of those.
    assert!(unguarded(&lookahead));
    refused(&lookahead, "");
    assert!(!Schema::new(&schema).expect("it can be used").validator().is_valid(&Value::String(text)));
}
