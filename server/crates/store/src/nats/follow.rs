//! The list of sessions, read from NATS: all of it at the start, and what other servers change from then on.

use std::sync::Arc;
use std::time::Duration;

use switchboard_accounts::Principal;
use switchboard_events::{LogError, SessionChange};

use super::core::{Core, Standing};
use super::jetstream::{NatsError, PAGE};
use super::layout::{ENTRIES, META, session_of_entry};
use super::lease;
use super::message::StoredMessage;
use super::meta::Entry;

/// How often it is looked for what other servers have changed.
const EVERY: Duration = Duration::from_millis(250);

/// Reads all entries; the sequence behind the last of them.
pub(super) async fn read_all(core: &Core) -> Result<u64, LogError> {
    let mut from = 1;
    loop {
        let mut page = core.jetstream.page(META, ENTRIES, from, PAGE).await?;
        if page.is_empty() {
            // Who answered may be behind; the leader is not.
            page.extend(core.jetstream.next(META, ENTRIES, from).await?);
        }
        if page.is_empty() {
            return Ok(from);
        }
        for message in page {
            from = message.seq + 1;
            if let Some((session, entry)) = read(&message) {
                core.index.put(session, &entry)?;
            }
        }
    }
}

/// Takes what other servers change, for ever.
pub(super) async fn keep_up(core: Arc<Core>, mut from: u64) {
    loop {
        tokio::time::sleep(EVERY).await;
        loop {
            let page = match core.jetstream.page(META, ENTRIES, from, PAGE).await {
                Ok(page) if page.is_empty() => break,
                Ok(page) => page,
                Err(error) => {
                    tracing::debug!(?error, "what other servers change cannot be read now");
                    break;
                }
            };
            for message in page {
                from = message.seq + 1;
                if let Err(error) = take(&core, &message).await {
                    tracing::error!(%error, "the list of sessions is not kept up to date");
                }
            }
        }
    }
}

/// Takes an entry of another server; this one's own are in the list before they are sent.
async fn take(core: &Core, message: &StoredMessage) -> Result<(), LogError> {
    let Some((session, mut entry)) = read(message) else { return Ok(()) };
    if entry.by == core.server.as_str() {
        return Ok(());
    }
    let is_elsewhere = entry.server != core.server.as_str() && !entry.gone;
    if let Some(known) = core.known(session) {
        let mut standing = known.standing.lock().await;
        if let Standing::Held(held) = &mut *standing {
            match is_elsewhere {
                _ if entry.gone => *standing = Standing::Unknown,
                // It was claimed back since.
                true if held.entry.epoch >= entry.epoch => return Ok(()),
                true => *standing = Standing::Lost(LogError::Moved(session)),
                // What the log says is known better here.
                false => {
                    (held.entry.owner, held.entry.pinned) = (entry.owner, entry.pinned);
                    entry = held.entry.clone();
                }
            }
        }
    }
    if is_elsewhere {
        // Without anybody who has it in memory there is nobody to tell.
        let _ = core.losses.send(session);
    }
    let before = core.index.put(session, &entry)?;
    let owner = Principal::named(&entry.owner);
    match before {
        None if entry.gone => {}
        Some(before) if before != owner => {
            core.changes.tell(SessionChange { session, owner: before, gone: true });
            core.changes.tell(SessionChange { session, owner, gone: entry.gone });
        }
        _ => core.changes.tell(SessionChange { session, owner, gone: entry.gone }),
    }
    Ok(())
}

fn read(message: &StoredMessage) -> Option<(switchboard_protocol::SessionId, Entry)> {
    let entry = session_of_entry(&message.subject).zip(serde_json::from_slice(&message.payload).ok());
    if entry.is_none() {
        tracing::error!(subject = message.subject, "an entry in the list of sessions is damaged");
    }
    entry
}

/// Renews the lease, for ever.
pub(super) async fn keep_lease(core: Arc<Core>) {
    let mut lost = false;
    loop {
        tokio::time::sleep(lease::EVERY).await;
        let renewed = core.lease.renew().await;
        if let Err(NatsError::Unknown(error) | NatsError::Refused { text: error, .. }) = &renewed
            && !lost
            && !core.lease.is_held()
        {
            tracing::error!("the lease in NATS has run out ({error}): nothing new begins until it is renewed");
        }
        if lost && renewed.is_ok() {
            tracing::info!("the lease in NATS is renewed");
        }
        lost = !core.lease.is_held();
    }
}
