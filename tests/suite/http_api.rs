//! The HTTP API beside the socket.

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestServer, request, soon};
use uuid::Uuid;

const JSON: (&str, &str) = ("Content-Type", "application/json");

async fn get(server: &TestServer, path: &str) -> Value {
    let reply = request(server.address(), "GET", path, &[], b"").await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    reply.json()
}

#[tokio::test]
async fn it_says_that_it_is_well() {
    let server = TestServer::start().await;

    for path in ["/healthz", "/readyz"] {
        assert_eq!(request(server.address(), "GET", path, &[], b"").await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn c10_a_server_that_runs_out_of_files_is_not_ready_and_says_so() {
    let server = TestServer::start().await;
    let pid = i32::try_from(server.pid()).ok().and_then(Pid::from_raw).expect("a process");
    let open = std::fs::read_dir(format!("/proc/{}/fd", server.pid())).expect("its files").count() as u64;
    let room = Rlimit { current: Some(open + 110), maximum: Some(open + 110) };
    prlimit(Some(pid), Resource::Nofile, room).expect("the limit is set");
    let ready = async || request(server.address(), "GET", "/readyz", &[], b"").await;
    // Baseline: there is room.
    assert_eq!(ready().await.status, 200);

    let mut clients = Vec::new();
    for _ in 0..60 {
        clients.push(server.connect().await);
    }
    let full = ready().await;
    let alive = request(server.address(), "GET", "/healthz", &[], b"").await;
    drop(clients);

    assert_eq!(full.status, 503, "{}", full.text());
    assert!(full.text().contains("files and connections open") && full.text().contains("ulimit -n"), "{}", full.text());
    assert_eq!(alive.status, 200);
    // Connections end when the server hears of it.
    soon("room again", async { while ready().await.status != 200 {} }).await;
}

#[tokio::test]
async fn whoever_read_another_history_is_told_so_over_http_too() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1").await.answered();
    let own = client.ready["generation"].as_str().expect("a generation").to_owned();
    let page = async |query: &str| {
        let path = format!("/api/sessions/{}/events?{query}", client.session());
        request(server.address(), "GET", &path, &[], b"").await
    };

    let other = page("after=1&generation=another").await;

    assert_eq!((other.status, other.json()["field"].as_str()), (409, Some("generation")), "{}", other.text());
    for query in [format!("after=1&generation={own}"), "after=0&generation=another".to_owned(), "after=1".to_owned()] {
        let events = page(&query).await.json()["events"].as_array().map_or(0, Vec::len);
        assert!(events > 0, "{query}");
    }
}

#[tokio::test]
async fn sessions_are_listed_shown_and_deleted() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1").await.answered();
    let path = format!("/api/sessions/{}", client.session());

    let list = get(&server, "/api/sessions").await;
    let one = get(&server, &path).await;
    client.close().await;
    let deleted = request(server.address(), "DELETE", &path, &[], b"").await;
    let gone = request(server.address(), "GET", &path, &[], b"").await;

    assert_eq!(list["sessions"].as_array().map(Vec::len), Some(1), "{list:#}");
    assert_eq!(list["sessions"][0]["sessionId"], one["sessionId"]);
    assert_eq!(list["sessions"][0]["title"], "Calculate 1 + 1");
    assert_eq!((deleted.status, gone.status), (204, 404));
    assert_eq!(gone.header("content-type"), Some("application/problem+json"));
}

#[tokio::test]
async fn what_is_not_there_is_a_problem_that_says_so() {
    let server = TestServer::start().await;
    let unknown = Uuid::new_v4();

    for (method, path, status) in [
        ("GET", "/api/nowhere".to_owned(), 404),
        ("GET", format!("/api/sessions/{unknown}"), 404),
        ("GET", format!("/api/sessions/{unknown}/events"), 404),
        ("GET", format!("/api/sessions/{unknown}/export"), 404),
        ("DELETE", format!("/api/sessions/{unknown}"), 404),
        ("GET", "/api/sessions/not-an-id".to_owned(), 404),
        ("PUT", "/api/tools".to_owned(), 405),
        ("GET", "/api/tools?limit=many".to_owned(), 400),
    ] {
        let reply = request(server.address(), method, &path, &[], b"").await;
        assert_eq!(reply.status, status, "{method} {path}: {}", reply.text());
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{method} {path}");
        assert!(reply.json()["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{}", reply.text());
    }
}

#[tokio::test]
async fn tools_are_listed_and_searched() {
    let server = TestServer::start().await;

    let all = get(&server, "/api/tools").await;
    let found = get(&server, "/api/tools?query=read%20a%20file&limit=3").await;

    let names: Vec<_> = all["tools"].as_array().expect("tools").iter().filter_map(|t| t["name"].as_str()).collect();
    for name in [
        "file_read",
        "file_write",
        "list_directory",
        "glob",
        "grep",
        "bash",
        "json_parse",
        "json_query",
        "calculator",
        "current_time",
        "store_variable",
    ] {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    assert_eq!(found["tools"][0]["name"], "file_read", "{found:#}");
}

#[tokio::test]
async fn an_export_is_imported_and_comes_out_the_same() {
    let server = TestServer::start().await;
    server.file("large.txt", &"large ".repeat(20_000));
    let mut client = server.connect().await;
    client.ask("Read large.txt and call it large").await.answered();
    client.ask("Store the number 42 as my_number").await.answered();
    let session = client.session().to_string();

    let first = request(server.address(), "GET", &format!("/api/sessions/{session}/export"), &[], b"").await;
    let imported = request(server.address(), "POST", "/api/sessions/import", &[JSON], &first.body).await;
    assert_eq!(imported.status, 201, "{}", imported.text());
    let copy = imported.json()["sessionId"].as_str().expect("an id").to_owned();
    let second = request(server.address(), "GET", &format!("/api/sessions/{copy}/export"), &[], b"").await;

    assert_ne!(copy, session);
    assert_eq!(second.text().replace(&copy, &session), first.text());
    let mut client = server.connect_to(copy.parse().expect("an id"), 0).await;
    client.ask("What number did I store earlier?").await.answered().says("42");
}

#[tokio::test]
async fn a_message_is_answered_as_server_sent_events() {
    let server = TestServer::start().await;
    let session = request(server.address(), "POST", "/api/sessions", &[JSON], b"{}").await.json();
    let path = format!("/api/sessions/{}/messages", session["sessionId"].as_str().expect("an id"));
    let body = json!({"text": "Calculate 6 * 7"}).to_string();

    let stream =
        request(server.address(), "POST", &path, &[JSON, ("Accept", "text/event-stream")], body.as_bytes()).await;

    assert_eq!(stream.header("content-type"), Some("text/event-stream"));
    let frames: Vec<Value> = stream
        .text()
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(|data| serde_json::from_str(data.trim()).expect("a frame"))
        .collect();
    assert_eq!(frames.first().map(|frame| frame["type"].clone()), Some(json!("user-message")));
    let end = frames.last().expect("an end");
    assert_eq!(end["type"], "agent-response");
    assert!(end["text"].as_str().is_some_and(|text| text.contains("42")), "{end:#}");
}

#[tokio::test]
async fn the_description_is_served() {
    let server = TestServer::start().await;

    let openapi = get(&server, "/api/openapi.json").await;
    let schema = get(&server, "/api/schema").await;

    assert_eq!(openapi["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    assert!(openapi["paths"]["/api/sessions/{session}/messages"]["post"].is_object(), "{:#?}", openapi["paths"]);
    assert!(schema.is_object());
}

#[tokio::test]
async fn a_question_is_answered_over_http_once() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let turn = client.post(r#"use ask_user {"question": "Which?", "choices": ["red", "blue"]}"#).await;
    let asked = client.until_type("user-query").await;
    let path = |query: &str| format!("/api/sessions/{}/queries/{query}", client.session());
    let own = path(asked["queryId"].as_str().expect("a question"));
    let answer = async |path: &str, body: &[u8]| request(server.address(), "POST", path, &[JSON], body).await;

    let wrong = answer(&own, br#"{"answer": "green"}"#).await;
    let unknown = answer(&path("nobody"), br#"{"answer": "red"}"#).await;
    let long = answer(&path(&"x".repeat(200)), br#"{"answer": "red"}"#).await;
    let right = answer(&own, br#"{"answer": "blue"}"#).await;
    let again = answer(&own, b"{}").await;

    assert_eq!((wrong.status, unknown.status, long.status, again.status), (422, 404, 404, 404), "{}", again.text());
    assert_eq!(wrong.json()["field"], "answer", "{}", wrong.text());
    assert_eq!(right.status, 204, "{}", right.text());
    client.end_of(&turn).await.answered().says("blue");
}

#[tokio::test]
async fn an_approval_is_answered_over_http_once() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    let mut client = server.connect().await;
    let turn = client.post("Run echo was-allowed").await;
    let asked = client.until_type("approval-request").await;
    let path = |call: &str| format!("/api/sessions/{}/approvals/{call}", client.session());
    let own = path(asked["callId"].as_str().expect("a call"));
    let answer = async |path: &str, body: &[u8]| request(server.address(), "POST", path, &[JSON], body).await;

    let wrong = answer(&own, br#"{"decision": "maybe"}"#).await;
    let unknown = answer(&path("nobody"), br#"{"decision": "allow-once"}"#).await;
    let long = answer(&path(&"x".repeat(200)), br#"{"decision": "allow-once"}"#).await;
    let edited = br#"{"decision": "allow-once", "arguments": {"command": "echo was-edited"}}"#;
    let right = answer(&own, edited).await;
    let again = answer(&own, br#"{"decision": "deny"}"#).await;

    assert_eq!((wrong.status, unknown.status, long.status, again.status), (422, 404, 404, 404), "{}", again.text());
    assert_eq!(wrong.json()["field"], "decision", "{}", wrong.text());
    assert_eq!(unknown.json()["field"], "callId", "{}", unknown.text());
    assert_eq!(right.status, 204, "{}", right.text());
    client.end_of(&turn).await.answered().says("was-edited");
}
