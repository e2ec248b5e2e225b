//! What the user does directly: variables, commands, calls, titles.

use serde_json::{Map, json};
use switchboard_protocol::{CallId, ClientFrame, ServerFrame, ServerMessage};

use crate::AttachFrom;
use crate::test_support::{Bench, Client, code_of};

async fn set(client: &Client, name: &str, value: serde_json::Value) {
    client.send_frame(ClientFrame::SetVariable { name: name.to_owned(), value }).await;
}

async fn variables(client: &mut Client) -> Vec<(String, u32, String)> {
    client.send_frame(ClientFrame::GetContext {}).await;
    let state = client.until(|message| matches!(message, ServerMessage::ContextState { .. })).await;
    let ServerMessage::ContextState { variables, .. } = state.message else { unreachable!("it was looked for") };
    variables.into_iter().map(|variable| (variable.name, variable.version, variable.preview)).collect()
}

async fn command(client: &mut Client, id: &str, text: &str) -> ServerFrame {
    client.send(id, text).await;
    client
        .until(|message| matches!(message, ServerMessage::CommandResponse { .. } | ServerMessage::CommandError { .. }))
        .await
}

fn words(frame: &ServerFrame) -> &str {
    match &frame.message {
        ServerMessage::CommandResponse { text, .. } | ServerMessage::CommandError { text, .. } => text,
        other => panic!("no answer: {other:?}"),
    }
}

#[tokio::test]
async fn variables_are_set_renamed_and_deleted() {
    let bench = Bench::new();
    let mut client = bench.client().await;

    set(&client, "a", json!(1)).await;
    set(&client, "a", json!("two")).await;
    set(&client, "b", json!({"x": 1})).await;
    client.send_frame(ClientFrame::RenameVariable { name: "a".to_owned(), new_name: "c".to_owned() }).await;
    client.send_frame(ClientFrame::DeleteVariable { name: "b".to_owned() }).await;

    assert_eq!(variables(&mut client).await, [("c".to_owned(), 2, "two".to_owned())]);
}

#[tokio::test]
async fn wrong_names_are_refused_with_a_proposal() {
    let bench = Bench::new();
    let mut client = bench.client().await;

    set(&client, "my name", json!(1)).await;
    let refusal = client.next().await;

    assert_eq!(code_of(&refusal), "context-error");
    assert!(format!("{refusal:?}").contains("my_name"));
}

#[tokio::test]
async fn commands_answer_while_a_turn_runs_and_leave_the_queue_alone() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", "hold on").await;
    client.until(|message| matches!(message, ServerMessage::AgentThinking { .. })).await;

    let debug = command(&mut client, "c1", "/debug").await;
    let wrong = command(&mut client, "c2", "/history many").await;
    bench.open_gate();
    client.end_of("m1").await;

    assert!(words(&debug).contains("running turn: `m1`"), "{}", words(&debug));
    assert!(debug.seq.is_some());
    let ServerMessage::CommandError { usage, .. } = &wrong.message else { panic!("{wrong:?}") };
    assert_eq!(usage.as_deref(), Some("/history [n]"));
}

#[tokio::test]
async fn a_command_sent_twice_is_answered_by_the_same_frame() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    let first = command(&mut client, "c1", "/help").await;

    let again = command(&mut client, "c1", "/help").await;

    assert_eq!(again, ServerFrame { seq: None, ..first });
    assert_eq!(bench.log_of(client.session()).await.len(), 1);
}

#[tokio::test]
async fn a_saved_state_is_loaded() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    set(&client, "kept", json!(1)).await;
    command(&mut client, "c1", "/save before").await;
    set(&client, "kept", json!(2)).await;
    set(&client, "later", json!(3)).await;

    let answer = command(&mut client, "c2", "/load before").await;

    assert_eq!(words(&answer), "Loaded `before`: 1 variables set, 1 removed.");
    assert_eq!(variables(&mut client).await, [("kept".to_owned(), 3, "1".to_owned())]);
}

#[tokio::test]
async fn clear_and_new_forget_what_they_say() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send("m1", r#"call look {"a":1}"#).await;
    client.end_of("m1").await;

    command(&mut client, "c1", "/new").await;
    client.send_frame(ClientFrame::GetContext {}).await;
    let state = client.until(|message| matches!(message, ServerMessage::ContextState { .. })).await;
    command(&mut client, "c2", "/clear").await;

    let ServerMessage::ContextState { chat_history_length, operation_history, .. } = &state.message else {
        unreachable!("it was looked for")
    };
    assert_eq!((*chat_history_length, operation_history.len()), (0, 1));
    assert_eq!(variables(&mut client).await, []);
}

#[tokio::test]
async fn two_slashes_make_a_message_of_a_command() {
    let bench = Bench::new();
    let mut client = bench.client().await;

    client.send("m1", "//help me").await;
    client.send("m2", "/helpful").await;
    client.end_of("m2").await;

    let texts: Vec<&str> = client
        .frames
        .iter()
        .filter_map(|frame| match &frame.message {
            ServerMessage::UserMessage { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["/help me", "/helpful"]);
}

#[tokio::test]
async fn a_call_of_the_users_own_runs_unasked_and_once() {
    let bench = Bench::asking();
    let mut client = bench.client().await;
    let call = ClientFrame::CallTool { call_id: CallId::from("mine"), tool: "act".to_owned(), arguments: Map::new() };

    client.send_frame(call.clone()).await;
    let end = client.until(|message| matches!(message, ServerMessage::ToolCallEnd { .. })).await;
    client.send_frame(call).await;
    let again = client.until(|message| matches!(message, ServerMessage::ToolCallEnd { .. })).await;

    assert_eq!(again, ServerFrame { seq: None, ..end });
    let log = bench.log_of(client.session()).await;
    assert_eq!(log.iter().filter(|frame| matches!(frame.message, ServerMessage::ToolCallStart { .. })).count(), 1);
}

#[tokio::test]
async fn only_a_few_calls_of_the_users_own_run_at_once() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    for number in 0..5 {
        let call_id = CallId(format!("call-{number}"));
        client.send_frame(ClientFrame::CallTool { call_id, tool: "wait_look".to_owned(), arguments: Map::new() }).await;
    }

    let refusal = client.until(|message| matches!(message, ServerMessage::AgentError { .. })).await;
    bench.gate.add_permits(4);
    for _ in 0..4 {
        client.until(|message| matches!(message, ServerMessage::ToolCallEnd { .. })).await;
    }

    assert_eq!(code_of(&refusal), "busy");
}

#[tokio::test]
async fn a_title_is_set_and_stays() {
    let bench = Bench::new();
    let mut client = bench.client().await;
    client.send_frame(ClientFrame::SetTitle { title: " My work ".to_owned() }).await;
    client.send("m1", "say hello").await;
    client.end_of("m1").await;

    let back = bench.client_of(client.session(), AttachFrom::Tail(0)).await;

    let ServerMessage::SessionReady { snapshot: Some(snapshot), .. } = &back.ready.message else { panic!() };
    assert_eq!(snapshot.title.as_deref(), Some("My work"));
}
