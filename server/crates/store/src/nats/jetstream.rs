//! What is asked of JetStream: half a dozen requests, each with a limit in time.
//!
//! The requests are the documented ones of its API, sent as they are: what an answer means, and above all that none means
//! nothing, is told apart here and nowhere else.

use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, HeaderMap, Message, Request, RequestErrorKind};
use bytes::Bytes;
use futures_util::StreamExt;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;
use uuid::Uuid;

use super::message::{StoredMessage, ToldMessage};
use switchboard_events::LogError;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(5);
/// How much one page of messages has at most, unless one message alone has more.
const PAGE_BYTES: u64 = 4 * 1024 * 1024;
/// How many messages a page has at most.
pub(super) const PAGE: u64 = 256;

const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";

/// Why something was not done.
#[derive(Debug, Clone)]
pub(super) enum NatsError {
    /// The subject's last message is another one.
    Sequence,
    /// There is no answer: it may have been done or not.
    Unknown(String),
    /// It was not done.
    Refused {
        /// Which error it is, in JetStream's list.
        code: u64,
        /// The same for people.
        text: String,
    },
}

impl From<NatsError> for LogError {
    fn from(error: NatsError) -> Self {
        match error {
            // JetStream's errors for memory, disk and limits that are used up.
            NatsError::Refused { code: 10_023 | 10_028 | 10_047 | 10_077 | 10_122, .. } => Self::Full,
            NatsError::Refused { text, .. } => Self::Store(format!("NATS refuses it: {text}")),
            NatsError::Unknown(text) => Self::Store(format!("NATS does not answer ({text})")),
            NatsError::Sequence => Self::Store("NATS has another message there".to_owned()),
        }
    }
}

#[derive(Debug, Deserialize)]
struct ApiError {
    #[serde(default)]
    err_code: u64,
    #[serde(default)]
    description: String,
}

impl From<ApiError> for NatsError {
    fn from(ApiError { err_code, description }: ApiError) -> Self {
        match err_code {
            10_071 | 10_164 => Self::Sequence,
            code => Self::Refused { code, text: description },
        }
    }
}

#[derive(Deserialize)]
struct Answer {
    error: Option<ApiError>,
}

/// JetStream's answer to a publish.
#[derive(Deserialize)]
struct Stored {
    seq: u64,
}

/// A connection to JetStream; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct JetStream {
    client: Client,
    /// Changes whenever the connection is lost.
    lost: watch::Receiver<u64>,
}

impl JetStream {
    pub(super) fn new(client: Client, lost: watch::Receiver<u64>) -> Self {
        Self { client, lost }
    }

    /// How many bytes a message may have, its headers included.
    pub(super) fn max_payload(&self) -> usize {
        self.client.server_info().max_payload
    }

    /// The version of the server that it is connected to.
    pub(super) fn version(&self) -> String {
        self.client.server_info().version
    }

    /// Stores a message; its sequence.
    pub(super) async fn publish(
        &self,
        subject: &str,
        expected: Option<u64>,
        mut headers: HeaderMap,
        payload: Bytes,
    ) -> Result<u64, NatsError> {
        if let Some(expected) = expected {
            headers.insert(EXPECTED, expected.to_string());
        }
        let answer = self.request(subject, headers, payload).await?;
        parsed::<Stored>(&answer).map(|stored| stored.seq)
    }

    /// Stores all of these messages side by side, or none; the last one's sequence.
    pub(super) async fn publish_batch(
        &self,
        subject: &str,
        expected: u64,
        messages: Vec<(HeaderMap, Bytes)>,
    ) -> Result<u64, NatsError> {
        let (id, count) = (Uuid::new_v4().to_string(), messages.len());
        let mut stored = Err(NatsError::Unknown("nothing was sent".to_owned()));
        for (place, (mut headers, payload)) in (1..).zip(messages) {
            headers.insert("Nats-Batch-Id", id.as_str());
            headers.insert("Nats-Batch-Sequence", place.to_string());
            if place == 1 {
                headers.insert(EXPECTED, expected.to_string());
            }
            if place == count {
                headers.insert("Nats-Batch-Commit", "1");
                let answer = self.request(subject, headers, payload).await?;
                stored = parsed::<Stored>(&answer).map(|stored| stored.seq);
            } else if place == 1 {
                // It is answered with nothing, or with why the batch is not taken.
                let answer = self.request(subject, headers, payload).await?;
                if !answer.payload.is_empty() {
                    parsed::<Value>(&answer)?;
                }
            } else {
                let sent = self.client.publish_with_headers(subject.to_owned(), headers, payload).await;
                sent.map_err(|error| NatsError::Unknown(error.to_string()))?;
            }
        }
        stored
    }

    /// The last message of a subject, as the stream's leader has it.
    pub(super) async fn last(&self, stream: &str, subject: &str) -> Result<Option<StoredMessage>, NatsError> {
        self.told(stream, &json!({ "last_by_subj": subject })).await
    }

    /// The message with this sequence, or the first one behind it of a subject, as the stream's leader has it.
    pub(super) async fn next(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
    ) -> Result<Option<StoredMessage>, NatsError> {
        self.told(stream, &json!({ "seq": from, "next_by_subj": subject })).await
    }

    /// Up to `most` messages of a subject from this sequence on, from any server that has the stream: as many as fit, and the
    /// newest may be missing.
    pub(super) async fn page(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
        most: u64,
    ) -> Result<Vec<StoredMessage>, NatsError> {
        let most = most.clamp(1, PAGE);
        let wanted = json!({ "seq": from, "next_by_subj": subject, "batch": most, "max_bytes": PAGE_BYTES });
        self.sent(stream, &wanted).await
    }

    /// The last message of each of these subjects, from any server that has the stream; 1,024 at most.
    pub(super) async fn last_of_each(&self, stream: &str, subjects: &str) -> Result<Vec<StoredMessage>, NatsError> {
        self.sent(stream, &json!({ "multi_last": [subjects], "batch": 1024 })).await
    }

    /// Removes all messages of the subjects that this names.
    pub(super) async fn purge(&self, stream: &str, subjects: &str) -> Result<(), NatsError> {
        self.ask::<Value>(&format!("STREAM.PURGE.{stream}"), &json!({ "filter": subjects })).await.map(drop)
    }

    /// Asks JetStream's API.
    pub(super) async fn ask<T: DeserializeOwned>(&self, what: &str, body: &Value) -> Result<T, NatsError> {
        let answer = self.request(&format!("$JS.API.{what}"), HeaderMap::new(), body.to_string().into()).await?;
        parsed(&answer)
    }

    async fn told(&self, stream: &str, wanted: &Value) -> Result<Option<StoredMessage>, NatsError> {
        #[derive(Deserialize)]
        struct Told {
            message: ToldMessage,
        }
        match self.ask::<Told>(&format!("STREAM.MSG.GET.{stream}"), wanted).await {
            Ok(Told { message }) => StoredMessage::try_from(message).map(Some).map_err(NatsError::Unknown),
            Err(NatsError::Refused { code: 10_037, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn sent(&self, stream: &str, wanted: &Value) -> Result<Vec<StoredMessage>, NatsError> {
        self.while_connected(self.page_of(stream, wanted)).await?
    }

    async fn page_of(&self, stream: &str, wanted: &Value) -> Result<Vec<StoredMessage>, NatsError> {
        let unknown = |error: &dyn std::fmt::Display| NatsError::Unknown(error.to_string());
        let inbox = self.client.new_inbox();
        let mut answers = self.client.subscribe(inbox.clone()).await.map_err(|error| unknown(&error))?;
        let (subject, wanted) = (format!("$JS.API.DIRECT.GET.{stream}"), wanted.to_string().into());
        self.client.publish_with_reply(subject, inbox, wanted).await.map_err(|error| unknown(&error))?;
        let mut messages = Vec::new();
        loop {
            let answer = timeout(LIMIT, answers.next()).await.map_err(|_| unknown(&"the time is over"))?;
            let answer = answer.ok_or_else(|| unknown(&"the connection has ended"))?;
            match answer.status.map(|status| status.as_u16()) {
                None => messages.extend(StoredMessage::sent(answer)),
                // The end, or nothing there.
                Some(204 | 404) => return Ok(messages),
                Some(status) => {
                    let text = answer.description.unwrap_or_default();
                    return Err(NatsError::Unknown(format!("{status} {text}")));
                }
            }
        }
    }

    async fn request(&self, subject: &str, headers: HeaderMap, payload: Bytes) -> Result<Message, NatsError> {
        let request = Request::new().payload(payload).timeout(Some(LIMIT));
        let request = if headers.is_empty() { request } else { request.headers(headers) };
        let answer = self.while_connected(self.client.send_request(subject.to_owned(), request)).await?;
        answer.map_err(|error| match error.kind() {
            RequestErrorKind::MaxPayloadExceeded => {
                NatsError::Refused { code: 0, text: "a message is larger than its max_payload".to_owned() }
            }
            RequestErrorKind::NoResponders => NatsError::Refused {
                code: 0,
                text: "no stream takes the message, or JetStream is not ready".to_owned(),
            },
            _ => NatsError::Unknown(error.to_string()),
        })
    }

    /// Waits for an answer, but not longer than the connection lives: what is asked without one would be sent when there is one
    /// again, long after anybody waits for it.
    async fn while_connected<T>(&self, answer: impl Future<Output = T>) -> Result<T, NatsError> {
        let mut lost = self.lost.clone();
        lost.mark_unchanged();
        if self.client.connection_state() != State::Connected {
            return Err(NatsError::Refused { code: 0, text: "there is no connection to it".to_owned() });
        }
        tokio::select! {
            answer = answer => Ok(answer),
            Ok(()) = lost.changed() => Err(NatsError::Unknown("the connection was lost".to_owned())),
        }
    }
}

fn parsed<T: DeserializeOwned>(answer: &Message) -> Result<T, NatsError> {
    let unknown = |error: serde_json::Error| NatsError::Unknown(format!("an answer cannot be read: {error}"));
    let Answer { error } = serde_json::from_slice(&answer.payload).map_err(unknown)?;
    match error {
        Some(error) => Err(error.into()),
        None => serde_json::from_slice(&answer.payload).map_err(unknown),
    }
}
