//! The end of the server: told to clients, waited for, and clean.

use rustix::process::Signal;
use switchboard_tests::{ServerOptions, TestServer};

#[tokio::test]
async fn an_idle_server_ends_at_once_and_tells_its_clients() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;

    server.signal(Signal::TERM);

    assert_eq!(client.closed().await.code, 1001);
    assert_eq!(server.ended().await.code(), Some(0));
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
async fn a_second_signal_ends_at_once() {
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
