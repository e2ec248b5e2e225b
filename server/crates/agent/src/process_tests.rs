//! Claims about single stages of a turn: real tools, a real workspace, the session in memory.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use switchboard_protocol::{CallId, ReasonerKind, ServerMessage};

use crate::stages::execute_tool;
use crate::test_support::{ScriptedModel, TestSession};
use crate::{CutTurn, DoneCall, ToolSelection, UserMessage};

#[tokio::test]
async fn executes_tool_with_var_name_parameter_resolution() {
    let session =
        TestSession::with_files(ScriptedModel::of([]).reasoner(ReasonerKind::Staged), &[("test.txt", "Hello!\n")]);
    session.set("file_path", json!("test.txt")).await;
    let selection = ToolSelection {
        selected_tool: Some("file_read".to_owned()),
        parameters: json!({"path": "@file_path"}).as_object().unwrap().clone(),
        output_variable: Some("file_content".to_owned()),
        ..ToolSelection::default()
    };

    let message = UserMessage { id: "m".to_owned(), text: "Read it".to_owned(), ..UserMessage::default() };
    let mut turn = session.agent.turn(None, &session.tools, &session.host, &session.cancellation, vec![message]);

    let worked = execute_tool(&mut turn, &selection, CallId::random()).await.unwrap();

    assert!(worked);
    assert_eq!(session.variable("file_content").await, Some(json!("Hello!\n")));
}

/// Goes on with a turn that has made a call and wrote this down.
async fn goes_on_with(continuation: Value) -> ServerMessage {
    let session = TestSession::with_files(ScriptedModel::of([]).reasoner(ReasonerKind::Staged), &[]);
    let message = UserMessage { id: "m".to_owned(), text: "Read it".to_owned(), ..UserMessage::default() };
    let done = DoneCall {
        call_id: CallId::random(),
        tool: "file_read".to_owned(),
        arguments: Map::new(),
        started: true,
        failure: None,
        variable: None,
        seen: Vec::new(),
    };
    let cut = CutTurn { done: vec![done], calls: Vec::new(), continuation: Some(Arc::new(continuation)) };
    session.agent.run(vec![message], Some(cut), &session.tools, &session.host, &session.cancellation).await.message
}

#[tokio::test]
async fn a_plan_that_another_version_wrote_ends_the_turn_and_that_is_said() {
    let ended = goes_on_with(json!({"schema": 999, "place": "nowhere"})).await;

    let ServerMessage::AgentError { code, text, .. } = ended else { panic!("{ended:?}") };
    assert_eq!(code, "interrupted");
    assert!(text.contains("another version of Switchboard"), "{text}");
}

#[tokio::test]
async fn a_plan_of_another_reasoner_is_left_and_that_is_said() {
    let search = json!({"search": {"action": {"text": "read it"}}});
    let ended = goes_on_with(json!({"schema": 1, "place": search, "searches": 0, "mind": {"other": {}}})).await;

    let ServerMessage::AgentResponse { complete, text, .. } = ended else { panic!("{ended:?}") };
    assert!(!complete && text.contains("What I had planned to do next is lost"), "{text}");
}
