//! A session on its way out, a piece at a time: never more of it in memory than a page of events and one large value.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::{Stream, stream};
use switchboard_protocol::PROTOCOL_VERSION;

use super::lines::{self, Damaged, FORMAT, Head, Line};
use crate::error::SessionError;
use switchboard_events::{BlobHash, LogError, ServerOnly, SessionLog, SessionRow, StoredEvent};

/// How many events are read at once.
const PAGE: u64 = 64;

/// A session being exported: what it was when the export began, whatever happens meanwhile.
pub struct Export {
    log: Arc<dyn SessionLog>,
    row: SessionRow,
    page: VecDeque<StoredEvent>,
    read: u64,
    head: bool,
    written: HashSet<BlobHash>,
    /// Large values that the next event needs, and which event that is.
    needed: VecDeque<BlobHash>,
    prepared: u64,
}

impl Export {
    /// The session with this row in this log.
    #[must_use]
    pub fn of(log: Arc<dyn SessionLog>, row: SessionRow) -> Self {
        let (page, written, needed) = (VecDeque::new(), HashSet::new(), VecDeque::new());
        Self { log, row, page, read: 0, head: true, written, needed, prepared: 0 }
    }

    /// The next lines; none at the end. Where the log is damaged, the last one says so.
    ///
    /// # Errors
    /// When the log cannot be read, or the session was deleted meanwhile; then the file is not whole.
    pub async fn next(&mut self) -> Result<Option<Bytes>, SessionError> {
        match self.next_sound().await {
            Err(SessionError::Log(LogError::Damaged { session, seq, detail })) => {
                tracing::error!(%session, "an export ends at event {seq}, where the log is damaged: {detail}");
                self.row.last_seq = self.read;
                self.page.clear();
                self.needed.clear();
                let damaged = Some(Damaged { from_seq: seq, text: detail });
                Ok(Some(lines::bytes(&Line { damaged, ..Line::default() })))
            }
            next => next,
        }
    }

    async fn next_sound(&mut self) -> Result<Option<Bytes>, SessionError> {
        if std::mem::take(&mut self.head) {
            return Ok(Some(self.head_line()));
        }
        if self.page.is_empty() && self.read < self.row.last_seq {
            self.read_page().await?;
        }
        let Some(event) = self.page.front().cloned() else { return Ok(None) };
        if self.prepared < event.seq {
            self.prepared = event.seq;
            self.needed = self.new_blobs(event.seq, event.private.clone())?;
        }
        if let Some(hash) = self.needed.pop_front() {
            return self.blob_line(event.seq, hash).await.map(Some);
        }
        let line = self.event_line(&event)?;
        self.page.pop_front();
        Ok(Some(line))
    }

    /// The lines as a stream, for a response's body.
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes, SessionError>> + Send {
        stream::try_unfold(self, |mut export| async move { Ok(export.next().await?.map(|lines| (lines, export))) })
    }

    fn head_line(&self) -> Bytes {
        lines::bytes(&Head {
            switchboard_export: FORMAT,
            protocol_version: PROTOCOL_VERSION,
            session_id: self.row.session,
            title: self.row.title.clone(),
            events: self.row.last_seq,
        })
    }

    async fn read_page(&mut self) -> Result<(), SessionError> {
        let count = PAGE.min(self.row.last_seq - self.read);
        let page = self.log.read(self.row.session, self.read, count).await?;
        let Some(last) = page.last() else { return Err(SessionError::UnknownSession(self.row.session)) };
        self.read = last.seq;
        self.page = page.into();
        Ok(())
    }

    fn event_line(&self, event: &StoredEvent) -> Result<Bytes, SessionError> {
        let damaged = |error| self.damaged(event.seq, &error);
        Ok(lines::bytes(&Line {
            seq: Some(event.seq),
            at: Some(event.at.as_str().into()),
            frame: Some(serde_json::from_str(&event.frame).map_err(damaged)?),
            private: event.private.as_deref().map(serde_json::from_str).transpose().map_err(damaged)?,
            ..Line::default()
        }))
    }

    /// The large values of an event that were not written before.
    fn new_blobs(&mut self, seq: u64, private: Option<Arc<str>>) -> Result<VecDeque<BlobHash>, SessionError> {
        let Some(private) = private else { return Ok(VecDeque::new()) };
        let private: ServerOnly = serde_json::from_str(&private).map_err(|error| self.damaged(seq, &error))?;
        Ok(private.blobs().filter(|hash| self.written.insert((*hash).clone())).cloned().collect())
    }

    async fn blob_line(&self, seq: u64, hash: BlobHash) -> Result<Bytes, SessionError> {
        let bytes = self.log.blob(self.row.session, &hash).await?.filter(|bytes| BlobHash::of(bytes) == hash);
        let damaged = || LogError::Damaged {
            session: self.row.session,
            seq,
            detail: format!("its value {hash} is missing or damaged"),
        };
        let bytes = bytes.ok_or_else(damaged)?;
        let base64 = Some(STANDARD.encode(&bytes).into());
        Ok(lines::bytes(&Line { blob: Some(hash), base64, ..Line::default() }))
    }

    fn damaged(&self, seq: u64, error: &serde_json::Error) -> LogError {
        LogError::Damaged { session: self.row.session, seq, detail: error.to_string() }
    }
}
