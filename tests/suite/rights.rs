//! Two tokens: the server's own, which may do everything, and one that only chats.

use serde_json::{Value, json};
use switchboard_tests::{Reply, ServerOptions, TestClient, TestServer, WebServer, page, request};

const OWN: &str = "Bearer correct-horse-battery";
const CHAT: &str = "Bearer only-chats-here-today";

async fn server(approve: &str) -> TestServer {
    let tokens = ["--auth-token", &OWN["Bearer ".len()..], "--chat-token", &CHAT["Bearer ".len()..]];
    TestServer::start_with(ServerOptions::with(&[&tokens[..], &["--approve", approve]].concat())).await
}

async fn client(server: &TestServer, bearer: &str, query: &str) -> TestClient {
    let dialled = TestClient::dial(server.address(), query, &[("authorization", bearer)]).await;
    let mut client = dialled.expect("the upgrade works");
    client.ready = client.next().await;
    client
}

async fn asked(server: &TestServer, bearer: &str, method: &str, path: &str, body: &Value) -> Reply {
    let headers = [("Authorization", bearer), ("Content-Type", "application/json")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    request(server.address(), method, path, &headers, body.as_bytes()).await
}

/// The refusal on the socket names the setting.
fn is_refused(what: &str, frame: &Value) {
    assert_eq!((&frame["type"], &frame["code"]), (&json!("agent-error"), &json!("not-allowed")), "{what}: {frame:#}");
    let said = format!("{} {}", frame["text"], frame["suggestions"]);
    assert!(said.contains("chat-token") && said.contains("auth-token"), "{what}: {said}");
}

#[tokio::test]
async fn a_token_that_only_chats_chats() {
    let server = server("ask").await;
    let mut client = client(&server, CHAT, "").await;

    client.ask("Calculate 6 * 7").await.answered().says("42");
    client.send(json!({"type": "set-variable", "name": "x", "value": 1})).await;
    client.until_type("context-update").await;
    for command in ["/help", "/permissions", "/mcp", "/agents", "/model", "/tools"] {
        client.command(command).await;
    }
    assert_eq!(asked(&server, CHAT, "GET", "/api/providers", &Value::Null).await.status, 200);
    assert_eq!(asked(&server, CHAT, "POST", "/api/sessions", &Value::Null).await.status, 201);
}

#[tokio::test]
async fn a_token_that_only_chats_changes_nothing_that_others_share() {
    let server = server("ask").await;
    let choice = json!({"provider": "compatible", "baseUrl": "http://127.0.0.1:1", "model": "x"});
    let routes = [
        ("POST", "/api/providers", choice),
        ("DELETE", "/api/providers/openai", Value::Null),
        ("POST", "/api/agents/reader", json!({"enabled": false})),
        ("POST", "/api/mcp/files", json!({"enabled": false})),
        ("POST", "/api/sessions/import", json!({})),
    ];

    for (method, path, body) in &routes {
        let refused = asked(&server, CHAT, method, path, body).await;
        assert_eq!(refused.status, 403, "{path}: {}", refused.text());
        assert!(refused.text().contains("chat-token"), "{path}: {}", refused.text());
        let own = asked(&server, OWN, method, path, body).await;
        assert!(!matches!(own.status, 401 | 403), "{path}: {} {}", own.status, own.text());
    }
    assert_eq!(asked(&server, OWN, "POST", "/api/agents/reader", &json!({"enabled": true})).await.status, 200);

    let mut chatting = client(&server, CHAT, "").await;
    for command in [
        "/permissions allow bash",
        "/permissions remove 1",
        "/mcp approve x",
        "/mcp restart x",
        "/mcp off x",
        "/mcp on x",
        "/agents off reader",
        "/model other",
        "/undo",
        "/undo 2",
    ] {
        chatting.send(json!({"type": "send-message", "text": command})).await;
        is_refused(command, &chatting.next().await);
        let path = format!("/api/sessions/{}/messages", chatting.session());
        assert_eq!(asked(&server, CHAT, "POST", &path, &json!({"text": command})).await.status, 403, "{command}");
    }
    let call = json!({"type": "call-tool", "callId": "c1", "tool": "bash", "arguments": {"command": "touch trace"}});
    chatting.send(call).await;
    is_refused("call-tool", &chatting.next().await);
    assert!(!server.workspace().join("trace").exists());
    let agents = asked(&server, OWN, "GET", "/api/agents", &Value::Null).await.json();
    assert!(
        agents["agents"].as_array().is_some_and(|all| all.iter().all(|agent| agent["enabled"] == true)),
        "{agents}"
    );
}

#[tokio::test]
async fn what_runs_programs_is_allowed_by_the_servers_own_token_only() {
    let server = server("ask").await;
    let mut chatting = client(&server, CHAT, "").await;
    let turn = chatting.post("Run `echo it-$((40 + 2))`").await;
    let asked_for = chatting.until_type("approval-request").await;
    let id = asked_for["callId"].as_str().expect("an id").to_owned();

    for decision in ["allow-once", "allow-session", "deny"] {
        chatting.send(json!({"type": "approve-tool", "callId": id, "decision": decision})).await;
        is_refused(decision, &chatting.until_type("agent-error").await);
    }
    let path = format!("/api/sessions/{}/approvals/{id}", chatting.session());
    let refused = asked(&server, CHAT, "POST", &path, &json!({"decision": "allow-once"})).await;
    assert_eq!(refused.status, 403, "{}", refused.text());

    // It still waits, for whoever may.
    let own = asked(&server, OWN, "POST", &path, &json!({"decision": "allow-once"})).await;
    assert_eq!(own.status, 204, "{}", own.text());
    chatting.end_of(&turn).await.answered().says("it-42");
}

#[tokio::test]
async fn writing_is_allowed_once_by_a_token_that_only_chats_and_not_for_the_session() {
    let server = server("ask").await;
    let mut chatting = client(&server, CHAT, "").await;
    let turn = chatting.post("Write \"hello\" to a.txt").await;
    let request = chatting.until_type("approval-request").await;

    let answer = |decision: &str| json!({"type": "approve-tool", "callId": request["callId"], "decision": decision});
    chatting.send(answer("allow-session")).await;
    is_refused("for the session", &chatting.until_type("agent-error").await);
    chatting.send(answer("allow-once")).await;
    chatting.end_of(&turn).await.answered();

    assert_eq!(server.content("a.txt").trim_end(), "hello");
}

#[tokio::test]
async fn a_login_with_the_token_that_only_chats_only_chats() {
    let server = server("ask").await;
    let body = json!({"token": &CHAT["Bearer ".len()..]});
    let login = asked(&server, "", "POST", "/api/login", &body).await;
    let cookie = login.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie");
    let headers = [("Cookie", cookie), ("Content-Type", "application/json")];

    let listed = request(server.address(), "GET", "/api/sessions", &headers, b"").await;
    let switched = request(server.address(), "POST", "/api/agents/reader", &headers, b"{\"enabled\": false}").await;

    assert_eq!((listed.status, switched.status), (200, 403));
}

#[tokio::test]
async fn a_token_that_only_chats_stands_beside_another_one() {
    for (arguments, says) in [
        (&["--chat-token", "only-chats-here-today"][..], "auth-token"),
        (&["--chat-token", "the-same-token-twice", "--auth-token", "the-same-token-twice"], "the same"),
        (&["--chat-token", "short", "--auth-token", "correct-horse-battery"], "16 characters"),
    ] {
        let server = TestServer::prepare(ServerOptions::with(arguments));
        let output = server.command("127.0.0.1:0").output().await.expect("the server ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("chat-token") && said.contains(says), "{said}");
    }
}

#[tokio::test]
async fn a_token_that_only_chats_lets_no_command_out() {
    let web = WebServer::start(|_| page("text/plain", "reached")).await;
    let tokens = ["--auth-token", &OWN["Bearer ".len()..], "--chat-token", &CHAT["Bearer ".len()..]];
    let address = web.address();
    let arguments = [&tokens[..], &["--web-allow-local", &address, "--allow", "bash(network=true)"]].concat();
    let server = TestServer::start_with(ServerOptions::with(&arguments)).await;
    let mut chatting = client(&server, CHAT, "").await;
    let command = json!({"command": format!("curl -sS --noproxy '' {}", web.url("/")), "network": true});

    let turn = chatting.post(&format!("Call bash with {command}")).await;
    let query = chatting.until_type("user-query").await;
    for answer in ["allow-once", "allow-session"] {
        chatting.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": answer})).await;
        let refused = chatting.until("the refusal", |frame| frame["code"] == "not-allowed").await;
        is_refused(answer, &refused);
        chatting.frames.clear();
    }
    let mut owner = client(&server, OWN, &format!("?session={}", chatting.session())).await;
    owner.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": "deny"})).await;
    chatting.until_type("tool-call-end").await;

    assert!(!turn.is_empty() && web.requests().is_empty());
}
