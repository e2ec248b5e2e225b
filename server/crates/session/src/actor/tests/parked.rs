//! A turn that waits for its user when the server ends is there again with its request, and goes on with the answer.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use switchboard_protocol::{
    ApprovalAnswer, CallId, ClientFrame, Decision, Mode, ServerFrame, ServerMessage, SessionId,
};

use super::queries::{answer, query_of};
use crate::test_support::{Bench, Client, code_of, ends, text_of};
use crate::{AttachFrom, SessionConfig};
use switchboard_events::MemoryLog;
use switchboard_tools::ApproveMode;

/// A server that died while `text` waited for its user: the next one, and a client of it.
async fn crashed(bench: &Bench, text: &str) -> (Bench, Client) {
    let mut client = bench.client().await;
    client.send("m1", text).await;
    client.until(is_request).await;
    client.send("m2", "say after").await;
    client
        .until(|message| matches!(message, ServerMessage::UserMessage { message_id, .. } if message_id == "m2"))
        .await;
    again(bench, client.session()).await
}

fn is_request(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::ApprovalRequest { .. } | ServerMessage::UserQuery { .. })
}

/// Another restart.
async fn again(bench: &Bench, session: SessionId) -> (Bench, Client) {
    let restarted = bench.after_crash();
    restarted.sessions.open_unfinished().await.expect("the log can be read");
    let back = restarted.client_of(session, AttachFrom::After(0)).await;
    (restarted, back)
}

/// The one request that is pending.
fn pending(client: &Client) -> &ServerFrame {
    let ServerMessage::SessionReady { pending, busy, .. } = &client.ready.message else { panic!("{:?}", client.ready) };
    assert!(busy.is_some(), "its turn is open");
    let [asked] = &pending[..] else { panic!("{pending:?}") };
    asked
}

fn call_of(asked: &ServerFrame) -> CallId {
    match &asked.message {
        ServerMessage::ApprovalRequest { call_id, .. } => call_id.clone(),
        other => panic!("{other:?}"),
    }
}

async fn decide(client: &Client, decision: ApprovalAnswer) -> CallId {
    let call_id = call_of(pending(client));
    let frame = ClientFrame::ApproveTool { call_id: call_id.clone(), decision, arguments: None, reason: None };
    client.send_frame(frame).await;
    call_id
}

/// The calls that were started, with their ids and arguments.
fn started(client: &Client) -> Vec<(CallId, Value)> {
    let started = client.frames.iter().filter_map(|frame| match &frame.message {
        ServerMessage::ToolCallStart { call_id, arguments, .. } => {
            Some((call_id.clone(), Value::Object(arguments.clone())))
        }
        _ => None,
    });
    started.collect()
}

fn resolved(client: &Client) -> Vec<Decision> {
    let resolved = client.frames.iter().filter_map(|frame| match &frame.message {
        ServerMessage::ApprovalResolved { decision, .. } => Some(*decision),
        _ => None,
    });
    resolved.collect()
}

fn ended(client: &Client) -> Vec<String> {
    client.frames.iter().filter_map(|frame| ends(&frame.message)).flatten().cloned().collect()
}

#[tokio::test]
async fn an_approval_is_there_again_and_its_call_runs_once_under_its_id() {
    let (bench, back) = crashed(&Bench::asking(), r#"call act {"n":1}"#).await;
    let asked = pending(&back).clone();
    let (_bench, mut back) = again(&bench, back.session()).await;
    assert_eq!((pending(&back), ended(&back)), (&asked, Vec::new()));

    let call = decide(&back, ApprovalAnswer::AllowOnce).await;
    decide(&back, ApprovalAnswer::AllowOnce).await;
    let refused = back.until(|message| matches!(message, ServerMessage::AgentError { message_ids: None, .. })).await;
    let end = back.end_of("m1").await;
    back.end_of("m2").await;

    assert_eq!(code_of(&refused), "unknown-call");
    assert_eq!(started(&back), [(call, json!({"n": 1}))]);
    assert_eq!(resolved(&back), [Decision::AllowOnce]);
    assert!(text_of(&end).contains("I ran `act`"), "{}", text_of(&end));
    assert_eq!(ended(&back), ["m1", "m2"], "what waited ran behind it");
}

#[tokio::test]
async fn a_denial_is_one_also_if_the_call_would_run_unasked_by_now() {
    let (asking, back) = crashed(&Bench::asking(), "call act {}").await;
    let auto = Bench::with(Arc::clone(&asking.log), SessionConfig::default(), ApproveMode::Auto);
    let mut back = auto.client_of(back.session(), AttachFrom::After(0)).await;

    decide(&back, ApprovalAnswer::Deny).await;
    let end = back.end_of("m1").await;

    assert_eq!(code_of(&end), "tool-failed");
    assert_eq!((started(&back), resolved(&back)), (Vec::new(), vec![Decision::Deny]));
}

#[tokio::test]
async fn edited_arguments_are_what_runs() {
    let (_bench, mut back) = crashed(&Bench::asking(), r#"call note {"n":1}"#).await;
    let (call_id, arguments) = (call_of(pending(&back)), json!({"n": 2}).as_object().cloned());
    let decision = ApprovalAnswer::AllowSession;

    back.send_frame(ClientFrame::ApproveTool { call_id: call_id.clone(), decision, arguments, reason: None }).await;
    back.end_of("m1").await;

    assert_eq!(started(&back), [(call_id, json!({"n": 2}))]);
}

/// A variable has become another one while a call that refers to it waited.
async fn changed_meanwhile() -> (Bench, Client) {
    let bench = Bench::asking();
    let mut client = bench.client().await;
    let set = |value: &str| ClientFrame::SetVariable { name: "name".to_owned(), value: json!(value) };
    client.send_frame(set("old")).await;
    client.send("m1", r#"call note {"to":"@name"}"#).await;
    client.until(is_request).await;
    let (bench, back) = again(&bench, client.session()).await;
    back.send_frame(set("new")).await;
    (bench, back)
}

#[tokio::test]
async fn a_denial_holds_whatever_has_changed() {
    let (_bench, mut back) = changed_meanwhile().await;

    decide(&back, ApprovalAnswer::Deny).await;
    back.end_of("m1").await;

    assert_eq!((started(&back), resolved(&back)), (Vec::new(), vec![Decision::Deny]));
}

#[tokio::test]
async fn what_is_not_what_was_asked_about_any_more_is_asked_about_anew() {
    let (_bench, mut back) = changed_meanwhile().await;

    let call = decide(&back, ApprovalAnswer::AllowOnce).await;
    let anew = back.until(is_request).await;
    assert_eq!(started(&back), []);
    let (decision, arguments, reason) = (ApprovalAnswer::AllowOnce, None, None);
    back.send_frame(ClientFrame::ApproveTool { call_id: call.clone(), decision, arguments, reason }).await;
    back.end_of("m1").await;

    assert_eq!(call_of(&anew), call);
    assert_eq!(started(&back), [(call, json!({"to": "new"}))]);
}

#[tokio::test]
async fn a_question_is_there_again_and_its_answer_reaches_the_call() {
    let (_bench, mut back) = crashed(&Bench::new(), r#"call ask {"question":"Which?","choices":["a","b"]}"#).await;
    let query = query_of(pending(&back));

    answer(&back, &query, Some(json!("c"))).await;
    back.until(|message| matches!(message, ServerMessage::AgentError { message_ids: None, .. })).await;
    answer(&back, &query, Some(json!("b"))).await;
    let end = back.end_of("m1").await;
    back.end_of("m2").await;

    assert!(text_of(&end).contains(r#"Some(Given(String("b")))"#), "{}", text_of(&end));
    let asked = back.frames.iter().filter(|frame| is_request(&frame.message)).count();
    let calls = back.frames.iter().filter(|frame| matches!(frame.message, ServerMessage::ToolCallEnd { .. })).count();
    assert_eq!((asked, calls), (1, 1));
}

#[tokio::test]
async fn a_server_that_stops_leaves_its_requests_open() {
    for (bench, text) in [(Bench::asking(), "call act {}"), (Bench::new(), r#"call ask {"question":"Which?"}"#)] {
        let mut client = bench.client().await;
        client.send("m1", text).await;
        let asked = client.until(is_request).await;

        bench.shutdown.stop();
        bench.shutdown.ended().await;
        let (_bench, back) = again(&bench, client.session()).await;

        assert_eq!((pending(&back), ended(&back)), (&asked, Vec::new()), "{text}");
    }
}

#[tokio::test]
async fn a_parked_turn_is_canceled_like_any_other() {
    for text in ["call act {}", r#"call ask {"question":"Which?"}"#] {
        let bench = if text.contains("ask") { Bench::new() } else { Bench::asking() };
        let (_bench, mut back) = crashed(&bench, text).await;
        pending(&back);

        back.send_frame(ClientFrame::Cancel { message_id: Some("m1".to_owned()) }).await;
        let end = back.end_of("m1").await;
        back.end_of("m2").await;

        assert_eq!(code_of(&end), "cancelled", "{text}");
        assert!(
            !back
                .frames
                .iter()
                .any(|frame| { matches!(&frame.message, ServerMessage::ToolCallEnd { success: true, .. }) })
        );
    }
}

#[tokio::test]
async fn a_newer_message_replaces_a_parked_turn() {
    let (_bench, mut back) = crashed(&Bench::asking(), "call act {}").await;

    back.send_as("m3", "say instead", Some(Mode::Interrupt)).await;
    let end = back.end_of("m1").await;
    back.end_of("m2").await;

    assert!(text_of(&end).starts_with("Your newer message replaces this one."), "{}", text_of(&end));
    assert_eq!((ended(&back), started(&back)), (["m1", "m3", "m2"].map(str::to_owned).to_vec(), Vec::new()));
}

#[tokio::test(start_paused = true)]
async fn a_request_with_a_limit_keeps_its_end() {
    let config = SessionConfig { approval_limit: Some(Duration::from_secs(600)), ..SessionConfig::default() };
    let bench = Bench::with(Arc::new(MemoryLog::new()), config, ApproveMode::Ask);
    let (_bench, mut back) = crashed(&bench, "call act {}").await;
    let ServerMessage::ApprovalRequest { expires_at: Some(_), .. } = &pending(&back).message else { panic!() };

    tokio::time::sleep(Duration::from_secs(601)).await;
    back.end_of("m1").await;

    assert_eq!((resolved(&back), started(&back)), (vec![Decision::Expired], Vec::new()));
}
