//! The end of the server: told to clients, waited for, and clean.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use switchboard_tests::{ServerOptions, TestServer};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// More than a server takes that waits for nobody, and less than any of its limits.
pub(crate) const SOON: Duration = Duration::from_secs(3);

#[tokio::test]
async fn an_idle_server_ends_at_once_and_tells_its_clients() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;

    server.signal(Signal::TERM);

    assert_eq!(client.closed().await.code, 1001);
    assert_eq!(server.ended().await.code(), Some(0));
}

/// Nobody can do anything about what they hold: a client that does not answer, a question to a person, and requests of which only
/// a part has come.
#[tokio::test]
async fn n18_neither_a_silent_client_nor_half_a_request_holds_a_server_that_stops() {
    let mut server = TestServer::start_with(ServerOptions::with(&["--approve", "ask"])).await;
    let mut client = server.connect().await;
    client.post("Run `echo ran`").await;
    client.until_type("approval-request").await;
    let host = server.address().to_owned();
    let head = format!("POST /api/sessions HTTP/1.1\r\nHost: {host}\r\n");
    let half_body = format!("{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{");
    let whole = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let mut held = Vec::new();
    for sent in ["", &head, &half_body, &format!("{whole}{head}")] {
        let mut socket = TcpStream::connect(&host).await.expect("the server listens");
        socket.write_all(sent.as_bytes()).await.expect("sent");
        held.push(socket);
    }
    let mut answer = [0; 15];
    held[3].read_exact(&mut answer).await.expect("the answer to the whole request");
    assert_eq!(&answer, b"HTTP/1.1 200 OK");

    let began = Instant::now();
    server.signal(Signal::TERM);
    let status = server.ended().await;

    assert_eq!(status.code(), Some(0));
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_running_turn_is_waited_for() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    let session = client.session();
    let turn = client.post("Run `echo begun; until [ -e go ]; do sleep 0.05; done; echo finished`").await;
    client.until_type("tool-output-chunk").await;

    server.signal(Signal::TERM);
    client.closed().await;
    server.file("go", "");
    assert_eq!(server.ended().await.code(), Some(0));
    server.start_again().await;

    server.connect_to(session, 0).await.end_of(&turn).await.answered().says("finished");
}

#[tokio::test]
async fn a_turn_beyond_the_deadline_ends_interrupted() {
    let mut server = TestServer::start_with(ServerOptions::with(&["--approve", "auto", "--drain-seconds", "1"])).await;
    let mut client = server.connect().await;
    let session = client.session();
    let turn = client.post("Run `echo begun; sleep 50`").await;
    client.until_type("tool-output-chunk").await;

    server.signal(Signal::TERM);
    assert_eq!(server.ended().await.code(), Some(0));
    server.start_again().await;

    server.connect_to(session, 0).await.end_of(&turn).await.failed("interrupted");
}

#[tokio::test]
async fn d10_a_second_signal_ends_at_once() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    client.post("Run `echo begun; sleep 50`").await;
    client.until_type("tool-output-chunk").await;

    server.signal(Signal::TERM);
    client.closed().await;
    server.signal(Signal::TERM);

    server.ended().await;
}

#[tokio::test]
async fn a_second_server_on_the_same_data_is_refused() {
    let server = TestServer::start().await;

    let output = server.command("127.0.0.1:0").output().await.expect("the second server ends");

    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(&server.pid().to_string()), "{said}");
}
