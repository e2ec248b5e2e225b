//! The client against a real socket whose other end the test holds: frames, refusals, farewells.
#![cfg(feature = "client")]

#[path = "support/server.rs"]
mod server;
#[path = "support/talk.rs"]
mod talk;

use std::time::Duration;

use serde_json::json;
use server::{Server, TIME, event};
use switchboard_protocol::client::{Client, ClientEvent, ConnectError, SendError, Start};
use switchboard_protocol::{ClientFrame, SessionId};
use talk::{connect, frame, message, numbers};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::join;
use tokio_tungstenite::tungstenite::Message;

#[tokio::test]
async fn frames_come_typed_and_in_order() {
    let (server, session) = (Server::start().await, SessionId::random());

    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    peer.events(1..=3).await;

    assert_eq!(client.session(), session);
    assert_eq!(peer.target, "/ws");
    assert_eq!(numbers(&mut client, 4).await, [None, Some(1), Some(2), Some(3)]);
}

#[tokio::test]
async fn a_frame_of_tomorrow_does_not_break_the_stream() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    let tomorrow = json!({"type": "agent-singing", "seq": 1, "song": ["la"], "timestamp": TIME});

    peer.send(tomorrow.clone()).await;
    peer.send_message(Message::text("no JSON")).await;
    peer.events([2]).await;

    client.next().await.expect("session-ready");
    assert_eq!(client.next().await, Some(ClientEvent::Unknown(tomorrow)));
    assert_eq!(client.next().await, Some(ClientEvent::Unknown(json!("no JSON"))));
    assert_eq!(numbers(&mut client, 1).await, [Some(2)]);
}

#[tokio::test]
async fn the_text_of_frames_comes_when_asked_for() {
    let (server, session) = (Server::start().await, SessionId::random());
    let mut config = server.config();
    config.raw = true;
    let (mut client, mut peer) = connect(&server, config, session, 0).await;
    let text = r#"{"timestamp":"2026-03-02T09:15:04.127Z", "type":"pong","fieldOfTomorrow":1}"#;

    peer.send_message(Message::text(text)).await;

    assert!(matches!(client.next().await, Some(ClientEvent::Raw(text)) if text.contains("session-ready")));
    client.next().await.expect("session-ready");
    assert_eq!(client.next().await, Some(ClientEvent::Raw(text.to_owned())));
    assert!(matches!(client.next().await, Some(ClientEvent::Frame(_))));
}

#[tokio::test]
async fn an_unknown_session_is_not_tried_again() {
    let (server, session) = (Server::start().await, SessionId::random());
    let config = server.config().session(session, Start::After(7));

    let (result, ()) = join!(Client::connect(config), async {
        let peer = server.accept().await;
        assert_eq!(peer.target, format!("/ws?session={session}&after=7"));
        peer.close(4004, "").await;
    });

    let error = result.expect_err("refused");
    assert!(error.is_final());
    assert_eq!(error.close_code(), Some(4004));
    assert!(error.to_string().contains("check the session's id"), "{error}");
}

#[tokio::test]
async fn a_token_that_is_wanted_is_asked_for() {
    let server = Server::start().await;
    let body = r#"{"title":"Unauthorized","detail":"the token is missing"}"#;

    let (result, ()) = join!(Client::connect(server.config()), async {
        let mut stream = server.accept_tcp().await;
        let mut request = [0; 4096];
        let _read = stream.read(&mut request).await.expect("a request");
        let head = format!("HTTP/1.1 401 Unauthorized\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}{body}").as_bytes()).await.expect("a client");
        stream.shutdown().await.expect("a client");
    });

    let error = result.expect_err("refused");
    assert!(matches!(error, ConnectError::Refused { status: 401, .. }), "{error:?}");
    assert!(error.is_final());
    assert!(error.to_string().contains("Give the server's token"), "{error}");
}

#[tokio::test]
async fn token_and_origin_are_sent() {
    let (server, session) = (Server::start().await, SessionId::random());
    let mut config = server.config();
    config.token = Some("s3cret".to_owned());
    config.origin = Some("http://127.0.0.1:7878".to_owned());

    let (_client, peer) = connect(&server, config, session, 0).await;

    assert_eq!(peer.headers["authorization"], "Bearer s3cret");
    assert_eq!(peer.headers["origin"], "http://127.0.0.1:7878");
}

#[tokio::test]
async fn nobody_there_is_said_in_words() {
    let server = Server::start().await;
    let config = server.config();
    drop(server);

    let error = Client::connect(config).await.expect_err("nobody there");

    assert!(!error.is_final());
    assert!(error.to_string().contains("Start one with `switchboard`"), "{error}");
}

#[tokio::test]
async fn a_frame_of_more_than_16_mib_arrives() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    client.next().await.expect("session-ready");
    let mut long = event(1);
    long["title"] = json!("ä".repeat(9 * 1024 * 1024));

    let (received, ()) = join!(frame(&mut client), peer.send(long.clone()));

    assert!(serde_json::to_value(received).expect("JSON") == long);
}

#[tokio::test]
async fn a_frame_that_a_server_would_not_take_is_refused_at_once() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (client, mut peer) = connect(&server, server.config(), session, 0).await;

    let refused = client.send(message(&"x".repeat(4 * 1024 * 1024))).await;
    client.send(ClientFrame::Ping {}).await.expect("the connection goes on");

    assert!(matches!(refused, Err(SendError::TooLarge { .. })));
    assert_eq!(peer.read().await["type"], "ping");
}

#[tokio::test]
async fn a_ping_of_the_server_is_answered() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (_client, mut peer) = connect(&server, server.config(), session, 0).await;

    peer.send_message(Message::Ping("are you there".into())).await;

    assert_eq!(peer.read_message().await, Some(Message::Pong("are you there".into())));
}

#[tokio::test]
async fn a_reader_that_is_slow_holds_up_neither_sending_nor_order() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;

    // More events than the client holds, and nobody reads them yet.
    peer.events(1..=500).await;
    for _ in 0..100 {
        client.send(ClientFrame::Ping {}).await.expect("taken");
    }
    for _ in 0..100 {
        assert_eq!(peer.read().await["type"], "ping");
    }

    client.next().await.expect("session-ready");
    let expected: Vec<Option<u64>> = (1..=500).map(Some).collect();
    assert_eq!(numbers(&mut client, 500).await, expected);
}

#[tokio::test]
async fn closing_writes_what_was_sent_and_says_goodbye() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (client, mut peer) = connect(&server, server.config(), session, 0).await;
    client.send(message("last words")).await.expect("taken");

    let ((), ()) = join!(client.close(), async {
        assert_eq!(peer.read().await["text"], "last words");
        let Some(Message::Close(Some(close))) = peer.read_message().await else { panic!("no goodbye") };
        assert_eq!(u16::from(close.code), 1000);
        // The answer to the goodbye goes out with the end of the stream.
        assert!(peer.read_message().await.is_none());
    });
}

#[tokio::test]
async fn a_client_without_a_connection_can_be_closed() {
    let (server, session) = (Server::start().await, SessionId::random());
    let mut config = server.config();
    config.backoff.min = Duration::from_secs(3600);
    config.backoff.max = Duration::from_secs(3600);
    let (mut client, peer) = connect(&server, config, session, 0).await;
    client.next().await.expect("session-ready");
    drop(peer);
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));

    client.close().await;
}
