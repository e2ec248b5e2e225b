//! A whole session as lines of JSON: a head, each large value once before the event that first needs it, and each
//! event with `frame` and `private` exactly as they are stored.

use std::collections::{BTreeMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use futures_util::Stream;
use futures_util::stream;
use serde::Serialize;
use serde_json::value::RawValue;
use switchboard_protocol::{PROTOCOL_VERSION, SessionId};

use super::directory::Sessions;
use super::error::SessionError;
use crate::accounts::Principal;
use crate::events::{BlobHash, LogError, Private, SessionRow, StoredEvent, StoredValue};
use crate::runtime;

/// How many events are read at once.
const PAGE: u64 = 64;

/// A session being exported, page by page.
pub struct Export {
    sessions: Sessions,
    row: SessionRow,
    after: u64,
    head: bool,
    written: HashSet<BlobHash>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    switchboard_export: u32,
    protocol_version: u32,
    session_id: SessionId,
    title: Option<&'a str>,
    created_at: &'a str,
    exported_at: String,
    events: u64,
}

#[derive(Serialize)]
struct BlobLine<'a> {
    blob: &'a str,
    base64: String,
}

#[derive(Serialize)]
struct EventLine<'a> {
    seq: u64,
    at: &'a str,
    frame: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    private: Option<&'a RawValue>,
}

impl Sessions {
    /// The session as lines of JSON.
    ///
    /// # Errors
    /// When there is no such session of this owner.
    pub async fn export(&self, owner: &Principal, id: SessionId) -> Result<Export, SessionError> {
        let row = self.row(owner, id).await?;
        Ok(Export { sessions: self.clone(), row, after: 0, head: true, written: HashSet::new() })
    }
}

impl Export {
    /// The next lines; none at the end.
    ///
    /// # Errors
    /// When the log cannot be read; what was written until then is right.
    pub async fn next(&mut self) -> Result<Option<Bytes>, SessionError> {
        if std::mem::take(&mut self.head) {
            return Ok(Some(line(&self.head_line())?));
        }
        if self.after >= self.row.last_seq {
            return Ok(None);
        }
        let count = PAGE.min(self.row.last_seq - self.after);
        let page = self.sessions.services().log.read(self.row.session, self.after, count).await?;
        let mut lines = Vec::new();
        for event in &page {
            self.write(event, &mut lines).await?;
        }
        Ok((!lines.is_empty()).then(|| lines.into()))
    }

    /// The lines as a stream, for a response's body.
    pub fn into_stream(self) -> impl Stream<Item = Result<Bytes, SessionError>> + Send {
        stream::try_unfold(self, |mut export| async move { Ok(export.next().await?.map(|lines| (lines, export))) })
    }

    fn head_line(&self) -> Head<'_> {
        Head {
            switchboard_export: 1,
            protocol_version: PROTOCOL_VERSION,
            session_id: self.row.session,
            title: self.row.title.as_deref(),
            created_at: &self.row.created_at,
            exported_at: runtime::timestamp(),
            events: self.row.last_seq,
        }
    }

    async fn write(&mut self, event: &StoredEvent, lines: &mut Vec<u8>) -> Result<(), SessionError> {
        let (session, seq) = (self.row.session, event.seq);
        let damaged = |error: serde_json::Error| LogError::Damaged { session, seq, detail: error.to_string() };
        if let Some(private) = &event.private {
            let private: Private = serde_json::from_str(private).map_err(damaged)?;
            for hash in blobs(&private.values) {
                self.write_blob(hash, lines).await?;
            }
        }
        let written = EventLine {
            seq,
            at: &event.at,
            frame: serde_json::from_str(&event.frame).map_err(damaged)?,
            private: event.private.as_deref().map(serde_json::from_str).transpose().map_err(damaged)?,
        };
        lines.extend_from_slice(&line(&written)?);
        self.after = seq;
        Ok(())
    }

    async fn write_blob(&mut self, hash: &BlobHash, lines: &mut Vec<u8>) -> Result<(), SessionError> {
        if !self.written.insert(hash.clone()) {
            return Ok(());
        }
        if let Some(bytes) = self.sessions.services().log.blob(self.row.session, hash).await? {
            let blob = BlobLine { blob: hash.as_str(), base64: STANDARD.encode(&bytes) };
            lines.extend_from_slice(&line(&blob)?);
        }
        Ok(())
    }
}

fn blobs(values: &BTreeMap<String, StoredValue>) -> impl Iterator<Item = &BlobHash> {
    values.values().filter_map(|value| match value {
        StoredValue::Blob { hash, .. } => Some(hash),
        StoredValue::Json(_) | StoredValue::Text(_) | StoredValue::Bytes(_) => None,
    })
}

fn line(what: &impl Serialize) -> Result<Bytes, SessionError> {
    let mut line = serde_json::to_vec(what).map_err(|error| LogError::Store(error.to_string()))?;
    line.push(b'\n');
    Ok(line.into())
}
