//! What the list says of a session: one message, made of what the log says, which each server reads into an index of its own.
//!
//! It may be behind the log by what was written last, never ahead of it, but for messages that are open: those are in it before
//! anybody hears that they were taken.

use serde::{Deserialize, Serialize};
use switchboard_accounts::Principal;
use switchboard_events::{Record, RecordNotes, SessionRow};
use switchboard_protocol::{MessageId, SessionId};

/// The entry of a session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Entry {
    /// Whose it is.
    pub(super) owner: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    /// RFC 3339.
    pub(super) created_at: String,
    /// RFC 3339.
    pub(super) updated_at: String,
    /// Its last event.
    pub(super) last: u64,
    /// The user keeps it at the top.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) pinned: bool,
    /// Its place in the list: higher than every place that the server knew that gave it.
    pub(super) place: u64,
    /// Messages that are open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) open: Vec<MessageId>,
    /// The server that has claimed it, empty once it has let go of it; and how often that has changed.
    pub(super) server: String,
    pub(super) epoch: u64,
    /// The workspace that its tools work in; without one, that of the server that claims it next.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) workspace: String,
    /// The server that wrote this entry.
    pub(super) by: String,
    /// It is deleted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) gone: bool,
}

impl Entry {
    /// Takes what a record says beside its events.
    pub(super) fn take(&mut self, notes: &RecordNotes) {
        for message in &notes.opened {
            if !self.open.contains(message) {
                self.open.push(message.clone());
            }
        }
        self.open.retain(|message| !notes.closed.contains(message));
        if notes.title.is_some() {
            self.title.clone_from(&notes.title);
        }
    }

    /// Takes a record that the entry does not know yet; false if it cannot be read.
    pub(super) fn take_record(&mut self, record: &Record<'_>) -> bool {
        let (Ok(notes), Ok(event)) = (record.notes(), record.event(record.last())) else { return false };
        self.take(&notes);
        event.at.clone_into(&mut self.updated_at);
        self.last = record.last();
        true
    }

    /// The session as the list shows it.
    pub(super) fn row(self, session: SessionId) -> SessionRow {
        SessionRow {
            session,
            owner: Principal::named(&self.owner),
            title: self.title,
            created_at: self.created_at,
            updated_at: self.updated_at,
            last_seq: self.last,
            pinned: self.pinned,
            place: self.place,
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts and numbers are JSON")
    }
}
