//! What is asked of JetStream: half a dozen requests, each with a limit in time.
//!
//! The requests are the documented ones of its API, sent as they are: what an answer means, and above all that none means
//! nothing, is told apart here and nowhere else.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{Client, HeaderMap, Message, Request, RequestErrorKind};
use bytes::Bytes;
use futures_util::StreamExt;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::error::{ApiError, NatsError};
use super::message::{StoredMessage, ToldMessage};

/// How long the answer to a large message may take, and to what changes streams.
const LIMIT: Duration = Duration::from_secs(5);
/// How long the answer to any other one may take: one that the leader was to give that has just ended never comes.
const SHORT_LIMIT: Duration = Duration::from_secs(2);
/// What is large.
const LARGE: usize = 64 * 1024;
/// How long each of several attempts to read something may take.
const READ_LIMITS: [Duration; 3] = [Duration::from_secs(1), SHORT_LIMIT, SHORT_LIMIT];
/// For how long it counts that an answer did not come.
const DOUBT: Duration = Duration::from_secs(60);
/// How long a connection that is made again is waited for.
const CONNECTION: Duration = Duration::from_secs(2);
/// How often it is looked whether it is there.
const LOOK: Duration = Duration::from_millis(20);
/// How long it waits before it asks again for what was not read.
const REFUSED: Duration = Duration::from_millis(250);
/// How much one page of messages has at most, unless one message alone has more.
const PAGE_BYTES: u64 = 4 * 1024 * 1024;
/// How many messages a page has at most.
pub(super) const PAGE: u64 = 256;
/// The same of a page of the whole list: for each page NATS counts what is left by going through all subjects, so that many small
/// ones would take a time that grows with the square of the sessions.
const LIST_PAGE: u64 = if cfg!(test) { 128 } else { 16_384 };
const LIST_BYTES: u64 = 16 * 1024 * 1024;

const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";

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
    /// When an answer last did not come.
    silent_at: Arc<Mutex<Option<Instant>>>,
}

impl JetStream {
    pub(super) fn new(client: Client, lost: watch::Receiver<u64>) -> Self {
        Self { client, lost, silent_at: Arc::default() }
    }

    /// Whether an answer did not come lately: then a leader may have been stopped that still answers, from the past, when it goes
    /// on, until it hears that there is another one.
    pub(super) fn was_silent(&self) -> bool {
        self.silent_at.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|at| at.elapsed() < DOUBT)
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

    /// Sends a message, and does not wait until it is stored.
    #[cfg(any(test, feature = "test_support"))]
    pub(super) async fn publish_unanswered(
        &self,
        subject: &str,
        expected: u64,
        mut headers: HeaderMap,
        payload: Bytes,
    ) -> Result<(), NatsError> {
        headers.insert(EXPECTED, expected.to_string());
        let sent = self.client.publish_with_headers(subject.to_owned(), headers, payload).await;
        sent.map_err(|error| NatsError::Unknown(error.to_string()))
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

    /// The same, and nothing only if there is nothing: who answers may be behind, the leader is not.
    pub(super) async fn sure_page(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
        most: u64,
    ) -> Result<Vec<StoredMessage>, NatsError> {
        let page = self.page(stream, subject, from, most).await?;
        self.sure(page, stream, subject, from).await
    }

    /// A page from this sequence on; if it is empty, what the leader has there of a subject.
    pub(super) async fn sure(
        &self,
        mut page: Vec<StoredMessage>,
        stream: &str,
        subject: &str,
        from: u64,
    ) -> Result<Vec<StoredMessage>, NatsError> {
        if page.is_empty() {
            page.extend(self.next(stream, subject, from).await?);
        }
        Ok(page)
    }

    /// Many messages of a stream from this sequence on, as [`Self::page`] has them.
    pub(super) async fn large_page(&self, stream: &str, from: u64) -> Result<Vec<StoredMessage>, NatsError> {
        let wanted = json!({ "seq": from, "next_by_subj": ">", "batch": LIST_PAGE, "max_bytes": LIST_BYTES });
        again(|_| async { self.while_connected(self.page_of(LIMIT, stream, &wanted)).await? }).await
    }

    /// The message with this sequence, or the first one behind it, from any server that has the stream: the newest may be missing.
    pub(super) async fn one(&self, stream: &str, from: u64) -> Result<Option<StoredMessage>, NatsError> {
        let (subject, wanted) = (format!("$JS.API.DIRECT.GET.{stream}"), json!({ "seq": from, "next_by_subj": ">" }));
        let wanted = Bytes::from(wanted.to_string());
        let answer = again(|limit| self.request_within(limit, &subject, HeaderMap::new(), wanted.clone())).await?;
        match answer.status.map(|status| status.as_u16()) {
            None => Ok(StoredMessage::sent(answer)),
            Some(404) => Ok(None),
            Some(status) => Err(refused_read(status, answer.description)),
        }
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
        let (subject, body) = (format!("$JS.API.{what}"), body.to_string().into());
        parsed(&self.request_within(LIMIT, &subject, HeaderMap::new(), body).await?)
    }

    async fn told(&self, stream: &str, wanted: &Value) -> Result<Option<StoredMessage>, NatsError> {
        #[derive(Deserialize)]
        struct Told {
            message: ToldMessage,
        }
        let (subject, body) = (format!("$JS.API.STREAM.MSG.GET.{stream}"), Bytes::from(wanted.to_string()));
        let answer = again(|limit| self.request_within(limit, &subject, HeaderMap::new(), body.clone())).await?;
        match parsed::<Told>(&answer) {
            Ok(Told { message }) => StoredMessage::try_from(message).map(Some).map_err(NatsError::Unknown),
            Err(NatsError::Refused { code: 10_037, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn sent(&self, stream: &str, wanted: &Value) -> Result<Vec<StoredMessage>, NatsError> {
        again(|limit| async move { self.while_connected(self.page_of(limit, stream, wanted)).await? }).await
    }

    async fn page_of(&self, limit: Duration, stream: &str, wanted: &Value) -> Result<Vec<StoredMessage>, NatsError> {
        let unknown = |error: &dyn std::fmt::Display| self.silence(error);
        let inbox = self.client.new_inbox();
        let mut answers = self.client.subscribe(inbox.clone()).await.map_err(|error| unknown(&error))?;
        let (subject, wanted) = (format!("$JS.API.DIRECT.GET.{stream}"), wanted.to_string().into());
        self.client.publish_with_reply(subject, inbox, wanted).await.map_err(|error| unknown(&error))?;
        let mut messages = Vec::new();
        loop {
            let limit = if messages.is_empty() { limit } else { LIMIT };
            let answer = timeout(limit, answers.next()).await.map_err(|_| unknown(&"the time is over"))?;
            let answer = answer.ok_or_else(|| unknown(&"the connection has ended"))?;
            match answer.status.map(|status| status.as_u16()) {
                None => messages.extend(StoredMessage::sent(answer)),
                // The end, or nothing there.
                Some(204 | 404) => return Ok(messages),
                Some(status) => return Err(refused_read(status, answer.description)),
            }
        }
    }

    async fn request(&self, subject: &str, headers: HeaderMap, payload: Bytes) -> Result<Message, NatsError> {
        let limit = if payload.len() < LARGE { SHORT_LIMIT } else { LIMIT };
        self.request_within(limit, subject, headers, payload).await
    }

    async fn request_within(
        &self,
        limit: Duration,
        subject: &str,
        headers: HeaderMap,
        payload: Bytes,
    ) -> Result<Message, NatsError> {
        let request = Request::new().payload(payload).timeout(Some(limit));
        let request = if headers.is_empty() { request } else { request.headers(headers) };
        let answer = self.while_connected(self.client.send_request(subject.to_owned(), request)).await?;
        answer.map_err(|error| match error.kind() {
            RequestErrorKind::MaxPayloadExceeded => {
                NatsError::Refused { code: 0, text: "a message is larger than its max_payload".to_owned() }
            }
            RequestErrorKind::NoResponders => {
                NatsError::NoLeader("no stream takes the message, or JetStream is not ready".to_owned())
            }
            _ => self.silence(&error),
        })
    }

    /// Waits for an answer, but not longer than the connection lives: what is asked without one would be sent when there is one
    /// again, long after anybody waits for it. One that is just being made again, at another server, is waited for.
    async fn while_connected<T>(&self, answer: impl Future<Output = T>) -> Result<T, NatsError> {
        let (begun, mut lost) = (Instant::now(), self.lost.clone());
        lost.mark_unchanged();
        while self.client.connection_state() != State::Connected {
            if begun.elapsed() > CONNECTION {
                return Err(NatsError::NoConnection);
            }
            sleep(LOOK).await;
            lost.mark_unchanged();
        }
        tokio::select! {
            answer = answer => Ok(answer),
            Ok(()) = lost.changed() => Err(self.silence(&"the connection was lost")),
        }
    }

    /// There was no answer.
    fn silence(&self, why: &dyn std::fmt::Display) -> NatsError {
        *self.silent_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        NatsError::Unknown(why.to_string())
    }
}

/// Asks up to three times when there is no answer; only for what changes nothing.
async fn again<T, F>(mut ask: impl FnMut(Duration) -> F) -> Result<T, NatsError>
where
    F: Future<Output = Result<T, NatsError>>,
{
    let mut answer = Err(NatsError::NoConnection);
    for (attempt, limit) in READ_LIMITS.into_iter().enumerate() {
        if attempt > 0 {
            // A stream that was just made, or has a new leader, refuses at once.
            sleep(REFUSED).await;
        }
        answer = ask(limit).await;
        let Err(NatsError::Unknown(text)) = &answer else { break };
        tracing::debug!(text, "NATS did not answer; it is asked again");
    }
    answer
}

fn refused_read(status: u16, text: Option<String>) -> NatsError {
    NatsError::Unknown(format!("{status} {}", text.unwrap_or_default()))
}

fn parsed<T: DeserializeOwned>(answer: &Message) -> Result<T, NatsError> {
    let unknown = |error: serde_json::Error| NatsError::Unknown(format!("an answer cannot be read: {error}"));
    let Answer { error } = serde_json::from_slice(&answer.payload).map_err(unknown)?;
    match error {
        Some(error) => Err(error.into()),
        None => serde_json::from_slice(&answer.payload).map_err(unknown),
    }
}
