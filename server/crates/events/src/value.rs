//! Values of artifacts: small ones are in the event, large ones are blobs by SHA-256.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use switchboard_protocol::ValueType;

/// Values of this many bytes and more are blobs.
pub const BLOB_THRESHOLD: usize = 32 * 1024;

/// The largest value of an artifact.
pub const MAX_VALUE_BYTES: usize = 16 * 1024 * 1024;

/// The value of an artifact.
#[derive(Debug, Clone, PartialEq)]
pub enum ArtifactValue {
    /// JSON.
    Json(serde_json::Value),
    /// Text, such as a file's.
    Text(String),
    /// Bytes that are not text.
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
