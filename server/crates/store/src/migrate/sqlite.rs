//! A log in a data folder as an end of a migration: its lock keeps servers out.

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension};
use switchboard_accounts::Principal;
use switchboard_events::LogError;
use switchboard_protocol::SessionId;

use super::end::{End, PAGE, Page};
use crate::append;
use crate::error::store_error;
use crate::listing::Listing;
use crate::log::SqliteLog;
use crate::queue::Work;
use crate::{records, seal};

#[async_trait]
impl End for SqliteLog {
    async fn sessions(&self) -> Result<Vec<Result<SessionId, String>>, LogError> {
        let name = |name: String| name.parse().map_err(|_| format!("`{name}` is not the name of a session"));
        let names = |connection: &Connection| {
            seal::rows(connection, "SELECT id FROM sessions ORDER BY changed", |row| {
                Ok(seal::text(row, 0)?.unwrap_or_default())
            })
        };
        Ok(self.readers.with(names).await?.into_iter().map(name).collect())
    }

    async fn listing(&self, session: SessionId) -> Result<Option<Listing>, LogError> {
        self.readers.with(move |connection| listing(connection, session)).await
    }

    async fn page(&self, session: SessionId, after: u64) -> Result<Page, LogError> {
        let page = move |connection: &Connection| {
            let events = records::after(connection, session, after, PAGE)?;
            let (Some(last), Some(listed)) = (events.last(), append::listed(connection, session)?) else {
                return Ok(Page::default());
            };
            let notes = records::notes(connection, (session, listed.number), (after, last.seq))?;
            Ok(Page { events, notes })
        };
        self.readers.with(page).await
    }

    async fn settle(&self, session: SessionId, listing: Listing) -> Result<(), LogError> {
        match self.writer.submit(Work::Settle { session, listing }).await? {
            true => Ok(()),
            false => Err(LogError::UnknownSession(session)),
        }
    }

    async fn check_alone(&self) -> Result<(), LogError> {
        Ok(())
    }
}

fn listing(connection: &Connection, session: SessionId) -> Result<Option<Listing>, LogError> {
    let Some(listed) = append::listed(connection, session)? else { return Ok(None) };
    let open = listed.open.as_deref().map(serde_json::from_str).transpose();
    let open = open.map_err(|_| append::entry_damaged(session, &listed))?.unwrap_or_default();
    let pinned = connection
        .prepare_cached("SELECT 1 FROM pins WHERE session = ?1")
        .and_then(|mut statement| statement.query_row([&listed.id], |_| Ok(())).optional())
        .map_err(|error| store_error(&error))?;
    Ok(Some(Listing {
        owner: Principal::named(&listed.owner),
        title: listed.title,
        created_at: listed.created_at,
        updated_at: listed.updated_at,
        last: listed.last_seq.cast_unsigned(),
        pinned: pinned.is_some(),
        open,
    }))
}
