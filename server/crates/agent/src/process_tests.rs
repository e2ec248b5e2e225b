//! Claims about single stages of a turn: real tools, a real workspace, the session in memory.

use serde_json::json;
use switchboard_protocol::ReasonerKind;

use crate::stages::execute_tool;
use crate::test_support::{ScriptedModel, TestSession};
use crate::{ToolSelection, UserMessage};

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

    let message = UserMessage { id: "m".to_owned(), text: "Read it".to_owned(), tool: None };
    let mut turn = session.agent.turn(None, &session.tools, &session.host, &session.cancellation, vec![message]);

    let worked = execute_tool(&mut turn, &selection).await.unwrap();

    assert!(worked);
    assert_eq!(session.variable("file_content").await, Some(json!("Hello!\n")));
}
