//! Values of artifacts: small ones stand in the event, large ones are blobs by SHA-256.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use switchboard_protocol::{SessionId, ValueType};

use super::error::LogError;
use super::facts::Private;
use super::log::EventLog;

/// Values of this many bytes and more are blobs.
pub const BLOB_THRESHOLD: usize = 32 * 1024;

/// The largest value of an artifact.
pub const MAX_VALUE_BYTES: usize = 16 * 1024 * 1024;

/// How many bytes of blobs a session's cache holds.
const CACHE_BYTES: usize = 32 * 1024 * 1024;

/// The value of an artifact.
#[derive(Debug, Clone, PartialEq)]
pub enum ArtifactValue {
    /// JSON.
    Json(serde_json::Value),
    /// Text, such as a file's.
    Text(String),
    /// Bytes that are no text.
    Bytes(Bytes),
}

impl ArtifactValue {
    /// Its type, as clients see it. A JSON string is text.
    #[must_use]
    pub fn value_type(&self) -> ValueType {
        match self {
            Self::Json(value) => json_type(value),
            Self::Text(_) => ValueType::Text,
            Self::Bytes(_) => ValueType::Bytes,
        }
    }

    /// As a tool gets it: bytes as base64.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Json(value) => value.clone(),
            Self::Text(text) => serde_json::Value::String(text.clone()),
            Self::Bytes(bytes) => serde_json::Value::String(STANDARD.encode(bytes)),
        }
    }
}

fn json_type(value: &serde_json::Value) -> ValueType {
    match value {
        serde_json::Value::Null => ValueType::Null,
        serde_json::Value::Bool(_) => ValueType::Boolean,
        serde_json::Value::Number(_) => ValueType::Number,
        serde_json::Value::String(_) => ValueType::Text,
        serde_json::Value::Array(_) => ValueType::Array,
        serde_json::Value::Object(_) => ValueType::Object,
    }
}

/// SHA-256 of a blob, in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BlobHash(String);

impl BlobHash {
    /// The hash of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::of_digest(&Sha256::digest(bytes).into())
    }

    /// The hash that this SHA-256 is.
    #[must_use]
    pub fn of_digest(digest: &[u8; 32]) -> Self {
        Self(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// In hexadecimal.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BlobHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// A large value, to be written in its event's transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    /// SHA-256 of the bytes.
    pub hash: BlobHash,
    /// The bytes.
    pub bytes: Bytes,
}

/// How the bytes of a blob are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// As JSON.
    Json,
    /// As text.
    Text,
    /// As they are.
    Bytes,
}

/// A value as an event keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoredValue {
    /// JSON, in the event.
    Json(serde_json::Value),
    /// Text, in the event.
    Text(String),
    /// Base64 of bytes, in the event.
    Bytes(String),
    /// Outside the event.
    Blob {
        /// How its bytes are read.
        kind: ValueKind,
        /// Where they are.
        hash: BlobHash,
    },
}

/// Stores and loads the values of one session, and holds the blobs used last.
pub struct Values {
    log: Arc<dyn EventLog>,
    session: SessionId,
    cache: Mutex<VecDeque<(BlobHash, Arc<ArtifactValue>, usize)>>,
}

impl Values {
    /// The values of this session.
    #[must_use]
    pub fn new(log: Arc<dyn EventLog>, session: SessionId) -> Self {
        Self { log, session, cache: Mutex::default() }
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
            return Err(damaged(hash, "is not what its hash says"));
        }
        let length = bytes.len();
        let value = match kind {
            ValueKind::Json => ArtifactValue::Json(
                serde_json::from_slice(&bytes).map_err(|error| damaged(hash, &format!("is no JSON: {error}")))?,
            ),
            ValueKind::Text => {
                ArtifactValue::Text(String::from_utf8(bytes.into()).map_err(|_| damaged(hash, "is no text"))?)
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
    pub async fn private(&self, seq: u64) -> Result<Option<Private>, LogError> {
        let page = self.log.read(self.session, seq.saturating_sub(1), 1).await?;
        let Some(text) = page.first().filter(|event| event.seq == seq).and_then(|event| event.private.clone()) else {
            return Ok(None);
        };
        let damaged = |error: serde_json::Error| {
            let detail = format!("its private part: {error}");
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
#[path = "value_tests.rs"]
mod tests;
