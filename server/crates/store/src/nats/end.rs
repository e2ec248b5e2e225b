//! The log in NATS as an end of a migration: no server may have it, which their leases tell.

use std::time::Duration;

use async_trait::async_trait;
use switchboard_accounts::Principal;
use switchboard_events::LogError;
use switchboard_protocol::SessionId;

use super::follow::{each_entry, read};
use super::log::NatsLog;
use super::meta::Entry;
use super::reading::Reader;
use crate::listing::Listing;
use crate::migrate::{End, PAGE, Page};

/// How often it is looked whether a server that was killed counts as gone.
const LOOK: Duration = Duration::from_millis(100);

impl NatsLog {
    /// Waits until the lease of a server that was killed has run out; an error when one lives.
    pub(crate) async fn wait_until_alone(&self) -> Result<(), LogError> {
        let found = self.core.lease.others().await?;
        loop {
            let others = self.core.lease.others().await?;
            if others.is_empty() {
                return Ok(());
            }
            if !others.is_subset(&found) {
                return Err(in_use());
            }
            tokio::time::sleep(LOOK).await;
        }
    }
}

#[async_trait]
impl End for NatsLog {
    async fn sessions(&self) -> Result<Vec<Result<SessionId, String>>, LogError> {
        let mut found = Vec::new();
        each_entry(&self.core.jetstream, |message| {
            match read(message) {
                Some((_, entry)) if entry.gone => {}
                Some((session, entry)) => found.push((entry.place, Ok(session))),
                None => found.push((0, Err(format!("the entry {} in the list cannot be read", message.subject)))),
            }
            Ok(())
        })
        .await?;
        found.sort_by_key(|(place, _)| *place);
        Ok(found.into_iter().map(|(_, session)| session).collect())
    }

    async fn listing(&self, session: SessionId) -> Result<Option<Listing>, LogError> {
        let held = self.core.take_up(session).await?;
        Ok(held.map(|held| {
            let Entry { owner, title, created_at, updated_at, last, pinned, open, .. } = held.entry;
            Listing { owner: Principal::named(&owner), title, created_at, updated_at, last, pinned, open }
        }))
    }

    async fn page(&self, session: SessionId, after: u64) -> Result<Page, LogError> {
        let (head, _) = self.end(session).await?;
        let end = head.as_ref().map_or(u64::MAX, |head| head.link.last);
        let wanted = (after + 1, end.min(after.saturating_add(PAGE)));
        let mut page = Page::default();
        let reader = Reader::new(&self.core.jetstream, session);
        let damage = reader.records(head.as_ref(), wanted, |record, seq| {
            page.events.push(record.event(seq).map_err(|damage| damage.to_string())?.stored(seq));
            if seq == record.last() {
                page.notes.push((seq, record.notes().map_err(|damage| damage.to_string())?));
            }
            Ok(())
        });
        match damage.await? {
            Some(damage) if page.events.is_empty() => Err(damage),
            _ => Ok(page),
        }
    }

    async fn settle(&self, session: SessionId, listing: Listing) -> Result<(), LogError> {
        let settled = self.run(move |core| async move {
            let change = |entry: &mut Entry| {
                let Listing { owner, title, created_at, updated_at, last: _, pinned, open } = listing.clone();
                *entry = Entry {
                    owner: owner.as_str().to_owned(),
                    title,
                    created_at,
                    updated_at,
                    pinned,
                    open,
                    place: core.index.next_place()?,
                    ..std::mem::take(entry)
                };
                Ok(())
            };
            let is_there = core.change_entry(session, change).await?;
            core.note_entry(session).await?;
            Ok(is_there)
        });
        if settled.await? { Ok(()) } else { Err(LogError::UnknownSession(session)) }
    }

    async fn check_alone(&self) -> Result<(), LogError> {
        if self.core.lease.others().await?.is_empty() { Ok(()) } else { Err(in_use()) }
    }
}

fn in_use() -> LogError {
    LogError::Store("a Switchboard is running on it; stop every server that uses it first".to_owned())
}
