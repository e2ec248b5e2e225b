//! Sessions that are kept no longer are deleted: at the start, and then every hour.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use switchboard_events::Retention;
use switchboard_runtime::{Shutdown, now, rfc3339};
use switchboard_session::Sessions;

use crate::config::RetentionConfig;

/// How often they are looked for.
const EVERY: Duration = Duration::from_secs(3600);

const HOURS_A_DAY: i64 = 24;

/// Deletes what is kept no longer until the server stops; nothing if everything is kept.
pub(super) fn keep_within(config: RetentionConfig, sessions: Sessions, shutdown: &Shutdown) {
    if config == RetentionConfig::default() {
        return;
    }
    let stopping = shutdown.stopping().clone();
    drop(shutdown.spawn(async move {
        loop {
            match sessions.delete_expired(&retention(config, now())).await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "expired sessions were deleted (--keep-days, --keep-sessions)"),
                Err(error) => tracing::error!("failed to delete expired sessions: {error}"),
            }
            tokio::select! {
                () = stopping.cancelled() => return,
                () = tokio::time::sleep(EVERY) => {}
            }
        }
    }));
}

fn retention(RetentionConfig { days, sessions }: RetentionConfig, now: Timestamp) -> Retention {
    let since = days.and_then(|days| now.checked_sub(SignedDuration::from_hours(i64::from(days) * HOURS_A_DAY)).ok());
    Retention { changed_since: since.map(rfc3339), newest: sessions }
}
