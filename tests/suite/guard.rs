//! Who may come in: origin, host, token.

use futures_util::future::join_all;
use rustix::process::Signal;
use serde_json::json;
use switchboard_tests::{Reply, ServerOptions, TestClient, TestServer, request, soon};
use tokio::net::TcpStream;

#[tokio::test]
async fn c01_c02_a_foreign_origin_or_host_is_refused() {
    let server = TestServer::start().await;
    let port = server.address().rsplit(':').next().expect("a port").to_owned();
    let own = format!("http://{}", server.address());
    let look_alike = format!("http://{}.evil.example:{port}", server.address().replace(':', "."));
    let other_port = "http://127.0.0.1:1".to_owned();

    for (origin, allowed) in [
        (own.as_str(), true),
        ("https://evil.example", false),
        ("null", false),
        (other_port.as_str(), false),
        ("http://127.0.0.1.evil.example", false),
        (look_alike.as_str(), false),
    ] {
        let dialled = TestClient::dial(server.address(), "", &[("origin", origin)]).await;
        assert_eq!(dialled.is_ok(), allowed, "{origin}");
    }
    for (host, status) in [(format!("localhost:{port}"), 200), ("evil.example".to_owned(), 403)] {
        for path in ["/api/sessions", "/api/tools", "/"] {
            let reply = request(server.address(), "GET", path, &[("Host", &host)], b"").await;
            assert_eq!(reply.status, status, "{host} {path}: {}", reply.text());
        }
    }
    assert!(TestClient::dial(server.address(), "", &[("host", "evil.example")]).await.is_err());
}

#[tokio::test]
async fn c03_a_token_is_asked_for_when_one_is_set() {
    let server = TestServer::start_with(ServerOptions::with(&["--auth-token", "correct-horse-battery"])).await;
    let address = server.address();
    let bearer = ("Authorization", "Bearer correct-horse-battery");

    let without = request(address, "GET", "/api/sessions", &[], b"").await;
    let in_query = request(address, "GET", "/api/sessions?token=correct-horse-battery", &[], b"").await;
    let wrong = request(address, "GET", "/api/sessions", &[("Authorization", "Bearer correct-horse")], b"").await;
    let with = request(address, "GET", "/api/sessions", &[bearer], b"").await;
    let granted = login(address, "correct-horse-battery").await;
    let refused = login(address, "wrong").await;

    assert_eq!((without.status, wrong.status, with.status, refused.status), (401, 401, 200, 401));
    assert_eq!(in_query.status, 401, "{}", in_query.text());
    let cookie = granted.header("set-cookie").expect("a cookie");
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

const JSON: (&str, &str) = ("Content-Type", "application/json");

async fn login(address: &str, token: &str) -> Reply {
    let body = json!({"token": token}).to_string();
    request(address, "POST", "/api/login", &[JSON], body.as_bytes()).await
}

async fn by_bearer(address: &str, token: &str) -> Reply {
    request(address, "GET", "/api/sessions", &[("Authorization", &format!("Bearer {token}"))], b"").await
}

/// The answer to an upgrade.
async fn by_socket(address: &str, token: &str) -> Reply {
    let bearer = format!("Bearer {token}");
    let upgrade = [
        ("Authorization", bearer.as_str()),
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    request(address, "GET", "/ws", &upgrade, b"").await
}

fn is_not_judged(door: &str, reply: &Reply) {
    assert_eq!(reply.status, 429, "{door}: {}", reply.text());
    let seconds: u64 = reply.header("retry-after").and_then(|after| after.parse().ok()).expect("when to try again");
    assert!((1..=61).contains(&seconds), "{door}: {seconds}");
}

#[tokio::test]
async fn c06_n08_after_the_limit_of_wrong_tokens_nothing_is_judged_at_any_door() {
    let token = "correct-horse-battery";
    let server = TestServer::start_with(ServerOptions::with(&["--auth-token", token])).await;
    let address = server.address();
    let logged_in = login(address, token).await;
    let cookie =
        logged_in.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie").to_owned();
    let mut connected = TestClient::dial(address, "", &[("cookie", &cookie)]).await.expect("the upgrade works");
    assert_eq!(connected.next().await["type"], "session-ready");

    // 400 at once, by every way in.
    let guesses = (0..400).map(|number| async move {
        let guess = format!("wrong-horse-battery-{number}");
        match number % 3 {
            0 => by_bearer(address, &guess).await.status,
            1 => login(address, &guess).await.status,
            _ => by_socket(address, &guess).await.status,
        }
    });
    let answers = join_all(guesses).await;

    let count = |status: u16| answers.iter().filter(|&&answer| answer == status).count();
    assert_eq!((count(401), count(429)), (20, 380), "{answers:?}");
    is_not_judged("bearer", &by_bearer(address, token).await);
    is_not_judged("login", &login(address, token).await);
    is_not_judged("socket", &by_socket(address, token).await);
    // What nobody guesses is not a guess: who has logged in stays in, also by a new connection.
    let headers = [("Cookie", cookie.as_str())];
    assert_eq!(request(address, "GET", "/api/sessions", &headers, b"").await.status, 200);
    let mut again = TestClient::dial(address, "", &[("cookie", &cookie)]).await.expect("the upgrade works");
    assert_eq!(again.next().await["type"], "session-ready");
    connected.ask("Calculate 6 * 7").await.answered().says("42");
    let forged = cookie.replace('.', ".0");
    assert_eq!(request(address, "GET", "/api/sessions", &[("Cookie", &forged)], b"").await.status, 401);
}

#[tokio::test]
async fn c10_connections_of_many_at_once_wait_for_a_server_that_is_busy() {
    let server = TestServer::start().await;
    server.signal(Signal::STOP);

    let waiting = soon("400 connections", join_all((0..400).map(|_| TcpStream::connect(server.address())))).await;

    assert!(waiting.iter().all(Result::is_ok));
    server.signal(Signal::CONT);
    assert_eq!(request(server.address(), "GET", "/healthz", &[], b"").await.status, 200);
}

#[tokio::test]
async fn c08_an_open_address_without_a_token_is_refused() {
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
async fn c07_a_form_cannot_post() {
    let server = TestServer::start().await;
    let form = ("Content-Type", "application/x-www-form-urlencoded");

    let reply = request(server.address(), "POST", "/api/sessions", &[form], b"a=b").await;

    assert!(matches!(reply.status, 403 | 415), "{}", reply.status);
    let sessions = request(server.address(), "GET", "/api/sessions", &[], b"").await.json();
    assert_eq!(sessions["sessions"], json!([]));
}
