//! C09: requests that a proxy in front of the server may read in another way than the server does.

use switchboard_tests::{TestServer, soon};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What comes until the server closes the connection.
async fn answers(server: &TestServer, sent: &str) -> String {
    let mut socket = TcpStream::connect(server.address()).await.expect("the server listens");
    socket.write_all(sent.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    // A connection that is closed with something unread is reset.
    let _ = soon("the end of the connection", socket.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn c09_nothing_behind_an_ambiguous_request_is_taken_for_another() {
    let server = TestServer::start().await;
    let host = format!("Host: {}\r\n", server.address());
    let smuggled = format!("GET /healthz HTTP/1.1\r\n{host}\r\n");
    let in_chunks = format!("0\r\n\r\n{smuggled}");
    let length = format!("Content-Length: {}\r\n", in_chunks.len());
    let post = |lines: &str, body: &str| format!("POST /api/sessions HTTP/1.1\r\n{host}{lines}\r\n{body}");
    let chunked = "Transfer-Encoding: chunked\r\n";

    // Baseline: of two whole requests both are answered.
    let two = format!("{}GET /healthz HTTP/1.1\r\n{host}Connection: close\r\n\r\n", post("Content-Length: 0\r\n", ""));
    assert_eq!(answers(&server, &two).await.matches("HTTP/1.1 2").count(), 2);

    for (case, sent, refused) in [
        ("a length, then chunks", post(&format!("{length}{chunked}"), &in_chunks), false),
        ("chunks, then a length", post(&format!("{chunked}{length}"), &in_chunks), false),
        ("two lengths", post("Content-Length: 0\r\nContent-Length: 5\r\n", &smuggled), true),
        ("a length with a sign", post("Content-Length: +0\r\n", &smuggled), true),
        ("chunks that are not the last encoding", post("Transfer-Encoding: chunked, identity\r\n", &in_chunks), true),
        ("a folded line", post("Transfer-Encoding:\r\n chunked\r\n", &in_chunks), true),
        ("a blank before the colon", post("Transfer-Encoding : chunked\r\n", &in_chunks), true),
        ("a bare carriage return", post("X: a\rTransfer-Encoding: chunked\r\n", &in_chunks), true),
        ("a bare line feed", post("X: a\nTransfer-Encoding: chunked\r\n", &in_chunks), false),
        ("a chunk whose size is not a number", post(chunked, &format!("0x0\r\n\r\n{smuggled}")), true),
    ] {
        let answer = answers(&server, &sent).await;

        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{case}: {answer}");
        assert_eq!(answer.starts_with("HTTP/1.1 400 "), refused, "{case}: {answer}");
    }
}
