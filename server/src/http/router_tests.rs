//! Claims about the routes as a request meets them: guard, login, problem details, headers, and one exchange of each kind.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use serde_json::{Value, json};
use switchboard_protocol::ClientFrame;
use tower::ServiceExt;

use super::super::Auth;
use super::*;
use switchboard_accounts::Principal;
use switchboard_events::{ConversationSearch, LogError, SearchResult};
use switchboard_runtime::Secret;
use switchboard_session::test_support::Bench;

const TOKEN: &str = "correct-horse-battery";

struct Server {
    bench: Bench,
    router: Router,
}

/// The index has tests of its own.
struct FoundNothing;

#[async_trait::async_trait]
impl ConversationSearch for FoundNothing {
    async fn search(&self, _: &Principal, _: &str, _: usize) -> Result<SearchResult, LogError> {
        Ok(SearchResult::default())
    }
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {}", self.body))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// A refusal that says what happened, in which field.
    fn refuses(&self, status: u16, field: Option<&str>) {
        assert_eq!((self.status, self.header("content-type")), (status, "application/problem+json"), "{}", self.body);
        let problem = self.json();
        assert_eq!((problem["status"].as_u64(), problem["field"].as_str()), (Some(status.into()), field), "{problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{problem}");
    }
}

impl Server {
    fn new(bench: Bench, config: &HttpConfig) -> Self {
        let state = ApiState {
            auth: Auth::new(config, [7; 32], None).expect("no file is read"),
            sessions: bench.sessions.clone(),
            search: Arc::new(FoundNothing),
            node_secret: None,
        };
        Self { router: router(state, config, SocketConfig::default(), true), bench }
    }

    fn open() -> Self {
        Self::new(Bench::new(), &HttpConfig::default())
    }

    fn locked() -> Self {
        Self::new(Bench::new(), &HttpConfig { auth_token: Some(Secret::new(TOKEN)), ..HttpConfig::default() })
    }

    async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", "127.0.0.1:7878");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.to_owned())).expect("a request");
        let response = self.router.clone().oneshot(request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("the body");
        let body = String::from_utf8(body.to_vec()).expect("text");
        Answer { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], "").await
    }

    async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(Method::POST, path, &[("content-type", "application/json")], &body.to_string()).await
    }

    async fn session(&self) -> String {
        let made = self.post("/api/sessions", &json!({})).await;
        made.json()["sessionId"].as_str().expect("an id").to_owned()
    }
}

#[tokio::test]
async fn what_nobody_serves_is_a_problem_or_the_page() {
    let server = Server::open();

    server.get("/api/nowhere").await.refuses(404, None);
    server.send(Method::PUT, "/api/tools", &[], "").await.refuses(405, None);
    server.get("/api/tools?limit=0").await.refuses(400, Some("limit"));
    server.get("/api/tools?unheard=of").await.refuses(400, Some("unheard"));
    server.get("/api/sessions/not-an-id").await.refuses(404, Some("session"));
    assert_eq!(server.get("/healthz").await.body, "ok\n");
}

#[tokio::test]
async fn bodies_are_held_against_the_description() {
    let server = Server::open();
    let messages = format!("/api/sessions/{}/messages", server.session().await);
    let json = ("content-type", "application/json");

    for (path, body, status, field) in [
        ("/api/sessions", r#"{"title": 1}"#, 422, "title"),
        ("/api/sessions", r#"{"name": "x"}"#, 422, "body"),
        ("/api/sessions", "{", 400, "body"),
        (&messages, "{}", 422, "body"),
        (&messages, r#"{"text": " "}"#, 422, "text"),
        (&messages, r#"{"text": "x", "mode": "later"}"#, 422, "mode"),
    ] {
        server.send(Method::POST, path, &[json], body).await.refuses(status, Some(field));
    }
    let form = ("content-type", "application/x-www-form-urlencoded");
    server.send(Method::POST, &messages, &[form], "text=x").await.refuses(415, Some("Content-Type"));
}

#[tokio::test]
async fn a_foreign_page_gets_no_further_than_the_guard() {
    let server = Server::open();

    for header in [("host", "evil.example"), ("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")] {
        let answer = server.send(Method::POST, "/api/sessions", &[header], "").await;
        assert_eq!(answer.status, 403, "{header:?}: {}", answer.body);
    }
    let sessions = server.get("/api/sessions").await.json();
    assert_eq!(sessions["sessions"], json!([]), "nothing was made");
    let own = [("host", "localhost:7878"), ("origin", "http://localhost:7878")];
    assert_eq!(server.send(Method::POST, "/api/sessions", &own, "").await.status, 201);
}

#[tokio::test]
async fn without_the_token_only_health_page_and_login_answer() {
    let server = Server::locked();
    let id = "7b0e4f6a-3c1d-4b5e-9f70-2a6c8d1e0b34";

    for (method, path) in [
        (Method::GET, "/api/sessions".to_owned()),
        (Method::GET, "/api/openapi.json".to_owned()),
        (Method::GET, format!("/api/sessions/{id}/events")),
        (Method::POST, format!("/api/sessions/{id}/messages")),
        (Method::POST, format!("/api/sessions/{id}/approvals/call")),
        (Method::POST, format!("/api/sessions/{id}/queries/query")),
        (Method::DELETE, format!("/api/sessions/{id}")),
        (Method::GET, "/ws".to_owned()),
        (Method::GET, "/api/nowhere".to_owned()),
    ] {
        let answer = server.send(method, &path, &[], "").await;
        assert_eq!(answer.status, 401, "{path}: {}", answer.body);
        assert!(answer.header("www-authenticate").starts_with("Bearer"), "{path}");
    }
    assert_eq!(server.get("/healthz").await.status, 200);
    let bearer = format!("Bearer {TOKEN}");
    assert_eq!(server.send(Method::GET, "/api/sessions", &[("authorization", &bearer)], "").await.status, 200);
}

#[tokio::test]
async fn a_login_gives_a_cookie_that_stands_for_the_token_until_it_changes() {
    let server = Server::locked();
    server.post("/api/login", &json!({"token": "wrong"})).await.refuses(401, Some("token"));

    let login = server.post("/api/login", &json!({"token": TOKEN})).await;
    let cookie = login.header("set-cookie").split(';').next().expect("a cookie").to_owned();

    let headers = [("cookie", cookie.as_str())];
    assert_eq!((login.status, cookie.contains(TOKEN)), (204, false));
    assert_eq!(server.send(Method::GET, "/api/sessions", &headers, "").await.status, 200);
    let forged = [("cookie", &*cookie.replace('.', ".0"))];
    assert_eq!(server.send(Method::GET, "/api/sessions", &forged, "").await.status, 401);
    let config = HttpConfig { auth_token: Some(Secret::new("another-horse-battery")), ..HttpConfig::default() };
    let changed = Server::new(Bench::new(), &config);
    assert_eq!(changed.send(Method::GET, "/api/sessions", &headers, "").await.status, 401);
}

#[tokio::test]
async fn every_answer_has_the_headers_that_tie_a_browsers_hands() {
    let server = Server::open();

    for path in ["/", "/healthz", "/api/sessions", "/api/nowhere", "/api/docs"] {
        let answer = server.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}");
        assert!(policy.ends_with("; trusted-types lit-html dompurify sb-worker"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(
            answer.header("cache-control") == "no-store",
            path.starts_with("/api/") && path != "/api/docs",
            "{path}"
        );
    }
}

#[tokio::test]
async fn the_frame_has_headers_of_its_own_and_gets_nothing_but_its_files() {
    let server = Server::open();
    let by_frame = [("origin", "null"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "cors")];

    for path in ["/frame/mermaid.html", "/frame/chunk-0A1B2C3D.js", "/frame/nowhere"] {
        let answer = server.send(Method::GET, path, &by_frame, "").await;
        assert!(matches!(answer.status, 200 | 404), "{path}: {}", answer.status);
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("sandbox allow-scripts; default-src 'none'"), "{path}: {policy}");
        assert!(
            policy.ends_with("frame-ancestors 'self'") && !policy.contains("allow-same-origin"),
            "{path}: {policy}"
        );
        assert_eq!(answer.header("x-frame-options"), "SAMEORIGIN", "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin", "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
    }
    assert_eq!(server.get("/frame/nowhere").await.status, 404, "it is never the page");

    let session = server.session().await;
    for (method, path) in [
        (Method::GET, "/".to_owned()),
        (Method::GET, "/index.html".to_owned()),
        (Method::GET, "/assets/app-0A1B2C3D.js".to_owned()),
        (Method::GET, "/frame".to_owned()),
        (Method::GET, "/frames/x.js".to_owned()),
        (Method::GET, "//frame/x.js".to_owned()),
        (Method::GET, "/ws".to_owned()),
        (Method::GET, "/healthz".to_owned()),
        (Method::GET, "/api/sessions".to_owned()),
        (Method::GET, "/api/docs".to_owned()),
        (Method::GET, format!("/api/sessions/{session}/resources/file:a.pdf")),
        (Method::POST, format!("/api/sessions/{session}/messages")),
        (Method::POST, "/frame/mermaid.html".to_owned()),
        (Method::DELETE, "/frame/mermaid.html".to_owned()),
    ] {
        let answer = server.send(method, &path, &by_frame, "").await;
        assert_eq!(answer.status, 403, "{path}");
        assert!(path.starts_with("/frame/") || answer.header("access-control-allow-origin").is_empty(), "{path}");
    }
    for foreign in [
        &[("origin", "https://evil.example")][..],
        &[("origin", "null"), ("origin", "null")],
        &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")],
        &[("origin", "null"), ("host", "evil.example")],
    ] {
        let answer = server.send(Method::GET, "/frame/mermaid.html", foreign, "").await;
        assert_eq!(answer.status, 403, "{foreign:?}");
    }
}

#[tokio::test]
async fn what_a_session_shows_is_not_found_by_anybody_but_its_owner() {
    let server = Server::open();
    let (ada, new) = (Principal::named("ada"), switchboard_session::AttachFrom::New);
    let attached = server.bench.sessions.attach(&ada, None, new, true).await.expect("a session of ada's");
    let ready: Value = serde_json::from_str(&attached.ready).expect("JSON");
    let content = |session: &str| format!("/api/sessions/{session}/resources/file:.");

    let own = server.get(&content(&server.session().await)).await;
    let theirs = server.get(&content(ready["sessionId"].as_str().expect("an id"))).await;

    assert_eq!(own.status, 200, "{}", own.body);
    theirs.refuses(404, Some("session"));
}

#[tokio::test]
async fn a_message_is_answered_with_its_frames_or_with_the_last_one() {
    let server = Server::open();
    let messages = format!("/api/sessions/{}/messages", server.session().await);

    let stream = server.post(&messages, &json!({"text": "say hello", "messageId": "m1"})).await;
    let again = server.post(&messages, &json!({"text": "say hello", "messageId": "m1"})).await;
    let conflict = server.post(&messages, &json!({"text": "say other", "messageId": "m1"})).await;
    let headers = [("content-type", "application/json"), ("accept", "application/json")];
    let last = server.send(Method::POST, &messages, &headers, r#"{"text": "say once more"}"#).await;

    assert_eq!((stream.status, stream.header("content-type")), (200, "text/event-stream"));
    assert!(stream.body.contains(r#""type":"user-message""#) && stream.body.contains("hello"), "{}", stream.body);
    assert_eq!(stream.body.matches(r#""type":"agent-response""#).count(), 1, "{}", stream.body);
    assert_eq!(again.body.matches("data:").count(), stream.body.matches("data:").count(), "{}", again.body);
    conflict.refuses(409, Some("messageId"));
    assert_eq!(last.json()["text"], "once more");
}

#[tokio::test]
async fn an_approval_is_answered_by_whoever_has_no_socket() {
    let server = Server::new(Bench::asking(), &HttpConfig::default());
    let mut client = server.bench.client().await;
    client.send("m1", r#"call act {"on":"this"}"#).await;
    let asked =
        client.until(|message| matches!(message, switchboard_protocol::ServerMessage::ApprovalRequest { .. })).await;
    let switchboard_protocol::ServerMessage::ApprovalRequest { call_id, .. } = asked.message else { unreachable!() };
    let path = format!("/api/sessions/{}/approvals/{call_id}", client.session());

    server
        .post(&path.replace(call_id.as_str(), "nobody"), &json!({"decision": "deny"}))
        .await
        .refuses(404, Some("callId"));
    server.post(&path, &json!({"decision": "perhaps"})).await.refuses(422, Some("decision"));
    let taken = server.post(&path, &json!({"decision": "allow-once"})).await;

    assert_eq!((taken.status, taken.body.as_str()), (204, ""));
    client.end_of("m1").await;
    server.post(&path, &json!({"decision": "deny"})).await.refuses(404, Some("callId"));
    client.send_frame(ClientFrame::Ping {}).await;
}

#[tokio::test]
async fn a_panic_is_an_error_that_tells_nothing_of_the_inside() {
    let answer = panicked(Box::new("secret of the inside"));

    assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
    let body = to_bytes(answer.into_body(), usize::MAX).await.expect("the body");
    assert!(!String::from_utf8_lossy(&body).contains("secret"));
}
