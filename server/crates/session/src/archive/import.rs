//! A session on its way in: checked line by line, written in few transactions, and safe to open.
//!
//! A file may come from anywhere. What it says was allowed is not allowed here, what it says was running or waiting has
//! ended, and only when all of it was right is the session its owner's. Until then it is in no list.

use std::collections::HashSet;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use switchboard_protocol::{Level, PROTOCOL_VERSION, ServerFrame, ServerMessage, SessionId};

use super::append::append_all;
use super::batch::Batch;
use super::check::{check, check_fork};
use super::lines::{Damaged, FORMAT, Head, Line};
use crate::error::ImportError;
use crate::recovery::{Cut, end_all, end_waiting};
use crate::state::SessionState;
use switchboard_accounts::Principal;
use switchboard_context::MAX_VARIABLES;
use switchboard_events::{
    Append, Blob, BlobHash, EventLog, ForkRecord, MAX_VALUE_BYTES, NewEvent, ServerOnly, StoredEvent,
};

/// The longest line: the largest value in base64, and some more.
const MAX_LINE: usize = 24 * 1024 * 1024;
/// The largest file.
const MAX_FILE: u64 = 1024 * 1024 * 1024;
/// The most events.
const MAX_EVENTS: u64 = 1_000_000;
/// The most bytes of large values that one event may bring.
const MAX_BLOBS: usize = 4 * MAX_VALUE_BYTES;
/// So many bytes are gathered for a transaction, if nobody says otherwise.
const BATCH: usize = 16 * 1024 * 1024;

/// A session being imported.
pub struct Import {
    log: Arc<dyn EventLog>,
    owner: Principal,
    session: SessionId,
    /// What of the file is known: its head, and what its events amount to.
    head: Option<Head>,
    state: SessionState,
    stored: HashSet<BlobHash>,
    /// Large values that the next event must need.
    brought: Vec<Blob>,
    /// The line that is being read, and where it is.
    line: Vec<u8>,
    number: u64,
    bytes: u64,
    batch: Batch,
    batch_bytes: usize,
    /// Why what was open has ended.
    cut: Cut,
    /// What the first event will say of the new session's origin.
    fork: Option<ForkRecord>,
    /// What happens in the new session when everything else is there.
    then: Vec<NewEvent>,
    /// What is in the log and still nobody's: the session, and so many events.
    created: bool,
    written: u64,
    /// The file says that the rest of the session is damaged.
    breaks_off: bool,
}

impl Import {
    /// Imports into this log, for this owner.
    #[must_use]
    pub fn new(log: Arc<dyn EventLog>, owner: Principal) -> Self {
        Self {
            log,
            owner,
            session: SessionId::random(),
            head: None,
            state: SessionState::default(),
            stored: HashSet::new(),
            brought: Vec::new(),
            line: Vec::new(),
            number: 1,
            bytes: 0,
            batch: Batch::default(),
            batch_bytes: BATCH,
            cut: Cut::Imported,
            fork: None,
            then: Vec::new(),
            created: false,
            written: 0,
            breaks_off: false,
        }
    }

    /// As many bytes are gathered for a transaction.
    #[must_use]
    pub fn in_batches_of(mut self, bytes: usize) -> Self {
        self.batch_bytes = bytes;
        self
    }

    /// What is read is another session of this log, and this happens at its end.
    pub(super) fn forking(mut self, record: ForkRecord, then: Vec<NewEvent>) -> Self {
        self.cut = Cut::Forked;
        self.fork = Some(record);
        self.then = then;
        self
    }

    /// Reads the file to its end and gives the new session's id.
    ///
    /// # Errors
    /// When a line is not as it should be, or the log refuses; then nothing of it stays.
    pub async fn read<E: std::fmt::Display>(
        mut self,
        file: impl Stream<Item = Result<Bytes, E>>,
    ) -> Result<SessionId, ImportError> {
        self.read_all(file).await?;
        self.log.hand_over(self.session, &self.owner).await?;
        self.created = false;
        Ok(self.session)
    }

    async fn read_all<E: std::fmt::Display>(
        &mut self,
        file: impl Stream<Item = Result<Bytes, E>>,
    ) -> Result<(), ImportError> {
        let mut file = std::pin::pin!(file);
        while let Some(piece) = file.next().await {
            let piece = piece.map_err(|error| ImportError::File(error.to_string()))?;
            self.take(&piece).await?;
        }
        self.take_line().await?;
        self.finish().await
    }

    async fn take(&mut self, piece: &[u8]) -> Result<(), ImportError> {
        self.bytes += piece.len() as u64;
        if self.bytes > MAX_FILE {
            return Err(self.wrong(format!("goes beyond {MAX_FILE} bytes, the limit for a file")));
        }
        let mut parts = piece.split(|byte| *byte == b'\n');
        self.line.extend_from_slice(parts.next().unwrap_or_default());
        self.check_length()?;
        for part in parts {
            self.take_line().await?;
            self.number += 1;
            self.line.extend_from_slice(part);
            self.check_length()?;
        }
        Ok(())
    }

    fn check_length(&self) -> Result<(), ImportError> {
        if self.line.len() > MAX_LINE {
            return Err(self.wrong(format!("is longer than {MAX_LINE} bytes")));
        }
        Ok(())
    }

    async fn take_line(&mut self) -> Result<(), ImportError> {
        let line = std::mem::take(&mut self.line);
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        self.understand(&line).map_err(|problem| self.wrong(problem))?;
        // The buffer is as long as the longest line so far, and is used again.
        self.line = line;
        self.line.clear();
        if self.batch.bytes >= self.batch_bytes { self.write().await } else { Ok(()) }
    }

    fn understand(&mut self, line: &[u8]) -> Result<(), String> {
        if self.head.is_none() {
            self.head = Some(head(line)?);
            return Ok(());
        }
        if self.breaks_off {
            return Err("comes after the one that says that the rest is damaged".to_owned());
        }
        let line: Line<'_> = serde_json::from_slice(line).map_err(|error| format!("is not valid: {error}"))?;
        match line {
            Line {
                blob: Some(hash),
                base64: Some(base64),
                seq: None,
                at: None,
                frame: None,
                private: None,
                damaged: None,
            } => self.take_blob(hash, &base64),
            Line {
                blob: None,
                base64: None,
                seq: Some(seq),
                at: Some(at),
                frame: Some(frame),
                private,
                damaged: None,
            } => {
                let private = private.map(|private| Arc::from(private.get()));
                self.take_event(StoredEvent { seq, at: at.into_owned(), frame: frame.get().into(), private })
            }
            Line {
                blob: None,
                base64: None,
                seq: None,
                at: None,
                frame: None,
                private: None,
                damaged: Some(damaged),
            } => self.break_off(&damaged),
            _ => Err("is neither {blob, base64} nor {seq, at, frame, private?} nor {damaged}".to_owned()),
        }
    }

    /// What was exported is damaged from here on. Whoever forks a session asked for what is damaged, and hears so.
    fn break_off(&mut self, damaged: &Damaged) -> Result<(), String> {
        let Damaged { from_seq, text } = damaged;
        if self.cut == Cut::Forked {
            return Err(format!("cannot be read: the log is damaged at event {from_seq} ({text})"));
        }
        if *from_seq != self.state.last_seq + 1 {
            return Err(format!("says that event {from_seq} is damaged, which is not the next one"));
        }
        self.brought.clear();
        self.breaks_off = true;
        Ok(())
    }

    fn take_blob(&mut self, hash: BlobHash, base64: &str) -> Result<(), String> {
        let bytes = STANDARD.decode(base64).map_err(|error| format!("has a value that is not base64: {error}"))?;
        let sum = bytes.len() + self.brought.iter().map(|blob| blob.bytes.len()).sum::<usize>();
        if bytes.len() > MAX_VALUE_BYTES || sum > MAX_BLOBS {
            return Err(format!("has a value of more than {MAX_VALUE_BYTES} bytes, or too many for one event"));
        }
        if BlobHash::of(&bytes) != hash {
            return Err("has a value that does not match its hash".to_owned());
        }
        if !self.stored.insert(hash.clone()) {
            return Err("has a value that appeared before".to_owned());
        }
        self.brought.push(Blob { hash, bytes: bytes.into() });
        Ok(())
    }

    fn take_event(&mut self, mut event: StoredEvent) -> Result<(), String> {
        let seq = self.state.last_seq + 1;
        if event.seq != seq {
            return Err(format!("has event {} where event {seq} should be", event.seq));
        }
        if seq > MAX_EVENTS {
            return Err(format!("goes beyond {MAX_EVENTS} events, the limit for an imported session"));
        }
        let frame: ServerFrame =
            serde_json::from_str(&event.frame).map_err(|error| format!("has a frame that is not valid: {error}"))?;
        check(&frame, seq, &event.at)?;
        let private = Self::private(&event)?;
        self.check_blobs(private.as_ref())?;
        if let Some(fork) = self.fork.take() {
            let private = ServerOnly { fork: Some(fork), ..private.unwrap_or_default() };
            event.private = Some(serde_json::to_string(&private).map_err(|error| error.to_string())?.into());
        }
        self.state.apply_stored(&event).map_err(|problem| format!("cannot be imported: {problem}"))?;
        if self.state.context.len() > MAX_VARIABLES {
            return Err(format!("has more than {MAX_VARIABLES} variables"));
        }
        if let ServerMessage::SessionUpdate { title: Some(title), .. } = frame.message {
            self.batch.title = Some(title);
        }
        self.batch.take(event, std::mem::take(&mut self.brought));
        Ok(())
    }

    /// What only the server sees of it.
    fn private(event: &StoredEvent) -> Result<Option<ServerOnly>, String> {
        let private: Option<ServerOnly> = event
            .private
            .as_deref()
            .map(serde_json::from_str)
            .transpose()
            .map_err(|error| format!("has a private part that is not valid: {error}"))?;
        if let Some(fork) = private.as_ref().and_then(|private| private.fork.as_ref()) {
            check_fork(fork)?;
        }
        Ok(private)
    }

    /// An event refers to large values that are there, and every one that was brought is used at once.
    fn check_blobs(&self, private: Option<&ServerOnly>) -> Result<(), String> {
        let needed: HashSet<&BlobHash> = private.into_iter().flat_map(ServerOnly::blobs).collect();
        if needed.iter().any(|hash| !self.stored.contains(*hash)) {
            return Err("refers to a value that does not come before it".to_owned());
        }
        if self.brought.iter().any(|blob| !needed.contains(&blob.hash)) {
            return Err("does not use a value that comes before it".to_owned());
        }
        Ok(())
    }

    async fn write(&mut self) -> Result<(), ImportError> {
        if !self.created {
            self.created = true;
            self.log.create(self.session, &Principal::importing()).await?;
        }
        let Batch { events, blobs, title, bytes: _ } = std::mem::take(&mut self.batch);
        if events.is_empty() {
            return Ok(());
        }
        let (expected, count) = (self.written, events.len() as u64);
        let (opened, closed) = (Vec::new(), Vec::new());
        let append = Append { session: self.session, expected, events, blobs, opened, closed, title, urgent: true };
        self.log.append(append).await?;
        self.written += count;
        Ok(())
    }

    async fn finish(&mut self) -> Result<(), ImportError> {
        let Some(head) = &self.head else {
            return Err(self.wrong("is missing: the file is empty"));
        };
        let (wanted, found) = (head.events, self.state.last_seq);
        let whole = wanted == found || self.breaks_off && found < wanted;
        if !whole || !self.brought.is_empty() {
            return Err(self.wrong(format!("is the last one: the file has {found} events but should have {wanted}")));
        }
        self.write().await?;
        self.make_safe().await
    }

    /// Ends what the file says was open, and takes back what it says was allowed.
    async fn make_safe(&mut self) -> Result<(), ImportError> {
        let mut events = end_all(&self.state, self.cut);
        events.extend(end_waiting(&self.state, self.cut));
        let allows = self.state.permissions.rules.iter().any(|rule| rule.effect == "allow");
        if allows || !self.state.permissions.grants.is_empty() {
            events.push(take_back_grants(self.cut));
        }
        events.append(&mut self.then);
        if let (Some(fork), Some(first)) = (self.fork.take(), events.first_mut()) {
            first.private.get_or_insert_default().fork = Some(fork);
        }
        append_all(Arc::<dyn EventLog>::clone(&self.log), self.session, &mut self.state, events).await?;
        Ok(())
    }

    fn wrong(&self, problem: impl Into<String>) -> ImportError {
        ImportError::Line { line: self.number, problem: problem.into() }
    }
}

impl Drop for Import {
    /// Whoever sends the file may go away at any time: nothing of it stays. What cannot be removed now is at the next
    /// start.
    fn drop(&mut self) {
        if !self.created {
            return;
        }
        let (log, session) = (Arc::clone(&self.log), self.session);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = log.delete(session).await {
                    tracing::error!(%session, %error, "part of an import could not be deleted");
                }
            });
        }
    }
}

fn head(line: &[u8]) -> Result<Head, String> {
    let head: Head =
        serde_json::from_slice(line).map_err(|error| format!("is not the head of an exported session: {error}"))?;
    if head.switchboard_export != FORMAT || head.protocol_version > PROTOCOL_VERSION {
        return Err("was written by a newer Switchboard; import it with that version".to_owned());
    }
    Ok(head)
}

fn take_back_grants(cut: Cut) -> NewEvent {
    let (id, what) = match cut {
        Cut::Forked => ("forked", "is a fork"),
        _ => ("imported", "was imported"),
    };
    let message = ServerMessage::Notification {
        notification_id: id.to_owned(),
        level: Level::Info,
        message: format!("This session {what}: calls that were allowed for the whole session will ask again."),
        duration_ms: 10_000,
        progress: None,
    };
    NewEvent::of_session(message).with_private(ServerOnly { grants_revoked: true, ..ServerOnly::default() })
}
