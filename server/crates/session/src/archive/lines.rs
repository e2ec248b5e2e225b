//! The lines of an exported session, as they are written and read.

use std::borrow::Cow;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use switchboard_protocol::SessionId;

use switchboard_events::BlobHash;

/// The version of the format.
pub(super) const FORMAT: u32 = 1;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Head {
    /// The format's version.
    pub(super) switchboard_export: u32,
    pub(super) protocol_version: u32,
    /// The session that was exported.
    pub(super) session_id: SessionId,
    /// For whoever looks at the file; the events say it too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    /// How many events follow.
    pub(super) events: u64,
}

/// Every other line: a large value, an event, or at the end of a file that is not whole, why.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) blob: Option<BlobHash>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) base64: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seq: Option<u64>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) frame: Option<&'a RawValue>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    pub(super) private: Option<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) damaged: Option<Damaged>,
}

/// The log that was exported is damaged: nothing could be read from this event on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Damaged {
    pub(super) from_seq: u64,
    /// What is wrong, for whoever looks at the file.
    pub(super) text: String,
}

/// A line's bytes, its end included.
pub(super) fn bytes(line: &impl Serialize) -> Bytes {
    let mut bytes = serde_json::to_vec(line).expect("a line has only text keys, numbers and JSON that was read");
    bytes.push(b'\n');
    bytes.into()
}
