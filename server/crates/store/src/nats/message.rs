//! A message as a stream keeps it.

use async_nats::{HeaderMap, Message};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;

/// A message of a stream.
#[derive(Debug, Clone)]
pub(super) struct StoredMessage {
    /// Its sequence in the stream.
    pub(super) seq: u64,
    pub(super) subject: String,
    headers: HeaderMap,
    pub(super) payload: Bytes,
}

/// A message as the leader tells it.
#[derive(Debug, Deserialize)]
pub(super) struct ToldMessage {
    subject: String,
    seq: u64,
    #[serde(default)]
    hdrs: String,
    #[serde(default)]
    data: String,
}

impl StoredMessage {
    /// The value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(async_nats::HeaderValue::as_str)
    }

    /// A message that a server of the stream sent by itself; none if it is not one.
    pub(super) fn sent(message: Message) -> Option<Self> {
        let headers = message.headers?;
        let text = |name: &str| headers.get(name).map(|value| value.as_str().to_owned());
        let (seq, subject) = (text("Nats-Sequence")?.parse().ok()?, text("Nats-Subject")?);
        Some(Self { seq, subject, headers, payload: message.payload })
    }
}

impl TryFrom<ToldMessage> for StoredMessage {
    type Error = String;

    fn try_from(told: ToldMessage) -> Result<Self, String> {
        let decode = |text: &str| STANDARD.decode(text).map_err(|error| format!("a message cannot be read: {error}"));
        let mut headers = HeaderMap::new();
        let block = decode(&told.hdrs)?;
        // The first line is the protocol's version.
        for line in String::from_utf8_lossy(&block).lines().skip(1) {
            if let Some((name, value)) = line.split_once(':') {
                headers.insert(name, value.trim());
            }
        }
        Ok(Self { seq: told.seq, subject: told.subject, headers, payload: decode(&told.data)?.into() })
    }
}
