//! A client that comes back to its session at any server, whatever happens to the one it is connected to, as docs/protocol.md
//! tells clients to: with `after`, and with what was not acknowledged.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Error;
use uuid::Uuid;

use crate::{Closed, TestClient, Turn, soon};

/// How long a client waits for a server before it tries another one.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long it waits between two attempts.
const AGAIN: Duration = Duration::from_millis(50);
/// How long it waits when it was refused; less than it is told to.
const REFUSED: Duration = Duration::from_millis(500);

/// Where the servers are; whoever starts one elsewhere says so here.
#[derive(Debug, Clone)]
pub struct Addresses(Arc<Mutex<Vec<String>>>);

impl Addresses {
    /// These addresses.
    #[must_use]
    pub fn new(addresses: Vec<String>) -> Self {
        Self(Arc::new(Mutex::new(addresses)))
    }

    /// The server with this number is here now.
    pub fn set(&self, number: usize, address: String) {
        self.locked()[number] = address;
    }

    /// Tries servers at random, one after the other, until one serves a client of the session from that event on.
    pub async fn connect(&self, session: Uuid, after: u64, rng: &mut fastrand::Rng) -> TestClient {
        let query = format!("?session={session}&after={after}");
        soon("a server that takes the client", async {
            loop {
                let address = {
                    let addresses = self.locked();
                    addresses[rng.usize(..addresses.len())].clone()
                };
                if let Ok(Some(client)) = timeout(PATIENCE, attached(&address, &query)).await {
                    return client;
                }
                sleep(AGAIN).await;
            }
        })
        .await
    }

    fn locked(&self) -> MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A client that is served; none if it is to try again.
async fn attached(address: &str, query: &str) -> Option<TestClient> {
    let mut client = match TestClient::dial(address, query, &[]).await {
        Ok(client) => client,
        Err(error) => {
            if let Error::Http(answer) = &*error {
                assert_eq!(answer.status(), 503, "{answer:?}");
            }
            return None;
        }
    };
    match client.receive().await {
        Ok(ready) => {
            assert_eq!(ready["type"], "session-ready", "{ready:#}");
            client.ready = ready;
            Some(client)
        }
        Err(closed) => {
            closed.check_return();
            None
        }
    }
}

impl Closed {
    /// Fails unless a client is to come back: the server ends, breaks off, cannot read or write the session now, reads it again,
    /// or no longer has it.
    #[track_caller]
    pub fn check_return(&self) {
        assert!(self.asks_to_return(), "{self:?}");
    }

    fn asks_to_return(&self) -> bool {
        matches!(self.code, 1001 | 1006 | 1011 | 1012 | 1013 | 4005)
    }
}

/// A client of one session that comes back to it.
#[derive(Debug)]
pub struct ReturningClient {
    addresses: Addresses,
    client: TestClient,
    session: Uuid,
    rng: fastrand::Rng,
    /// The durable frames, in order.
    pub seen: Vec<Value>,
    /// How its connections ended.
    pub closed: Vec<Closed>,
    /// The refusals that it got.
    pub refusals: Vec<Value>,
    /// The longest time that it was without a server.
    pub longest_pause: Duration,
    unacknowledged: Vec<Value>,
}

impl ReturningClient {
    /// Goes on as this client, which has read nothing yet.
    #[must_use]
    pub fn of(client: TestClient, addresses: Addresses) -> Self {
        Self {
            session: client.session(),
            addresses,
            client,
            rng: fastrand::Rng::new(),
            seen: Vec::new(),
            closed: Vec::new(),
            refusals: Vec::new(),
            longest_pause: Duration::ZERO,
            unacknowledged: Vec::new(),
        }
    }

    /// The session's id.
    #[must_use]
    pub fn session(&self) -> Uuid {
        self.session
    }

    /// Sends a message and reads until its turn has ended.
    pub async fn ask(&mut self, text: &str) -> Turn {
        let id = self.post(text).await;
        self.end_of(&id).await
    }

    /// Sends a message and reads until it is acknowledged; its id.
    pub async fn post_acknowledged(&mut self, text: &str) -> String {
        let id = self.post(text).await;
        while self.unacknowledged.iter().any(|message| message["messageId"] == *id) {
            self.next().await;
        }
        id
    }

    /// Sends a message and returns its id without reading.
    pub async fn post(&mut self, text: &str) -> String {
        let id = Uuid::new_v4().to_string();
        let message = json!({"type": "send-message", "text": text, "messageId": id});
        self.unacknowledged.push(message.clone());
        // If the connection has ended, it is sent over the next one.
        let _ = self.client.try_send(message).await;
        id
    }

    /// Reads until the turn that answers this message has ended.
    pub async fn end_of(&mut self, id: &str) -> Turn {
        let ended =
            |frame: &Value| frame["messageIds"].as_array().is_some_and(|ids| ids.iter().any(|found| found == id));
        if !self.seen.iter().any(ended) {
            while !ended(&self.next().await) {}
        }
        Turn::of(id, &self.seen)
    }

    /// The next frame, over this connection or another one.
    pub async fn next(&mut self) -> Value {
        loop {
            match self.client.receive().await {
                Ok(frame) if frame["type"] == "agent-error" && frame["seq"].is_null() => self.refused(frame).await,
                Ok(frame) => {
                    self.take(&frame);
                    return frame;
                }
                Err(closed) => self.come_back(closed).await,
            }
        }
    }

    /// Takes over what a connection brought: nothing is missing and nothing comes twice, but for the acknowledgement of a
    /// message that was sent again.
    fn take(&mut self, frame: &Value) {
        if frame["type"] == "user-message" {
            self.unacknowledged.retain(|message| message["messageId"] != frame["messageId"]);
        }
        if frame["seq"].is_u64() && frame["repeated"] != true {
            assert_eq!(frame["seq"], self.seen.len() + 1, "{frame:#}");
            self.seen.push(frame.clone());
        }
    }

    async fn refused(&mut self, refusal: Value) {
        assert_eq!(refusal["retryable"], true, "{refusal:#}");
        let refused = self.unacknowledged.iter().find(|message| message["messageId"] == refusal["turnId"]).cloned();
        self.refusals.push(refusal);
        sleep(REFUSED).await;
        if let Some(message) = refused {
            let _ = self.client.try_send(message).await;
        }
    }

    async fn come_back(&mut self, closed: Closed) {
        if !closed.asks_to_return() {
            panic!("session {} behind event {}: {closed:?}", self.session, self.seen.len());
        }
        self.closed.push(closed);
        let began = Instant::now();
        self.client = self.addresses.connect(self.session, self.seen.len() as u64, &mut self.rng).await;
        self.longest_pause = self.longest_pause.max(began.elapsed());
        for message in self.unacknowledged.clone() {
            let _ = self.client.try_send(message).await;
        }
    }
}
