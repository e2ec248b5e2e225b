//! What an import has read and not written yet.

use switchboard_events::{Blob, EncodedEvent, StoredEvent};

/// What the next transaction writes.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) events: Vec<EncodedEvent>,
    pub(super) blobs: Vec<Blob>,
    pub(super) title: Option<String>,
    /// How much that is.
    pub(super) bytes: usize,
}

impl Batch {
    /// Adds an event with the large values that it brings.
    pub(super) fn take(&mut self, event: StoredEvent, blobs: Vec<Blob>) {
        let StoredEvent { seq: _, at, frame, private } = event;
        self.bytes += frame.len() + private.as_ref().map_or(0, |private| private.len());
        self.bytes += blobs.iter().map(|blob| blob.bytes.len()).sum::<usize>();
        self.blobs.extend(blobs);
        self.events.push(EncodedEvent { at, frame, private });
    }
}
