//! Branches: the messages of a session that were edited or sent again in a fork, with the sessions that show the other
//! versions. Sessions of one root are looked through; which version each has, it says itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use switchboard_protocol::{MessageId, ServerFrame, ServerMessage, SessionId};

use super::directory::Sessions;
use super::error::SessionError;
use switchboard_accounts::Principal;
use switchboard_events::{ForkRecord, ListPage, LogError, SessionLog, SessionRow};

/// Among how many sessions of the owner, the one that changed last first, forks are looked for.
const MAX_SESSIONS: u64 = 1000;
/// How many sessions of one root are looked through.
const MAX_FAMILY: usize = 64;
/// How many messages of a session can have branches.
const MAX_BRANCHES: usize = 64;
/// Between a message's place and the message are at most the ends of what was open there.
const MAX_BETWEEN: u64 = 64;
/// How many events are read first, and then twice as many each time: most messages stand at their place.
const FIRST_PAGE: u64 = 2;
/// How many events are read for one answer; messages for which they do not suffice are shown without branches.
const MAX_READ: u64 = 8192;

/// A message with more than one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// The event of the message in this session.
    pub seq: u64,
    /// Its versions, the first one first; this session's is among them.
    pub versions: Vec<BranchVersion>,
}

/// A version of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchVersion {
    /// The session that shows it: the one that was asked about, or the one that changed last of those that have it.
    pub session: SessionId,
    /// The event of the message there.
    pub seq: u64,
    /// The message.
    pub message: MessageId,
}

/// A session of the family.
struct Member {
    row: SessionRow,
    fork: Option<Arc<ForkRecord>>,
}

impl Sessions {
    /// The messages of a session that have more than one version, in their order.
    ///
    /// # Errors
    /// When there is no such session of this owner, or a log cannot be read.
    pub async fn branches(&self, owner: &Principal, id: SessionId) -> Result<Vec<Branch>, SessionError> {
        let row = self.row(owner, id).await?;
        let log = &self.services().log;
        let mut rows = log.list(owner, &ListPage::first(MAX_SESSIONS)).await?;
        rows.retain(|row| row.session != id);
        rows.insert(0, row);
        let known = self.forks().of_all(rows).await?;
        let root = known[0].1.as_ref().map_or(id, |fork| fork.root);
        let related = known
            .into_iter()
            .filter(|(row, fork)| row.session == id || fork.as_ref().map_or(row.session, |fork| fork.root) == root);
        let family: Vec<Member> = related.map(|(row, fork)| Member { row, fork }).take(MAX_FAMILY).collect();
        let mut branches = Vec::new();
        let mut reading = Reading { log: log.as_ref(), left: MAX_READ };
        for (first, first_seq) in places(&family) {
            if let Some(branch) = reading.branch(&family, first, first_seq).await? {
                branches.push(branch);
            }
        }
        branches.sort_by_key(|branch| branch.seq);
        Ok(branches)
    }
}

/// The messages that have other versions somewhere, with their events, the earliest ones first.
fn places(family: &[Member]) -> impl Iterator<Item = (&MessageId, u64)> {
    let versions = family.iter().filter_map(|member| member.fork.as_deref()).flat_map(|fork| &fork.versions);
    let places: BTreeMap<(u64, &MessageId), ()> =
        versions.map(|version| ((version.first_seq, &version.first), ())).collect();
    places.into_keys().map(|(seq, first)| (first, seq)).take(MAX_BRANCHES)
}

/// Reads the messages of a family, as far as that goes.
struct Reading<'a> {
    log: &'a dyn SessionLog,
    /// How many more events may be read.
    left: u64,
}

impl Reading<'_> {
    /// The versions of this message, if the first member has one and there are others.
    async fn branch(
        &mut self,
        family: &[Member],
        first: &MessageId,
        first_seq: u64,
    ) -> Result<Option<Branch>, LogError> {
        let mut versions: Vec<(&Member, BranchVersion)> = Vec::new();
        for member in family {
            let found = self.version_in(member, first, first_seq).await?;
            // Those that changed last come first, so of those that have the same version one is there already.
            let Some(found) = found else { if versions.is_empty() { return Ok(None) } else { continue } };
            match versions.iter_mut().find(|(_, version)| version.message == found.message) {
                // The version is as old as the oldest session that has it.
                Some((oldest, _)) if member.row.created_at < oldest.row.created_at => *oldest = member,
                Some(_) => {}
                None => versions.push((member, found)),
            }
        }
        // Half of the versions would be counted wrongly.
        if versions.len() < 2 || self.left == 0 {
            return Ok(None);
        }
        let seq = versions[0].1.seq;
        versions.sort_by(|(one, left), (other, right)| {
            let order =
                |member: &Member, version: &BranchVersion| (version.message != *first, member.row.created_at.clone());
            order(one, left).cmp(&order(other, right))
        });
        Ok(Some(Branch { seq, versions: versions.into_iter().map(|(_, version)| version).collect() }))
    }

    /// The version of the message that this session has.
    async fn version_in(
        &mut self,
        member: &Member,
        first: &MessageId,
        first_seq: u64,
    ) -> Result<Option<BranchVersion>, LogError> {
        let own = member.fork.iter().flat_map(|fork| &fork.versions).find(|version| version.first == *first);
        let (message, from, most) = own.map_or((first, first_seq, 1), |own| (&own.message, own.seq, MAX_BETWEEN));
        let session = member.row.session;
        if from > member.row.last_seq {
            return Ok(None);
        }
        let is_it = |frame: &str| {
            let frame: Option<ServerFrame> = serde_json::from_str(frame).ok();
            matches!(frame, Some(ServerFrame { message: ServerMessage::UserMessage { message_id, .. }, .. }) if message_id == *message)
        };
        let (mut after, end) = (from.saturating_sub(1), from.saturating_sub(1).saturating_add(most));
        let mut limit = FIRST_PAGE;
        while after < end && self.left > 0 {
            let page = match self.log.read(session, after, limit.min(end - after).min(self.left)).await {
                Err(LogError::Damaged { .. } | LogError::UnknownSession(_)) => return Ok(None),
                page => page?,
            };
            let Some(last) = page.last() else { break };
            after = last.seq;
            self.left -= page.len() as u64;
            limit *= 2;
            let found = page.into_iter().find(|event| event.frame.contains("user-message") && is_it(&event.frame));
            if let Some(event) = found {
                return Ok(Some(BranchVersion { session, seq: event.seq, message: message.clone() }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use switchboard_events::test_support::{ChangedLog, append, created, listed};
    use switchboard_events::{Append, EncodedEvent, EventLog, MemoryLog, MessageVersion, StoredEvent};
    use switchboard_protocol::ForkedFrom;

    use super::*;

    /// A family of 64 sessions, each with 64 messages of its own, `between` events behind their places.
    async fn family(log: &Arc<dyn EventLog>, between: u64) -> Vec<Member> {
        let root = SessionId::random();
        for member in 0..MAX_FAMILY {
            let session = created(log).await;
            let mut appended = append(session, 0, 63 * 2 + between);
            for seq in (1 + between..=63 * 2 + between).step_by(2) {
                let frame = format!(
                    r#"{{"type":"user-message","seq":{seq},"timestamp":"","messageId":"{member}-{seq}","text":"","mode":"queue"}}"#
                );
                let place = usize::try_from(seq).expect("small") - 1;
                appended.events[place] = EncodedEvent { frame: frame.into(), ..appended.events[place].clone() };
            }
            log.append(Append { urgent: true, ..appended }).await.expect("written");
        }
        let rows = listed(log, &Principal::local()).await.into_iter().rev().enumerate();
        let members = rows.map(|(member, row)| {
            let versions = (1..=63 * 2).step_by(2).map(|seq| MessageVersion {
                message: format!("{member}-{}", seq + between),
                seq,
                first: format!("first-{seq}"),
                first_seq: seq,
            });
            let from = ForkedFrom { session_id: root, seq: 0 };
            let fork = Some(Arc::new(ForkRecord { from, root, versions: versions.collect() }));
            Member { row, fork }
        });
        members.collect()
    }

    /// Counts how often it is read.
    #[derive(Default)]
    struct Counting {
        log: MemoryLog,
        reads: AtomicUsize,
    }

    #[async_trait]
    impl ChangedLog for Counting {
        fn beneath(&self) -> &dyn EventLog {
            &self.log
        }

        async fn read_over(&self, session: SessionId, after: u64, limit: u64) -> Result<Vec<StoredEvent>, LogError> {
            self.reads.fetch_add(1, Ordering::Relaxed);
            self.log.read(session, after, limit).await
        }
    }

    /// How many of the messages are found, how many events might have been read beyond that, and how many were at a time.
    async fn branches(between: u64) -> (usize, u64, u64) {
        let counting = Arc::new(Counting::default());
        let log: Arc<dyn EventLog> = Arc::clone(&counting) as _;
        let family = family(&log, between).await;
        let mut reading = Reading { log: log.as_ref(), left: MAX_READ };
        let mut found = 0;
        for (first, seq) in places(&family) {
            found += usize::from(reading.branch(&family, first, seq).await.expect("read").is_some());
        }
        let at_once = (MAX_READ - reading.left) / counting.reads.load(Ordering::Relaxed) as u64;
        (found, reading.left, at_once)
    }

    #[tokio::test]
    async fn the_versions_of_all_messages_are_found_in_few_events() {
        let (found, left, _) = branches(0).await;
        assert_eq!(found, 63, "{left} events more might have been read");
        let (far, none, at_once) = branches(50).await;
        assert!((1..found).contains(&far), "what is far from its place is found as far as that goes: {far}");
        assert_eq!(none, 0, "and no more is read");
        assert!(at_once >= 8, "{at_once} at a time");
    }
}
