//! What the index asks of a log: which sessions changed, and what was said in each of them behind what is in the index. It is given
//! a slice at a time, bounded in events and in text, so that neither the log nor the memory is busy with it.

use async_trait::async_trait;
use serde::Deserialize;
use switchboard_accounts::Principal;
use switchboard_events::{LogError, SaidBy, SessionIndex, SessionLog};
use switchboard_protocol::SessionId;

/// How many events are looked at in a slice.
const SLICE_EVENTS: usize = 2000;
/// How much text a slice has at most, unless one message alone has more.
const SLICE_BYTES: usize = 4 * 1024 * 1024;

/// A log that is read into the index.
#[async_trait]
pub trait IndexedLog: SessionLog + SessionIndex {
    /// What tells of each session whether it has changed; the one that changed first first. Sessions that are being imported are
    /// nobody's yet, and are not among them.
    async fn states(&self) -> Result<Vec<(SessionId, ListedState)>, LogError>;

    /// What was said in each of these sessions behind the event that is in the index, in this order: of as many of them as fit
    /// into a slice, and of at least one. A session that is damaged is taken as far as it can be read: the log itself says what
    /// is wrong with it.
    async fn portions(&self, wanted: Vec<(SessionId, u64)>) -> Result<Vec<Portion>, LogError>;
}

/// A session's place in the list and its last event: one of them is another one when it has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedState {
    pub(crate) place: u64,
    pub(crate) last: u64,
}

/// A session as the list has it.
#[derive(Debug)]
pub(crate) struct ListedSession {
    pub(crate) owner: Principal,
    pub(crate) title: Option<String>,
    pub(crate) state: ListedState,
}

/// What was said in a part of a session.
#[derive(Debug)]
pub struct Portion {
    pub(crate) session: SessionId,
    /// None if the session is gone, or nobody's.
    pub(crate) listed: Option<ListedSession>,
    /// The event behind which it begins: 0 if what is in the index is not of the log as it is now.
    pub(crate) after: u64,
    /// The last event that was looked at.
    pub(crate) end: u64,
    pub(crate) said: Vec<Said>,
}

/// A message of the user or the agent.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) seq: u64,
    pub(crate) by: SaidBy,
    /// RFC 3339.
    pub(crate) at: String,
    pub(crate) text: String,
}

/// What a frame says, as far as it can be found.
#[derive(Deserialize)]
struct SaidFrame {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: String,
}

impl Portion {
    /// Nothing yet of a session of which the index has the events up to `indexed`.
    pub(crate) fn new(session: SessionId, listed: Option<ListedSession>, indexed: u64) -> Self {
        let is_shorter = listed.as_ref().is_some_and(|listed| listed.state.last < indexed);
        let after = if is_shorter { 0 } else { indexed };
        Self { session, listed, after, end: after, said: Vec::new() }
    }

    /// The session's last event; 0 if it is gone.
    pub(crate) fn last(&self) -> u64 {
        self.listed.as_ref().map_or(0, |listed| listed.state.last)
    }

    /// Whether all of the session has been looked at.
    pub(crate) fn is_whole(&self) -> bool {
        self.end >= self.last()
    }

    /// Takes the next event; most are not said by anybody, and are looked at where they lie.
    pub(crate) fn take(&mut self, at: &str, frame: &str, room: &mut Room) {
        self.end += 1;
        room.events = room.events.saturating_sub(1);
        if let Some((by, text)) = said(frame) {
            room.bytes = room.bytes.saturating_sub(text.len());
            self.said.push(Said { seq: self.end, by, at: at.to_owned(), text });
        }
    }

    /// Ends it in front of what cannot be read.
    pub(crate) fn cut_off(&mut self, error: &dyn std::fmt::Display) {
        tracing::warn!(session = %self.session, %error, "a session is found only as far as it can be read");
        self.end = self.last();
    }
}

/// How much a slice still takes.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) events: usize,
    bytes: usize,
}

impl Room {
    pub(crate) fn new() -> Self {
        Self { events: SLICE_EVENTS, bytes: SLICE_BYTES }
    }

    /// Counts a session: also one without anything new costs its turn something.
    pub(crate) fn begin(&mut self) {
        self.events = self.events.saturating_sub(1);
    }

    pub(crate) fn is_used_up(&self) -> bool {
        self.events == 0 || self.bytes == 0
    }
}

/// Who said what. Most frames are something else, and are not read.
fn said(frame: &str) -> Option<(SaidBy, String)> {
    if !["\"user-message\"", "\"agent-response\"", "\"agent-error\""].iter().any(|kind| frame.contains(kind)) {
        return None;
    }
    let SaidFrame { kind, text } = serde_json::from_str(frame).ok()?;
    match kind.as_str() {
        "user-message" => Some((SaidBy::User, text)),
        "agent-response" | "agent-error" => Some((SaidBy::Agent, text)),
        _ => None,
    }
}
