//! `GET /api/sessions/{session}/events`: the log by pages, every frame exactly as it is stored.

use std::collections::VecDeque;

use axum::extract::{Extension, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use switchboard_protocol::{ServerFrame, SessionId};

use super::ApiState;
use super::error::Problem;
use super::path::SessionPath;
use super::query::{MAX_NUMBER, Query};
use switchboard_accounts::Principal;
use switchboard_events::{EventLog, LogError, StoredEvent};

/// How many events a page has at most, and how many if nothing is said.
pub(super) const PAGE: (u64, u64) = (1000, 100);

/// How many events are read at once.
const CHUNK: u64 = 64;

/// A page ends when its events have this many bytes.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// A page of the log; written by hand, because a frame is never serialised again.
#[derive(JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct EventPage {
    /// Oldest first.
    events: Vec<ServerFrame>,
    /// The session's last event; 0 if it has none.
    last_seq: u64,
}

/// Answers with a page.
pub(super) async fn page(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    uri: Uri,
) -> Result<Response, Problem> {
    let query = Query::of(&uri, &["after", "before", "limit"])?;
    let after = query.number("after", 0..=MAX_NUMBER)?;
    let before = query.number("before", 1..=MAX_NUMBER)?;
    let limit = query.number("limit", 1..=PAGE.0)?.unwrap_or(PAGE.1);
    let last = state.sessions.row(&owner, session).await?.last_seq;
    let before = before.unwrap_or(last + 1).min(last + 1);
    let log = state.sessions.services().log.as_ref();
    let events = match after {
        Some(after) => forward(log, session, after, before, limit).await?,
        None => backward(log, session, before, limit).await?,
    };
    let frames: Vec<&str> = events.iter().map(|event| event.frame.as_ref()).collect();
    let body = format!("{{\"events\":[{}],\"lastSeq\":{last}}}", frames.join(","));
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// The first events after `after`.
async fn forward(
    log: &dyn EventLog,
    session: SessionId,
    mut after: u64,
    before: u64,
    limit: u64,
) -> Result<VecDeque<StoredEvent>, LogError> {
    let mut events = VecDeque::new();
    let mut bytes = 0;
    while (events.len() as u64) < limit && after + 1 < before && bytes < MAX_BYTES {
        let wanted = CHUNK.min(limit - events.len() as u64).min(before - after - 1);
        let chunk = log.read(session, after, wanted).await?;
        let Some(last) = chunk.last() else { break };
        after = last.seq;
        bytes += size(&chunk);
        events.extend(chunk);
    }
    Ok(events)
}

/// The last events before `before`.
async fn backward(
    log: &dyn EventLog,
    session: SessionId,
    mut before: u64,
    limit: u64,
) -> Result<VecDeque<StoredEvent>, LogError> {
    let mut events = VecDeque::new();
    let mut bytes = 0;
    while (events.len() as u64) < limit && before > 1 && bytes < MAX_BYTES {
        let chunk = log.read_before(session, before, CHUNK.min(limit - events.len() as u64)).await?;
        let Some(first) = chunk.first() else { break };
        before = first.seq;
        bytes += size(&chunk);
        for event in chunk.into_iter().rev() {
            events.push_front(event);
        }
    }
    Ok(events)
}

fn size(events: &[StoredEvent]) -> usize {
    events.iter().map(|event| event.frame.len()).sum()
}
