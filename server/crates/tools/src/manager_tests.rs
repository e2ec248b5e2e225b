//! The manager's claims, through its public interface: what is recorded, what is asked, and what is not run twice.

use std::sync::atomic::Ordering;

use serde_json::json;
use switchboard_protocol::{Decision, ErrorType, Risk, ServerMessage};

use super::*;
use crate::host::Approval;
use crate::policy::ApproveMode;
use crate::test_support::{Scripted, spec};
use crate::test_support::{counting, echo, failure, manager, map, suggestion};
use switchboard_events::{ArtifactValue, ChatRole};

#[tokio::test]
async fn a_call_is_recorded_from_start_to_value() {
    let manager = manager(ApproveMode::Ask, [echo("echo", Risk::Read)]);

    let outcome = manager.call("echo", json!({"a": 1})).await;

    assert_eq!(manager.kinds(), ["tool-call-start", "tool-call-end", "context-update"]);
    assert_eq!((outcome.started, outcome.repeated, outcome.variable.as_deref()), (true, false, Some("echo_result")));
    assert_eq!(outcome.view, "{\"a\":1}\n(stored as @echo_result)");
    let events = manager.host.events();
    assert!(events.iter().all(|event| event.turn_id.as_deref() == Some("m1")));
    let start = events[0].private.clone().and_then(|private| private.call).expect("the call in full");
    assert_eq!((start.arguments, start.repeatable), (map(json!({"a": 1})), true));
    let end = events[1].private.clone().expect("the operation and messages");
    assert_eq!(end.operation, Some(outcome.operation));
    let roles: Vec<ChatRole> = end.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [ChatRole::Assistant, ChatRole::Tool]);
    assert_eq!(end.messages[1].content.text(), outcome.view);
    let variables = manager.host.variables();
    let value = variables.value(manager.host.values(), "echo_result").await.expect("it is stored");
    assert_eq!(*value, ArtifactValue::Json(json!({"a": 1})));
}

#[tokio::test]
async fn references_are_resolved_and_shown() {
    let manager = manager(ApproveMode::Ask, [echo("echo", Risk::Read)]);
    manager.store("answer", json!(42)).await;

    let outcome = manager.call("echo", json!({"a": "@answer", "b": "@@answer"})).await;

    assert_eq!(outcome.result.value, Some(ArtifactValue::Json(json!({"a": 42, "b": "@answer"}))));
    let messages = manager.host.messages();
    let ServerMessage::ToolCallStart { arguments, references, .. } = &messages[1] else { panic!("{messages:?}") };
    assert_eq!(*arguments, map(json!({"a": 42, "b": "@answer"})));
    assert_eq!(references.clone().unwrap_or_default(), [("a".to_owned(), "@answer".to_owned())].into());
    let variable = manager.host.variables().get("echo_result").expect("stored").variable.clone();
    assert_eq!(variable.origin.inputs, ["answer"]);
}

#[tokio::test]
async fn one_failure_names_every_missing_parameter_and_every_unresolved_reference() {
    let mut strict = spec("strict", Risk::Read);
    strict.definition.parameters = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "count": {"type": "integer"}, "list": {"type": "array"}},
        "required": ["path", "count", "list"],
        "additionalProperties": false,
    });
    strict.definition.example = json!({"path": "a.txt", "count": 1, "list": []});
    let tool = Scripted::tool(strict, |_, _| async { unreachable!("it must not run") });
    let manager = manager(ApproveMode::Ask, [tool]);
    manager.store("answer", json!(42)).await;

    let outcome = manager.call("strict", json!({"path": "@anser", "lost": "@answer"})).await;

    let (error_type, message) = failure(&outcome);
    assert_eq!(error_type, ErrorType::Validation);
    for part in
        ["strict(path=\"@anser\"", "`path` is @anser: ", "did you mean @answer?", "`count` is missing", "`lost`"]
    {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
    assert!(message.ends_with("The variables are: @answer"), "{message}");
    assert_eq!(suggestion(&outcome), "Example: strict(path=\"a.txt\", count=1, list=[])");
    assert_eq!(manager.kinds(), ["context-update", "tool-call-end"]);
}

#[tokio::test]
async fn an_unknown_tool_names_the_near_ones_and_never_starts() {
    let manager = manager(ApproveMode::Ask, [echo("file_read", Risk::Read)]);

    let outcome = manager.call("file_reed", json!({"a": 1})).await;

    assert_eq!(failure(&outcome).1, "file_reed(a=1): there is no tool with this name");
    assert_eq!(suggestion(&outcome), "Did you mean file_read?");
    assert!(!outcome.started);
    assert_eq!(manager.kinds(), ["tool-call-end"]);
    assert_eq!(manager.host.events()[0].private.clone().expect("the messages").operation, None);
}

#[tokio::test]
async fn a_tool_that_changes_something_asks_first() {
    let manager = manager(ApproveMode::Ask, [echo("write", Risk::Write), echo("run", Risk::Execute)]);

    manager.call("write", json!({"a": 1})).await;
    manager.call("run", json!({"b": 2})).await;

    let asks = manager.host.asks();
    let asked: Vec<_> = asks.iter().map(|ask| (ask.tool.as_str(), ask.reason.as_str(), ask.risk)).collect();
    assert_eq!(asked, [("write", "write changes files.", Risk::Write), ("run", "run runs a program.", Risk::Execute)]);
    assert_eq!(asks[0].arguments, map(json!({"a": 1})));
    assert_eq!(asks[0].grant.arguments, None);
    assert_eq!(asks[1].grant.arguments.as_ref().map(String::len), Some(64));
}

#[tokio::test]
async fn a_denied_call_never_starts_and_says_what_to_do() {
    let manager = manager(ApproveMode::Ask, [echo("write", Risk::Write)]);
    let reason = Some("not on a Friday".to_owned());
    manager.host.will_answer_with(Approval { decision: Decision::Deny, arguments: None, reason });
    manager.host.will_answer(Decision::Expired);

    let denied = manager.call("write", json!({"a": 1})).await;
    let expired = manager.call("write", json!({"a": 2})).await;

    let message = "write(a=1): the user did not allow it: not on a Friday".to_owned();
    assert_eq!(failure(&denied), (ErrorType::Permission, message));
    assert!(!denied.started);
    assert!(suggestion(&expired).contains("--approve auto"), "{}", suggestion(&expired));
    assert_eq!(manager.kinds(), ["tool-call-end", "tool-call-end"]);
}

#[tokio::test]
async fn edited_arguments_run_instead_and_are_checked_again() {
    let manager = manager(ApproveMode::Ask, [echo("write", Risk::Write)]);
    let answer = |arguments| Approval { decision: Decision::AllowOnce, arguments: Some(map(arguments)), reason: None };
    manager.host.will_answer_with(answer(json!({"a": 2})));
    manager.host.will_answer_with(answer(json!({"harm": true})));

    let edited = manager.call("write", json!({"a": 1})).await;
    let harmful = manager.call("write", json!({"a": 3})).await;

    assert_eq!(edited.result.value, Some(ArtifactValue::Json(json!({"a": 2}))));
    assert_eq!(failure(&harmful), (ErrorType::Security, "write(harm=true): that would do harm".to_owned()));
    assert_eq!(manager.host.asks().len(), 2);
}

#[tokio::test]
async fn plain_harm_is_refused_before_anybody_is_asked_and_under_every_policy() {
    for mode in [ApproveMode::Ask, ApproveMode::Auto, ApproveMode::Deny] {
        let manager = manager(mode, [echo("run", Risk::Execute)]);

        let outcome = manager.call_with("run", json!({"harm": true}), |call| call.by_user = true).await;

        assert_eq!(failure(&outcome).0, ErrorType::Security);
        assert_eq!(manager.host.asks(), []);
    }
}

#[tokio::test]
async fn the_same_call_in_a_turn_runs_once_until_something_is_written() {
    let (runs, count) = counting("count", Risk::Read, true);
    let manager = manager(ApproveMode::Auto, [count, echo("write", Risk::Write)]);

    let first = manager.call("count", json!({"a": 1, "b": 2})).await;
    let second = manager.call("count", json!({"b": 2, "a": 1})).await;
    manager.call("write", json!({})).await;
    let third = manager.call("count", json!({"a": 1, "b": 2})).await;
    manager.manager.clear_current_turn();
    let fourth = manager.call("count", json!({"a": 1, "b": 2})).await;

    assert_eq!([&first, &second, &third, &fourth].map(|outcome| outcome.repeated), [false, true, false, false]);
    assert_eq!((second.started, &second.result.value, &second.variable), (false, &first.result.value, &first.variable));
    assert!(second.view.starts_with("(The same call was made earlier in this turn"), "{}", second.view);
    assert_eq!(runs.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn the_third_identical_failure_is_told_to_stop() {
    let (runs, fails) = counting("fails", Risk::Read, false);
    let manager = manager(ApproveMode::Auto, [fails]);

    let first = failure(&manager.call("fails", json!({})).await);
    let second = failure(&manager.call("fails", json!({})).await);
    let third = failure(&manager.call("fails", json!({})).await);

    assert_eq!(first, (ErrorType::User, "fails(): it is not there".to_owned()));
    assert_eq!(second, first);
    assert!(third.1.starts_with("fails(): this same call has now failed 3 times"), "{}", third.1);
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}
