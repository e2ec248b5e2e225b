//! Logins end on the server; bodies have a deadline; only the exact origin comes in.

use std::time::Duration;

use serde_json::json;
use switchboard_tests::{Reply, ServerOptions, TestClient, TestServer, request, soon};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

const TOKEN: &str = "correct-horse-battery";

async fn locked() -> TestServer {
    TestServer::start_with(ServerOptions::with(&["--auth-token", TOKEN])).await
}

async fn login(server: &TestServer) -> String {
    let body = json!({"token": TOKEN}).to_string();
    let headers = [("Content-Type", "application/json")];
    let granted = request(server.address(), "POST", "/api/login", &headers, body.as_bytes()).await;
    granted.header("set-cookie").and_then(|cookie| cookie.split(';').next()).expect("a cookie").to_owned()
}

async fn by_cookie(server: &TestServer, method: &str, path: &str, cookie: &str) -> Reply {
    request(server.address(), method, path, &[("Cookie", cookie)], b"").await
}

#[tokio::test]
async fn c04_n11_a_login_ends_on_the_server_with_every_copy_of_its_cookie() {
    let mut server = locked().await;
    let (copied, other) = (login(&server).await, login(&server).await);
    assert_ne!(copied, other);
    let dialled = TestClient::dial(server.address(), "", &[("cookie", &copied)]).await;
    let mut connected = dialled.expect("the upgrade works");
    let ready = connected.next().await;
    assert_eq!(ready["type"], "session-ready");
    connected.post(r#"use ask_user {"question": "Still there?"}"#).await;
    let asked = connected.until_type("user-query").await;

    let out = by_cookie(&server, "DELETE", "/api/login", &copied).await;

    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").is_some_and(|cookie| cookie.contains("Max-Age=0")));
    assert_eq!(soon("the connection's end", connected.closed()).await.code, 4401);
    assert_eq!(by_cookie(&server, "GET", "/api/sessions", &copied).await.status, 401);
    assert!(TestClient::dial(server.address(), "", &[("cookie", &copied)]).await.is_err());
    assert_eq!(by_cookie(&server, "GET", "/api/sessions", &other).await.status, 200, "another login goes on");
    let session = format!("?session={}", ready["sessionId"].as_str().expect("an id"));
    let mut back =
        TestClient::dial(server.address(), &session, &[("cookie", &other)]).await.expect("the upgrade works");
    assert_eq!(back.next().await["pending"], json!([asked]), "the turn goes on, too");
    // Also when the server starts anew, which keeps those that did not end.
    server.kill().await;
    server.start_again().await;
    assert_eq!(by_cookie(&server, "GET", "/api/sessions", &copied).await.status, 401);
    assert_eq!(by_cookie(&server, "GET", "/api/sessions", &other).await.status, 200);
}

#[tokio::test]
async fn c11_a_cookie_is_for_this_site_and_no_script_and_behind_https_for_nothing_else() {
    let body = json!({"token": TOKEN}).to_string();
    let type_of_body = ("Content-Type", "application/json");
    for (url, is_secure) in [(None, false), (Some("https://chat.example"), true)] {
        let arguments: Vec<&str> =
            ["--auth-token", TOKEN].into_iter().chain(url.iter().flat_map(|url| ["--public-url", url])).collect();
        let server = TestServer::start_with(ServerOptions::with(&arguments)).await;

        let granted = request(server.address(), "POST", "/api/login", &[type_of_body], body.as_bytes()).await;

        let cookie = granted.header("set-cookie").expect("a cookie");
        let parts: Vec<&str> = cookie.split("; ").skip(1).collect();
        for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
            assert!(parts.contains(&part), "{part}: {cookie}");
        }
        assert_eq!(parts.contains(&"Secure"), is_secure, "{cookie}");
    }
}

#[tokio::test]
async fn c11_a_login_that_others_can_read_on_its_way_is_warned_of() {
    let start = async |more: &[&str]| {
        let mut server = TestServer::prepare(ServerOptions::with(&[&["--auth-token", TOKEN], more].concat()));
        server.start_on("0.0.0.0:0").await;
        server
    };

    let open = start(&[]).await;
    // What it logs is read beside its address, and may be read later.
    let warned = async {
        while !open.stderr().contains("without TLS") {
            sleep(Duration::from_millis(5)).await;
        }
    };
    soon("the warning", warned).await;
    assert!(!start(&["--public-url", "https://chat.example"]).await.stderr().contains("without TLS"));
}

#[tokio::test]
async fn n11_a_login_ends_when_the_token_changes() {
    let mut server = locked().await;
    let cookie = login(&server).await;

    server.kill().await;
    server.set_arguments(&["--auth-token", "another-horse-battery"]);
    server.start_again().await;

    assert_eq!(by_cookie(&server, "GET", "/api/sessions", &cookie).await.status, 401);
}

/// Sends a head that promises a body, then pieces with pauses; what is answered, and whether the connection was closed.
async fn send_slowly(server: &TestServer, head: &str, pieces: &[&str], pause: Duration) -> (String, bool) {
    let mut socket = TcpStream::connect(server.address()).await.expect("the server listens");
    let head = format!("{head}\r\nHost: {}\r\n\r\n", server.address());
    socket.write_all(head.as_bytes()).await.expect("the head is sent");
    let (mut reader, mut writer) = socket.split();
    let sending = async {
        for piece in pieces {
            sleep(pause).await;
            if writer.write_all(piece.as_bytes()).await.is_err() {
                return;
            }
        }
        std::future::pending::<()>().await;
    };
    let mut answer = Vec::new();
    let reading = async {
        let mut buffer = [0; 4096];
        loop {
            match reader.read(&mut buffer).await {
                Ok(0) | Err(_) => return true,
                Ok(length) => answer.extend_from_slice(&buffer[..length]),
            }
        }
    };
    let closed = tokio::select! {
        closed = timeout(Duration::from_secs(16), reading) => closed.unwrap_or(false),
        () = sending => false,
    };
    (String::from_utf8_lossy(&answer).into_owned(), closed)
}

#[tokio::test]
async fn n11_a_body_that_comes_too_slowly_is_answered_408_and_its_connection_closed() {
    let server = TestServer::start().await;
    let piece = ["x"; 60];
    let began = Instant::now();
    let second = Duration::from_secs(1);

    let json = "POST /api/sessions HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 5000";
    let import = "POST /api/sessions/import HTTP/1.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: 5000";
    let login = "POST /api/login HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";
    let (json, import, login) = tokio::join!(
        send_slowly(&server, json, &piece, second),
        send_slowly(&server, import, &piece, second),
        send_slowly(&server, login, &["1\r\nx\r\n"; 60], second),
    );

    for (what, (answer, closed)) in [("json", json), ("import", import), ("login", login)] {
        assert!(answer.starts_with("HTTP/1.1 408 "), "{what}: {answer}");
        assert!(answer.contains("too slowly"), "{what}: {answer}");
        assert!(closed, "{what}: the connection stays open");
    }
    assert!(began.elapsed() >= Duration::from_secs(9), "not before its time");
}

#[tokio::test]
async fn a_body_in_pieces_with_pauses_is_taken() {
    let server = TestServer::start().await;
    let head =
        "POST /api/sessions HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2";

    let (answer, _) = send_slowly(&server, head, &["{", "}"], Duration::from_secs(1)).await;

    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
}

#[tokio::test]
async fn n11_only_the_exact_origin_comes_in() {
    let server = TestServer::start().await;
    let address = server.address();
    let public = TestServer::start_with(ServerOptions::with(&["--public-url", "https://chat.example.com"])).await;
    let own = format!("http://{address}");
    let secure = format!("https://{address}");

    for (origin, status) in [(own.as_str(), 200), (&secure, 403), ("http://127.0.0.1", 403), ("", 403)] {
        let reply = request(address, "GET", "/api/sessions", &[("Origin", origin)], b"").await;
        assert_eq!(reply.status, status, "{origin}: {}", reply.text());
        let dialled = TestClient::dial(address, "", &[("origin", origin)]).await;
        assert_eq!(dialled.is_ok(), status == 200, "{origin}");
    }
    for (origin, status) in [("https://chat.example.com", 200), ("http://chat.example.com", 403)] {
        let headers = [("Host", "chat.example.com"), ("Origin", origin)];
        let reply = request(public.address(), "GET", "/api/sessions", &headers, b"").await;
        assert_eq!(reply.status, status, "{origin}: {}", reply.text());
    }
}
