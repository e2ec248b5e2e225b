//! The redundancy memory's claims.

use serde_json::json;
use switchboard_protocol::ErrorType;

use super::*;
use switchboard_events::ArtifactValue;

fn key(arguments: Value) -> CallKey {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    CallKey::new("tool", &arguments)
}

fn worked() -> Arc<ToolResult> {
    Arc::new(ToolResult::success(ArtifactValue::Text("done".to_owned())))
}

fn failed() -> Arc<ToolResult> {
    Arc::new(ToolResult::failure(ErrorType::User, "no"))
}

fn name(earlier: &Earlier) -> String {
    match earlier {
        Earlier::Nothing => "nothing".to_owned(),
        Earlier::Result(_, variable) => format!("result {variable:?}"),
        Earlier::Failures(count, _) => format!("failures {count}"),
    }
}

#[test]
fn the_order_of_arguments_makes_no_difference_but_their_values_do() {
    assert_eq!(key(json!({"a": 1, "b": {"c": [1], "d": 2}})), key(json!({"b": {"d": 2, "c": [1]}, "a": 1})));
    assert_ne!(key(json!({"a": 1})), key(json!({"a": "1"})));
    assert_ne!(key(json!({"a": [1, 2]})), key(json!({"a": [2, 1]})));
}

#[test]
fn the_same_call_gets_its_earlier_result() {
    let mut repeats = Repeats::default();
    repeats.ran(key(json!({"a": 1})), Risk::Read, worked(), Some("x".to_owned()));

    assert_eq!(name(&repeats.earlier(&key(json!({"a": 1})))), "result Some(\"x\")");
    assert_eq!(name(&repeats.earlier(&key(json!({"a": 2})))), "nothing");
}

#[test]
fn a_write_makes_earlier_results_old_but_not_its_own() {
    let mut repeats = Repeats::default();
    repeats.ran(key(json!({"read": 1})), Risk::Read, worked(), None);
    repeats.ran(key(json!({"write": 1})), Risk::Write, worked(), None);

    assert_eq!(name(&repeats.earlier(&key(json!({"read": 1})))), "nothing");
    assert_eq!(name(&repeats.earlier(&key(json!({"write": 1})))), "result None");
}

#[test]
fn the_third_identical_failure_says_stop() {
    let mut repeats = Repeats::default();
    let call = key(json!({"a": 1}));

    assert_eq!(repeats.ran(call.clone(), Risk::Read, failed(), None), 1);
    assert_eq!(name(&repeats.earlier(&call)), "result None");
    assert_eq!(name(&repeats.earlier(&call)), "failures 3");
    assert_eq!(name(&repeats.earlier(&call)), "failures 4");
}

#[test]
fn failures_are_counted_over_writes_and_forgotten_with_a_success() {
    let mut repeats = Repeats::default();
    let call = key(json!({"a": 1}));

    assert_eq!(repeats.ran(call.clone(), Risk::Execute, failed(), None), 1);
    repeats.ran(key(json!({"write": 1})), Risk::Write, worked(), None);
    assert_eq!(name(&repeats.earlier(&call)), "nothing");
    assert_eq!(repeats.ran(call.clone(), Risk::Execute, failed(), None), 2);
    assert_eq!(repeats.ran(call.clone(), Risk::Execute, worked(), None), 0);
    repeats.clear();
    assert_eq!(name(&repeats.earlier(&call)), "nothing");
}
