//! A log that is put back as a whole: what was open when it was copied may have ended since then.

use std::sync::Arc;

use switchboard_events::{EventLog, LogError};

use super::append::append_all;
use crate::recovery::{Cut, end_all, end_waiting};
use crate::state;

/// Ends the turns, calls and questions that are open in this log, which no server has, and the messages that wait: at the
/// next start they would be done a second time. In how many sessions there were any.
///
/// # Errors
/// When the log cannot be read or written.
pub async fn end_restored(log: &Arc<dyn EventLog>) -> Result<usize, LogError> {
    let mut ended = 0;
    for row in log.orphans().await? {
        // In a damaged one nothing runs.
        let (mut state, damage) = state::load_sound(log.as_ref(), row.session, u64::MAX).await?;
        if damage.is_some() {
            continue;
        }
        let mut events = end_all(&state, Cut::Restored);
        events.extend(end_waiting(&state, Cut::Restored));
        append_all(Arc::<dyn EventLog>::clone(log), row.session, &mut state, events).await?;
        ended += 1;
    }
    Ok(ended)
}
