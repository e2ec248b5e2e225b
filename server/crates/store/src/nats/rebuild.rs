//! The list of sessions, made again from what the sessions' own messages say, when it or an entry of it is lost.
//!
//! A claim has the entry as it was when it was written, and each record says what it changes. So the last claim and the records
//! behind it are the entry, but for a pin that was set since, and the place in the list where that changed since: among others, such
//! a session is put where its last event belongs.

use std::collections::{BTreeMap, HashMap};

use async_nats::HeaderMap;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde::Deserialize;
use serde_json::{Value, json};
use switchboard_events::{LogError, Record, ServerId};
use switchboard_protocol::SessionId;

use super::core::{Core, Published, Standing};
use super::error::NatsError;
use super::follow::each_entry;
use super::jetstream::{JetStream, PAGE};
use super::layout::{Layout, META, REBUILDING, Subjects, session_of_entry, session_of_events, shards};
use super::link::{Link, Linked, Write};
use super::message::StoredMessage;
use super::meta::Entry;
use super::options::NatsOptions;
use super::reading::{Reader, Tail};

/// How many sessions are read at once.
const AT_ONCE: usize = 8;

/// What came of making a list again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RebuiltList {
    /// How many sessions have events.
    pub sessions: u64,
    /// How many entries were made again.
    pub made: u64,
    /// What could not be, and why.
    pub left: Vec<String>,
}

/// Makes what is missing in the list of sessions of a log in NATS again, and what cannot be read there. Servers may use it meanwhile.
///
/// # Errors
/// When NATS cannot be reached or does not answer, or there is no log.
pub async fn rebuild_list(options: &NatsOptions) -> Result<RebuiltList, LogError> {
    let jetstream = options.connect().await?;
    Layout::open(&jetstream, options.replicas.max(1), false).await?;
    rebuild(&jetstream, ServerId::random().as_str()).await
}

/// Whether the list has to be made again as a whole: it is empty though there are messages of sessions, or nobody came to the end of
/// making it.
pub(super) async fn is_lost(jetstream: &JetStream, is_empty: bool, messages: u64) -> Result<bool, NatsError> {
    Ok(is_empty && messages > 0 || jetstream.last(META, REBUILDING).await?.is_some())
}

/// Makes the entries again that are missing or cannot be read. Those that are there stay, and nothing else is touched.
pub(super) async fn rebuild(jetstream: &JetStream, by: &str) -> Result<RebuiltList, LogError> {
    jetstream.publish(REBUILDING, None, HeaderMap::new(), "{}".into()).await?;
    let mut known = known(jetstream).await?;
    let mut done = RebuiltList::default();
    let mut missing = Vec::new();
    for (stream, subjects) in shards() {
        for session in sessions(jetstream, &stream, &subjects).await? {
            done.sessions += 1;
            let found = known.entries.remove(&session).unwrap_or_default();
            if !found.is_readable {
                missing.push((session, found.seq));
            }
        }
    }
    tracing::info!("making {} of {} entries in the list of sessions again", missing.len(), done.sessions);
    let found = stream::iter(missing)
        .map(async |(session, seq)| Ok::<_, LogError>((session, seq, derived(jetstream, session).await?)))
        .buffer_unordered(AT_ONCE);
    let mut found: Vec<_> = found.try_collect().await?;
    found.retain(|(session, _, derived)| match derived {
        Derived::Gone => false,
        Derived::Unknown => {
            done.left
                .push(format!("session {session}: whose it is cannot be told, because none of its claims can be read"));
            false
        }
        Derived::Entry { .. } => true,
    });
    for (session, seq, entry) in placed(&mut known.places, found) {
        let entry = Entry { by: by.to_owned(), ..entry };
        let (subject, payload) = (Subjects::of(session).entry(), entry.to_bytes().into());
        match jetstream.publish(&subject, Some(seq), HeaderMap::new(), payload).await {
            Ok(_) => done.made += 1,
            // The server that has the session has just put it there.
            Err(NatsError::Sequence) => {}
            Err(error) => return Err(error.into()),
        }
    }
    jetstream.purge(META, REBUILDING).await?;
    Ok(done)
}

/// The list as it is.
#[derive(Default)]
struct Known {
    entries: HashMap<SessionId, KnownEntry>,
    /// The highest place of the sessions that changed at each time.
    places: BTreeMap<String, u64>,
}

#[derive(Default)]
struct KnownEntry {
    seq: u64,
    is_readable: bool,
}

async fn known(jetstream: &JetStream) -> Result<Known, LogError> {
    let mut known = Known::default();
    let note = |message: &StoredMessage| {
        let Some(session) = session_of_entry(&message.subject) else { return Ok(()) };
        let entry = serde_json::from_slice::<Entry>(&message.payload).ok().filter(|entry| !entry.gone);
        let is_readable = entry.is_some();
        known.entries.insert(session, KnownEntry { seq: message.seq, is_readable });
        if let Some(entry) = entry {
            note_place(&mut known.places, &entry);
        }
        Ok(())
    };
    each_entry(jetstream, note).await?;
    Ok(known)
}

/// The sessions that have events in a stream.
async fn sessions(jetstream: &JetStream, stream: &str, subjects: &str) -> Result<Vec<SessionId>, NatsError> {
    #[derive(Deserialize)]
    struct Info {
        state: State,
        #[serde(default)]
        total: usize,
    }
    #[derive(Deserialize)]
    struct State {
        #[serde(default)]
        subjects: HashMap<String, Value>,
    }
    let (mut found, mut seen) = (Vec::new(), 0);
    loop {
        let wanted = json!({ "subjects_filter": subjects, "offset": seen });
        let Info { state, total } = jetstream.ask(&format!("STREAM.INFO.{stream}"), &wanted).await?;
        seen += state.subjects.len();
        let is_last = state.subjects.is_empty() || seen >= total;
        found.extend(state.subjects.keys().filter_map(|subject| session_of_events(subject)));
        if is_last {
            return Ok(found);
        }
    }
}

/// What a session's messages say of its entry.
enum Derived {
    /// There are none any more.
    Gone,
    /// None of its claims can be read.
    Unknown,
    Entry {
        entry: Box<Entry>,
        /// It has changed since the claim that has its place.
        moved: bool,
    },
}

async fn derived(jetstream: &JetStream, session: SessionId) -> Result<Derived, LogError> {
    let end = match Reader::new(jetstream, session).last().await? {
        Tail::Nothing => return Ok(Derived::Gone),
        Tail::Sound(last) => {
            // Nothing comes behind a claim that is the last.
            if last.link.is_claim()
                && let Ok(entry) = serde_json::from_slice::<Entry>(&last.payload)
            {
                return Ok(Derived::Entry { entry: as_linked(entry, &last.link), moved: false });
            }
            last.seq
        }
        Tail::Damaged(_) => u64::MAX,
    };
    let subjects = Subjects::of(session);
    let (stream, subject) = (subjects.stream(), subjects.events());
    let (mut deriving, mut from) = (Deriving::default(), 1);
    while from <= end {
        let page = jetstream.sure_page(&stream, &subject, from, PAGE).await?;
        let Some(last) = page.last() else { break };
        from = last.seq + 1;
        // One that is damaged says nothing; reading the session tells of it.
        page.iter().filter_map(|message| Linked::read(session, message).ok()).for_each(|linked| deriving.take(linked));
    }
    Ok(deriving.finish())
}

/// An entry in the making.
#[derive(Default)]
struct Deriving {
    entry: Option<Entry>,
    moved: bool,
    last: Option<Link>,
    /// What there is of a record that is in several messages.
    parts: Vec<u8>,
}

impl Deriving {
    fn take(&mut self, Linked { link, payload, .. }: Linked) {
        if link.is_claim() {
            if let Ok(entry) = serde_json::from_slice(&payload) {
                (self.entry, self.moved) = (Some(entry), false);
            }
        } else {
            if link.more == 0 && self.parts.is_empty() {
                self.take_record(&payload);
            } else {
                self.parts.extend_from_slice(&payload);
                if link.more == 0 {
                    let record = std::mem::take(&mut self.parts);
                    self.take_record(&record);
                }
            }
        }
        self.last = Some(link);
    }

    fn take_record(&mut self, bytes: &[u8]) {
        // The claim in front of it is damaged; a later one has what it says.
        let Some(entry) = &mut self.entry else { return };
        let Ok(record) = Record::decode(bytes) else { return };
        let notes = record.notes().unwrap_or_default();
        self.moved |= notes.title.is_some() || !notes.opened.is_empty() || !notes.closed.is_empty();
        entry.take_record(&record);
    }

    fn finish(self) -> Derived {
        match (self.entry, self.last) {
            (_, None) => Derived::Gone,
            (None, _) => Derived::Unknown,
            (Some(entry), Some(link)) => Derived::Entry { entry: as_linked(entry, &link), moved: self.moved },
        }
    }
}

/// The entry of a session that ends with this message.
fn as_linked(entry: Entry, link: &Link) -> Box<Entry> {
    Box::new(Entry { last: link.last, epoch: link.epoch, server: link.by.clone(), ..entry })
}

/// Gives those a place that have changed since the one that is known.
fn placed(places: &mut BTreeMap<String, u64>, found: Vec<(SessionId, u64, Derived)>) -> Vec<(SessionId, u64, Entry)> {
    let (mut placed, mut moved) = (Vec::new(), Vec::new());
    for (session, seq, derived) in found {
        match derived {
            Derived::Entry { entry, moved: true } => moved.push((session, seq, *entry)),
            Derived::Entry { entry, moved: false } => {
                note_place(places, &entry);
                placed.push((session, seq, *entry));
            }
            Derived::Gone | Derived::Unknown => {}
        }
    }
    moved.sort_by(|(_, _, one), (_, _, other)| one.updated_at.cmp(&other.updated_at));
    // The highest place in front of each time, and those behind it.
    let mut before = places.clone().into_iter().peekable();
    let (mut highest, mut behind) = (0, places.clone());
    for (session, seq, mut entry) in moved {
        while let Some((at, place)) = before.next_if(|(at, _)| *at <= entry.updated_at) {
            behind.remove(&at);
            highest = highest.max(place);
        }
        let next = behind.values().copied().find(|place| *place > highest);
        let place = highest.max(entry.place) + 1;
        entry.place = next.map_or(place, |next| place.min(next - 1).max(highest));
        highest = highest.max(entry.place);
        placed.push((session, seq, entry));
    }
    placed
}

fn note_place(places: &mut BTreeMap<String, u64>, entry: &Entry) {
    let highest = places.entry(entry.updated_at.clone()).or_default();
    *highest = entry.place.max(*highest);
}

impl Core {
    /// Writes what the list says of a session of this server among its events, for the day on which the list is lost.
    pub(super) async fn note_entry(&self, id: SessionId) -> Result<(), LogError> {
        let session = self.session(id);
        let mut standing = session.standing.lock().await;
        let Standing::Held(held) = &mut *standing else { return Ok(()) };
        held.entry.epoch = held.head.link.epoch + 1;
        let write = Write::claim(id, Some(&held.head), self.server.as_str(), held.entry.to_bytes());
        let noted = match self.publish(&session, &write).await {
            Ok(Published::Stored(seq)) => {
                (held.head, held.is_behind) = (write.head(seq), true);
                return self.put_entry(id, held).await;
            }
            Ok(Published::Refused(_)) => Err(LogError::Moved(id)),
            Err(error) => Err(error),
        };
        // It must be claimed before it is written.
        if let Err(error) = &noted {
            *standing = Standing::Lost(error.clone());
        }
        noted
    }
}
