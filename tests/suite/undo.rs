//! Files are read before they are changed, and what tools changed is put back.

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer};

/// A call of the user's own: its end.
async fn call(client: &mut TestClient, id: &str, tool: &str, arguments: Value) -> Value {
    client.send(json!({"type": "call-tool", "callId": id, "tool": tool, "arguments": arguments})).await;
    client.until("the call's end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == id).await
}

async fn start() -> TestServer {
    TestServer::start_with(ServerOptions::auto()).await
}

#[tokio::test]
async fn a_file_that_is_there_is_read_before_it_is_replaced_and_comes_back() {
    let server = start().await;
    server.file("notes.txt", "first\n");
    let mut client = server.connect().await;

    let turn = client.ask("Overwrite notes.txt with \"second\"").await.answered();
    let written = server.content("notes.txt");
    let undone = client.command("/undo").await;

    assert_eq!((turn.tools(), written.as_str()), (vec!["file_read", "file_edit"], "second"));
    let end = turn.all("tool-call-end").pop().expect("the write ended").clone();
    assert_eq!(end["undoable"], true, "{end:#}");
    assert_eq!(
        end["diff"],
        "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1 @@\n-first\n+second\n\\ No newline at end of file\n"
    );
    assert_eq!(undone["type"], "command-response", "{undone:#}");
    assert!(undone["text"].as_str().is_some_and(|text| text.contains("notes.txt")), "{undone:#}");
    assert_eq!(server.content("notes.txt"), "first\n");
    let undo = client.frames.iter().find(|frame| frame["undid"].is_array()).expect("it says what it undid");
    assert_eq!(undo["undid"], json!([end["callId"]]));
    assert_eq!(undo["undoable"], true);
}

#[tokio::test]
async fn text_is_replaced_and_put_back_in_the_users_words() {
    let server = start().await;
    server.file("config.txt", "port = 80\nhost = a\n");
    let mut client = server.connect().await;

    let edit = client.ask("Replace \"80\" with \"8080\" in config.txt").await.answered().says("+port = 8080");
    let edited = server.content("config.txt");
    let undo = client.ask("Undo that").await.answered().says("config.txt");

    assert_eq!((edit.tools(), undo.tools()), (vec!["file_read", "file_edit"], vec!["file_undo"]));
    assert_eq!(edited, "port = 8080\nhost = a\n");
    assert_eq!(server.content("config.txt"), "port = 80\nhost = a\n");
}

#[tokio::test]
async fn undo_survives_a_restart_and_takes_several_changes_at_once() {
    let mut server = start().await;
    let large = "x\n".repeat(50_000);
    server.file("large.txt", &large);
    let mut client = server.connect().await;
    let session = client.session();
    client.ask("Overwrite large.txt with \"small\"").await.answered();
    client.ask("Write \"new\" to new/file.txt").await.answered();
    server.kill().await;
    server.start_again().await;

    let mut client = server.connect_to(session, 0).await;
    let undone = client.command("/undo 2").await;

    assert_eq!(undone["type"], "command-response", "{undone:#}");
    assert!(server.content("large.txt") == large, "the before-image is whole");
    assert!(!server.workspace().join("new/file.txt").exists());
}

#[tokio::test]
async fn undo_refuses_what_changed_meanwhile_and_names_it() {
    let server = start().await;
    let mut client = server.connect().await;
    client.ask("Write \"one\" to a.txt").await.answered();
    server.file("a.txt", "by hand");

    let refused = client.command("/undo").await;
    let wrong = client.command("/undo many").await;

    assert_eq!(refused["type"], "command-error", "{refused:#}");
    assert!(refused["text"].as_str().is_some_and(|text| text.contains("a.txt has changed since then")), "{refused:#}");
    assert_eq!(server.content("a.txt"), "by hand");
    assert_eq!((&wrong["type"], &wrong["usage"]), (&json!("command-error"), &json!("/undo [n]")));
}

#[tokio::test]
async fn exactly_one_call_is_undone_by_its_id_and_brought_back() {
    let server = start().await;
    let mut client = server.connect().await;
    call(&mut client, "a", "file_write", json!({"path": "a.txt", "content": "a"})).await;
    call(&mut client, "b", "file_write", json!({"path": "b.txt", "content": "b"})).await;

    let undo = call(&mut client, "u", "file_undo", json!({"call_ids": ["a"]})).await;
    let gone = server.workspace().join("a.txt").exists();
    let again = call(&mut client, "v", "file_undo", json!({"call_ids": ["a"]})).await;
    let redo = call(&mut client, "w", "file_undo", json!({"call_ids": ["u"]})).await;

    assert_eq!((&undo["undid"], gone), (&json!(["a"]), false), "{undo:#}");
    assert!(again["error"].as_str().is_some_and(|error| error.contains("has already been undone")), "{again:#}");
    assert_eq!(redo["success"], true, "{redo:#}");
    assert_eq!((server.content("a.txt").as_str(), server.content("b.txt").as_str()), ("a", "b"));
}

#[tokio::test]
async fn nothing_to_undo_is_said() {
    let server = start().await;
    let mut client = server.connect().await;

    let said = client.command("/undo").await;

    assert!(said["text"].as_str().is_some_and(|text| text.contains("nothing to undo")), "{said:#}");
}

#[tokio::test]
async fn a_patch_over_several_files_is_all_or_nothing_and_undone_as_one() {
    let server = start().await;
    server.file("a.txt", "one\n");
    server.file("b.txt", "two\n");
    let mut client = server.connect().await;
    call(&mut client, "read", "file_read", json!({"file_paths": ["a.txt", "b.txt"]})).await;
    let half = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-three\n+2\n";
    let refused = call(&mut client, "half", "apply_patch", json!({"patch": half})).await;
    let untouched = server.content("a.txt");

    let patched = call(&mut client, "whole", "apply_patch", json!({"patch": half.replace("three", "two")})).await;
    let after = (server.content("a.txt"), server.content("b.txt"));
    client.command("/undo").await;

    assert!(refused["error"].as_str().is_some_and(|error| error.contains("b.txt: hunk 1")), "{refused:#}");
    assert_eq!(untouched, "one\n");
    assert_eq!((&patched["success"], &patched["undoable"]), (&json!(true), &json!(true)), "{patched:#}");
    assert_eq!(after, ("1\n".to_owned(), "2\n".to_owned()));
    assert_eq!((server.content("a.txt"), server.content("b.txt")), ("one\n".to_owned(), "two\n".to_owned()));
}
