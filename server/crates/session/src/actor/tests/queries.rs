//! Questions of running calls: answered once, checked against their choices, ended by time or with their call.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use switchboard_protocol::{ClientFrame, QueryId, QueryKind, ServerFrame, ServerMessage};

use crate::test_support::{Bench, Client, code_of};
use crate::{AttachFrom, SessionConfig};
use switchboard_events::MemoryLog;
use switchboard_tools::ApproveMode;

async fn asked(client: &mut Client) -> QueryId {
    let frame = client.until(|message| matches!(message, ServerMessage::UserQuery { .. })).await;
    query_of(&frame)
}

pub(super) fn query_of(frame: &ServerFrame) -> QueryId {
    match &frame.message {
        ServerMessage::UserQuery { query_id, .. } => query_id.clone(),
        other => panic!("no question: {other:?}"),
    }
}

pub(super) async fn answer(client: &Client, query_id: &QueryId, answer: Option<Value>) {
    client.send_frame(ClientFrame::AnswerQuery { query_id: query_id.clone(), answer }).await;
}

pub(super) fn resolved(frames: &[ServerFrame]) -> Vec<Option<Value>> {
    let resolved = frames.iter().filter_map(|frame| match &frame.message {
        ServerMessage::QueryResolved { answer, .. } => Some(answer.clone()),
        _ => None,
    });
    resolved.collect()
}

/// What became of the question, as the tool heard it.
fn heard(frames: &[ServerFrame]) -> String {
    let preview = frames.iter().find_map(|frame| match &frame.message {
        ServerMessage::ContextUpdate { set, .. } => Some(set[0].preview.clone()),
        _ => None,
    });
    preview.expect("the call has a value")
}

const ASK: &str = r#"call ask {"question":"Which?"}"#;

#[tokio::test]
async fn an_answer_reaches_the_call_that_waits_for_it() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", r#"call ask {"question":"Which?","choices":["a",2]}"#).await;

    let frame = client.until(|message| matches!(message, ServerMessage::UserQuery { .. })).await;
    let ServerMessage::UserQuery { call_id, kind, message, choices, .. } = &frame.message else { panic!("{frame:?}") };
    assert_eq!((*kind, message.as_str()), (QueryKind::Query, "Which?"));
    assert!(call_id.is_some() && frame.seq.is_some() && frame.turn_id.as_deref() == Some("m1"), "{frame:?}");
    assert_eq!(choices.as_ref().map(Vec::len), Some(2));
    answer(&client, &query_of(&frame), Some(json!(2))).await;
    client.end_of("m1").await;

    assert_eq!(resolved(&client.frames), [Some(json!(2))]);
    assert_eq!(heard(&client.frames), "Some(Given(Number(2)))");
    assert!(bench.state_of(client.session()).await.pending.is_empty());
}

#[tokio::test]
async fn an_answer_that_is_no_choice_leaves_the_question_waiting_and_a_second_one_is_refused() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", r#"call ask {"question":"Which?","choices":["a","b"]}"#).await;
    let query = asked(&mut client).await;

    answer(&client, &query, Some(json!("c"))).await;
    let wrong = client.next().await;
    answer(&client, &query, Some(json!("b"))).await;
    client.end_of("m1").await;
    answer(&client, &query, Some(json!("a"))).await;
    let late = client.next().await;

    assert_eq!((code_of(&wrong), wrong.seq), ("wrong-answer", None));
    let ServerMessage::AgentError { path, suggestions, .. } = &wrong.message else { panic!("{wrong:?}") };
    assert_eq!(path.as_deref(), Some("answer"));
    assert!(suggestions[0].contains(r#""a", "b""#), "{suggestions:?}");
    assert_eq!(resolved(&client.frames), [Some(json!("b"))]);
    assert_eq!((code_of(&late), late.seq), ("unknown-query", None));
}

#[tokio::test]
async fn a_dismissed_question_says_so_to_its_call() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", ASK).await;
    let query = asked(&mut client).await;

    answer(&client, &query, None).await;
    client.end_of("m1").await;

    assert_eq!(resolved(&client.frames), [None]);
    assert_eq!(heard(&client.frames), "Some(Dismissed)");
}

#[tokio::test]
async fn any_attached_client_finds_the_question_and_answers_it() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", ASK).await;
    let query = asked(&mut client).await;

    let mut other = bench.client_of(client.session(), AttachFrom::After(0)).await;
    let ServerMessage::SessionReady { pending, .. } = &other.ready.message else { panic!("{:?}", other.ready) };
    assert!(matches!(&pending[..], [asked] if query_of(asked) == query), "{pending:?}");
    drop(client);
    answer(&other, &query, Some(json!("mine"))).await;

    other.end_of("m1").await;
    assert_eq!(heard(&other.frames), r#"Some(Given(String("mine")))"#);
}

#[tokio::test]
async fn cancelling_the_turn_settles_its_question() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", ASK).await;
    let query = asked(&mut client).await;

    client.send_frame(ClientFrame::Cancel { message_id: None }).await;
    let end = client.end_of("m1").await;
    answer(&client, &query, Some(json!("late"))).await;

    assert_eq!(code_of(&end), "cancelled");
    assert_eq!(resolved(&client.frames), [None]);
    assert_eq!(code_of(&client.next().await), "unknown-query");
}

#[tokio::test(start_paused = true)]
async fn a_question_with_a_limit_that_nobody_answers_expires_and_the_calls_clock_stands_still_meanwhile() {
    let limit = Duration::from_secs(600);
    let config = SessionConfig { approval_limit: Some(limit), ..SessionConfig::default() };
    let bench = Bench::with(Arc::new(MemoryLog::new()), config, ApproveMode::Auto);
    let mut client = bench.client().await;
    client.send("m1", ASK).await;
    asked(&mut client).await;
    let began = tokio::time::Instant::now();

    // The tool's own limit is 60 s.
    tokio::time::sleep(limit).await;
    client.end_of("m1").await;

    assert_eq!(resolved(&client.frames), [None]);
    assert_eq!(heard(&client.frames), "Some(Expired)");
    assert!(began.elapsed() >= limit);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_does_not_wait_any_more_withdraws_its_question() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", r#"call ask {"question":"Quick?","impatient":true}"#).await;
    let query = asked(&mut client).await;

    client.end_of("m1").await;
    answer(&client, &query, Some(json!("late"))).await;

    assert_eq!(resolved(&client.frames), [None]);
    assert_eq!(heard(&client.frames), "None");
    let refused = client.until(|message| matches!(message, ServerMessage::AgentError { .. })).await;
    assert_eq!(code_of(&refused), "unknown-query");
}

#[tokio::test]
async fn a_call_of_the_users_own_asks_too_and_is_settled_when_it_is_cancelled() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    let arguments = json!({"question": "Which?"}).as_object().cloned().expect("an object");
    client.send_frame(ClientFrame::CallTool { call_id: "c1".into(), tool: "ask".to_owned(), arguments }).await;
    let frame = client.until(|message| matches!(message, ServerMessage::UserQuery { .. })).await;

    client.send_frame(ClientFrame::Cancel { message_id: None }).await;
    client.until(|message| matches!(message, ServerMessage::ToolCallEnd { .. })).await;

    assert_eq!(frame.turn_id, None);
    assert_eq!(resolved(&client.frames), [None]);
}
