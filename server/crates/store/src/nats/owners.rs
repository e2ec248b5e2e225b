//! Whose a session is, as the servers see it that share the log: that of the server whose message stands last, as long as it
//! lives. Where nobody has it, the workspace says who may.

use switchboard_events::{LogError, RemoteServer, Retention, SessionRow};
use switchboard_protocol::SessionId;

use super::core::{Core, Held};
use super::error::NatsError;
use super::lease::{Node, Nodes, chosen};
use super::meta::Entry;
use super::reading::{Doubt, Reader, Tail};

impl Core {
    /// Refuses a session that this server may not claim.
    pub(super) async fn refuse_taken(&self, id: SessionId, held: &Held) -> Result<(), LogError> {
        let nodes = self.lease.look().await?;
        if let Some(node) = nodes.get(&held.head.link.by)
            && !is_free_of(node, &held.entry)
        {
            return Err(LogError::Moved(id));
        }
        let workspace = &held.entry.workspace;
        if !workspace.is_empty() && *workspace != self.lease.workspace() {
            return Err(LogError::OtherWorkspace { session: id, workspace: workspace.clone() });
        }
        Ok(())
    }

    /// The other server that a session is to be asked of.
    pub(super) async fn elsewhere(&self, id: SessionId) -> Result<Option<RemoteServer>, LogError> {
        let Tail::Sound(last) = Reader::new(&self.jetstream, id).last().await? else { return Ok(None) };
        let remote = |node: &Node| Some(node.remote()).filter(|node| node.id != self.server);
        let owner = self.living(&last.link.by).await?;
        if let Some(owner) = owner.as_ref().filter(|owner| !owner.leaving) {
            return Ok(remote(owner));
        }
        let (Some(entry), _) = self.entry(id).await? else { return Ok(None) };
        if let Some(owner) = owner.as_ref().filter(|owner| !is_free_of(owner, &entry)) {
            return Ok(remote(owner));
        }
        if self.lease.offers(&entry.workspace) {
            return Ok(None);
        }
        Ok(chosen(&self.lease.seen(), id, &entry.workspace).map(Node::remote))
    }

    /// Whether a session has this event, as a client says: a leader that knows nothing of it may be one of the past.
    pub(super) async fn was_written(&self, id: SessionId, event: u64) -> Result<bool, LogError> {
        let (reader, mut doubt) = (Reader::new(&self.jetstream, id), Doubt::default());
        loop {
            match reader.last().await? {
                Tail::Sound(last) if last.link.last >= event => return Ok(true),
                Tail::Damaged(_) => return Ok(false),
                Tail::Sound(_) | Tail::Nothing if doubt.is_over().await => return Ok(false),
                Tail::Sound(_) | Tail::Nothing => {}
            }
        }
    }

    /// Sessions with open messages that no other living server has and that are this one's to have; with or without those that it
    /// has.
    pub(super) async fn orphans(&self, with_own: bool) -> Result<Vec<SessionRow>, LogError> {
        let mut open = self.index.open().await?;
        let ours = self.server.as_str();
        let may_be = |nodes: &Nodes, server: &str| match server == ours {
            true => with_own,
            false => !nodes.contains_key(server),
        };
        // At the start it is not known yet who lives; later, asking is left out when nothing is open that others had.
        let seen = if with_own { self.lease.look().await? } else { self.lease.seen() };
        open.retain(|(_, place)| may_be(&seen, &place.server));
        if open.is_empty() {
            return Ok(Vec::new());
        }
        let nodes = self.lease.look().await?;
        open.retain(|(row, place)| {
            let is_ours = place.server == ours;
            let is_chosen = || chosen(&nodes, row.session, &place.workspace).is_some_and(|node| node.server == ours);
            may_be(&nodes, &place.server) && (is_ours || is_chosen())
        });
        Ok(open.into_iter().map(|(row, _)| row).collect())
    }

    /// Up to so many sessions that are kept no longer, but for those that other living servers have: they see to those.
    pub(super) async fn expired(&self, retention: &Retention, limit: u64) -> Result<Vec<SessionRow>, LogError> {
        let nodes = self.lease.look().await?;
        let mut asked = limit;
        loop {
            let found = self.index.expired(retention, asked).await?;
            let is_last = (found.len() as u64) < asked;
            let is_ours = |server: &str| server == self.server.as_str() || !nodes.contains_key(server);
            let rows = found.into_iter().filter(|(_, place)| is_ours(&place.server)).map(|(row, _)| row);
            let rows: Vec<_> = rows.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect();
            if is_last || rows.len() as u64 == limit {
                return Ok(rows);
            }
            asked = asked.saturating_mul(2);
        }
    }

    /// This server is about to stop; whether another one can go on with its sessions.
    pub(super) async fn leave(&self) -> Result<bool, LogError> {
        self.lease.tell(|node| node.leaving = true).await?;
        let (nodes, workspace) = (self.lease.look().await?, self.lease.workspace());
        Ok(nodes.values().any(|node| node.offers(&workspace)))
    }

    /// Completes when this server does not live.
    pub(super) async fn end_of(&self, server: &str) {
        // The sender lives as long as the log.
        let _ = self.lease.watch().wait_for(|nodes| !nodes.contains_key(server)).await;
    }

    /// The server, if it lives.
    async fn living(&self, server: &str) -> Result<Option<Node>, NatsError> {
        match self.lease.seen().get(server) {
            // One that has just started has said since where it is.
            Some(node) if node.address.is_some() => Ok(Some(node.clone())),
            _ => Ok(self.lease.look().await?.get(server).cloned()),
        }
    }
}

/// Whether a living server that has the session gives it away: it is about to stop, and has nothing to do for it.
fn is_free_of(node: &Node, entry: &Entry) -> bool {
    node.leaving && entry.open.is_empty()
}
