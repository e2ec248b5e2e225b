//! A call that was cut off and may have done its work: the user is asked, and nothing runs twice unless the user says
//! so.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use switchboard_protocol::{ClientFrame, Mode, Operation, QueryId, QueryKind, ServerFrame, ServerMessage, SessionId};

use super::queries::{answer, query_of, resolved};
use crate::test_support::{Bench, Client, code_of, ends, text_of};
use crate::{AttachFrom, SessionConfig};
use switchboard_events::MemoryLog;
use switchboard_store::{SqliteLog, SqliteOptions};
use switchboard_tools::ApproveMode;

/// A server that died while `wait_act` ran for `m1`, with `m2` behind it: the next one, and a client of it.
async fn crashed(with_queue: bool) -> (Bench, Client) {
    let config = SessionConfig { idle_close: Duration::from_secs(1_000_000), ..SessionConfig::default() };
    let bench = Bench::with(Arc::new(MemoryLog::new()), config, ApproveMode::Auto);
    let mut client = bench.client().await;
    client.send("m1", r#"call wait_act {"n":1}"#).await;
    if with_queue {
        client.send("m2", "say after").await;
        client
            .until(|message| matches!(message, ServerMessage::UserMessage { message_id, .. } if message_id == "m2"))
            .await;
    }
    if !client.frames.iter().any(|frame| matches!(frame.message, ServerMessage::ToolOutputChunk { .. })) {
        client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;
    }
    again(&bench, client.session()).await
}

/// Another restart.
async fn again(bench: &Bench, session: SessionId) -> (Bench, Client) {
    let restarted = bench.after_crash();
    restarted.sessions.open_unfinished().await.expect("the log can be read");
    let mut back = restarted.client_of(session, AttachFrom::After(0)).await;
    if !back.frames.iter().any(|frame| matches!(frame.message, ServerMessage::UserQuery { .. })) {
        back.until(|message| matches!(message, ServerMessage::UserQuery { .. })).await;
    }
    (restarted, back)
}

/// Nobody has opened the session before: who comes does, and sees the question at once.
#[tokio::test]
async fn n20_a_question_that_the_restart_asks_is_pending_for_whoever_comes_first() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    // Its commits take a moment, as those in memory do not.
    let log = SqliteLog::open(folder.path(), SqliteOptions::default()).expect("the log can be opened");
    let bench = Bench::with(Arc::new(log), SessionConfig::default(), ApproveMode::Auto);
    let mut client = bench.client().await;
    client.send("m1", "call wait_act {}").await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    let back = bench.after_crash().client_of(client.session(), AttachFrom::Tail(0)).await;

    let ServerMessage::SessionReady { pending, .. } = &back.ready.message else { panic!("{:?}", back.ready) };
    assert!(matches!(&pending[..], [asked] if matches!(asked.message, ServerMessage::UserQuery { .. })), "{pending:?}");
}

fn asked(client: &Client) -> &ServerFrame {
    let mut asked = client.frames.iter().filter(|frame| matches!(frame.message, ServerMessage::UserQuery { .. }));
    let first = asked.next().expect("the user is asked");
    assert_eq!(asked.next(), None, "one question a call");
    first
}

async fn say(client: &Client, word: &str) -> QueryId {
    let query = query_of(asked(client));
    answer(client, &query, Some(json!(word))).await;
    query
}

fn call_ends(client: &Client) -> Vec<(bool, bool, String)> {
    let ends = client.frames.iter().filter_map(|frame| match &frame.message {
        ServerMessage::ToolCallEnd { started, success, error, .. } => Some((*started, *success, error.clone())),
        _ => None,
    });
    ends.collect()
}

fn starts(client: &Client) -> usize {
    client.frames.iter().filter(|frame| matches!(frame.message, ServerMessage::ToolCallStart { .. })).count()
}

async fn operations(bench: &Bench, client: &Client) -> Vec<Operation> {
    let calls = bench.state_of(client.session()).await.calls;
    calls.operations.iter().map(|operation| Operation::clone(operation)).collect()
}

#[tokio::test]
async fn the_turn_waits_for_the_users_word_and_the_queue_for_the_turn() {
    let (bench, client) = crashed(true).await;

    let frame = asked(&client);
    let ServerMessage::UserQuery { kind, message, choices, call_id, .. } = &frame.message else { panic!("{frame:?}") };
    assert_eq!((*kind, frame.turn_id.as_deref()), (QueryKind::Outcome, Some("m1")));
    assert!(message.contains("wait_act(n=1)"), "{message}");
    let values: Vec<Value> = choices.iter().flatten().map(|choice| choice.value.clone()).collect();
    assert_eq!(values, [json!("done"), json!("not-done"), json!("unknown"), json!("retry")]);
    assert!(client.frames.iter().all(|frame| ends(&frame.message).is_none()), "{:?}", client.frames);
    let ready = bench.client_of(client.session(), AttachFrom::After(0)).await.ready;
    let ServerMessage::SessionReady { pending, busy, .. } = ready.message else { panic!("{ready:?}") };
    assert!(matches!(&pending[..], [pending] if pending == frame), "{pending:?}");
    assert_eq!(busy.map(|busy| busy.message_id).as_deref(), Some("m1"));
    let state = bench.state_of(client.session()).await;
    assert_eq!(Some(&state.calls.open[0].call_id), call_id.as_ref());
    assert_eq!(state.messages.waiting.len(), 1);
}

#[tokio::test]
async fn what_happened_is_written_down_as_done() {
    let (bench, mut client) = crashed(true).await;

    say(&client, "done").await;
    let end = client.end_of("m1").await;
    let next = client.end_of("m2").await;

    assert!(matches!(end.message, ServerMessage::AgentResponse { complete: false, .. }), "{end:?}");
    assert!(text_of(&end).contains("as you say"), "{}", text_of(&end));
    assert_eq!(text_of(&next), "after");
    assert_eq!(call_ends(&client), [(true, true, String::new())]);
    let operations = operations(&bench, &client).await;
    assert_eq!((operations.len(), operations[0].success), (1, true));
    assert!(operations[0].outputs.contains("it happened"), "{operations:?}");
    assert_eq!(starts(&client), 1);
}

#[tokio::test]
async fn what_did_not_happen_may_be_sent_again() {
    let (bench, mut client) = crashed(false).await;

    say(&client, "not-done").await;
    let end = client.end_of("m1").await;

    assert_eq!(code_of(&end), "interrupted");
    assert!(text_of(&end).contains("did not do its work, as you say"), "{}", text_of(&end));
    assert!(matches!(&call_ends(&client)[..], [(true, false, error)] if error.contains("as the user says")));
    assert!(!operations(&bench, &client).await[0].success);
}

#[tokio::test]
async fn what_nobody_knows_stays_unknown() {
    for word in [Some(json!("unknown")), None] {
        let (bench, mut client) = crashed(false).await;

        let query = query_of(asked(&client));
        answer(&client, &query, word.clone()).await;
        let end = client.end_of("m1").await;
        answer(&client, &query, Some(json!("done"))).await;
        let late = client.next().await;

        assert_eq!(code_of(&end), "interrupted");
        assert!(text_of(&end).contains("`wait_act`") && text_of(&end).contains("unknown"), "{}", text_of(&end));
        assert_eq!(resolved(&client.frames), [word]);
        let operations = operations(&bench, &client).await;
        assert!(!operations[0].success && operations[0].outputs.contains("unknown"), "{operations:?}");
        assert_eq!(code_of(&late), "unknown-query");
    }
}

#[tokio::test]
async fn only_at_the_users_word_it_runs_again_and_has_one_end() {
    let (bench, mut client) = crashed(true).await;
    bench.open_gate();

    say(&client, "retry").await;
    let end = client.end_of("m1").await;
    client.end_of("m2").await;

    assert!(text_of(&end).contains("waited"), "{}", text_of(&end));
    assert_eq!(starts(&client), 2);
    assert_eq!(call_ends(&client), [(true, true, String::new())]);
    let ids = client.frames.iter().filter_map(|frame| match &frame.message {
        ServerMessage::ToolCallStart { call_id, arguments, .. } => Some((call_id.clone(), arguments.clone())),
        _ => None,
    });
    let ids: Vec<_> = ids.collect();
    assert_eq!(ids[0], ids[1]);
    let operations = operations(&bench, &client).await;
    assert_eq!((operations.len(), operations[0].success), (1, true));
}

#[tokio::test]
async fn a_second_crash_asks_the_same_question_and_one_in_the_retry_asks_anew() {
    let (bench, client) = crashed(true).await;
    let first = asked(&client).clone();

    let (bench, client) = again(&bench, client.session()).await;
    assert_eq!(*asked(&client), first, "with its end");
    let mut watching = bench.client_of(client.session(), AttachFrom::After(0)).await;
    let query = say(&client, "retry").await;
    watching.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;
    let (_bench, mut client) = again(&bench, client.session()).await;
    let anew =
        |message: &ServerMessage| matches!(message, ServerMessage::UserQuery { query_id, .. } if *query_id != query);
    if !client.frames.iter().any(|frame| anew(&frame.message)) {
        client.until(anew).await;
    }

    assert_eq!(starts(&client), 2, "nothing runs by itself");
}

#[tokio::test]
async fn an_answer_that_is_no_choice_is_refused() {
    let (_bench, mut client) = crashed(false).await;

    say(&client, "maybe").await;
    let refused = client.next().await;
    say(&client, "done").await;
    client.end_of("m1").await;

    assert_eq!((code_of(&refused), refused.seq), ("wrong-answer", None));
}

#[tokio::test]
async fn cancelling_gives_the_question_up() {
    for message_id in [None, Some("m1".to_owned())] {
        let (_bench, mut client) = crashed(false).await;

        client.send_frame(ClientFrame::Cancel { message_id }).await;
        let end = client.end_of("m1").await;

        assert!(text_of(&end).contains("unknown"), "{}", text_of(&end));
        assert_eq!(resolved(&client.frames), [None]);
    }
}

#[tokio::test]
async fn a_message_that_replaces_the_turn_gives_the_question_up() {
    let (_bench, mut client) = crashed(true).await;

    client.send_as("m3", "say now", Some(Mode::Interrupt)).await;
    client.end_of("m1").await;
    let next = client.until(|message| ends(message).is_some()).await;

    assert_eq!(ends(&next.message), Some(&vec!["m3".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn no_clock_answers_the_question() {
    let (bench, client) = crashed(true).await;
    let ServerMessage::UserQuery { expires_at, .. } = &asked(&client).message else { panic!("a question") };
    assert_eq!(*expires_at, None);
    let session = client.session();
    drop(client);

    tokio::time::sleep(Duration::from_secs(40 * 24 * 3600)).await;
    let waiting = bench.client_of(session, AttachFrom::After(0)).await;

    assert_eq!(resolved(&waiting.frames), []);
    assert!(!waiting.frames.iter().any(|frame| ends(&frame.message).is_some()));
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_approvals_ends_the_question_too() {
    let config = SessionConfig { approval_limit: Some(Duration::from_secs(600)), ..SessionConfig::default() };
    let bench = Bench::with(Arc::new(MemoryLog::new()), config, ApproveMode::Auto);
    let mut client = bench.client().await;
    client.send("m1", r#"call wait_act {"n":1}"#).await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;
    let (_bench, mut back) = again(&bench, client.session()).await;

    tokio::time::sleep(Duration::from_secs(601)).await;
    back.end_of("m1").await;

    assert_eq!(resolved(&back.frames), [None]);
}

#[tokio::test]
async fn a_call_of_the_users_own_is_asked_about_too() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    let tool = "wait_act".to_owned();
    client.send_frame(ClientFrame::CallTool { call_id: "own".into(), tool, arguments: Map::new() }).await;
    client.until(|message| matches!(message, ServerMessage::ToolOutputChunk { .. })).await;

    let (bench, mut client) = again(&bench, client.session()).await;
    assert_eq!(asked(&client).turn_id, None);
    client.send("m1", "say hello").await;
    client.end_of("m1").await;
    bench.open_gate();
    say(&client, "retry").await;
    client.until(|message| matches!(message, ServerMessage::ToolCallEnd { .. })).await;

    assert_eq!(call_ends(&client), [(true, true, String::new())]);
    assert_eq!(starts(&client), 2);
}
