//! Events, read from a session's messages. What is missing, changed, or another session's is [`LogError::Damaged`] with the first
//! event that is wrong; what is sound in front of it can be read.

use std::time::{Duration, Instant};

use switchboard_events::{LogError, Record, StoredEvent};
use switchboard_protocol::SessionId;
use tokio::time::sleep;

use super::error::NatsError;
use super::jetstream::{JetStream, PAGE};
use super::layout::Subjects;
use super::link::{Head, Link, Linked};
use super::message::StoredMessage;

/// How many messages are read beside those of the events: claims, and parts of records.
const BESIDE: u64 = 8;

const MISSING: &str = "it is missing";

/// For how long what is older than what is known is not believed.
const DOUBT: Duration = Duration::from_secs(2);
/// How long it waits before it asks again, the first time and at most: two things that are read one after the other differ, too,
/// when somebody writes between.
const AGAIN: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(100));

/// What was read is older than what is known: the leader that it came from may have been stopped, and not know yet that there is
/// another one. It is asked again, for a while, before anything is called lost.
#[derive(Debug, Default)]
pub(super) struct Doubt {
    since: Option<Instant>,
    asked: u32,
}

impl Doubt {
    /// Whether it is to be believed now; otherwise it is to be asked again.
    pub(super) async fn is_over(&mut self) -> bool {
        let since = *self.since.get_or_insert_with(Instant::now);
        if since.elapsed() > DOUBT {
            return true;
        }
        let (first, longest) = AGAIN;
        let pause = first.saturating_mul(2_u32.saturating_pow(self.asked)).min(longest);
        self.asked += 1;
        if pause == longest {
            tracing::debug!("what NATS says is older than what is known; it is asked again");
        }
        sleep(pause).await;
        false
    }
}

/// What stands at a session's end.
#[derive(Debug)]
pub(super) enum Tail {
    /// There is no such session.
    Nothing,
    /// Its last message.
    Sound(Linked),
    /// Its last message is not as it was written.
    Damaged(&'static str),
}

/// Reads the messages of one session.
pub(super) struct Reader<'a> {
    jetstream: &'a JetStream,
    session: SessionId,
    stream: String,
    subject: String,
}

impl<'a> Reader<'a> {
    pub(super) fn new(jetstream: &'a JetStream, session: SessionId) -> Self {
        let subjects = Subjects::of(session);
        Self { jetstream, session, stream: subjects.stream(), subject: subjects.events() }
    }

    /// The session's last message, as the leader has it.
    pub(super) async fn last(&self) -> Result<Tail, NatsError> {
        let message = self.jetstream.last(&self.stream, &self.subject).await?;
        Ok(message.map_or(Tail::Nothing, |message| match Linked::read(self.session, &message) {
            Ok(linked) => Tail::Sound(linked),
            Err(detail) => Tail::Damaged(detail),
        }))
    }

    /// The events from `first` to `last` of the session that ends with `head`, if that is known: every one of them, or those in
    /// front of the first damaged one, and what that is.
    pub(super) async fn range(
        &self,
        head: Option<&Head>,
        (first, last): (u64, u64),
    ) -> Result<(Vec<StoredEvent>, Option<LogError>), LogError> {
        let mut events = Vec::new();
        let damage = self.records(head, (first, last), |record, seq| {
            let event = record.event(seq).map_err(|damage| damage.to_string())?;
            events.push(event.stored(seq));
            Ok(())
        });
        let damage = damage.await?;
        Ok((events, damage))
    }

    /// Gives each event from `first` to `last` with its record, up to the first one that is damaged.
    pub(super) async fn records(
        &self,
        head: Option<&Head>,
        (first, last): (u64, u64),
        mut give: impl FnMut(&Record<'_>, u64) -> Result<(), String> + Send,
    ) -> Result<Option<LogError>, LogError> {
        if first > last {
            return Ok(None);
        }
        let mut walk = Walk { session: self.session, next: first, last, before: None, parts: Vec::new(), wrong: None };
        let found = match head {
            Some(head) => self.find(head, first).await?,
            None => None,
        };
        // From the very first message, if nothing leads to a later one.
        let (mut from, mut doubt) = (found.unwrap_or(1), Doubt::default());
        while walk.next <= last {
            // Without a way to the event, all that stands in front of it is read.
            let most = found.map_or(PAGE, |_| last - walk.next).saturating_add(BESIDE);
            let page = self.jetstream.sure_page(&self.stream, &self.subject, from, most).await?;
            let Some(end) = page.last().map(|message| message.seq) else {
                if walk.wrong.is_none() && head.is_some() && !doubt.is_over().await {
                    continue;
                }
                let detail = walk.wrong.unwrap_or(MISSING.to_owned());
                return Ok(Some(LogError::Damaged { session: self.session, seq: walk.next, detail }));
            };
            from = end + 1;
            for message in page {
                if let Err(detail) = walk.take(&message, &mut give) {
                    return Ok(Some(LogError::Damaged { session: self.session, seq: walk.next, detail }));
                }
                if walk.next > last {
                    break;
                }
            }
        }
        Ok(None)
    }

    /// The first message of the write that has this event; none if what leads there is damaged.
    async fn find(&self, head: &Head, event: u64) -> Result<Option<u64>, LogError> {
        let (mut seq, mut link) = (head.seq, head.link.clone());
        while event < link.begin {
            let mut found = None;
            for (at, last) in ways(&link, seq, event) {
                found = self.at(at).await?.filter(|message| message.link.last == last);
                if found.is_some() {
                    break;
                }
            }
            let Some(message) = found else { return Ok(None) };
            (seq, link) = (message.seq, message.link);
        }
        Ok(Some((seq + 1).saturating_sub(link.place)))
    }

    /// The session's message with this sequence, if it is there and sound.
    async fn at(&self, seq: u64) -> Result<Option<Linked>, LogError> {
        let message = self.jetstream.next(&self.stream, &self.subject, seq).await?;
        Ok(message.filter(|message| message.seq == seq).and_then(|message| Linked::read(self.session, &message).ok()))
    }
}

/// Messages in front of this one that have the event or come behind it, the farthest first, with their last events.
fn ways(link: &Link, seq: u64, event: u64) -> Vec<(u64, u64)> {
    let before = (link.before, link.begin - 1);
    let mut ways: Vec<(u64, u64)> = link.skip.iter().copied().chain([before]).collect();
    ways.retain(|&(at, last)| at > 0 && at < seq && last >= event);
    ways.sort_unstable();
    ways
}

/// How far a range is read.
struct Walk {
    session: SessionId,
    /// The event that comes next.
    next: u64,
    last: u64,
    /// The sequence and the checksum of the message in front, if it could be read.
    before: Option<(u64, u32)>,
    /// What there is of a record that is in several messages.
    parts: Vec<u8>,
    /// What is wrong with a message that could not be read.
    wrong: Option<String>,
}

impl Walk {
    /// Takes what a message has of the range, or says what is wrong with the next event.
    fn take(
        &mut self,
        message: &StoredMessage,
        give: &mut impl FnMut(&Record<'_>, u64) -> Result<(), String>,
    ) -> Result<(), String> {
        let Linked { seq, check, link, payload } = match Linked::read(self.session, message) {
            Ok(linked) => linked,
            Err(detail) => {
                // Which events it had is known when the next one is read.
                self.before = None;
                self.parts.clear();
                self.wrong.get_or_insert_with(|| detail.to_owned());
                return Ok(());
            }
        };
        let before = self.before.replace((seq, check));
        if link.is_claim() || link.last < self.next {
            return Ok(());
        }
        let follows = before.is_none_or(|(before, check)| {
            check == link.follows && before == if link.place == 1 { link.before } else { seq - 1 }
        });
        if link.first > self.next || !follows {
            return Err(self.wrong.take().unwrap_or_else(|| MISSING.to_owned()));
        }
        self.parts.extend_from_slice(&payload);
        if link.more > 0 {
            return Ok(());
        }
        let parts = std::mem::take(&mut self.parts);
        let record = Record::decode(&parts).map_err(|damage| damage.to_string())?;
        if (record.session(), record.first(), record.last()) != (self.session, link.first, link.last) {
            return Err("its record is another one's".to_owned());
        }
        while self.next <= link.last.min(self.last) {
            give(&record, self.next)?;
            self.next += 1;
        }
        self.wrong = None;
        Ok(())
    }
}
