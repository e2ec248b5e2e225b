//! Claims about whole turns that the rules decide: real tools, a real workspace, the session in memory.

use std::sync::Arc;

use serde_json::json;
use switchboard_protocol::{ServerMessage, Step};

use crate::Rules;
use switchboard_agent::test_support::TestSession;

const CONFIG: &str = "{\"port\": 3000, \"db\": {\"host\": \"localhost\", \"port\": 5432}}\n";

#[tokio::test]
async fn analyzes_tool_need_correctly_with_existing_context() {
    let session = TestSession::with_files(Arc::new(Rules), &[]);
    session.set("user_data", json!({"name": "John"})).await;

    let turned = session.say("What's my name?").await;

    let need = session.host.messages().into_iter().find_map(|message| match message {
        ServerMessage::AgentThinking { needs_tools: Some(needs_tools), reasoning, .. } => {
            Some((needs_tools, reasoning.unwrap_or_default()))
        }
        _ => None,
    });
    let (needs_tools, reasoning) = need.expect("the need is said");
    assert!(!needs_tools);
    assert!(reasoning.contains("already available in context"), "{reasoning}");
    assert_eq!(turned.text, "Your name is **John** (`name` in `user_data`).");
}

#[tokio::test]
async fn complete_user_workflow_with_tool_chain() {
    let session = TestSession::with_files(Arc::new(Rules), &[("config.json", CONFIG)]);

    let turned = session.say("Read config.json and tell me the port number").await;

    assert_eq!(turned.tools, ["file_read", "json_parse"]);
    assert_eq!(turned.updated, ["file_content", "parsed_data"]);
    assert_eq!(turned.text, "The port number is **3000** (`port` in `config.json`).");
    assert_eq!((turned.operations, turned.complete, turned.code), (2, true, None));
}

#[tokio::test]
async fn every_stage_shows_and_the_first_frame_takes_up_the_message() {
    let session = TestSession::with_files(Arc::new(Rules), &[("config.json", CONFIG)]);

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
