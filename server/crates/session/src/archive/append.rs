//! Events at the end of a session that is not in memory: what ends its open turns.

use std::sync::Arc;

use switchboard_events::{LogError, NewEvent, SessionLog};
use switchboard_protocol::SessionId;

use crate::outbox::{Outbound, Outbox};
use crate::state::SessionState;

/// Adds events to a session that nobody else has, one after the other.
pub(super) async fn append_all(
    log: Arc<dyn SessionLog>,
    session: SessionId,
    state: &mut SessionState,
    events: Vec<NewEvent>,
) -> Result<(), LogError> {
    let mut outbox = Outbox::new(log, session, state.last_seq);
    for event in events {
        outbox.push(Outbound { event, with: None, urgent: true, receipt: None, sender: None }, state);
        outbox.next_commit().await.map_err(|failed| failed.error)?;
    }
    Ok(())
}
