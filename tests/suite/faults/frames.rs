//! Frames of the WebSocket protocol that no library sends, byte by byte over TCP: A03 to A09, A11, A12, A14.

use std::time::Duration;

use serde_json::{Value, json};
use switchboard_tests::TestServer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use uuid::Uuid;

use super::floods::peak;

/// The key of RFC 6455, section 1.3.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const FINAL: u8 = 0x80;
const CONTINUATION: u8 = 0x0;
const TEXT: u8 = 0x1;
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
/// What is answered to "Calculate 6 * 7".
const ANSWER: &str = "`6 * 7` = **42**";
const MIB: usize = 1 << 20;

/// A connection whose frames are written by hand.
struct Raw {
    stream: TcpStream,
    session: Uuid,
}

impl Raw {
    /// Connects to a session of its own and reads its first frame.
    async fn connect(server: &TestServer) -> Self {
        let (stream, answer) = upgraded(server, "13", Some(KEY), "Connection: Upgrade\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 101"), "{answer}");
        let mut raw = Self { stream, session: Uuid::nil() };
        let (_, ready) = raw.next().await.expect("the first frame");
        let ready: Value = serde_json::from_slice(&ready).expect("frames are JSON");
        raw.session = ready["sessionId"].as_str().and_then(|id| id.parse().ok()).expect("a session");
        raw
    }

    async fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.expect("it is sent");
    }

    /// The next frame of the server: its opcode and what is in it; none when the connection has ended.
    async fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.stream.read_exact(&mut head).await.ok()?;
        let length = match head[1] {
            126 => u64::from(self.stream.read_u16().await.ok()?),
            127 => self.stream.read_u64().await.ok()?,
            length => u64::from(length),
        };
        let mut payload = vec![0; usize::try_from(length).expect("it fits")];
        self.stream.read_exact(&mut payload).await.ok()?;
        Some((head[0] & 0xf, payload))
    }

    /// The code of the server's close; what comes before it is passed over.
    async fn closed(&mut self) -> u16 {
        let closing = async {
            while let Some((opcode, payload)) = self.next().await {
                if opcode == CLOSE {
                    return u16::from_be_bytes([payload[0], payload[1]]);
                }
            }
            panic!("closed without a word");
        };
        timeout(Duration::from_secs(20), closing).await.expect("it is closed")
    }

    /// The next frame of this type.
    async fn until(&mut self, kind: &str) -> Value {
        while let Some((_, payload)) = self.next().await {
            let frame: Value = serde_json::from_slice(&payload).unwrap_or_default();
            if frame["type"] == kind {
                return frame;
            }
        }
        panic!("closed before {kind}");
    }
}

/// Asks for the upgrade with these headers; the connection, and the answer's head.
async fn upgraded(server: &TestServer, version: &str, key: Option<&str>, connection: &str) -> (TcpStream, String) {
    let mut stream = TcpStream::connect(server.address()).await.expect("the server listens");
    let key = key.map(|key| format!("Sec-WebSocket-Key: {key}\r\n")).unwrap_or_default();
    let host = server.address();
    let head = format!(
        "GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n{connection}Sec-WebSocket-Version: {version}\r\n{key}\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.expect("an answer"));
    }
    (stream, String::from_utf8_lossy(&answer).into_owned())
}

/// A masked frame, as a client sends it; the mask changes nothing.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        length @ 0..126 => bytes.push(0x80 | u8::try_from(length).expect("it is small")),
        length @ 126..0x1_0000 => {
            bytes.push(0x80 | 126);
            bytes.extend(u16::try_from(length).expect("it is small").to_be_bytes());
        }
        length => {
            bytes.push(0x80 | 127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

fn message(text: &str) -> Vec<u8> {
    json!({"type": "send-message", "text": text}).to_string().into_bytes()
}

/// Sends this in pieces; asserts the code of the close, and that nothing has reached the session.
async fn closes(server: &TestServer, what: &str, pieces: &[&[u8]], code: u16) {
    let mut raw = Raw::connect(server).await;
    for piece in pieces {
        raw.write(piece).await;
    }
    assert_eq!(raw.closed().await, code, "{what}");
    let session = server.connect_to(raw.session, 0).await;
    assert_eq!(session.last_seq(), 0, "{what}");
}

#[tokio::test]
async fn a03_a_frame_without_a_mask_is_closed() {
    let server = TestServer::start().await;
    let text = message("Calculate 6 * 7");
    let bare = [&[FINAL | TEXT, u8::try_from(text.len()).expect("it is small")], text.as_slice()].concat();

    // Baseline: with a mask it is a message.
    let mut raw = Raw::connect(&server).await;
    raw.write(&frame(FINAL | TEXT, &text)).await;
    assert_eq!(raw.until("agent-response").await["text"], ANSWER);

    closes(&server, "no mask", &[&bare], 1002).await;
}

#[tokio::test]
async fn a04_a_reserved_bit_is_closed() {
    let server = TestServer::start().await;

    for bit in [0x40, 0x20, 0x10] {
        closes(&server, &format!("bit {bit:#x}"), &[&frame(FINAL | bit | TEXT, &message("hello"))], 1002).await;
    }
}

#[tokio::test]
async fn a05_a_reserved_opcode_is_closed() {
    let server = TestServer::start().await;

    for opcode in (0x3..=0x7).chain(0xb..=0xf) {
        closes(&server, &format!("opcode {opcode:#x}"), &[&frame(FINAL | opcode, b"")], 1002).await;
    }
}

#[tokio::test]
async fn a06_a_control_frame_in_pieces_or_too_long_is_closed() {
    let server = TestServer::start().await;

    closes(&server, "in pieces", &[&frame(PING, b"a")], 1002).await;
    closes(&server, "126 bytes", &[&frame(FINAL | PING, &[b'a'; 126])], 1002).await;
}

#[tokio::test]
async fn a07_text_that_is_no_utf8_is_closed() {
    let server = TestServer::start().await;
    let bytes = frame(FINAL | TEXT, &[message("hello").as_slice(), &[0xff, 0xfe]].concat());

    closes(&server, "in one piece", &[&bytes], 1007).await;
    closes(&server, "in three", &[&bytes[..1], &bytes[1..9], &bytes[9..]], 1007).await;
}

#[tokio::test]
async fn a08_a_length_beyond_all_bounds_is_closed_at_once() {
    let server = TestServer::start().await;
    closes(&server, "2^40 bytes", &[&[FINAL | TEXT, 0x80 | 127], &(1u64 << 40).to_be_bytes(), &[0; 4]], 1009).await;
    let before = peak(&server);

    for length in [1u64 << 62, (1 << 63) - 1, 1 << 63, u64::MAX] {
        let mut raw = Raw::connect(&server).await;
        raw.write(&[&[FINAL | TEXT, 0x80 | 127][..], &length.to_be_bytes(), &[0; 4]].concat()).await;
        let code = raw.closed().await;
        assert!([1002, 1009].contains(&code), "{length:#x}: {code}");
    }
    assert!(peak(&server) - before < MIB as u64, "{} KiB", (peak(&server) - before) >> 10);
}

#[tokio::test]
async fn a09_four_mib_are_read_and_one_byte_more_is_closed() {
    let server = TestServer::start().await;
    let whole = [br#"{"type":"send-message","text":""#, vec![b'x'; 4 * MIB - 33].as_slice(), br#""}"#].concat();
    let in_fragments = |text: &[u8]| {
        let size = text.len().div_ceil(1000);
        let fragments = text.chunks(size).enumerate();
        let last = text.len().div_ceil(size) - 1;
        let first = |at: usize| if at == 0 { TEXT } else { CONTINUATION } | if at == last { FINAL } else { 0 };
        fragments.flat_map(|(at, fragment)| frame(first(at), fragment)).collect::<Vec<u8>>()
    };
    assert_eq!(whole.len(), 4 * MIB);

    for bytes in [frame(FINAL | TEXT, &whole), in_fragments(&whole)] {
        let mut raw = Raw::connect(&server).await;
        raw.write(&bytes).await;
        assert_eq!(raw.until("agent-error").await["code"], "protocol-too-large");
        raw.write(&frame(FINAL | TEXT, br#"{"type":"ping"}"#)).await;
        raw.until("pong").await;
    }
    let more = [whole.as_slice(), b" "].concat();
    for bytes in [frame(FINAL | TEXT, &more), in_fragments(&more)] {
        closes(&server, "one byte more", &[&bytes], 1009).await;
    }
}

#[tokio::test]
async fn a11_an_upgrade_that_is_never_finished_is_closed() {
    let server = TestServer::start().await;
    let mut stream = TcpStream::connect(server.address()).await.expect("the server listens");
    stream.write_all(b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n").await.expect("it is sent");

    let mut answer = Vec::new();
    let read = timeout(Duration::from_secs(20), stream.read_to_end(&mut answer)).await;

    read.expect("it is closed").expect("it is read");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
}

#[tokio::test]
async fn a12_an_upgrade_with_wrong_headers_is_refused() {
    let server = TestServer::start().await;
    let connection = "Connection: Upgrade\r\n";

    for (what, version, key, connection) in [
        ("no key", "13", None, connection),
        ("a short key", "13", Some("c2hvcnQ="), connection),
        ("a long key", "13", Some("dGhlIHNhbXBsZSBub25jZSBpcyB0b28gbG9uZw=="), connection),
        ("a key that is no Base64", "13", Some("????????????????????????"), connection),
        ("version 12", "12", Some(KEY), connection),
        ("no version", "", Some(KEY), connection),
        ("no Connection", "13", Some(KEY), ""),
    ] {
        let (_, answer) = upgraded(&server, version, key, connection).await;
        let status = answer.split(' ').nth(1).unwrap_or_default();
        assert!(["400", "426"].contains(&status), "{what}: {answer}");
    }
    Raw::connect(&server).await;
}

#[tokio::test]
async fn a14_however_a_client_goes_its_turn_goes_on() {
    let server = TestServer::start().await;

    for how in ["close 1000", "close 1001", "a reset", "half closed"] {
        let mut raw = Raw::connect(&server).await;
        raw.write(&frame(FINAL | TEXT, &message("Calculate 6 * 7"))).await;
        raw.until("user-message").await;
        match how {
            "close 1000" => raw.write(&frame(FINAL | CLOSE, &1000u16.to_be_bytes())).await,
            "close 1001" => raw.write(&frame(FINAL | CLOSE, &1001u16.to_be_bytes())).await,
            "a reset" => raw.stream.set_zero_linger().expect("it is set"),
            _ => raw.stream.shutdown().await.expect("it is closed"),
        }
        let session = raw.session;
        drop(raw);

        let mut back = server.connect_to(session, 0).await;
        let end = back.until_type("agent-response").await;
        assert_eq!(end["text"], ANSWER, "{how}");
    }
}
