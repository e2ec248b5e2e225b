//! The record: what one append wrote, in bytes that mean the same in every store and that travel from one to another.
//!
//! ```text
//! head   form u8 · session 16 · first u64 · previous u32 · events u32 · notes u32
//!        for each event: time u32 · frame u32 · private u32 · checksum u32
//!        notes, as JSON, where there are any
//!        checksum u32
//! texts  for each event: time · frame · private
//! ```
//!
//! Numbers are little-endian, and lengths are in bytes; that of `private` is one more than its length, or 0 where there is none. The
//! record's checksum is over its head, which has the one over each event's texts, and `previous`: the checksum of the session's
//! record in front of it, 0 for the first. So one event in the middle is read and trusted without the texts of the others.

use serde::{Deserialize, Serialize};
use switchboard_protocol::{MessageId, SessionId};

use super::event::StoredEvent;
use super::log::{Append, EncodedEvent};

/// The form that is written.
const FORM: u8 = 1;

/// How long the part of the head is that every record has.
const FIXED: usize = 1 + 16 + 8 + 4 + 4 + 4;

/// How long an event's part of the head is.
const ENTRY: usize = 4 * 4;

/// What a record says of its session beside its events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecordNotes {
    /// Messages that are open from now on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opened: Vec<MessageId>,
    /// Messages that are answered; also one that was opened by the same record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<MessageId>,
    /// The session's new title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

impl RecordNotes {
    /// Takes what a later append says.
    pub fn add(&mut self, append: &Append) {
        self.closed.retain(|message| !append.opened.contains(message));
        self.opened.extend_from_slice(&append.opened);
        self.closed.extend_from_slice(&append.closed);
        if append.title.is_some() {
            self.title.clone_from(&append.title);
        }
    }
}

/// The texts of an event, as bytes: they were not checked.
#[derive(Debug, Clone, Copy)]
pub struct RawEvent<'a> {
    /// When it happened.
    pub at: &'a [u8],
    /// What clients get.
    pub frame: &'a [u8],
    /// What only the server sees.
    pub private: Option<&'a [u8]>,
}

impl<'a> RawEvent<'a> {
    /// The texts of this event.
    #[must_use]
    pub fn of(event: &'a EncodedEvent) -> Self {
        let private = event.private.as_deref().map(str::as_bytes);
        Self { at: event.at.as_bytes(), frame: event.frame.as_bytes(), private }
    }

    /// How long they are together.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.at.len() + self.frame.len() + self.private.map_or(0, <[u8]>::len)
    }
}

/// A record that is being made.
#[derive(Debug)]
pub struct RecordWriter {
    session: SessionId,
    first: u64,
    previous: u32,
    entries: Vec<u8>,
    texts: Vec<u8>,
    notes: RecordNotes,
}

impl RecordWriter {
    /// Begins the record whose first event is `first`, behind the record with the checksum `previous`.
    #[must_use]
    pub fn new(session: SessionId, first: u64, previous: u32) -> Self {
        let notes = RecordNotes::default();
        Self { session, first, previous, entries: Vec::new(), texts: Vec::new(), notes }
    }

    /// Takes all of an append.
    pub fn add(&mut self, append: &Append) {
        append.events.iter().for_each(|event| self.push(RawEvent::of(event), true));
        self.note(append);
    }

    /// Takes what an append says beside its events.
    pub fn note(&mut self, append: &Append) {
        self.notes.add(append);
    }

    /// Takes an event; one that is not sound is kept as it is, and will be found damaged.
    pub fn push(&mut self, event: RawEvent<'_>, is_sound: bool) {
        let RawEvent { at, frame, private } = event;
        let start = self.texts.len();
        for text in [at, frame, private.unwrap_or_default()] {
            self.texts.extend_from_slice(text);
        }
        let crc = crc32fast::hash(&self.texts[start..]);
        let lengths = [at.len(), frame.len(), private.map_or(0, |private| private.len() + 1)];
        for length in lengths {
            self.entries.extend_from_slice(&four(length).to_le_bytes());
        }
        self.entries.extend_from_slice(&if is_sound { crc } else { !crc }.to_le_bytes());
    }

    /// How many events it has.
    #[must_use]
    pub fn events(&self) -> usize {
        self.entries.len() / ENTRY
    }

    /// How many bytes of text it has.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        self.texts.len()
    }

    /// Its bytes, and its checksum.
    #[must_use]
    pub fn finish(self) -> (Vec<u8>, u32) {
        let events = four(self.events());
        let notes = if self.notes == RecordNotes::default() {
            Vec::new()
        } else {
            serde_json::to_vec(&self.notes).expect("ids and a title are JSON")
        };
        let mut bytes = Vec::with_capacity(FIXED + self.entries.len() + notes.len() + 4 + self.texts.len());
        bytes.push(FORM);
        bytes.extend_from_slice(self.session.as_bytes());
        bytes.extend_from_slice(&self.first.to_le_bytes());
        for number in [self.previous, events, four(notes.len())] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(&self.entries);
        bytes.extend_from_slice(&notes);
        let checksum = crc32fast::hash(&bytes);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes.extend_from_slice(&self.texts);
        (bytes, checksum)
    }
}

/// What is wrong with a record; the sentences are about an event of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordDamage {
    /// A newer version wrote it.
    #[error("it is in form {0}, which this version does not know")]
    Form(u8),
    /// It is not as it was written.
    #[error("its checksum does not match")]
    Checksum,
    /// What was written is not text.
    #[error("it cannot be read: it is not UTF-8")]
    Text,
    /// It is not among the record's events.
    #[error("it is missing")]
    Missing,
}

/// A record whose head is as it was written.
#[derive(Debug)]
pub struct Record<'a> {
    session: SessionId,
    first: u64,
    previous: u32,
    checksum: u32,
    notes: &'a [u8],
    entries: Vec<Entry>,
    texts: &'a [u8],
}

/// Where an event's texts are.
#[derive(Debug)]
struct Entry {
    start: usize,
    at: usize,
    frame: usize,
    private: Option<usize>,
    crc: u32,
}

/// The texts of an event, where they lie in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventTexts<'a> {
    /// RFC 3339.
    pub at: &'a str,
    /// The exact JSON text that clients get.
    pub frame: &'a str,
    /// The JSON text of what only the server sees.
    pub private: Option<&'a str>,
}

impl EventTexts<'_> {
    /// The event that has these.
    #[must_use]
    pub fn stored(&self, seq: u64) -> StoredEvent {
        StoredEvent { seq, at: self.at.to_owned(), frame: self.frame.into(), private: self.private.map(Into::into) }
    }
}

impl<'a> Record<'a> {
    /// Reads the head, and checks it.
    ///
    /// # Errors
    /// When it is in an unknown form, or not as it was written.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, RecordDamage> {
        let mut reader = Reader(bytes);
        match reader.take(1)? {
            [FORM] => {}
            form => return Err(RecordDamage::Form(form[0])),
        }
        let session = SessionId::from_bytes(reader.array()?);
        let first = u64::from_le_bytes(reader.array()?);
        let (previous, events, notes) = (reader.number()?, reader.number()?, reader.number()?);
        let head = (events as usize).checked_mul(ENTRY).and_then(|length| length.checked_add(notes as usize));
        let head = head.and_then(|length| length.checked_add(FIXED)).ok_or(RecordDamage::Checksum)?;
        let checksum = bytes.get(head..).and_then(|rest| rest.get(..4)).ok_or(RecordDamage::Checksum)?;
        if events == 0 || crc32fast::hash(&bytes[..head]).to_le_bytes() != checksum {
            return Err(RecordDamage::Checksum);
        }
        let (mut entries, mut start) = (Vec::with_capacity(events as usize), 0);
        for _ in 0..events {
            let (at, frame, private) = (reader.number()?, reader.number()?, reader.number()?);
            let (at, frame, private) = (at as usize, frame as usize, (private as usize).checked_sub(1));
            entries.push(Entry { start, at, frame, private, crc: reader.number()? });
            start += at + frame + private.unwrap_or(0);
        }
        let notes = reader.take(notes as usize)?;
        let checksum = reader.number()?;
        Ok(Self { session, first, previous, checksum, notes, entries, texts: reader.0 })
    }

    /// Whose it is.
    #[must_use]
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// Its first event.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Its last event.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.first.saturating_add(self.entries.len() as u64 - 1)
    }

    /// The checksum of the record in front of it, 0 for the first.
    #[must_use]
    pub fn previous(&self) -> u32 {
        self.previous
    }

    /// Its checksum, over its content and the record in front of it.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// What it says beside its events.
    ///
    /// # Errors
    /// When that cannot be read.
    pub fn notes(&self) -> Result<RecordNotes, RecordDamage> {
        if self.notes.is_empty() {
            return Ok(RecordNotes::default());
        }
        serde_json::from_slice(self.notes).map_err(|_| RecordDamage::Checksum)
    }

    /// The event with this `seq`, checked.
    ///
    /// # Errors
    /// When it is not as it was written, or not in this record.
    pub fn event(&self, seq: u64) -> Result<EventTexts<'a>, RecordDamage> {
        let place = seq.checked_sub(self.first).and_then(|place| usize::try_from(place).ok());
        let entry = place.and_then(|place| self.entries.get(place)).ok_or(RecordDamage::Missing)?;
        let length = entry.at + entry.frame + entry.private.unwrap_or(0);
        let texts = self.texts.get(entry.start..).and_then(|rest| rest.get(..length)).ok_or(RecordDamage::Checksum)?;
        if crc32fast::hash(texts) != entry.crc {
            return Err(RecordDamage::Checksum);
        }
        let (at, rest) = texts.split_at(entry.at);
        let (frame, private) = rest.split_at(entry.frame);
        let text = |bytes: &'a [u8]| std::str::from_utf8(bytes).map_err(|_| RecordDamage::Text);
        let private = entry.private.map(|_| text(private)).transpose()?;
        Ok(EventTexts { at: text(at)?, frame: text(frame)?, private })
    }
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], RecordDamage> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(RecordDamage::Checksum)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], RecordDamage> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(RecordDamage::Checksum)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<u32, RecordDamage> {
        self.array().map(u32::from_le_bytes)
    }
}

/// A length that is kept in four bytes: what is longer could not be kept by any store, and is found damaged.
fn four(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
