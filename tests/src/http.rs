//! A plain HTTP client: one request a connection, the answer whole.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::soon;

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// Header lines, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {}", self.text()))
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// Sends a request with further headers and reads the answer to its end (HTTP/1.0, so that it is never in chunks).
pub async fn request(address: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let mut head = format!("{method} {path} HTTP/1.0\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        head.push_str(&format!("Host: {address}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
    let answer = soon("the answer", async {
        let mut socket = TcpStream::connect(address).await.expect("the server listens");
        // Who answers before it has read everything may close meanwhile, so a write may fail with the answer on its way.
        let written = [socket.write_all(head.as_bytes()).await, socket.write_all(body).await];
        let mut answer = Vec::new();
        let read = socket.read_to_end(&mut answer).await;
        assert!(!answer.is_empty(), "no answer to {method} {path}: written {written:?}, read {read:?}");
        answer
    })
    .await;
    parse(&answer)
}

fn parse(answer: &[u8]) -> Reply {
    let split = answer.windows(4).position(|part| part == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8_lossy(&answer[..split]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|status| status.parse().ok());
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    Reply { status: status.expect("an answer has a status"), headers, body: answer[split + 4..].to_vec() }
}
