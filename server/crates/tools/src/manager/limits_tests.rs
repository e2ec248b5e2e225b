//! No tool can hold the manager up, fill its frames, or take a name from another.

use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::json;
use switchboard_protocol::{ErrorType, Risk, ServerMessage, Stream};

use super::*;
use crate::policy::ApproveMode;
use crate::test_support::{Scripted, spec, workspace};
use crate::test_support::{counting, echo, failure, manager};
use crate::{OutputSink, Tool, ToolContext, ToolFailure, UserLine};
use switchboard_events::{ArtifactValue, LoadedPicture};

/// Nobody hears it.
struct Unheard;

impl OutputSink for Unheard {
    fn chunk(&self, _stream: Stream, _text: &str) {}
}

/// Runs a tool as if there were no manager.
async fn run_plainly(tool: &Arc<dyn Tool>) -> ToolResult {
    let (_folder, workspace) = workspace();
    let context = ToolContext {
        call_id: CallId::random(),
        principal: Principal::local(),
        workspace,
        cancellation: CancellationToken::new(),
        output: Arc::new(Unheard),
        user: UserLine::open().0,
        domain_policy: Arc::new(crate::NetworkPolicy::default()),
        resource_service: Arc::new(crate::NoWindows),
        delegation: None,
        undo: Arc::default(),
    };
    tool.execute(&context, &Map::new()).await
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_is_told_to_end_at_its_limit_keeps_what_it_has() {
    let mut slow = spec("slow", Risk::Read);
    slow.time_limit = Duration::from_secs(5);
    let tool = Scripted::tool(slow, |context: ToolContext, _| async move {
        context.cancellation.cancelled().await;
        ToolResult::success(ArtifactValue::Text("half".to_owned()))
    });
    let manager = manager(ApproveMode::Auto, [tool]);

    let outcome = manager.call("slow", json!({})).await;

    assert_eq!(failure(&outcome), (ErrorType::Timeout, "slow(): took longer than its limit of 5 s".to_owned()));
    assert_eq!(outcome.result.value, Some(ArtifactValue::Text("half".to_owned())));
    assert_eq!(outcome.variable.as_deref(), Some("slow_result"));
}

#[tokio::test(start_paused = true)]
async fn g11_a_tool_that_does_not_listen_is_left_behind() {
    let tool = Scripted::tool(spec("deaf", Risk::Read), |_, _| pending());
    // Baseline: whoever just waits for it still waits after a day.
    assert!(tokio::time::timeout(Duration::from_secs(24 * 3600), run_plainly(&tool)).await.is_err());
    let manager = manager(ApproveMode::Auto, [tool]);

    let outcome = manager.call("deaf", json!({})).await;

    let (error_type, message) = failure(&outcome);
    assert_eq!(error_type, ErrorType::Timeout);
    assert!(message.ends_with("it did not stop when told to and may still be running"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_ends_and_says_so() {
    let tool = Scripted::tool(spec("waits", Risk::Read), |context: ToolContext, _| async move {
        context.output.chunk(Stream::Progress, "waiting");
        context.cancellation.cancelled().await;
        ToolFailure::new(ErrorType::System, "interrupted").into()
    });
    let manager = manager(ApproveMode::Auto, [tool]);
    let cancellation = CancellationToken::new();

    let (outcome, ()) =
        tokio::join!(manager.call_with("waits", json!({}), |call| call.cancellation = cancellation.clone()), async {
            manager.host.transient_like(|_| true).await;
            cancellation.cancel();
        });

    assert_eq!(failure(&outcome), (ErrorType::User, "waits(): was cancelled".to_owned()));
}

#[tokio::test]
async fn g11_a_tool_that_panics_is_a_failure_and_the_next_call_runs() {
    let tool = Scripted::tool(spec("crashes", Risk::Read), |_, _| async { panic!("out of cheese") });
    // Baseline: whoever just runs it crashes with it.
    assert!(AssertUnwindSafe(run_plainly(&tool)).catch_unwind().await.is_err());
    let manager = manager(ApproveMode::Auto, [tool, echo("echo", Risk::Read)]);

    let crashed = manager.call("crashes", json!({})).await;
    let after = manager.call("echo", json!({})).await;

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
    let manager = manager(ApproveMode::Auto, [tool]);

    manager.call("talks", json!({})).await;

    let mut texts = std::collections::BTreeMap::new();
    for message in manager.host.transients() {
        let ServerMessage::ToolOutputChunk { stream, offset, chunk, .. } = message else { panic!("{message:?}") };
        let text: &mut String = texts.entry(stream).or_default();
        assert_eq!(offset, text.len() as u64);
        text.push_str(&chunk);
    }
    assert_eq!(texts, [(Stream::Stdout, "äb".to_owned()), (Stream::Stderr, "cd".to_owned())].into());
}

#[tokio::test]
async fn two_calls_at_once_store_under_two_names() {
    let manager = manager(ApproveMode::Auto, [echo("echo", Risk::Read)]);

    let (one, two) = tokio::join!(manager.call("echo", json!({"a": 1})), manager.call("echo", json!({"a": 2})));

    let mut names = [one.variable, two.variable];
    names.sort();
    assert_eq!(names, [Some("echo_result".to_owned()), Some("echo_result_2".to_owned())]);
}

#[tokio::test]
async fn a_name_given_on_purpose_is_corrected_and_gets_versions() {
    let manager = manager(ApproveMode::Auto, [echo("echo", Risk::Read)]);
    let named = |call: &mut Invocation<'_>| call.output = Some("my result".to_owned());

    let first = manager.call_with("echo", json!({"a": 1}), named).await;
    let second = manager.call_with("echo", json!({"a": 2}), named).await;

    assert_eq!((first.variable.as_deref(), second.variable.as_deref()), (Some("my_result"), Some("my_result")));
    let variable = manager.host.variables().get("my_result").expect("stored").variable.clone();
    assert_eq!(variable.version, 2);
}

#[tokio::test]
async fn b12_a_value_too_large_to_keep_does_not_undo_the_success() {
    let tool = Scripted::tool(spec("large", Risk::Read), |_, _| async {
        ToolResult::success(ArtifactValue::Text("x".repeat(17 * 1024 * 1024))).with_view("a lot of x")
    });
    let manager = manager(ApproveMode::Auto, [tool]);

    let outcome = manager.call("large", json!({})).await;

    assert!(outcome.result.is_success());
    assert_eq!(outcome.variable, None);
    assert!(outcome.view.starts_with("a lot of x\n(not stored: failed to store large_result"), "{}", outcome.view);
    assert_eq!(manager.kinds(), ["tool-call-start", "tool-call-end"]);
}

#[tokio::test]
async fn a_users_own_call_is_no_part_of_the_conversation() {
    let manager = manager(ApproveMode::Ask, [echo("write", Risk::Write)]);
    let own = |call: &mut Invocation<'_>| {
        call.by_user = true;
        call.turn_id = None;
    };

    let outcome = manager.call_with("write", json!({"a": 1}), own).await;
    let again = manager.call_with("write", json!({"a": 1}), own).await;

    assert!(outcome.result.is_success() && !again.repeated);
    assert_eq!((manager.host.asks(), &outcome.operation.request, &outcome.variable), (vec![], &None, &None));
    let events = manager.host.events();
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
    let manager = manager(ApproveMode::Auto, [tool]);

    manager.call("loud", json!({})).await;
    manager.call("loud", json!({"fail": true})).await;

    let ends: Vec<(Vec<String>, String)> = manager.host.messages().into_iter().filter_map(end).collect();
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
    let manager = manager(ApproveMode::Auto, [count]);
    manager.host.refuse_from_now_on();

    let refused = manager.try_call("count", json!({}), |_| {}).await;

    assert!(matches!(refused, Err(RecordError::Gone)), "{refused:?}");
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_picture_that_a_model_sees_is_written_once() {
    let tool = Scripted::tool(spec("draws", Risk::Read), |_, _| async {
        let picture = LoadedPicture::of(b"GIF89a\x02\0\x05\0\0\0\0".as_slice().into()).expect("a picture");
        ToolResult::success(ArtifactValue::Json(json!(1))).with_pictures(vec![picture.clone(), picture])
    });
    let manager = manager(ApproveMode::Auto, [tool]);

    manager.call_with("draws", json!({}), |call| call.sees_pictures = true).await;

    let event = manager.host.events().into_iter().find(|event| !event.blobs.is_empty()).expect("the end of the call");
    assert_eq!(event.blobs.len(), 1);
    assert_eq!(event.private.expect("what it gave").pictures.len(), 2);
}
