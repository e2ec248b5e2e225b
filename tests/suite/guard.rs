//! Who may come in: origin, host, token.

use serde_json::json;
use switchboard_tests::{ServerOptions, TestClient, TestServer, request};

#[tokio::test]
async fn a_foreign_origin_or_host_is_refused() {
    let server = TestServer::start().await;
    let port = server.address().rsplit(':').next().expect("a port").to_owned();
    let own = format!("http://{}", server.address());
    let other_port = "http://127.0.0.1:1".to_owned();

    for (origin, allowed) in [
        (own.as_str(), true),
        ("https://evil.example", false),
        ("null", false),
        (other_port.as_str(), false),
        ("http://127.0.0.1.evil.example", false),
    ] {
        let dialled = TestClient::dial(server.address(), "", &[("origin", origin)]).await;
        assert_eq!(dialled.is_ok(), allowed, "{origin}");
    }
    for (host, status) in [(format!("localhost:{port}"), 200), ("evil.example".to_owned(), 403)] {
        let reply = request(server.address(), "GET", "/api/sessions", &[("Host", &host)], b"").await;
        assert_eq!(reply.status, status, "{host}: {}", reply.text());
    }
}

#[tokio::test]
async fn a_token_is_asked_for_when_one_is_set() {
    let server = TestServer::start_with(ServerOptions::with(&["--auth-token", "correct-horse-battery"])).await;
    let address = server.address();
    let bearer = ("Authorization", "Bearer correct-horse-battery");

    let without = request(address, "GET", "/api/sessions", &[], b"").await;
    let wrong = request(address, "GET", "/api/sessions", &[("Authorization", "Bearer correct-horse")], b"").await;
    let with = request(address, "GET", "/api/sessions", &[bearer], b"").await;
    let json = ("Content-Type", "application/json");
    let login = request(address, "POST", "/api/login", &[json], br#"{"token": "correct-horse-battery"}"#).await;
    let refused = request(address, "POST", "/api/login", &[json], br#"{"token": "wrong"}"#).await;

    assert_eq!((without.status, wrong.status, with.status, refused.status), (401, 401, 200, 401));
    let cookie = login.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains("correct-horse-battery"), "{cookie}");
    let cookie = cookie.split(';').next().expect("the cookie's value").to_owned();
    assert_eq!(request(address, "GET", "/api/sessions", &[("Cookie", &cookie)], b"").await.status, 200);
    let mut client = TestClient::dial(address, "", &[("authorization", bearer.1)]).await.expect("the upgrade works");
    assert_eq!(client.next().await["type"], "session-ready");
    let origin = format!("http://{address}");
    let headers = [("cookie", cookie.as_str()), ("origin", origin.as_str())];
    let mut client = TestClient::dial(address, "", &headers).await.expect("the upgrade works");
    assert_eq!(client.next().await["type"], "session-ready");
    match TestClient::dial(address, "", &[]).await {
        Err(error) => assert!(error.to_string().contains("401"), "{error}"),
        Ok(mut client) => assert_eq!(client.closed().await.code, 4401),
    }
    assert!(!server.stderr().contains("correct-horse-battery"));
}

#[tokio::test]
async fn an_open_address_without_a_token_is_refused() {
    let server = TestServer::prepare(ServerOptions::default());

    let output = server.command("0.0.0.0:0").output().await.expect("the server ends");

    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--auth-token"), "{said}");
}

#[tokio::test]
async fn every_answer_carries_the_policy() {
    let server = TestServer::start().await;

    for path in ["/", "/nowhere", "/api/nowhere", "/healthz", "/api/sessions"] {
        let reply = request(server.address(), "GET", path, &[], b"").await;
        let policy = reply.header("content-security-policy").unwrap_or_default();
        assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
}

#[tokio::test]
async fn a_form_cannot_post() {
    let server = TestServer::start().await;
    let form = ("Content-Type", "application/x-www-form-urlencoded");

    let reply = request(server.address(), "POST", "/api/sessions", &[form], b"a=b").await;

    assert!(matches!(reply.status, 403 | 415), "{}", reply.status);
    let sessions = request(server.address(), "GET", "/api/sessions", &[], b"").await.json();
    assert_eq!(sessions["sessions"], json!([]));
}
