//! A log that is forgotten with the process: for tests, and for servers that should keep nothing.
//!
//! Every call is one critical section, so an append is "committed" when `append` returns.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use switchboard_protocol::{MessageId, SessionId};
use tokio::sync::broadcast;

use super::changes::{SessionChange, SessionChanges};
use super::error::LogError;
use super::event::StoredEvent;
use super::log::{Append, Committed, ListPage, Ownership, Retention, ServerId, SessionIndex, SessionLog, SessionRow};
use super::value::BlobHash;
use switchboard_accounts::Principal;
use switchboard_runtime as runtime;

/// Keeps events in memory.
#[derive(Debug)]
pub struct MemoryLog {
    state: Mutex<MemoryState>,
    changes: SessionChanges,
    generation: Arc<str>,
    server: ServerId,
}

impl Default for MemoryLog {
    fn default() -> Self {
        // Any number that no other log has.
        let generation = SessionId::random().to_string().into();
        Self { state: Mutex::default(), changes: SessionChanges::default(), generation, server: ServerId::random() }
    }
}

#[derive(Debug, Default)]
struct MemoryState {
    sessions: HashMap<SessionId, KeptSession>,
    /// Counts changes, so that sessions have an order that no clock can disturb.
    changes: u64,
    closed: bool,
}

#[derive(Debug)]
struct KeptSession {
    row: SessionRow,
    events: Vec<StoredEvent>,
    open: BTreeSet<MessageId>,
    blobs: HashMap<BlobHash, Bytes>,
}

impl MemoryLog {
    /// An empty log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, MemoryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SessionLog for MemoryLog {
    fn generation(&self) -> Arc<str> {
        Arc::clone(&self.generation)
    }

    async fn create(&self, session: SessionId, owner: &Principal) -> Result<(), LogError> {
        self.state().create(session, owner)?;
        self.changes.tell(SessionChange { session, owner: owner.clone(), gone: false });
        Ok(())
    }

    async fn claim(&self, session: SessionId) -> Result<u64, LogError> {
        Ok(self.state().events(session)?.len() as u64)
    }

    fn append(&self, append: Append) -> Committed {
        let (session, listed) = (append.session, append.is_listed());
        let result = self.state().append(append).map(|owner| {
            if listed {
                self.changes.tell(SessionChange { session, owner, gone: false });
            }
        });
        Box::pin(std::future::ready(result))
    }

    async fn read(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        let state = self.state();
        let events = state.events(session)?;
        Ok(events.iter().skip(clamped(after)).take(clamped(limit)).cloned().collect())
    }

    async fn read_before(&self, session: SessionId, before: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
        let state = self.state();
        let events = state.events(session)?;
        let end = clamped(before.saturating_sub(1)).min(events.len());
        Ok(events[end.saturating_sub(clamped(limit))..end].to_vec())
    }

    async fn blob(&self, session: SessionId, hash: &BlobHash) -> Result<Option<Bytes>, LogError> {
        Ok(self.state().sessions.get(&session).and_then(|kept| kept.blobs.get(hash)).cloned())
    }

    async fn delete(&self, session: SessionId) -> Result<bool, LogError> {
        let mut state = self.state();
        state.writable()?;
        let removed = state.sessions.remove(&session);
        if let Some(kept) = &removed {
            self.changes.tell(SessionChange { session, owner: kept.row.owner.clone(), gone: true });
        }
        Ok(removed.is_some())
    }

    async fn check(&self) -> Result<(), LogError> {
        self.state().writable()
    }

    async fn close(&self) {
        self.state().closed = true;
    }
}

#[async_trait]
impl SessionIndex for MemoryLog {
    async fn get(&self, session: SessionId, owner: &Principal) -> Result<Option<SessionRow>, LogError> {
        let state = self.state();
        Ok(state.sessions.get(&session).map(|kept| &kept.row).filter(|row| row.owner == *owner).cloned())
    }

    async fn rows(&self, owner: &Principal, sessions: &[SessionId]) -> Result<Vec<SessionRow>, LogError> {
        let state = self.state();
        let rows = sessions.iter().filter_map(|session| state.sessions.get(session)).map(|kept| &kept.row);
        Ok(rows.filter(|row| row.owner == *owner).cloned().collect())
    }

    async fn list(&self, owner: &Principal, page: &ListPage) -> Result<Vec<SessionRow>, LogError> {
        let &ListPage { pinned, behind, limit } = page;
        let mut rows = self.state().newest_first(|KeptSession { row, .. }| {
            row.owner == *owner && (row.pinned || !pinned) && behind.is_none_or(|place| row.place < place)
        });
        rows.truncate(clamped(limit));
        Ok(rows)
    }

    async fn expired(&self, retention: &Retention, limit: u64) -> Result<Vec<SessionRow>, LogError> {
        let Retention { changed_since, newest } = retention;
        let state = self.state();
        let mut places = HashMap::<Principal, u64>::new();
        let mut rows = state.newest_first(|kept| kept.row.owner != Principal::importing());
        rows.retain(|row| {
            let place = places.entry(row.owner.clone()).or_default();
            *place += 1;
            let is_over = newest.is_some_and(|newest| *place > newest)
                || changed_since.as_ref().is_some_and(|since| row.updated_at < *since && row.created_at < *since);
            is_over && !row.pinned && state.sessions.get(&row.session).is_some_and(|kept| kept.open.is_empty())
        });
        rows.reverse();
        rows.truncate(clamped(limit));
        Ok(rows)
    }

    async fn pin(&self, session: SessionId, pinned: bool) -> Result<bool, LogError> {
        let mut state = self.state();
        state.writable()?;
        let Some(kept) = state.sessions.get_mut(&session) else { return Ok(false) };
        kept.row.pinned = pinned;
        self.changes.tell(SessionChange { session, owner: kept.row.owner.clone(), gone: false });
        Ok(true)
    }

    async fn hand_over(&self, session: SessionId, owner: &Principal) -> Result<bool, LogError> {
        let mut state = self.state();
        state.writable()?;
        let place = state.changes + 1;
        let Some(kept) = state.sessions.get_mut(&session) else { return Ok(false) };
        (kept.row.owner, kept.row.place) = (owner.clone(), place);
        state.changes = place;
        self.changes.tell(SessionChange { session, owner: owner.clone(), gone: false });
        Ok(true)
    }

    fn changes(&self) -> broadcast::Receiver<SessionChange> {
        self.changes.watch()
    }
}

#[async_trait]
impl Ownership for MemoryLog {
    fn server(&self) -> ServerId {
        self.server.clone()
    }

    async fn owner(&self, session: SessionId) -> Result<Option<ServerId>, LogError> {
        Ok(self.state().sessions.contains_key(&session).then(|| self.server()))
    }

    async fn orphans(&self) -> Result<Vec<SessionRow>, LogError> {
        let mut rows = self.state().newest_first(|kept| !kept.open.is_empty());
        rows.reverse();
        Ok(rows)
    }
}

impl MemoryState {
    fn writable(&self) -> Result<(), LogError> {
        if self.closed { Err(LogError::Closed) } else { Ok(()) }
    }

    fn create(&mut self, session: SessionId, owner: &Principal) -> Result<(), LogError> {
        self.writable()?;
        if self.sessions.contains_key(&session) {
            return Err(LogError::Exists(session));
        }
        self.changes += 1;
        let at = runtime::timestamp();
        let row = SessionRow {
            session,
            owner: owner.clone(),
            title: None,
            created_at: at.clone(),
            updated_at: at,
            last_seq: 0,
            pinned: false,
            place: self.changes,
        };
        let kept = KeptSession { row, events: Vec::new(), open: BTreeSet::new(), blobs: HashMap::new() };
        self.sessions.insert(session, kept);
        Ok(())
    }

    /// Writes it; whose session it is.
    fn append(&mut self, append: Append) -> Result<Principal, LogError> {
        self.writable()?;
        let is_listed = append.is_listed();
        let Append { session, expected, events, blobs, opened, closed, title, urgent: _ } = append;
        let kept = self.sessions.get_mut(&session).ok_or(LogError::UnknownSession(session))?;
        let found = kept.row.last_seq;
        if found != expected {
            return Err(LogError::Conflict { session, expected, found });
        }
        for event in events {
            kept.row.last_seq += 1;
            kept.row.updated_at.clone_from(&event.at);
            let seq = kept.row.last_seq;
            kept.events.push(StoredEvent { seq, at: event.at, frame: event.frame, private: event.private });
        }
        kept.blobs.extend(blobs.into_iter().map(|blob| (blob.hash, blob.bytes)));
        kept.open.extend(opened);
        kept.open.retain(|message| !closed.contains(message));
        if title.is_some() {
            kept.row.title = title;
        }
        if is_listed {
            self.changes += 1;
            kept.row.place = self.changes;
        }
        Ok(kept.row.owner.clone())
    }

    fn events(&self, session: SessionId) -> Result<&[StoredEvent], LogError> {
        let kept = self.sessions.get(&session).ok_or(LogError::UnknownSession(session))?;
        Ok(&kept.events)
    }

    fn newest_first(&self, wanted: impl Fn(&KeptSession) -> bool) -> Vec<SessionRow> {
        let mut kept: Vec<&KeptSession> = self.sessions.values().filter(|kept| wanted(kept)).collect();
        kept.sort_by_key(|kept| std::cmp::Reverse(kept.row.place));
        kept.into_iter().map(|kept| kept.row.clone()).collect()
    }
}

fn clamped(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::test_support::Log;

    async fn log() -> (Log, ()) {
        (Arc::new(MemoryLog::new()), ())
    }

    crate::log_claims!(log);
}
