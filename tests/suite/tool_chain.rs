//! Chains of tools over variables: references, names, versions, the limit of rounds.

use serde_json::json;
use switchboard_tests::{ServerOptions, TestServer};

#[tokio::test]
async fn a_file_is_copied_through_a_variable() {
    let server = TestServer::start().await;
    server.file("a.txt", "the text of a");
    let mut client = server.connect().await;

    client.ask("Read a.txt and call it source").await.answered();
    client
        .send(json!({"type": "call-tool", "callId": "copy", "tool": "file_write",
        "arguments": {"path": "b.txt", "content": "@source"}}))
        .await;
    let end = client.until("the copy", |frame| frame["type"] == "tool-call-end" && frame["callId"] == "copy").await;

    assert_eq!(end["success"], true, "{end:#}");
    assert_eq!(server.content("b.txt"), "the text of a");
}

#[tokio::test]
async fn a_reference_reaches_into_a_value() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.send(json!({"type": "set-variable", "name": "config", "value": {"paths": ["x.txt", "y.txt"]}})).await;
    client.until_type("context-update").await;

    client
        .send(json!({"type": "call-tool", "callId": "write", "tool": "file_write",
        "arguments": {"path": "@config.paths[1]", "content": "@@config"}}))
        .await;
    let start = client.until_type("tool-call-start").await;
    let end = client.until_type("tool-call-end").await;

    assert_eq!(start["arguments"]["path"], "y.txt");
    assert_eq!(start["references"], json!({"path": "@config.paths[1]"}));
    assert_eq!(end["success"], true, "{end:#}");
    assert_eq!(server.content("y.txt"), "@config");
}

#[tokio::test]
async fn a_value_that_looks_like_a_reference_is_not_resolved_again() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.send(json!({"type": "set-variable", "name": "inner", "value": "secret"})).await;
    client.send(json!({"type": "set-variable", "name": "outer", "value": "@inner"})).await;

    client
        .send(json!({"type": "call-tool", "callId": "write", "tool": "file_write",
        "arguments": {"path": "out.txt", "content": "@outer"}}))
        .await;
    client.until_type("tool-call-end").await;

    assert_eq!(server.content("out.txt"), "@inner");
}

#[tokio::test]
async fn a_default_name_that_is_taken_gets_a_suffix() {
    let server = TestServer::start().await;
    server.file("a.txt", "a");
    server.file("b.txt", "b");
    let mut client = server.connect().await;

    let first = client.ask("Read a.txt").await.answered();
    let second = client.ask("Read b.txt").await.answered();

    assert_eq!(first.stored(), ["file_content"]);
    assert_eq!(second.stored(), ["file_content_2"]);
}

#[tokio::test]
async fn a_given_name_gets_a_new_version_and_marks_what_was_made_from_it() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1 and call it base").await.answered();
    client.ask("Calculate @base * 10 and call it tenfold").await.answered();

    client.send(json!({"type": "set-variable", "name": "base", "value": 5})).await;
    let update = client.until_type("context-update").await;

    let set = update["set"].as_array().expect("variables");
    let base = set.iter().find(|variable| variable["name"] == "base").expect("base is set");
    let tenfold = set.iter().find(|variable| variable["name"] == "tenfold").expect("tenfold is marked");
    assert_eq!((base["version"].as_u64(), base["origin"]["tool"].as_str()), (Some(2), Some("user")));
    assert_eq!(tenfold["stale"], true);
    assert_eq!(tenfold["origin"]["inputs"], json!(["base"]));
}

#[tokio::test]
async fn three_steps_are_done_in_one_turn() {
    let server = TestServer::start().await;
    server.file("in.txt", "payload");
    let mut client = server.connect().await;

    let turn =
        client.ask("Read in.txt, then save that to out.txt, then list the files").await.answered().says("out.txt");

    assert_eq!(turn.tools(), ["file_read", "file_write", "list_directory"]);
    assert_eq!(server.content("out.txt"), "payload");
}

#[tokio::test]
async fn the_limit_of_rounds_ends_a_turn_with_what_was_done() {
    let server = TestServer::start_with(ServerOptions::with(&["--approve", "auto", "--max-iterations", "1"])).await;
    server.file("in.txt", "payload");
    let mut client = server.connect().await;

    let turn = client.ask("Read in.txt, then save that to out.txt, then list the files").await.failed("max-iterations");

    assert_eq!(turn.end["attemptedTools"], json!(["file_read"]));
    assert!(!server.workspace().join("out.txt").exists());
}
