//! Messages at odd moments: before the session is ready, twice, to what is gone, and what is said of calls that are not open:
//! B04, B06, B08, B09, B11, B12.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer, request};
use tokio_tungstenite::tungstenite::Message;

fn said(text: &str, id: &str) -> Value {
    json!({"type": "send-message", "text": text, "messageId": id})
}

fn of_type<'a>(client: &'a TestClient, kind: &str) -> Vec<&'a Value> {
    client.frames.iter().filter(|frame| frame["type"] == kind).collect()
}

#[tokio::test]
async fn b04_a_message_on_two_sockets_at_once_is_one_event() {
    let server = TestServer::start().await;
    let mut one = server.connect().await;
    one.ask("Calculate 1 + 1").await.answered();
    let mut other = server.connect_to(one.session(), one.last_seq()).await;

    for number in 0..20 {
        let id = format!("twice-{number}");
        let frame = said("Calculate 6 * 7", &id);
        tokio::join!(one.send(frame.clone()), other.send(frame));
        for client in [&mut one, &mut other] {
            client.end_of(&id).await;
        }
    }
    one.send(json!({"type": "ping"})).await;
    one.until_type("pong").await;

    let mut all = server.connect_to(one.session(), 0).await;
    all.end_of("twice-19").await;
    for number in 0..20 {
        let id = format!("twice-{number}");
        let events = of_type(&all, "user-message").iter().filter(|frame| frame["messageId"] == id.as_str()).count();
        assert_eq!(events, 1, "{id}");
    }
    let repeated =
        [&one, &other].map(|client| of_type(client, "user-message").iter().filter(|f| f["repeated"] == true).count());
    assert_eq!(repeated.iter().sum::<usize>(), 20, "{repeated:?}");
}

#[tokio::test]
async fn b06_a_message_before_the_session_is_ready_is_answered() {
    let server = TestServer::start().await;
    let mut early = TestClient::dial(server.address(), "", &[]).await.expect("the upgrade works");

    early.send(said("Calculate 6 * 7", "early")).await;

    assert_eq!(early.next().await["type"], "session-ready");
    early.end_of("early").await.answered().says("42");
}

#[tokio::test]
async fn b06_a_message_to_a_deleted_session_finds_the_socket_closed() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1").await.answered();
    let session = client.session();

    let deleted = request(server.address(), "DELETE", &format!("/api/sessions/{session}"), &[], b"").await;
    let _ = client.send_message(Message::text(said("Calculate 6 * 7", "late").to_string())).await;

    assert_eq!(deleted.status, 204, "{}", deleted.text());
    assert_eq!(client.closed().await.code, 4004);
    let mut again = TestClient::dial(server.address(), &format!("?session={session}"), &[]).await.expect("the upgrade");
    assert_eq!(again.closed().await.code, 4004);
}

#[tokio::test]
async fn b08_a_turn_that_is_cancelled_at_any_moment_ends_once() {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    let mut client = server.connect().await;

    client.send(json!({"type": "cancel"})).await;
    client.send(said("Run `echo begun; sleep 50`", "run")).await;
    client.until_type("tool-output-chunk").await;
    client.send(json!({"type": "cancel"})).await;
    client.send(json!({"type": "cancel"})).await;
    client.end_of("run").await;
    client.send(json!({"type": "cancel"})).await;
    client.ask("Calculate 6 * 7").await.answered();

    let ends = client.frames.iter().filter(|frame| {
        matches!(frame["type"].as_str(), Some("agent-response" | "agent-error")) && frame.to_string().contains("run")
    });
    assert_eq!(ends.count(), 1, "{:#?}", client.frames);
}

#[tokio::test]
async fn b09_an_approval_of_a_call_that_is_not_open_runs_nothing() {
    let server = TestServer::start_with(ServerOptions::with(&["--approve", "ask"])).await;
    let mut client = server.connect().await;
    let mut other = server.connect().await;
    let approve = |id: &Value| json!({"type": "approve-tool", "callId": id, "decision": "allow-once"});

    client.send(said("Run `echo once >> ran.txt`", "run")).await;
    let asked = client.until_type("approval-request").await;
    for (who, id) in [("unknown", json!("no-such-call")), ("another session's", asked["callId"].clone())] {
        other.send(approve(&id)).await;
        assert_eq!(other.until_type("agent-error").await["code"], "unknown-call", "{who}");
    }
    assert!(!server.workspace().join("ran.txt").exists());
    client.send(approve(&asked["callId"])).await;
    client.end_of("run").await;
    client.send(approve(&asked["callId"])).await;
    let error = client.until("the refusal", |frame| frame["code"] == "unknown-call").await;

    assert_eq!(error["type"], "agent-error");
    assert_eq!(server.content("ran.txt"), "once\n");
}

#[tokio::test]
async fn b11_names_that_lead_nowhere_are_told_and_values_are_not_read_again() {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    let mut client = server.connect().await;
    for (name, value) in [("circle", "@circle"), ("plain", "as it is")] {
        client.send(json!({"type": "set-variable", "name": name, "value": value})).await;
    }
    let write = |path: &str, content: &str| json!({"path": path, "content": content});

    let long = format!("@{}", "x".repeat(10_000));
    for (id, arguments, expected) in [
        ("unresolved", write("@nowhere.at.all", "@nothing"), Err(["@nowhere", "@nothing"])),
        ("proto", write("@__proto__", "@constructor"), Err(["@__proto__", "@constructor"])),
        ("dots", write("out.txt", "@.."), Ok("@..")),
        ("longer than a name", write("out.txt", &long), Ok(&long)),
        ("circle", write("out.txt", "@circle"), Ok("@circle")),
        ("literal", write("out.txt", "@@plain"), Ok("@plain")),
    ] {
        let call = json!({"type": "call-tool", "callId": id, "tool": "file_write", "arguments": arguments});
        client.send(call).await;
        let end = client.until("its end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == id).await;
        match expected {
            Ok(written) => assert_eq!(server.content("out.txt"), written, "{id}: {end:#}"),
            Err(named) => {
                assert_eq!(end["errorType"], "validation_error", "{id}: {end:#}");
                let error = end["error"].as_str().unwrap_or_default();
                assert!(named.iter().all(|name| error.contains(name)) && error.len() < 2000, "{id}: {error}");
            }
        }
    }
}

#[tokio::test]
async fn b12_the_largest_value_is_a_preview_for_the_model_and_whole_for_tools() {
    let llm = ScriptedLlm::of([
        Answer::calls([("file_read", json!({"file_paths": ["large.txt"]}))]),
        Answer::calls([("file_write", json!({"path": "copy.txt", "content": "@file_content"}))]),
        Answer::text("It is copied."),
    ])
    .await;
    let server = crate::models::server(&llm, "native").await;
    let large = "sixteen letters\n".repeat(1024 * 1024);
    server.file("large.txt", &large);

    let turn = server.connect().await.ask("Copy large.txt to copy.txt").await.answered();

    assert_eq!(turn.stored(), ["file_content", "file_write_result"]);
    assert!(server.content("copy.txt") == large, "it is written whole");
    for asked in llm.all() {
        let bytes = json!(asked.messages()).to_string().len();
        assert!(bytes < 200_000, "{bytes} bytes in a prompt");
    }
}
