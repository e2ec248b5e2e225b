//! A real listener and real WebSocket clients.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Extension;
use axum::body::Bytes;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::{SocketConfig, router};
use switchboard_accounts::{Principal, Rights};
use switchboard_session::test_support::Bench;
use tokio_util::sync::CancellationToken;

struct Server {
    bench: Bench,
    address: SocketAddr,
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

impl Server {
    async fn start() -> Self {
        Self::start_with(SocketConfig::default()).await
    }

    async fn start_with(config: SocketConfig) -> Self {
        let bench = Bench::new();
        let app = router(bench.sessions.clone(), config)
            .layer(Extension(Principal::local()))
            .layer(Extension(Rights::All))
            .layer(Extension(CancellationToken::new()));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("the listener has an address");
        bench.shutdown.spawn(async move { axum::serve(listener, app).await });
        Self { bench, address }
    }

    async fn dial(&self, query: &str) -> Socket {
        let (socket, _) = connect_async(format!("ws://{}/ws{query}", self.address)).await.expect("the upgrade works");
        socket
    }

    async fn connect(&self) -> (Socket, Value) {
        let mut socket = self.dial("").await;
        let ready = frame(&mut socket).await;
        (socket, ready)
    }
}

async fn message(socket: &mut Socket) -> Option<Message> {
    let limit = Duration::from_secs(60);
    tokio::time::timeout(limit, socket.next()).await.expect("something comes").map(|it| it.expect("a whole message"))
}

async fn frame(socket: &mut Socket) -> Value {
    match message(socket).await {
        Some(Message::Text(text)) => serde_json::from_str(&text).expect("frames are JSON"),
        other => panic!("no frame: {other:?}"),
    }
}

async fn closed(socket: &mut Socket) -> u16 {
    loop {
        match message(socket).await {
            Some(Message::Close(Some(close))) => {
                assert!(!close.reason.is_empty());
                return close.code.into();
            }
            Some(_) => {}
            None => panic!("closed without a word"),
        }
    }
}

async fn say(socket: &mut Socket, frame: &Value) {
    socket.send(Message::text(frame.to_string())).await.expect("it is sent");
}

async fn until(socket: &mut Socket, kind: &str) -> Value {
    loop {
        let frame = frame(socket).await;
        if frame["type"] == kind {
            return frame;
        }
    }
}

#[tokio::test]
async fn a_message_goes_in_and_frames_come_out() {
    let server = Server::start().await;
    let (mut socket, ready) = server.connect().await;

    say(&mut socket, &json!({"type": "send-message", "messageId": "m1", "text": "say hello"})).await;
    let acknowledged = until(&mut socket, "user-message").await;
    let end = until(&mut socket, "agent-response").await;

    assert_eq!(
        (&ready["type"], &ready["lastSeq"], &ready["resumed"]),
        (&json!("session-ready"), &json!(0), &json!(false))
    );
    assert_eq!((&acknowledged["seq"], &acknowledged["messageId"]), (&json!(1), &json!("m1")));
    assert_eq!(end["text"], "hello");
}

#[tokio::test]
async fn a_client_that_comes_back_gets_what_it_missed_and_goes_on() {
    let server = Server::start().await;
    let (mut socket, ready) = server.connect().await;
    say(&mut socket, &json!({"type": "send-message", "messageId": "m1", "text": "say hello"})).await;
    let end = until(&mut socket, "agent-response").await;
    drop(socket);

    let mut back = server.dial(&format!("?session={}&after=1", ready["sessionId"].as_str().unwrap_or_default())).await;
    let again = frame(&mut back).await;
    let mut seqs = Vec::new();
    while seqs.last() != Some(&end["seq"]) {
        seqs.push(frame(&mut back).await["seq"].clone());
    }
    say(&mut back, &json!({"type": "ping"})).await;

    assert_eq!(again["resumed"], true);
    assert_eq!(seqs, (2..=end["seq"].as_u64().unwrap_or_default()).map(Value::from).collect::<Vec<_>>());
    assert_eq!(frame(&mut back).await["type"], "pong");
}

#[tokio::test]
async fn a13_what_is_no_frame_is_refused_and_the_connection_goes_on() {
    let server = Server::start().await;
    let (mut socket, _) = server.connect().await;

    for (message, code) in [
        (Message::text("{"), "protocol-bad-json"),
        (Message::binary(vec![1, 2, 3]), "protocol-binary"),
        (Message::text(json!({"type": "send-message", "text": "x".repeat(2 << 20)}).to_string()), "protocol-too-large"),
        (Message::text(json!({"type": "send-message", "text": " "}).to_string()), "protocol-wrong-field"),
    ] {
        socket.send(message).await.expect("it is sent");
        let error = frame(&mut socket).await;
        assert_eq!((&error["code"], &error["messageIds"], &error["seq"]), (&json!(code), &Value::Null, &Value::Null));
    }
    say(&mut socket, &json!({"type": "ping"})).await;

    assert_eq!(frame(&mut socket).await["type"], "pong");
}

#[tokio::test]
async fn a_message_above_4_mib_ends_the_connection() {
    let server = Server::start().await;
    let (mut socket, _) = server.connect().await;

    socket.send(Message::text("x".repeat((4 << 20) + 1))).await.expect("it is sent");

    assert_eq!(closed(&mut socket).await, 1009);
}

/// A server that asks often, and a client of it that says nothing by itself, also no pong.
async fn asked_often() -> (Server, TcpStream, String) {
    let server =
        Server::start_with(SocketConfig { ping_every: Duration::from_millis(300), ..Default::default() }).await;
    let (mut socket, ready) = server.connect().await;
    say(&mut socket, &json!({"type": "send-message", "text": "say hello"})).await;
    until(&mut socket, "agent-response").await;
    let MaybeTlsStream::Plain(bare) = socket.into_inner() else { unreachable!("it has no TLS") };
    (server, bare, ready["sessionId"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a10_a_frame_that_never_gets_whole_is_no_sign_of_life() {
    let (_server, bare, _) = asked_often().await;
    let (mut reader, mut writer) = bare.into_split();
    let sending = async {
        // The header of a long text, then what is in it.
        for byte in [0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0].into_iter().chain(std::iter::repeat(0)) {
            if writer.write_all(&[byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let mut read = Vec::new();

    // However the reading ends: what is still on its way when it is closed makes it a reset.
    let _ = tokio::join!(sending, reader.read_to_end(&mut read));
}

#[tokio::test]
async fn a15_a_client_that_answers_no_ping_is_let_go_and_can_come_back() {
    let (server, mut bare, session) = asked_often().await;
    let (mut lively, _) = server.connect().await;
    let lively = async { while let Some(Message::Ping(_)) = message(&mut lively).await {} };

    let mut pings = Vec::new();
    tokio::select! {
        read = bare.read_to_end(&mut pings) => drop(read.expect("it is closed")),
        () = lively => panic!("the one that answers was let go"),
    }

    assert!(pings.ends_with(&[0x89, 0, 0x89, 0]), "{pings:?}");
    assert_eq!(frame(&mut server.dial(&format!("?session={session}")).await).await["resumed"], true);
}

#[tokio::test]
async fn a16_a_flood_of_pings_is_closed_and_others_go_on() {
    let server = Server::start().await;
    let (mut other, _) = server.connect().await;
    let (flooding, _) = server.connect().await;
    let (mut sink, mut stream) = flooding.split();

    let flood = async {
        while sink.send(Message::Ping(Bytes::new())).await.is_ok() {}
        std::future::pending::<()>().await;
    };
    let reading = async {
        loop {
            if let Some(Ok(Message::Close(Some(close)))) = stream.next().await {
                return u16::from(close.code);
            }
        }
    };
    let code = tokio::select! { code = reading => code, () = flood => unreachable!("it has no end") };

    assert_eq!(code, 1008);
    for _ in 0..500 {
        say(&mut other, &json!({"type": "ping"})).await;
        assert_eq!(frame(&mut other).await["type"], "pong");
    }
}

#[tokio::test]
async fn unknown_sessions_and_places_close_with_their_codes() {
    let server = Server::start().await;
    let (_socket, ready) = server.connect().await;
    let session = ready["sessionId"].as_str().unwrap_or_default();

    for (query, code) in [
        (format!("?session={}", uuid::Uuid::new_v4()), 4004),
        ("?session=nonsense".to_owned(), 4004),
        (format!("?session={session}&after=1"), 4007),
        (format!("?session={session}&after=x"), 4007),
    ] {
        let mut refused = server.dial(&query).await;
        assert_eq!(closed(&mut refused).await, code, "{query}");
    }
}

#[tokio::test]
async fn the_shutdown_is_told_to_clients_and_waits_for_them() {
    let server = Server::start().await;
    let (mut socket, _) = server.connect().await;

    server.bench.shutdown.stop();

    assert_eq!(closed(&mut socket).await, 1001);
}

#[tokio::test]
async fn a_client_too_many_is_turned_away() {
    let server = Server::start_with(SocketConfig { connections: 1, ..SocketConfig::default() }).await;
    let (_first, _) = server.connect().await;

    let mut second = server.dial("").await;

    assert_eq!(closed(&mut second).await, 1013);
}

#[tokio::test]
async fn large_frames_go_out_whole() {
    let server = Server::start().await;
    let (mut socket, _) = server.connect().await;
    let text = format!("say {}", "\u{1}".repeat(1 << 19));

    say(&mut socket, &json!({"type": "send-message", "messageId": "m1", "text": text})).await;
    let acknowledged = until(&mut socket, "user-message").await;
    let end = until(&mut socket, "agent-response").await;

    assert_eq!(acknowledged["text"], text);
    assert_eq!(end["text"], text["say ".len()..]);
}

#[test]
fn an_idle_connection_is_small() {
    fn bytes_of<A, B, C, D, F: Future>(_: impl FnOnce(A, B, C, D) -> F) -> usize {
        size_of::<F>()
    }

    let bytes = bytes_of(super::connection::serve);

    assert!(bytes <= 3 * 1024 + 256, "{bytes} bytes for each connection");
}
