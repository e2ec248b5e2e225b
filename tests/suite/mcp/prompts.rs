//! Prompts of MCP servers are commands, and what comes of them is a message.

use serde_json::json;
use switchboard_tests::{McpFolder, npm_entry};
use uuid::Uuid;

use super::state::{said, until};

#[tokio::test]
async fn a_prompt_of_server_everything_is_sent_as_a_message() {
    let folder = McpFolder::default();
    let servers = json!({"everything": npm_entry("server-everything", &["stdio"])});
    let server = folder.start(servers, &["--approve", "auto"]).await;
    until(&server, "everything", |server| server["prompts"].as_array().is_some_and(|prompts| prompts.len() == 4)).await;
    let mut client = server.connect().await;

    let help = said(&mut client, "/help").await;
    let one = said(&mut client, "/help everything__args_prompt").await;
    let turn = client.ask(r#"/everything__args_prompt city="New York" state=NY"#).await;
    client.ask("/everything__args_prompt Husum").await;
    let resource = client.ask("/everything__resource_prompt resourceType=Text resourceId=1").await;

    assert!(help.contains("`/everything__args_prompt city=… [state=…]`"), "{help}");
    assert!(one.contains("`city` (required): `Name of the city`"), "{one}");
    let message = turn.first("user-message");
    assert_eq!(message["text"], "What's weather in New York, NY?");
    assert_eq!(message["prompt"], "everything__args_prompt");
    let texts: Vec<_> = client.frames.iter().filter(|frame| frame["type"] == "user-message").collect();
    assert_eq!(texts[1]["text"], "What's weather in Husum?");
    let text = resource.first("user-message")["text"].as_str().unwrap_or_default();
    assert!(text.contains("demo://resource/dynamic/text/1:\n```\n"), "the resource stays apart: {text}");
}

#[tokio::test]
async fn what_is_missing_is_told_with_the_usage_and_the_server_is_not_asked() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &["--approve", "auto"]).await;
    until(&server, "test", |server| server["prompts"][0]["command"] == "test__tide").await;
    let mut client = server.connect().await;

    let answer = client.command("/test__tide").await;

    assert_eq!(answer["type"], "command-error");
    assert_eq!(answer["text"], "Not sent: `harbour` (Which one.) is missing.");
    assert_eq!(answer["usage"], "/test__tide harbour=…");
    assert!(!folder.told().contains(&"prompt".to_owned()));
}

#[tokio::test]
async fn a_prompt_that_is_sent_again_is_one_message() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &["--approve", "auto"]).await;
    until(&server, "test", |server| server["prompts"][0]["command"] == "test__tide").await;
    let mut client = server.connect().await;
    let id = Uuid::new_v4().to_string();
    let frame = json!({"type": "send-message", "text": "/test__tide Husum", "messageId": id});

    client.send(frame.clone()).await;
    client.send(frame.clone()).await;
    client.end_of(&id).await;
    client.send(frame).await;
    client.ask("Calculate 1 + 1").await.answered();

    let taken =
        client.frames.iter().filter(|frame| frame["type"] == "user-message" && frame["messageId"] == id.as_str());
    assert_eq!(taken.filter(|frame| frame["seq"].is_u64()).count(), 1);
}

#[tokio::test]
async fn a_name_that_is_no_prompt_is_a_message() {
    let folder = McpFolder::default();
    let server = folder.start(json!({"test": folder.scripted("")}), &["--approve", "auto"]).await;
    until(&server, "test", |server| server["state"] == "ready").await;
    let mut client = server.connect().await;

    let turn = client.ask("/test__tides Husum").await;

    assert_eq!(turn.first("user-message")["text"], "/test__tides Husum");
}
