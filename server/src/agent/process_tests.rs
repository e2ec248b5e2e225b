//! Claims about whole turns: real tools, a real workspace, the session in memory.

use serde_json::json;
use switchboard_protocol::{ServerMessage, Step};

use crate::agent::stages::{analyze_tool_need, execute_tool};
use crate::agent::test_host::TestSession;
use crate::agent::turn::Turn;
use crate::agent::{ToolSelection, UserMessage};

const CONFIG: &str = "{\"port\": 3000, \"db\": {\"host\": \"localhost\", \"port\": 5432}}\n";

fn message(text: &str) -> UserMessage {
    UserMessage { id: "m".to_owned(), text: text.to_owned(), tool: None }
}

fn turn<'a>(session: &'a TestSession, text: &str) -> Turn<'a> {
    Turn::new(&session.agent, &session.tools, &session.host, &session.cancellation, message(text))
}

#[tokio::test]
async fn analyzes_tool_need_correctly_with_existing_context() {
    let session = TestSession::with_files(&[]);
    session.set("user_data", json!({"name": "John"})).await;

    let need = analyze_tool_need(&mut turn(&session, "What's my name?")).await.unwrap();

    assert!(!need.needs_tools);
    assert!(need.reasoning.contains("already available in context"), "{}", need.reasoning);
    assert_eq!(need.answer.unwrap().text, "Your name is **John** (`name` in `user_data`).");
}

#[tokio::test]
async fn executes_tool_with_var_name_parameter_resolution() {
    let session = TestSession::with_files(&[("test.txt", "Hello!\n")]);
    session.set("file_path", json!("test.txt")).await;
    let selection = ToolSelection {
        selected_tool: Some("file_read".to_owned()),
        parameters: json!({"path": "@file_path"}).as_object().unwrap().clone(),
        output_variable: Some("file_content".to_owned()),
        ..ToolSelection::default()
    };

    let worked = execute_tool(&mut turn(&session, "Read it"), &selection).await.unwrap();

    assert!(worked);
    assert_eq!(session.variable("file_content").await, Some(json!("Hello!\n")));
}

#[tokio::test]
async fn complete_user_workflow_with_tool_chain() {
    let session = TestSession::with_files(&[("config.json", CONFIG)]);

    let turned = session.say("Read config.json and tell me the port number").await;

    assert_eq!(turned.tools, ["file_read", "json_parse"]);
    assert_eq!(turned.updated, ["file_content", "parsed_data"]);
    assert_eq!(turned.text, "The port number is **3000** (`port` in `config.json`).");
    assert_eq!((turned.operations, turned.complete, turned.code), (2, true, None));
}

#[tokio::test]
async fn every_stage_shows_and_the_first_frame_takes_up_the_message() {
    let session = TestSession::with_files(&[("config.json", CONFIG)]);

    session.say("Read config.json").await;

    let steps: Vec<Step> = session
        .host
        .messages()
        .iter()
        .filter_map(|message| match message {
            ServerMessage::AgentThinking { step, .. } => Some(*step),
            _ => None,
        })
        .collect();
    let expected =
        [Step::Analyzing, Step::Analyzing, Step::Searching, Step::Selecting, Step::Executing, Step::Deciding];
    assert_eq!(steps, expected);
    let first = session.host.events().remove(0);
    let private = first.private.unwrap();
    assert_eq!(private.taken, ["m1"]);
    assert_eq!(private.messages[0].content, "Read config.json");
}
