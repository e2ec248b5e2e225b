//! The manager's claims, spoken at its door: what is recorded, what is asked, and that no tool can hold it up.

use std::future::pending;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use switchboard_protocol::{Decision, ErrorType, Risk, ServerMessage, Stream};

use super::*;
use crate::events::{ArtifactValue, ChatRole, Recorder};
use crate::tools::host::Approval;
use crate::tools::policy::ApproveMode;
use crate::tools::test_host::TestHost;
use crate::tools::test_tools::{Scripted, spec, workspace};
use crate::tools::{Tool, ToolContext, ToolFailure};

struct Desk {
    manager: ToolManager,
    host: TestHost,
    turn: MessageId,
    _folder: tempfile::TempDir,
}

fn desk(mode: ApproveMode, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Desk {
    let registry = Arc::new(ToolRegistry::new());
    for tool in tools {
        registry.insert(tool).expect("a new name and a usable schema");
    }
    let (folder, workspace) = workspace();
    let manager = ToolManager::new(ToolManagerConfig {
        registry,
        policy: Arc::new(Policy::new(mode)),
        workspace,
        principal: Principal::local(),
        shutdown: Shutdown::new(),
    });
    Desk { manager, host: TestHost::default(), turn: "m1".to_owned(), _folder: folder }
}

impl Desk {
    async fn call(&self, tool: &str, arguments: Value) -> CallOutcome {
        self.call_with(tool, arguments, |_| {}).await
    }

    async fn call_with(&self, tool: &str, arguments: Value, change: impl Fn(&mut Invocation<'_>)) -> CallOutcome {
        self.try_call(tool, arguments, change).await.expect("the host records everything")
    }

    async fn try_call(
        &self,
        tool: &str,
        arguments: Value,
        change: impl Fn(&mut Invocation<'_>),
    ) -> Result<CallOutcome, RecordError> {
        let context = self.host.variables();
        let mut invocation = Invocation {
            call_id: CallId::random(),
            parent: None,
            turn_id: Some(&self.turn),
            tool,
            arguments: map(arguments),
            output: None,
            request: "do it",
            by_user: false,
            context: &context,
            cancellation: CancellationToken::new(),
        };
        change(&mut invocation);
        self.manager.call(invocation, &self.host).await
    }

    async fn store(&self, name: &str, value: Value) {
        let origin = crate::context::user_origin();
        let name = crate::context::OutputName::Given(name.to_owned());
        let variables = self.host.variables();
        let planned = variables.plan_set(self.host.values(), &name, ArtifactValue::Json(value), origin);
        let (_, change) = planned.expect("a good name and value");
        self.host.record(change.into_event(None), false).await.expect("the host records everything");
    }

    fn kinds(&self) -> Vec<String> {
        let kind = |message: &ServerMessage| {
            let json = serde_json::to_value(message).expect("a frame is JSON");
            json["type"].as_str().expect("a frame has a type").to_owned()
        };
        self.host.messages().iter().map(kind).collect()
    }
}

fn map(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("an object")
}

fn echo(name: &str, risk: Risk) -> Arc<dyn Tool> {
    Scripted::tool(spec(name, risk), |_, arguments| async move {
        ToolResult::success(ArtifactValue::Json(Value::Object(arguments)))
    })
}

fn counting(name: &str, risk: Risk, works: bool) -> (Arc<AtomicU32>, Arc<dyn Tool>) {
    let runs = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&runs);
    let tool = Scripted::tool(spec(name, risk), move |_, _| {
        let run = counter.fetch_add(1, Ordering::SeqCst) + 1;
        async move {
            if works {
                ToolResult::success(ArtifactValue::Json(json!(run)))
            } else {
                ToolResult::failure(ErrorType::User, "it is not there")
            }
        }
    });
    (runs, tool)
}

fn failure(outcome: &CallOutcome) -> (ErrorType, String) {
    let failure = outcome.result.failure.clone().expect("it failed");
    (failure.error_type, failure.message)
}

fn suggestion(outcome: &CallOutcome) -> String {
    let failure = outcome.result.failure.clone().expect("it failed");
    failure.suggestion.expect("it says what to do next")
}

#[tokio::test]
async fn a_call_is_recorded_from_start_to_value() {
    let desk = desk(ApproveMode::Ask, [echo("echo", Risk::Read)]);

    let outcome = desk.call("echo", json!({"a": 1})).await;

    assert_eq!(desk.kinds(), ["tool-call-start", "tool-call-end", "context-update"]);
    assert_eq!((outcome.started, outcome.repeated, outcome.variable.as_deref()), (true, false, Some("echo_result")));
    assert_eq!(outcome.view, "{\"a\":1}\n(stored as @echo_result)");
    let events = desk.host.events();
    assert!(events.iter().all(|event| event.turn_id.as_deref() == Some("m1")));
    let start = events[0].private.clone().and_then(|private| private.call).expect("the call in full");
    assert_eq!((start.arguments, start.repeatable), (map(json!({"a": 1})), true));
    let end = events[1].private.clone().expect("the operation and messages");
    assert_eq!(end.operation, Some(outcome.operation));
    let roles: Vec<ChatRole> = end.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [ChatRole::Assistant, ChatRole::Tool]);
    assert_eq!(end.messages[1].content, outcome.view);
    let variables = desk.host.variables();
    let value = variables.value(desk.host.values(), "echo_result").await.expect("it is stored");
    assert_eq!(*value, ArtifactValue::Json(json!({"a": 1})));
}

#[tokio::test]
async fn references_are_resolved_and_shown() {
    let desk = desk(ApproveMode::Ask, [echo("echo", Risk::Read)]);
    desk.store("answer", json!(42)).await;

    let outcome = desk.call("echo", json!({"a": "@answer", "b": "@@answer"})).await;

    assert_eq!(outcome.result.value, Some(ArtifactValue::Json(json!({"a": 42, "b": "@answer"}))));
    let messages = desk.host.messages();
    let ServerMessage::ToolCallStart { arguments, references, .. } = &messages[1] else { panic!("{messages:?}") };
    assert_eq!(*arguments, map(json!({"a": 42, "b": "@answer"})));
    assert_eq!(references.clone().unwrap_or_default(), [("a".to_owned(), "@answer".to_owned())].into());
    let variable = desk.host.variables().get("echo_result").expect("stored").variable.clone();
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
    let desk = desk(ApproveMode::Ask, [tool]);
    desk.store("answer", json!(42)).await;

    let outcome = desk.call("strict", json!({"path": "@anser", "lost": "@answer"})).await;

    let (error_type, message) = failure(&outcome);
    assert_eq!(error_type, ErrorType::Validation);
    for part in
        ["strict(path=\"@anser\"", "`path` is @anser: ", "did you mean @answer?", "`count` is missing", "`lost`"]
    {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
    assert!(message.ends_with("The variables there are: @answer"), "{message}");
    assert_eq!(suggestion(&outcome), "Example: strict(path=\"a.txt\", count=1, list=[])");
    assert_eq!(desk.kinds(), ["context-update", "tool-call-end"]);
}

#[tokio::test]
async fn an_unknown_tool_names_the_near_ones_and_never_starts() {
    let desk = desk(ApproveMode::Ask, [echo("file_read", Risk::Read)]);

    let outcome = desk.call("file_reed", json!({"a": 1})).await;

    assert_eq!(failure(&outcome).1, "file_reed(a=1): there is no tool of this name");
    assert_eq!(suggestion(&outcome), "Did you mean file_read?");
    assert!(!outcome.started);
    assert_eq!(desk.kinds(), ["tool-call-end"]);
    assert_eq!(desk.host.events()[0].private.clone().expect("the messages").operation, None);
}

#[tokio::test]
async fn a_tool_that_changes_something_asks_first() {
    let desk = desk(ApproveMode::Ask, [echo("write", Risk::Write), echo("run", Risk::Execute)]);

    desk.call("write", json!({"a": 1})).await;
    desk.call("run", json!({"b": 2})).await;

    let asks = desk.host.asks();
    let asked: Vec<_> = asks.iter().map(|ask| (ask.tool.as_str(), ask.reason.as_str(), ask.risk)).collect();
    assert_eq!(asked, [("write", "write changes files.", Risk::Write), ("run", "run runs a program.", Risk::Execute)]);
    assert_eq!(asks[0].arguments, map(json!({"a": 1})));
    assert_eq!(asks[0].grant.arguments, None);
    assert_eq!(asks[1].grant.arguments.as_ref().map(String::len), Some(64));
}

#[tokio::test]
async fn a_denied_call_never_starts_and_says_what_to_do() {
    let desk = desk(ApproveMode::Ask, [echo("write", Risk::Write)]);
    let reason = Some("not on a Friday".to_owned());
    desk.host.will_answer_with(Approval { decision: Decision::Deny, arguments: None, reason });
    desk.host.will_answer(Decision::Expired);

    let denied = desk.call("write", json!({"a": 1})).await;
    let expired = desk.call("write", json!({"a": 2})).await;

    let message = "write(a=1): the user did not allow it: not on a Friday".to_owned();
    assert_eq!(failure(&denied), (ErrorType::Permission, message));
    assert!(!denied.started);
    assert!(suggestion(&expired).contains("--approve auto"), "{}", suggestion(&expired));
    assert_eq!(desk.kinds(), ["tool-call-end", "tool-call-end"]);
}

#[tokio::test]
async fn edited_arguments_run_instead_and_are_checked_again() {
    let desk = desk(ApproveMode::Ask, [echo("write", Risk::Write)]);
    let answer = |arguments| Approval { decision: Decision::AllowOnce, arguments: Some(map(arguments)), reason: None };
    desk.host.will_answer_with(answer(json!({"a": 2})));
    desk.host.will_answer_with(answer(json!({"harm": true})));

    let edited = desk.call("write", json!({"a": 1})).await;
    let harmful = desk.call("write", json!({"a": 3})).await;

    assert_eq!(edited.result.value, Some(ArtifactValue::Json(json!({"a": 2}))));
    assert_eq!(failure(&harmful), (ErrorType::Security, "write(harm=true): that would do harm".to_owned()));
    assert_eq!(desk.host.asks().len(), 2);
}

#[tokio::test]
async fn plain_harm_is_refused_before_anybody_is_asked_and_under_every_policy() {
    for mode in [ApproveMode::Ask, ApproveMode::Auto, ApproveMode::Deny] {
        let desk = desk(mode, [echo("run", Risk::Execute)]);

        let outcome = desk.call_with("run", json!({"harm": true}), |call| call.by_user = true).await;

        assert_eq!(failure(&outcome).0, ErrorType::Security);
        assert_eq!(desk.host.asks(), []);
    }
}

#[tokio::test]
async fn the_same_call_in_a_turn_runs_once_until_something_is_written() {
    let (runs, count) = counting("count", Risk::Read, true);
    let desk = desk(ApproveMode::Auto, [count, echo("write", Risk::Write)]);

    let first = desk.call("count", json!({"a": 1, "b": 2})).await;
    let second = desk.call("count", json!({"b": 2, "a": 1})).await;
    desk.call("write", json!({})).await;
    let third = desk.call("count", json!({"a": 1, "b": 2})).await;
    desk.manager.clear_current_turn();
    let fourth = desk.call("count", json!({"a": 1, "b": 2})).await;

    assert_eq!([&first, &second, &third, &fourth].map(|outcome| outcome.repeated), [false, true, false, false]);
    assert_eq!((second.started, &second.result.value, &second.variable), (false, &first.result.value, &first.variable));
    assert!(second.view.starts_with("(The same call was made before in this turn"), "{}", second.view);
    assert_eq!(runs.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn the_third_identical_failure_is_told_to_stop() {
    let (runs, fails) = counting("fails", Risk::Read, false);
    let desk = desk(ApproveMode::Auto, [fails]);

    let first = failure(&desk.call("fails", json!({})).await);
    let second = failure(&desk.call("fails", json!({})).await);
    let third = failure(&desk.call("fails", json!({})).await);

    assert_eq!(first, (ErrorType::User, "fails(): it is not there".to_owned()));
    assert_eq!(second, first);
    assert!(third.1.starts_with("fails(): this same call has now failed 3 times"), "{}", third.1);
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_told_to_end_at_its_limit_keeps_what_it_has() {
    let mut slow = spec("slow", Risk::Read);
    slow.time_limit = Duration::from_secs(5);
    let tool = Scripted::tool(slow, |context: ToolContext, _| async move {
        context.cancellation.cancelled().await;
        ToolResult::success(ArtifactValue::Text("half".to_owned()))
    });
    let desk = desk(ApproveMode::Auto, [tool]);

    let outcome = desk.call("slow", json!({})).await;

    assert_eq!(failure(&outcome), (ErrorType::Timeout, "slow(): took longer than its limit of 5 s".to_owned()));
    assert_eq!(outcome.result.value, Some(ArtifactValue::Text("half".to_owned())));
    assert_eq!(outcome.variable.as_deref(), Some("slow_result"));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_does_not_listen_is_left_behind() {
    let desk = desk(ApproveMode::Auto, [Scripted::tool(spec("deaf", Risk::Read), |_, _| pending())]);

    let outcome = desk.call("deaf", json!({})).await;

    let (error_type, message) = failure(&outcome);
    assert_eq!(error_type, ErrorType::Timeout);
    assert!(message.ends_with("it did not stop when it was told to and was left behind"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_ends_and_says_so() {
    let tool = Scripted::tool(spec("waits", Risk::Read), |context: ToolContext, _| async move {
        context.output.chunk(Stream::Progress, "waiting");
        context.cancellation.cancelled().await;
        ToolFailure::new(ErrorType::System, "interrupted").into()
    });
    let desk = desk(ApproveMode::Auto, [tool]);
    let cancellation = CancellationToken::new();

    let (outcome, ()) =
        tokio::join!(desk.call_with("waits", json!({}), |call| call.cancellation = cancellation.clone()), async {
            desk.host.transient_like(|_| true).await;
            cancellation.cancel();
        });

    assert_eq!(failure(&outcome), (ErrorType::User, "waits(): was cancelled".to_owned()));
}

#[tokio::test]
async fn a_tool_that_panics_is_a_failure_and_the_next_call_runs() {
    let tool = Scripted::tool(spec("crashes", Risk::Read), |_, _| async { panic!("out of cheese") });
    let desk = desk(ApproveMode::Auto, [tool, echo("echo", Risk::Read)]);

    let crashed = desk.call("crashes", json!({})).await;
    let after = desk.call("echo", json!({})).await;

    assert_eq!(failure(&crashed), (ErrorType::System, "crashes(): the tool crashed: out of cheese".to_owned()));
    assert!(after.result.is_success());
}

#[tokio::test]
async fn live_output_arrives_before_the_end_with_its_place() {
    let tool = Scripted::tool(spec("talks", Risk::Read), |context: ToolContext, _| async move {
        for text in ["ä", "b"] {
            context.output.chunk(Stream::Stdout, text);
        }
        context.output.chunk(Stream::Stderr, "c\u{1b}[1md");
        ToolResult::success(ArtifactValue::Json(json!(null)))
    });
    let desk = desk(ApproveMode::Auto, [tool]);

    desk.call("talks", json!({})).await;

    let mut texts = std::collections::BTreeMap::new();
    for message in desk.host.transients() {
        let ServerMessage::ToolOutputChunk { stream, offset, chunk, .. } = message else { panic!("{message:?}") };
        let text: &mut String = texts.entry(stream).or_default();
        assert_eq!(offset, text.len() as u64);
        text.push_str(&chunk);
    }
    assert_eq!(texts, [(Stream::Stdout, "äb".to_owned()), (Stream::Stderr, "cd".to_owned())].into());
}

#[tokio::test]
async fn two_calls_at_once_store_under_two_names() {
    let desk = desk(ApproveMode::Auto, [echo("echo", Risk::Read)]);

    let (one, two) = tokio::join!(desk.call("echo", json!({"a": 1})), desk.call("echo", json!({"a": 2})));

    let mut names = [one.variable, two.variable];
    names.sort();
    assert_eq!(names, [Some("echo_result".to_owned()), Some("echo_result_2".to_owned())]);
}

#[tokio::test]
async fn a_name_given_on_purpose_is_corrected_and_gets_versions() {
    let desk = desk(ApproveMode::Auto, [echo("echo", Risk::Read)]);
    let named = |call: &mut Invocation<'_>| call.output = Some("my result".to_owned());

    let first = desk.call_with("echo", json!({"a": 1}), named).await;
    let second = desk.call_with("echo", json!({"a": 2}), named).await;

    assert_eq!((first.variable.as_deref(), second.variable.as_deref()), (Some("my_result"), Some("my_result")));
    let variable = desk.host.variables().get("my_result").expect("stored").variable.clone();
    assert_eq!(variable.version, 2);
}

#[tokio::test]
async fn a_value_too_large_to_keep_does_not_undo_the_success() {
    let tool = Scripted::tool(spec("large", Risk::Read), |_, _| async {
        ToolResult::success(ArtifactValue::Text("x".repeat(17 * 1024 * 1024))).with_view("a lot of x")
    });
    let desk = desk(ApproveMode::Auto, [tool]);

    let outcome = desk.call("large", json!({})).await;

    assert!(outcome.result.is_success());
    assert_eq!(outcome.variable, None);
    assert!(outcome.view.starts_with("a lot of x\n(not stored: failed to store large_result"), "{}", outcome.view);
    assert_eq!(desk.kinds(), ["tool-call-start", "tool-call-end"]);
}

#[tokio::test]
async fn a_users_own_call_is_no_part_of_the_conversation() {
    let desk = desk(ApproveMode::Ask, [echo("write", Risk::Write)]);
    let own = |call: &mut Invocation<'_>| {
        call.by_user = true;
        call.turn_id = None;
    };

    let outcome = desk.call_with("write", json!({"a": 1}), own).await;
    let again = desk.call_with("write", json!({"a": 1}), own).await;

    assert!(outcome.result.is_success() && !again.repeated);
    assert_eq!((desk.host.asks(), &outcome.operation.request, &outcome.variable), (vec![], &None, &None));
    let events = desk.host.events();
    assert!(events.iter().all(|event| event.turn_id.is_none()));
    assert!(events[1].private.clone().expect("the operation").messages.is_empty());
}

#[tokio::test]
async fn previews_and_errors_in_frames_are_harmless_and_short() {
    let tool = Scripted::tool(spec("loud", Risk::Read), |_, arguments| async move {
        if arguments.is_empty() {
            let view = format!("\u{1b}[31mred\n{}\n3\n4", "x".repeat(5000));
            ToolResult::success(ArtifactValue::Json(json!(1))).with_view(view)
        } else {
            ToolResult::failure(ErrorType::User, format!("\u{7}{}", "y".repeat(50_000)))
        }
    });
    let desk = desk(ApproveMode::Auto, [tool]);

    desk.call("loud", json!({})).await;
    desk.call("loud", json!({"fail": true})).await;

    let ends: Vec<(Vec<String>, String)> = desk.host.messages().into_iter().filter_map(end).collect();
    assert_eq!(ends[0].0[0], "red");
    assert_eq!(ends[0].0[1].chars().count(), 201);
    assert_eq!(ends[0].0[2], "… 2 more lines");
    assert!(ends[1].1.starts_with("loud(fail=true): \u{2407}yyy"), "{:?}", ends[1].1.get(..40));
    assert_eq!(ends[1].1.chars().count(), 2001);
}

fn end(message: ServerMessage) -> Option<(Vec<String>, String)> {
    match message {
        ServerMessage::ToolCallEnd { preview, error, .. } => Some((preview, error)),
        _ => None,
    }
}

#[tokio::test]
async fn a_call_whose_start_is_not_durable_does_not_run() {
    let (runs, count) = counting("count", Risk::Execute, true);
    let desk = desk(ApproveMode::Auto, [count]);
    desk.host.refuse_from_now_on();

    let refused = desk.try_call("count", json!({}), |_| {}).await;

    assert!(matches!(refused, Err(RecordError::Gone)), "{refused:?}");
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}
