//! Servers that are reached by HTTP: what is sent, what comes back, and what happens when it is not what it should be.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, Response, StatusCode};
use axum::routing::any;
use serde_json::{Value, json};
use switchboard_protocol::{ErrorType, Risk};
use tokio::net::TcpListener;

use super::client::Limits;
use super::status::ServerState;
use super::test_support::{Fixture, failure, text};

/// What the server does with the next call.
#[derive(Clone, Copy)]
enum Next {
    Answer,
    Stream,
    Status(u16),
    Redirect,
}

#[derive(Default)]
struct Requests {
    /// Method, JSON-RPC method and the header that the file gives, of everything that came.
    requests: Vec<(Method, String, Option<String>)>,
    next: VecDeque<Next>,
}

/// A small server.
#[derive(Clone, Default)]
struct Web {
    kept: Arc<Mutex<Requests>>,
}

impl Web {
    /// Starts it and answers its address.
    async fn start(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let web = self.clone();
        let elsewhere = any({
            let web = self.clone();
            move |request| web.clone().serve(request)
        });
        let router = axum::Router::new().route("/mcp", any(move |request| web.clone().serve(request)));
        let router = router.route("/elsewhere", elsewhere);
        #[expect(clippy::disallowed_methods, reason = "the task ends with the test")]
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{address}/mcp?key=hidden")
    }

    fn next(&self, next: Next) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).next.push_back(next);
    }

    fn methods(&self) -> Vec<String> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.requests.iter().map(|(_, method, _)| method.clone()).filter(|method| !method.is_empty()).collect()
    }

    async fn serve(self, request: Request<Body>) -> Response<Body> {
        let (method, headers) = (request.method().clone(), request.headers().clone());
        let bytes = axum::body::to_bytes(request.into_body(), 1 << 20).await.expect("a small body");
        let message: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let rpc = message["method"].as_str().unwrap_or_default().to_owned();
        self.keep(method.clone(), &rpc, &headers);
        match (method, rpc.as_str()) {
            (Method::POST, "initialize") => greeting(&message["id"]),
            (Method::POST, "tools/list") => answer(&message["id"], &tools()),
            (Method::POST, "tools/call") => self.call(&message),
            (Method::POST, _) => status(202),
            (Method::DELETE, _) => status(200),
            _ => status(405),
        }
    }

    fn keep(&self, method: Method, rpc: &str, headers: &HeaderMap) {
        let token = headers.get("x-token").and_then(|value| value.to_str().ok()).map(ToOwned::to_owned);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.requests.push((method, rpc.to_owned(), token));
    }

    fn call(&self, message: &Value) -> Response<Body> {
        let next = self.kept.lock().unwrap_or_else(PoisonError::into_inner).next.pop_front();
        let result = json!({"content": [{"type": "text", "text": "by HTTP"}]});
        match next.unwrap_or(Next::Answer) {
            Next::Answer => answer(&message["id"], &result),
            Next::Status(code) => status(code),
            Next::Redirect => {
                let mut response = status(307);
                response.headers_mut().insert("location", "/elsewhere".parse().expect("a header"));
                response
            }
            Next::Stream => {
                let progress = json!({
                    "progressToken": message["params"]["_meta"]["progressToken"], "progress": 1, "total": 2,
                });
                let report = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress});
                let end = json!({"jsonrpc": "2.0", "id": message["id"], "result": result});
                let mut response = Response::new(Body::from(format!("data: {report}\n\ndata: {end}\n\n")));
                response.headers_mut().insert("content-type", "text/event-stream".parse().expect("a header"));
                response
            }
        }
    }
}

fn tools() -> Value {
    json!({"tools": [{"name": "ask", "description": "Asks.", "inputSchema": {"type": "object"}}]})
}

fn greeting(id: &Value) -> Response<Body> {
    let greeting = json!({
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "web", "version": "2"},
    });
    let mut response = answer(id, &greeting);
    response.headers_mut().insert("mcp-session-id", "one".parse().expect("a header"));
    response
}

fn answer(id: &Value, result: &Value) -> Response<Body> {
    let message = json!({"jsonrpc": "2.0", "id": id, "result": result});
    let mut response = Response::new(Body::from(message.to_string()));
    response.headers_mut().insert("content-type", "application/json".parse().expect("a header"));
    response
}

fn status(code: u16) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::from_u16(code).expect("a status");
    response
}

/// A server that is reached, once it is ready.
async fn ready(web: &Web) -> Fixture {
    let url = web.start().await;
    let fixture = Fixture::start(|_| json!({"web": {"url": url, "headers": {"X-Token": "t0ken"}}}));
    fixture.until("web", |status| status.state == ServerState::Ready).await;
    fixture
}

#[tokio::test]
async fn a_server_at_an_address_is_a_server_like_any_other() {
    let web = Web::default();
    let fixture = ready(&web).await;

    let result = fixture.call("web__ask", json!({})).await;
    let risk = fixture.registry.get("web__ask").expect("the tool is there").spec().definition.risk;
    let status = fixture.servers.list().remove(0);
    fixture.servers.stop().await;

    assert_eq!((result, risk), (text("by HTTP"), Risk::Network));
    assert_eq!(status.about.as_deref(), Some("web 2"));
    assert!(
        status.address.starts_with("http://127.0.0.1:") && !status.address.contains("hidden"),
        "{}",
        status.address
    );
    assert_eq!(
        web.methods(),
        ["server/discover", "initialize", "notifications/initialized", "tools/list", "tools/call"]
    );
    let kept = web.kept.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(kept.requests.iter().all(|(_, _, token)| token.as_deref() == Some("t0ken")));
    assert!(kept.requests.iter().any(|(method, ..)| method == Method::DELETE), "the session is ended");
}

#[tokio::test]
async fn an_answer_that_streams_brings_progress() {
    let web = Web::default();
    let fixture = ready(&web).await;
    web.next(Next::Stream);

    let (result, output) = fixture.call_with("web__ask", json!({}), &Default::default()).await;

    assert_eq!((result, output.as_str()), (text("by HTTP"), "1 of 2\n"));
    fixture.servers.stop().await;
}

#[tokio::test]
async fn a_wrong_status_fails_the_call_and_not_the_server() {
    let web = Web::default();
    let fixture = ready(&web).await;
    web.next(Next::Status(500));

    let wrong = fixture.call("web__ask", json!({})).await;
    let right = fixture.call("web__ask", json!({})).await;

    let (error_type, message) = failure(&wrong);
    assert_eq!(error_type, ErrorType::System);
    assert_eq!(message, "the MCP server web did not answer: HTTP 500; the outcome is unknown");
    assert_eq!(right, text("by HTTP"));
    assert_eq!(fixture.servers.list()[0].starts, 1);
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i12_a_session_that_the_server_forgot_is_begun_anew_and_no_call_is_sent_twice() {
    let web = Web::default();
    let fixture = ready(&web).await;
    web.next(Next::Status(404));

    let lost = fixture.call("web__ask", json!({})).await;
    fixture.until("web", |status| status.state == ServerState::Ready && status.starts == 2).await;
    let again = fixture.call("web__ask", json!({})).await;

    assert!(failure(&lost).1.contains("it no longer knows this session"), "{lost:?}");
    assert_eq!(again, text("by HTTP"));
    assert_eq!(web.methods().iter().filter(|method| *method == "tools/call").count(), 2);
    fixture.servers.stop().await;
}

#[tokio::test]
async fn i11_a_redirect_is_not_followed_and_takes_no_header_along() {
    let web = Web::default();
    let fixture = ready(&web).await;
    web.next(Next::Redirect);

    let result = fixture.call("web__ask", json!({})).await;

    assert!(failure(&result).1.contains("307"), "{result:?}");
    assert_eq!(web.methods().iter().filter(|method| *method == "tools/call").count(), 1);
    fixture.servers.stop().await;
    // Baseline: a client that follows takes the header along.
    web.next(Next::Redirect);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask"}});
    let plain = switchboard_net::http_client().redirect(reqwest::redirect::Policy::limited(5)).no_proxy();
    let plain = plain.build().expect("a client").post(web.start().await).header("x-token", "t0ken");
    let answer = plain.body(call.to_string()).send().await.expect("it answers");
    assert_eq!(answer.url().path(), "/elsewhere");
    let kept = web.kept.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, rpc, token) = kept.requests.last().expect("a request");
    assert_eq!((rpc.as_str(), token.as_deref()), ("tools/call", Some("t0ken")));
}

#[tokio::test]
async fn an_address_where_nobody_is_is_told_without_its_key() {
    let fixture = Fixture::start_with(|_| json!({"web": {"url": "http://127.0.0.1:1/mcp?key=hidden"}}), Limits::none());

    let status = fixture.until("web", |status| status.fault.is_some()).await;
    fixture.servers.stop().await;

    let fault = status.fault.unwrap_or_default();
    assert!(fault.starts_with("the handshake failed: it cannot be reached: "), "{fault}");
    assert!(fault.contains("refused") && !fault.contains("hidden"), "{fault}");
}
