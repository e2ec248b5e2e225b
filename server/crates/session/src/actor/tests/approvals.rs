//! Questions to the user: answered once, bound to the call, ended by time, never by a client that goes away.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use switchboard_protocol::{ApprovalAnswer, CallId, ClientFrame, Decision, ServerFrame, ServerMessage};

use crate::test_support::{Bench, Client, code_of};
use crate::{AttachFrom, SessionConfig};
use switchboard_events::MemoryLog;
use switchboard_tools::ApproveMode;

async fn asked(client: &mut Client) -> CallId {
    let frame = client.until(|message| matches!(message, ServerMessage::ApprovalRequest { .. })).await;
    match frame.message {
        ServerMessage::ApprovalRequest { call_id, .. } => call_id,
        other => panic!("{other:?}"),
    }
}

async fn answer(client: &Client, call_id: &CallId, decision: ApprovalAnswer) {
    client
        .send_frame(ClientFrame::ApproveTool { call_id: call_id.clone(), decision, arguments: None, reason: None })
        .await;
}

fn resolved(frames: &[ServerFrame]) -> Vec<(Decision, String)> {
    let resolved = frames.iter().filter_map(|frame| match &frame.message {
        ServerMessage::ApprovalResolved { decision, by, .. } => Some((*decision, by.clone())),
        _ => None,
    });
    resolved.collect()
}

#[tokio::test]
async fn an_allowed_call_runs_and_the_same_answer_again_is_an_error() {
    let bench = Bench::asking();
    let mut client = bench.client().await;
    client.send("m1", "call act {}").await;
    let call = asked(&mut client).await;

    answer(&client, &call, ApprovalAnswer::AllowOnce).await;
    let end = client.end_of("m1").await;
    answer(&client, &call, ApprovalAnswer::AllowOnce).await;
    let error = client.next().await;

    assert!(matches!(end.message, ServerMessage::AgentResponse { .. }), "{end:?}");
    assert_eq!(resolved(&client.frames), [(Decision::AllowOnce, "user".to_owned())]);
    assert_eq!((code_of(&error), error.seq), ("unknown-call", None));
}

#[tokio::test]
async fn a_denied_call_does_not_start() {
    let bench = Bench::asking();
    let mut client = bench.client().await;
    client.send("m1", "call act {}").await;
    let call = asked(&mut client).await;

    answer(&client, &call, ApprovalAnswer::Deny).await;
    client.end_of("m1").await;

    let started = client.frames.iter().any(|frame| matches!(frame.message, ServerMessage::ToolCallStart { .. }));
    assert!(!started);
}

#[tokio::test]
async fn a_grant_for_the_session_settles_the_next_call_too() {
    let bench = Bench::asking();
    let mut client = bench.client().await;
    client.send("m1", r#"call note {"n":1}"#).await;
    let call = asked(&mut client).await;
    answer(&client, &call, ApprovalAnswer::AllowSession).await;
    client.end_of("m1").await;

    client.send("m2", r#"call note {"n":2}"#).await;
    let end = client.end_of("m2").await;

    assert!(matches!(end.message, ServerMessage::AgentResponse { .. }), "{end:?}");
    assert_eq!(resolved(&client.frames), [(Decision::AllowSession, "user".to_owned())]);
}

#[tokio::test]
async fn whoever_edits_the_arguments_allows_them_once() {
    let bench = Bench::asking();
    let mut client = bench.client().await;
    client.send("m1", r#"call act {"n":1}"#).await;
    let call_id = asked(&mut client).await;

    let arguments = json!({"n": 2}).as_object().cloned();
    let decision = ApprovalAnswer::AllowSession;
    client.send_frame(ClientFrame::ApproveTool { call_id, decision, arguments, reason: None }).await;
    client.end_of("m1").await;

    assert_eq!(resolved(&client.frames), [(Decision::AllowOnce, "user".to_owned())]);
    let arguments = client.frames.iter().find_map(|frame| match &frame.message {
        ServerMessage::ToolCallStart { arguments, .. } => Some(arguments.clone()),
        _ => None,
    });
    assert_eq!(arguments, json!({"n": 2}).as_object().cloned());
}

#[tokio::test]
async fn a_client_that_goes_away_answers_nothing() {
    let bench = Bench::asking();
    let mut client = bench.client().await;
    let session = client.session();
    client.send("m1", "call act {}").await;
    asked(&mut client).await;
    drop(client);

    let mut back = bench.client_of(session, AttachFrom::After(0)).await;
    let ServerMessage::SessionReady { pending, .. } = &back.ready.message else { panic!("{:?}", back.ready) };
    let ServerMessage::ApprovalRequest { call_id, .. } = pending[0].message.clone() else { panic!("{pending:?}") };
    answer(&back, &call_id, ApprovalAnswer::AllowOnce).await;

    assert!(matches!(back.end_of("m1").await.message, ServerMessage::AgentResponse { .. }));
}

#[tokio::test(start_paused = true)]
async fn an_approval_with_a_limit_that_nobody_answers_expires() {
    let limit = Duration::from_secs(600);
    let config = SessionConfig { approval_limit: Some(limit), ..SessionConfig::default() };
    let bench = Bench::with(Arc::new(MemoryLog::new()), config, ApproveMode::Ask);
    let mut client = bench.client().await;
    client.send("m1", "call act {}").await;
    asked(&mut client).await;
    let began = tokio::time::Instant::now();

    tokio::time::sleep(limit).await;
    client.end_of("m1").await;

    assert_eq!(resolved(&client.frames), [(Decision::Expired, "time limit".to_owned())]);
    assert!(began.elapsed() >= limit);
}

#[tokio::test(start_paused = true)]
async fn without_a_limit_no_clock_answers_an_approval_and_nobody_needs_to_be_attached() {
    let bench = Bench::asking();
    let mut client = bench.client().await;
    let session = client.session();
    client.send("m1", "call act {}").await;
    let call = asked(&mut client).await;
    drop(client);

    tokio::time::sleep(Duration::from_secs(30 * 24 * 3600)).await;
    let mut back = bench.client_of(session, AttachFrom::After(0)).await;
    assert_eq!(resolved(&back.frames), []);
    answer(&back, &call, ApprovalAnswer::AllowOnce).await;

    assert!(matches!(back.end_of("m1").await.message, ServerMessage::AgentResponse { .. }));
}

#[tokio::test]
async fn cancelling_the_turn_cancels_its_question() {
    let bench = Bench::asking();
    let mut client = bench.client().await;
    client.send("m1", "call act {}").await;
    asked(&mut client).await;

    client.send_frame(ClientFrame::Cancel { message_id: None }).await;
    let end = client.end_of("m1").await;

    assert_eq!(code_of(&end), "cancelled");
    assert_eq!(resolved(&client.frames), [(Decision::Cancelled, "cancel".to_owned())]);
}
