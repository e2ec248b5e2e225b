//! The list of sessions, read from NATS: all of it at the start, and what other servers change from then on.

use std::sync::Arc;
use std::time::Duration;

use switchboard_accounts::Principal;
use switchboard_events::{LogError, SessionChange, SessionRow};

use super::core::{Core, Standing};
use super::error::NatsError;
use super::jetstream::JetStream;
use super::layout::{ENTRIES, META, is_entry, session_of_entry};
use super::lease;
use super::message::StoredMessage;
use super::meta::Entry;

/// How often it is looked for what other servers have changed.
const EVERY: Duration = Duration::from_millis(250);
/// How many changes are read one by one.
const FEW: u32 = 32;

/// Reads all entries into the list; the sequence behind the last of them, and how many cannot be read.
pub(super) async fn read_all(core: &Core) -> Result<(u64, u64), LogError> {
    let mut damaged = 0;
    let put = |message: &StoredMessage| match read(message) {
        Some((session, entry)) => core.index.put(session, &entry).map(drop),
        None => {
            damaged += 1;
            Ok(())
        }
    };
    core.index.begin()?;
    let from = each_entry(&core.jetstream, put).await?;
    core.index.commit()?;
    Ok((from, damaged))
}

/// Gives each entry of the list; the sequence behind the last of them.
pub(super) async fn each_entry(
    jetstream: &JetStream,
    mut give: impl FnMut(&StoredMessage) -> Result<(), LogError> + Send,
) -> Result<u64, LogError> {
    let mut from = 1;
    loop {
        let page = jetstream.large_page(META, from).await?;
        let page = jetstream.sure(page, META, ENTRIES, from).await?;
        if page.is_empty() {
            return Ok(from);
        }
        for message in page {
            from = message.seq + 1;
            if is_entry(&message.subject) {
                give(&message)?;
            }
        }
    }
}

/// Takes what other servers change, for ever.
pub(super) async fn keep_up(core: Arc<Core>, mut from: u64) {
    loop {
        tokio::time::sleep(EVERY).await;
        if let Err(error) = catch_up(&core, &mut from).await {
            tracing::debug!(?error, "what other servers change cannot be read now");
        }
    }
}

/// Takes what there is from this sequence on: one message after the other while there are few, for a page costs NATS more the
/// more sessions there are.
async fn catch_up(core: &Core, from: &mut u64) -> Result<(), NatsError> {
    for taken in 0.. {
        let messages = match taken < FEW {
            true => core.jetstream.one(META, *from).await?.into_iter().collect(),
            false => core.jetstream.large_page(META, *from).await?,
        };
        if messages.is_empty() {
            break;
        }
        for message in messages {
            *from = message.seq + 1;
            if !is_entry(&message.subject) {
                continue;
            }
            if let Err(error) = take(core, &message).await {
                tracing::error!(%error, "the list of sessions is not kept up to date");
            }
        }
    }
    Ok(())
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
    if is_elsewhere || entry.gone {
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

/// The session and its entry; none if they cannot be read.
pub(super) fn read(message: &StoredMessage) -> Option<(switchboard_protocol::SessionId, Entry)> {
    let entry = session_of_entry(&message.subject).zip(serde_json::from_slice(&message.payload).ok());
    if entry.is_none() {
        tracing::error!(subject = message.subject, "an entry in the list of sessions is damaged");
    }
    entry
}

/// Looks which servers live, for ever.
pub(super) async fn keep_looking(core: Arc<Core>) {
    loop {
        tokio::time::sleep(EVERY).await;
        if let Err(error) = core.lease.look().await {
            tracing::debug!(?error, "which servers live cannot be read now");
        }
    }
}

/// Waits until other servers have left sessions behind that this one is to take over.
pub(super) async fn next_orphans(core: &Core) -> Vec<SessionRow> {
    loop {
        tokio::time::sleep(EVERY).await;
        match core.orphans(false).await {
            Ok(orphans) if orphans.is_empty() => {}
            Ok(orphans) => return orphans,
            Err(error) => tracing::debug!(%error, "what other servers left behind cannot be read now"),
        }
    }
}

/// Renews the lease, for ever.
pub(super) async fn keep_lease(core: Arc<Core>) {
    let (mut lost, mut pause) = (false, lease::EVERY);
    loop {
        tokio::time::sleep(pause).await;
        let renewed = core.lease.renew().await;
        pause = if renewed.is_ok() { lease::EVERY } else { EVERY };
        if let Err(error) = &renewed {
            tracing::debug!(?error, "the lease in NATS is not renewed; it is tried again");
            if !lost && !core.lease.is_held() {
                let error = LogError::from(error.clone());
                tracing::error!(%error, "the lease in NATS has run out: nothing new begins until it is renewed");
            }
        }
        if lost && renewed.is_ok() {
            tracing::info!("the lease in NATS is renewed");
        }
        lost = !core.lease.is_held();
    }
}
