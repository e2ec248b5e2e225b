//! N15, N16 and N19: the log's files behind the server's back, more than the disk takes at once, and what is left of an
//! import that is cut off.

use std::fs;
use std::path::Path;

use serde_json::json;
use switchboard_tests::{TestServer, request};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const DATABASE: &str = "switchboard.db";

fn replace(file: &Path) {
    let other = file.with_extension("other");
    fs::copy(file, &other).expect("a copy");
    fs::rename(&other, file).expect("put in its place");
}

#[tokio::test]
async fn n15_nothing_is_acknowledged_once_the_log_is_gone() {
    let log = "switchboard.db-wal";
    for (file, removes) in [(DATABASE, true), (DATABASE, false), (log, true), (log, false)] {
        let server = TestServer::start().await;
        let mut client = server.connect().await;
        // Baseline: with its files it works.
        client.ask("Calculate 6 * 7").await.answered().says("42");
        assert_eq!(request(server.address(), "GET", "/readyz", &[], b"").await.status, 200);

        let path = server.data().join(file);
        if removes {
            fs::remove_file(&path).expect("removed");
        } else {
            replace(&path);
        }

        let ready = request(server.address(), "GET", "/readyz", &[], b"").await;
        assert_eq!(ready.status, 503, "{file}: {}", ready.text());
        assert!(ready.text().contains(file), "it says which: {}", ready.text());
        for number in 0..8 {
            let id = client.post(&format!("Calculate {number} + 1")).await;
            let answer = client
                .until("the answer", |frame| {
                    frame["turnId"] == id.as_str()
                        && (frame["type"] == "agent-error" || frame["type"] == "user-message")
                })
                .await;
            assert_eq!(answer["code"], "storage-failed", "{file}: {answer:#}");
        }
        assert!(server.stderr().contains("while the server is running"), "{}", server.stderr());
        assert!(!removes || !path.exists(), "no other is made in its place");
    }
}

async fn sessions(server: &TestServer) -> usize {
    let list = request(server.address(), "GET", "/api/sessions", &[], b"").await.json();
    list["sessions"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn n19_an_import_that_is_cut_off_leaves_nothing() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    for number in 0..36 {
        let value = format!("{number}{}", "x".repeat(1_000_000));
        client.send(json!({"type": "set-variable", "name": format!("large_{number}"), "value": value})).await;
        client.until_type("context-update").await;
    }
    let path = format!("/api/sessions/{}/export", client.session());
    let file = request(server.address(), "GET", &path, &[], b"").await.body;
    // The first part is written long before so much of the file was taken.
    let most = file.len() * 9 / 10;
    assert!(most > 40_000_000, "{}", file.len());
    let head = format!(
        "POST /api/sessions/import HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n",
        server.address(),
        file.len()
    );

    // Whoever goes away in the middle leaves nothing.
    let mut gone = TcpStream::connect(server.address()).await.expect("a connection");
    gone.write_all(head.as_bytes()).await.expect("sent");
    gone.write_all(&file[..most]).await.expect("sent");
    assert_eq!(sessions(&server).await, 1, "nothing is to be seen of it meanwhile");
    drop(gone);
    // Neither does a server that is killed.
    let mut stream = TcpStream::connect(server.address()).await.expect("a connection");
    stream.write_all(head.as_bytes()).await.expect("sent");
    stream.write_all(&file[..most]).await.expect("sent");
    server.kill().await;
    server.start_again().await;

    assert_eq!(sessions(&server).await, 1);
    // Baseline: the whole file is imported.
    let lines = [("Content-Type", "application/x-ndjson")];
    let reply = request(server.address(), "POST", "/api/sessions/import", &lines, &file).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(sessions(&server).await, 2);
}

#[tokio::test]
async fn n16_turns_wait_for_a_log_that_is_behind() {
    let server = TestServer::start().await;
    let line = "sixty-four bytes of a file that is large and is read by many...\n";
    server.file("large.txt", &line.repeat(100_000));
    let mut clients = Vec::new();
    for _ in 0..24 {
        clients.push(server.connect().await);
    }

    let turns = clients.iter_mut().map(|client| client.ask("Read large.txt"));
    let turns = futures_util::future::join_all(turns).await;

    for turn in turns {
        turn.answered();
    }
}
