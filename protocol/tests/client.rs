//! The client against a real socket whose other end the test holds: cuts, repetitions, refusals.
#![cfg(feature = "client")]

#[path = "support/server.rs"]
mod server;

use std::time::Duration;

use serde_json::{Value, json};
use server::{Peer, Server, TIME, event, user_message};
use switchboard_protocol::client::{Client, ClientConfig, ClientEvent, ConnectError, SendError, Start};
use switchboard_protocol::{ClientFrame, ServerFrame, SessionId};
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
async fn after_a_cut_nothing_is_missed_and_nothing_comes_twice() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    peer.events(1..=2).await;
    assert_eq!(numbers(&mut client, 3).await, [None, Some(1), Some(2)]);

    drop(peer);
    let mut peer = server.accept_ready(session, 4).await;
    // A server that repeats more than it was asked for.
    peer.events(1..=4).await;

    assert_eq!(peer.target, format!("/ws?session={session}&after=2"));
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 3).await, [None, Some(3), Some(4)]);
}

#[tokio::test]
async fn a_restart_of_the_server_is_survived() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, peer) = connect(&server, server.config(), session, 0).await;
    client.next().await.expect("session-ready");

    peer.close(1001, "restart").await;
    let mut peer = server.accept_ready(session, 1).await;
    peer.events([1]).await;

    let Some(ClientEvent::Disconnected { reason, .. }) = client.next().await else { panic!("not disconnected") };
    assert!(reason.contains("shuts down"), "{reason}");
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 2).await, [None, Some(1)]);
}

#[tokio::test]
async fn an_unacknowledged_message_is_sent_again_under_its_id_and_nothing_else_is() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    let first = client.send(message("one")).await.expect("taken").expect("an id");
    let second = client.send(message("two")).await.expect("taken").expect("an id");
    client.send(ClientFrame::Cancel { message_id: None }).await.expect("taken");
    assert_eq!(sent(&peer.read().await), (first.clone(), "one".to_owned()));
    assert_eq!(sent(&peer.read().await), (second.clone(), "two".to_owned()));
    assert_eq!(peer.read().await["type"], "cancel");
    peer.acknowledge(1, &first).await;
    assert_eq!(numbers(&mut client, 2).await, [None, Some(1)]);

    drop(peer);
    let mut peer = server.accept_ready(session, 1).await;
    client.send(ClientFrame::Ping {}).await.expect("taken");

    assert_eq!(sent(&peer.read().await), (second, "two".to_owned()));
    assert_eq!(peer.read().await, json!({"type": "ping"}));
}

#[tokio::test]
async fn a_message_that_had_arrived_before_the_cut_is_heard_of_once() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    let id = client.send(message("hi")).await.expect("taken").expect("an id");
    peer.read().await;

    // It is taken only after the next connection is there, which does not know of it yet.
    drop(peer);
    let mut peer = server.accept_ready(session, 0).await;
    assert_eq!(sent(&peer.read().await).0, id);
    peer.acknowledge(1, &id).await;
    let mut repeated = user_message(1, &id);
    repeated["repeated"] = json!(true);
    peer.send(repeated).await;
    peer.events([2]).await;

    client.next().await.expect("the first session-ready");
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 3).await, [None, Some(1), Some(2)]);
}

#[tokio::test]
async fn a_message_whose_acknowledgement_was_missed_is_not_sent_again() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    let id = client.send(message("hi")).await.expect("taken").expect("an id");
    peer.read().await;
    drop(peer);
    let mut peer = server.accept_ready(session, 2).await;

    // What is sent meanwhile waits until the client knows what became of the first one.
    client.send(ClientFrame::Ping {}).await.expect("taken");
    peer.acknowledge(1, &id).await;
    peer.events([2]).await;

    assert_eq!(peer.read().await, json!({"type": "ping"}));
    numbers(&mut client, 1).await;
}

#[tokio::test]
async fn the_answer_to_a_command_acknowledges_it() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    let id = client.send(message("/new")).await.expect("taken").expect("an id");
    peer.read().await;
    peer.send(
        json!({"type": "command-response", "command": "new", "text": "", "turnId": id, "seq": 1, "timestamp": TIME}),
    )
    .await;
    numbers(&mut client, 2).await;

    drop(peer);
    let mut peer = server.accept_ready(session, 1).await;
    client.send(ClientFrame::Ping {}).await.expect("taken");

    assert_eq!(peer.read().await, json!({"type": "ping"}));
}

#[tokio::test]
async fn a_message_that_the_caller_repeats_is_answered() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    peer.acknowledge(1, "same").await;
    let mut repeated = user_message(1, "same");
    repeated["repeated"] = json!(true);

    peer.send(repeated.clone()).await;

    numbers(&mut client, 2).await;
    assert_eq!(serde_json::to_value(frame(&mut client).await).expect("JSON"), repeated);
}

#[tokio::test]
async fn a_message_written_without_a_connection_waits_for_the_next() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, peer) = connect(&server, server.config(), session, 0).await;
    client.next().await.expect("session-ready");
    drop(peer);
    assert!(matches!(client.next().await, Some(ClientEvent::Disconnected { .. })));

    let id = client.send(message("later")).await.expect("taken").expect("an id");
    let mut peer = server.accept_ready(session, 0).await;

    assert_eq!(sent(&peer.read().await), (id, "later".to_owned()));
}

#[tokio::test]
async fn a_hole_in_the_events_is_read_again() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, mut peer) = connect(&server, server.config(), session, 0).await;
    peer.events([1, 3]).await;

    let mut peer = server.accept_ready(session, 3).await;
    peer.events(2..=3).await;

    assert_eq!(peer.target, format!("/ws?session={session}&after=1"));
    assert_eq!(numbers(&mut client, 2).await, [None, Some(1)]);
    let Some(ClientEvent::Disconnected { reason, .. }) = client.next().await else { panic!("not disconnected") };
    assert_eq!(reason, "the server left out event 2");
    assert_eq!(client.next().await, Some(ClientEvent::Reconnected));
    assert_eq!(numbers(&mut client, 3).await, [None, Some(2), Some(3)]);
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
async fn a_session_that_goes_away_ends_the_client() {
    let (server, session) = (Server::start().await, SessionId::random());
    let (mut client, peer) = connect(&server, server.config(), session, 0).await;
    let sender = client.sender();

    peer.close(4004, "deleted").await;

    client.next().await.expect("session-ready");
    let Some(ClientEvent::Closed { code: Some(4004), reason }) = client.next().await else { panic!("not closed") };
    assert!(reason.contains("deleted"), "{reason}");
    assert_eq!(client.next().await, None);
    assert_eq!(sender.send(ClientFrame::Ping {}).await, Err(SendError::Closed));
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
async fn patience_ends() {
    let (server, session) = (Server::start().await, SessionId::random());
    let mut config = server.config();
    config.patience = Some(Duration::ZERO);
    let (mut client, peer) = connect(&server, config, session, 0).await;

    drop(peer);

    client.next().await.expect("session-ready");
    let Some(ClientEvent::Closed { code: None, reason }) = client.next().await else { panic!("not closed") };
    assert!(reason.starts_with("gave up"), "{reason}");
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

async fn connect(server: &Server, config: ClientConfig, session: SessionId, last_seq: u64) -> (Client, Peer) {
    let (client, peer) = join!(Client::connect(config), server.accept_ready(session, last_seq));
    (client.expect("a connection"), peer)
}

/// The numbers of the next frames.
async fn numbers(client: &mut Client, count: usize) -> Vec<Option<u64>> {
    let mut numbers = Vec::new();
    for _ in 0..count {
        numbers.push(frame(client).await.seq);
    }
    numbers
}

async fn frame(client: &mut Client) -> ServerFrame {
    match client.next().await {
        Some(ClientEvent::Frame(frame)) => *frame,
        other => panic!("not a frame: {other:?}"),
    }
}

fn message(text: &str) -> ClientFrame {
    ClientFrame::SendMessage { text: text.to_owned(), timestamp: None, message_id: None, mode: None }
}

/// Id and text of a `send-message`.
fn sent(frame: &Value) -> (String, String) {
    assert_eq!(frame["type"], "send-message", "{frame}");
    let field = |name: &str| frame[name].as_str().expect("a text").to_owned();
    (field("messageId"), field("text"))
}
