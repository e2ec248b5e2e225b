//! [`Values`]: how the values of one session are stored and loaded, and which of them are held in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use switchboard_protocol::SessionId;

use super::error::LogError;
use super::log::{LogRoom, SessionLog};
use super::payload::ServerOnly;
use super::picture::{LoadedPicture, Picture};
use super::value::{ArtifactValue, BLOB_THRESHOLD, Blob, BlobHash, StoredValue, ValueKind};

/// How many bytes of blobs a session's cache holds.
const CACHE_BYTES: usize = 32 * 1024 * 1024;

/// Stores and loads the values of one session, and holds the blobs used last.
pub struct Values {
    log: Arc<dyn SessionLog>,
    session: SessionId,
    cache: Mutex<VecDeque<(BlobHash, Arc<ArtifactValue>, usize)>>,
}

impl Values {
    /// The values of this session.
    #[must_use]
    pub fn new(log: Arc<dyn SessionLog>, session: SessionId) -> Self {
        Self { log, session, cache: Mutex::default() }
    }

    /// Waits until the log takes more of what can wait; see [`SessionLog::room`].
    pub async fn room(&self) -> LogRoom {
        self.log.room().await
    }

    /// A value as an event keeps it, with its blob if it is large.
    #[must_use]
    pub fn store(&self, value: ArtifactValue) -> (StoredValue, Option<Blob>) {
        let (kind, bytes) = match value {
            ArtifactValue::Json(json) => {
                let text = json.to_string();
                if text.len() < BLOB_THRESHOLD {
                    return (StoredValue::Json(json), None);
                }
                (ValueKind::Json, (Bytes::from(text), ArtifactValue::Json(json)))
            }
            ArtifactValue::Text(text) => {
                if text.len() < BLOB_THRESHOLD {
                    return (StoredValue::Text(text), None);
                }
                (ValueKind::Text, (Bytes::from(text.clone()), ArtifactValue::Text(text)))
            }
            ArtifactValue::Bytes(bytes) => {
                if bytes.len() < BLOB_THRESHOLD {
                    return (StoredValue::Bytes(STANDARD.encode(&bytes)), None);
                }
                (ValueKind::Bytes, (bytes.clone(), ArtifactValue::Bytes(bytes)))
            }
        };
        let (bytes, value) = bytes;
        let hash = BlobHash::of(&bytes);
        self.remember(hash.clone(), Arc::new(value), bytes.len());
        (StoredValue::Blob { kind, hash: hash.clone() }, Some(Blob { hash, bytes }))
    }

    /// The picture as a large value, however small it is: messages refer to pictures by their hashes.
    #[must_use]
    pub fn keep_picture(&self, picture: &LoadedPicture) -> Blob {
        let blob = picture.blob();
        let value = Arc::new(ArtifactValue::Bytes(blob.bytes.clone()));
        self.remember(blob.hash.clone(), value, blob.bytes.len());
        blob
    }

    /// The bytes of a picture that a message refers to.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub async fn picture(&self, picture: &Picture) -> Result<Bytes, LogError> {
        let stored = StoredValue::Blob { kind: ValueKind::Bytes, hash: picture.hash.clone() };
        match self.load(&stored).await?.as_ref() {
            ArtifactValue::Bytes(bytes) => Ok(bytes.clone()),
            // The same bytes are a variable's text or JSON, and are held as that.
            ArtifactValue::Text(text) => Ok(text.clone().into()),
            ArtifactValue::Json(json) => Ok(json.to_string().into()),
        }
    }

    /// The value that an event keeps.
    ///
    /// # Errors
    /// When the log cannot be read, or a blob is missing or is not what its hash says.
    pub async fn load(&self, stored: &StoredValue) -> Result<Arc<ArtifactValue>, LogError> {
        let (kind, hash) = match stored {
            StoredValue::Json(json) => return Ok(Arc::new(ArtifactValue::Json(json.clone()))),
            StoredValue::Text(text) => return Ok(Arc::new(ArtifactValue::Text(text.clone()))),
            StoredValue::Bytes(base64) => {
                let bytes = STANDARD.decode(base64).map_err(|error| LogError::Store(error.to_string()))?;
                return Ok(Arc::new(ArtifactValue::Bytes(bytes.into())));
            }
            StoredValue::Blob { kind, hash } => (*kind, hash),
        };
        if let Some(value) = self.remembered(hash) {
            return Ok(value);
        }
        let bytes = self.log.blob(self.session, hash).await?.ok_or_else(|| damaged(hash, "is missing"))?;
        if BlobHash::of(&bytes) != *hash {
            return Err(damaged(hash, "does not match its hash"));
        }
        let length = bytes.len();
        let value = match kind {
            ValueKind::Json => ArtifactValue::Json(
                serde_json::from_slice(&bytes).map_err(|error| damaged(hash, &format!("is not JSON: {error}")))?,
            ),
            ValueKind::Text => {
                ArtifactValue::Text(String::from_utf8(bytes.into()).map_err(|_| damaged(hash, "is not text"))?)
            }
            ValueKind::Bytes => ArtifactValue::Bytes(bytes),
        };
        let value = Arc::new(value);
        self.remember(hash.clone(), Arc::clone(&value), length);
        Ok(value)
    }

    /// What only the server sees of a durable event.
    ///
    /// # Errors
    /// When the log cannot be read or is damaged there.
    pub async fn private(&self, seq: u64) -> Result<Option<ServerOnly>, LogError> {
        let page = self.log.read(self.session, seq.saturating_sub(1), 1).await?;
        let Some(text) = page.first().filter(|event| event.seq == seq).and_then(|event| event.private.clone()) else {
            return Ok(None);
        };
        let damaged = |error: serde_json::Error| {
            let detail = format!("its server-only part: {error}");
            LogError::Damaged { session: self.session, seq, detail }
        };
        serde_json::from_str(&text).map(Some).map_err(damaged)
    }

    fn remembered(&self, hash: &BlobHash) -> Option<Arc<ArtifactValue>> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.iter().find(|(held, ..)| held == hash).map(|(_, value, _)| Arc::clone(value))
    }

    fn remember(&self, hash: BlobHash, value: Arc<ArtifactValue>, bytes: usize) {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.retain(|(held, ..)| *held != hash);
        cache.push_back((hash, value, bytes));
        let mut held: usize = cache.iter().map(|(.., bytes)| bytes).sum();
        while held > CACHE_BYTES && cache.len() > 1 {
            let Some((.., bytes)) = cache.pop_front() else { break };
            held -= bytes;
        }
    }
}

fn damaged(hash: &BlobHash, what: &str) -> LogError {
    LogError::Store(format!("the value {hash} {what}"))
}

#[cfg(test)]
#[path = "values_tests.rs"]
mod tests;
