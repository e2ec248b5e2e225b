//! What the claims are made with: a log, sessions, and events that can be told apart.

use std::sync::Arc;

use bytes::Bytes;
use switchboard_accounts::Principal;
use switchboard_protocol::SessionId;

use crate::{Append, Blob, BlobHash, EncodedEvent, EventLog, ListPage, SessionRow, StoredEvent};

/// Any log.
pub type Log = Arc<dyn EventLog>;

pub async fn created(log: &Log) -> SessionId {
    let session = SessionId::random();
    log.create(session, &Principal::local()).await.expect("created");
    session
}

/// The owner's sessions, in the order of the list.
pub async fn listed(log: &Log, owner: &Principal) -> Vec<SessionRow> {
    log.list(owner, &ListPage::first(1000)).await.expect("read")
}

/// The event that has this `seq` in these tests.
pub fn event(seq: u64) -> EncodedEvent {
    EncodedEvent {
        at: "2026-01-01T00:00:00.000Z".to_owned(),
        frame: format!(r#"{{"type":"notification","seq":{seq}}}"#).into(),
        private: seq.is_multiple_of(2).then(|| format!(r#"{{"n":{seq}}}"#).into()),
    }
}

/// The same, as it comes back.
pub fn stored_event(seq: u64) -> StoredEvent {
    let EncodedEvent { at, frame, private } = event(seq);
    StoredEvent { seq, at, frame, private }
}

/// An append of `count` events that somebody waits for.
pub fn append(session: SessionId, expected: u64, count: u64) -> Append {
    Append {
        session,
        expected,
        events: (expected + 1..=expected + count).map(event).collect(),
        blobs: Vec::new(),
        opened: Vec::new(),
        closed: Vec::new(),
        title: None,
        urgent: true,
    }
}

/// The same, but nobody waits for it.
pub fn quiet(append: Append) -> Append {
    Append { urgent: false, ..append }
}

pub fn blob(bytes: &[u8]) -> Blob {
    Blob { hash: BlobHash::of(bytes), bytes: Bytes::copy_from_slice(bytes) }
}
