//! `GET /api/sessions/{session}/events`: the log by pages, every frame exactly as it is stored.

use std::collections::VecDeque;

use axum::extract::{Extension, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use switchboard_protocol::{ServerFrame, SessionId};

use super::ApiState;
use super::error::Problem;
use super::path::SessionPath;
use super::query::{MAX_NUMBER, Query};
use switchboard_accounts::Principal;
use switchboard_events::{LogError, SessionLog, StoredEvent};

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
    /// The log is damaged: this event cannot be read. The page ends in front of it.
    damaged_from_seq: Option<u64>,
}

/// Answers with a page.
pub(super) async fn page(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    uri: Uri,
) -> Result<Response, Problem> {
    let query = Query::of(&uri, &["after", "before", "limit", "generation"])?;
    let after = query.number("after", 0..=MAX_NUMBER)?;
    let before = query.number("before", 1..=MAX_NUMBER)?;
    let limit = query.number("limit", 1..=PAGE.0)?.unwrap_or(PAGE.1);
    let last = state.sessions.row(&owner, session).await?.last_seq;
    refuse_other_history(&state, after, query.text("generation"))?;
    let before = before.unwrap_or(last + 1).min(last + 1);
    let log = state.sessions.services().log.as_ref();
    let Page { events, damaged } = match after {
        Some(after) => forward(log, session, after, before, limit).await?,
        None => backward(log, session, before, limit).await?,
    };
    let frames: Vec<&str> = events.iter().map(|event| event.frame.as_ref()).collect();
    let damaged = damaged.map(|seq| format!(",\"damagedFromSeq\":{seq}")).unwrap_or_default();
    let body = format!("{{\"events\":[{}],\"lastSeq\":{last}{damaged}}}", frames.join(","));
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// Refuses who has read something of another history: its numbers mean other events here.
fn refuse_other_history(state: &ApiState, after: Option<u64>, generation: Option<&str>) -> Result<(), Problem> {
    let now = state.sessions.services().log.generation();
    match generation {
        Some(read) if after > Some(0) && *read != *now => {
            let why = "the log is not the one that you read before (`generation`), so `after` means another event now";
            let problem = Problem::new(StatusCode::CONFLICT, why).in_field("generation");
            Err(problem.suggest("forget what you have and read from after=0; session-ready has the new generation"))
        }
        _ => Ok(()),
    }
}

/// Events that could be read, and one that could not.
#[derive(Default)]
struct Page {
    events: VecDeque<StoredEvent>,
    damaged: Option<u64>,
}

/// The first events after `after`.
async fn forward(
    log: &dyn SessionLog,
    session: SessionId,
    mut after: u64,
    before: u64,
    limit: u64,
) -> Result<Page, LogError> {
    let mut events = VecDeque::new();
    let mut bytes = 0;
    while (events.len() as u64) < limit && after + 1 < before && bytes < MAX_BYTES {
        let wanted = CHUNK.min(limit - events.len() as u64).min(before - after - 1);
        let chunk = match log.read(session, after, wanted).await {
            Err(LogError::Damaged { seq, .. }) => return Ok(Page { events, damaged: Some(seq) }),
            chunk => chunk?,
        };
        let Some(last) = chunk.last() else { break };
        after = last.seq;
        bytes += size(&chunk);
        events.extend(chunk);
    }
    Ok(Page { events, damaged: None })
}

/// The last events before `before`; where one of them is damaged, those in front of it.
async fn backward(log: &dyn SessionLog, session: SessionId, mut before: u64, limit: u64) -> Result<Page, LogError> {
    let Page { mut events, mut damaged } = Page::default();
    let mut bytes = 0;
    while (events.len() as u64) < limit && before > 1 && bytes < MAX_BYTES {
        let chunk = match log.read_before(session, before, CHUNK.min(limit - events.len() as u64)).await {
            Err(LogError::Damaged { seq, .. }) if seq < before => {
                events.clear();
                (before, damaged, bytes) = (seq, Some(seq), 0);
                continue;
            }
            chunk => chunk?,
        };
        let Some(first) = chunk.first() else { break };
        before = first.seq;
        bytes += size(&chunk);
        for event in chunk.into_iter().rev() {
            events.push_front(event);
        }
    }
    Ok(Page { events, damaged })
}

fn size(events: &[StoredEvent]) -> usize {
    events.iter().map(|event| event.frame.len()).sum()
}
