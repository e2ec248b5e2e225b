//! What each message of a session says of its place among the others, in one header, and the checksum over it in another.
//!
//! A *write* is what one publish stores: one message, or the messages of one atomic batch, which the stream keeps side by side.
//! Each message names the one in front of it and has that one's checksum, so a message that is missing, changed, or another one's
//! is noticed. `skip` leads far back in few steps: to the writes whose numbers are this one's without its lowest bits.

use async_nats::HeaderMap;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use switchboard_events::{Append, EncodedEvent, RawEvent, RecordWriter};
use switchboard_protocol::SessionId;

use super::message::StoredMessage;

/// The header with the [`Link`], as JSON.
const LINK: &str = "Switchboard-Link";
/// The header with the checksum over the session, the link and the payload.
const CHECK: &str = "Switchboard-Check";

/// The place of a message in its session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Link {
    /// How often the session has been claimed by then.
    pub(super) epoch: u64,
    /// The server that wrote it.
    pub(super) by: String,
    /// Which of the session's writes it belongs to, from 1.
    pub(super) number: u64,
    /// Its place among the messages of that write, from 1.
    pub(super) place: u64,
    /// How many messages have the rest of its record.
    pub(super) more: u64,
    /// The first event of its write; behind the last one if it has none.
    pub(super) begin: u64,
    /// The first event of its record; a claim has none, and this is the one that comes next.
    pub(super) first: u64,
    /// The last event of its record; for a claim, that of the session.
    pub(super) last: u64,
    /// The sequence of the last message of the write in front; 0 if there is none.
    pub(super) before: u64,
    /// The checksum of the message in front; 0 if there is none.
    pub(super) follows: u32,
    /// The checksum of the session's last record, this one included; 0 if there is none.
    pub(super) chain: u32,
    /// Messages far back, each the last of its write: its sequence, and the session's last event there.
    pub(super) skip: Vec<(u64, u64)>,
}

impl Link {
    /// Whether it is one that takes the session over, and has no events.
    pub(super) fn is_claim(&self) -> bool {
        self.first > self.last
    }
}

/// A message that is as it was written.
#[derive(Debug, Clone)]
pub(super) struct Linked {
    /// Its sequence in the stream.
    pub(super) seq: u64,
    pub(super) check: u32,
    pub(super) link: Link,
    pub(super) payload: Bytes,
}

impl Linked {
    /// Reads a message of this session, or says what is wrong with it.
    pub(super) fn read(session: SessionId, message: &StoredMessage) -> Result<Self, &'static str> {
        let link = message.header(LINK).ok_or("its message does not say where it belongs")?;
        let check = message.header(CHECK).and_then(|check| u32::from_str_radix(check, 16).ok());
        if check != Some(check_of(session, link, &message.payload)) {
            return Err("its checksum does not match");
        }
        let check = check.unwrap_or_default();
        let link =
            serde_json::from_str(link).map_err(|_| "its message is in a form that this version does not know")?;
        Ok(Self { seq: message.seq, check, link, payload: message.payload.clone() })
    }
}

/// Where a session's log ends: its last message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) seq: u64,
    pub(super) check: u32,
    pub(super) link: Link,
}

impl From<Linked> for Head {
    fn from(message: Linked) -> Self {
        let Linked { seq, check, link, payload: _ } = message;
        Self { seq, check, link }
    }
}

/// A message that is ready to be published.
#[derive(Debug, Clone)]
pub(super) struct Sealed {
    pub(super) link: String,
    pub(super) check: u32,
    pub(super) payload: Bytes,
}

impl Sealed {
    /// What stands in front of its payload.
    pub(super) fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(LINK, self.link.as_str());
        headers.insert(CHECK, format!("{:08x}", self.check));
        headers
    }
}

/// A write that is ready to be published: behind the head it was made for, or not at all.
#[derive(Debug)]
pub(super) struct Write {
    /// The sequence of the message in front.
    pub(super) behind: u64,
    pub(super) messages: Vec<Sealed>,
    /// The place of its last message.
    link: Link,
}

impl Write {
    /// A message without events, with which `by` takes over the session that ends with `head`, or makes it.
    pub(super) fn claim(session: SessionId, head: Option<&Head>, by: &str, payload: Vec<u8>) -> Self {
        let epoch = head.map_or(0, |head| head.link.epoch) + 1;
        let mut writing = Writing::new(session, head, (epoch, by));
        writing.seal(payload.into(), 0);
        writing.finish(head)
    }

    /// The events of these appends, in records of so many bytes of text unless one event alone has more, and messages of so
    /// many bytes.
    pub(super) fn events(session: SessionId, head: &Head, appends: &[&Append], bytes: usize) -> Self {
        let mut writing = Writing::new(session, Some(head), (head.link.epoch, &head.link.by));
        let mut record = RecordWriter::new(session, head.link.last + 1, head.link.chain);
        for append in appends {
            for event in append.events.iter().map(RawEvent::of) {
                if record.events() > 0 && record.text_bytes() + event.bytes() > bytes {
                    record = writing.record(session, record, bytes);
                }
                record.push(event, true);
            }
            record.note(append);
        }
        writing.record(session, record, bytes);
        writing.finish(Some(head))
    }

    /// Where the session ends once its last message has this sequence.
    pub(super) fn head(&self, seq: u64) -> Head {
        Head { seq, check: self.check(), link: self.link.clone() }
    }

    /// The checksum of its last message.
    pub(super) fn check(&self) -> u32 {
        self.messages.last().map_or(0, |message| message.check)
    }
}

/// How much text these events have.
pub(super) fn text_bytes(events: &[EncodedEvent]) -> usize {
    events.iter().map(|event| RawEvent::of(event).bytes()).sum()
}

/// A write in the making.
struct Writing {
    session: SessionId,
    /// What the next message says.
    next: Link,
    messages: Vec<Sealed>,
}

impl Writing {
    fn new(session: SessionId, head: Option<&Head>, (epoch, by): (u64, &str)) -> Self {
        let last = head.map_or(0, |head| head.link.last);
        let next = Link {
            epoch,
            by: by.to_owned(),
            number: head.map_or(0, |head| head.link.number) + 1,
            place: 1,
            more: 0,
            begin: last + 1,
            first: last + 1,
            last,
            before: head.map_or(0, |head| head.seq),
            follows: head.map_or(0, |head| head.check),
            chain: head.map_or(0, |head| head.link.chain),
            skip: head.map(skip_behind).unwrap_or_default(),
        };
        Self { session, next, messages: Vec::new() }
    }

    /// Adds a record, in as many messages as it takes; the one that comes behind it.
    fn record(&mut self, session: SessionId, record: RecordWriter, bytes: usize) -> RecordWriter {
        self.next.last = self.next.first + record.events() as u64 - 1;
        let (record, checksum) = record.finish();
        self.next.chain = checksum;
        let record = Bytes::from(record);
        let parts = record.len().div_ceil(bytes);
        for part in 0..parts {
            let payload = record.slice(part * bytes..record.len().min((part + 1) * bytes));
            self.seal(payload, (parts - part - 1) as u64);
        }
        self.next.first = self.next.last + 1;
        RecordWriter::new(session, self.next.first, checksum)
    }

    fn seal(&mut self, payload: Bytes, more: u64) {
        self.next.more = more;
        let link = serde_json::to_string(&self.next).expect("numbers and an id are JSON");
        let check = check_of(self.session, &link, &payload);
        self.messages.push(Sealed { link, check, payload });
        self.next.place += 1;
        self.next.follows = check;
    }

    fn finish(self, head: Option<&Head>) -> Write {
        let last = self.messages.last().and_then(|message| serde_json::from_str(&message.link).ok());
        Write { behind: head.map_or(0, |head| head.seq), link: last.unwrap_or(self.next), messages: self.messages }
    }
}

/// Where the write behind this head may skip to. Those that the head skips to are the writes whose numbers are its own without
/// its lowest bits; together with the head itself, so many stay as the next number has bits beside its lowest.
fn skip_behind(head: &Head) -> Vec<(u64, u64)> {
    let mut skip = head.link.skip.clone();
    skip.push((head.seq, head.link.last));
    skip.truncate((head.link.number + 1).count_ones() as usize - 1);
    skip
}

fn check_of(session: SessionId, link: &str, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(session.as_bytes());
    hasher.update(&(link.len() as u64).to_le_bytes());
    hasher.update(link.as_bytes());
    hasher.update(payload);
    hasher.finalize()
}
