//! Whom to connect to, and where to begin.

use std::fmt;
use std::time::Duration;

use super::Backoff;
use crate::SessionId;

/// Where to begin reading a session that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With the event behind this one; 0 reads the session from its beginning.
    After(u64),
    /// With a snapshot and this many of the last events.
    Tail(u32),
}

/// What a client needs to know.
#[derive(Clone)]
pub struct ClientConfig {
    /// The server: `http://127.0.0.1:7878`, `127.0.0.1:7878` or `ws://127.0.0.1:7878/ws`. A `token` in its query is
    /// sent as the token.
    pub url: String,
    /// The session to attach to; absent begins a new one.
    pub session: Option<SessionId>,
    /// Where to begin reading it.
    pub start: Start,
    /// The server's token, if it has one.
    pub token: Option<String>,
    /// The `Origin` to send; a program needs none.
    pub origin: Option<String>,
    /// Whether each frame is preceded by [`ClientEvent::Raw`](super::ClientEvent::Raw), its text as it came.
    pub raw: bool,
    /// The waits between attempts to reconnect.
    pub backoff: Backoff,
    /// How long to go on trying after a connection was lost; absent goes on for ever.
    pub give_up_after: Option<Duration>,
    /// How long an attempt to connect may take, up to `session-ready`.
    pub connect_limit: Duration,
    /// A connection that is silent for this long is taken as lost; the server pings every 30 s.
    pub idle_limit: Duration,
}

impl ClientConfig {
    /// A new session on the server at this address.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            session: None,
            start: Start::After(0),
            token: None,
            origin: None,
            raw: false,
            backoff: Backoff::default(),
            give_up_after: None,
            connect_limit: Duration::from_secs(15),
            idle_limit: Duration::from_secs(90),
        }
    }

    /// The same, attached to a session that exists.
    #[must_use]
    pub fn session(mut self, session: SessionId, start: Start) -> Self {
        self.session = Some(session);
        self.start = start;
        self
    }
}

/// Shows whether there is a token, never the token; the address may hold one too.
impl fmt::Debug for ClientConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ClientConfig")
            .field("url", &self.url.split('?').next().unwrap_or_default())
            .field("session", &self.session)
            .field("start", &self.start)
            .field("token", &self.token.as_ref().map(|_| "…"))
            .field("origin", &self.origin)
            .finish_non_exhaustive()
    }
}
