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
        for (first, first_seq) in places(&family) {
            if let Some(branch) = branch(log.as_ref(), &family, first, first_seq).await? {
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

/// The versions of this message, if the first member has one and there are others.
async fn branch(
    log: &dyn SessionLog,
    family: &[Member],
    first: &MessageId,
    first_seq: u64,
) -> Result<Option<Branch>, LogError> {
    let mut versions: Vec<(&Member, BranchVersion)> = Vec::new();
    for member in family {
        let found = version_in(log, member, first, first_seq).await?;
        // Those that changed last come first, so of those that have the same version one is there already.
        let Some(found) = found else { if versions.is_empty() { return Ok(None) } else { continue } };
        match versions.iter_mut().find(|(_, version)| version.message == found.message) {
            // The version is as old as the oldest session that has it.
            Some((oldest, _)) if member.row.created_at < oldest.row.created_at => *oldest = member,
            Some(_) => {}
            None => versions.push((member, found)),
        }
    }
    if versions.len() < 2 {
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
    log: &dyn SessionLog,
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
    let page = match log.read(session, from.saturating_sub(1), most).await {
        Err(LogError::Damaged { .. } | LogError::UnknownSession(_)) => return Ok(None),
        page => page?,
    };
    let is_it = |frame: &str| {
        let frame: Option<ServerFrame> = serde_json::from_str(frame).ok();
        matches!(frame, Some(ServerFrame { message: ServerMessage::UserMessage { message_id, .. }, .. }) if message_id == *message)
    };
    let found = page.into_iter().find(|event| event.frame.contains("user-message") && is_it(&event.frame));
    Ok(found.map(|event| BranchVersion { session, seq: event.seq, message: message.clone() }))
}
