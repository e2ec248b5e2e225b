//! Turns that were cut off, here or at another server that shares the log, and sessions that other servers take.

use switchboard_runtime::Shutdown;
use switchboard_session::Sessions;

/// Goes on with what was cut off, now and whenever another server leaves something behind, and lets go of what others claim.
pub(super) fn keep_going(sessions: &Sessions, shutdown: &Shutdown) {
    let (own, others, lost) = (sessions.clone(), sessions.clone(), sessions.clone());
    drop(shutdown.spawn(finish_what_was_cut_off(own)));
    drop(shutdown.spawn(until_stopping(shutdown.clone(), async move { others.take_over_orphans().await })));
    drop(shutdown.spawn(until_stopping(shutdown.clone(), async move { lost.let_go_of_what_moves().await })));
}

/// Turns that a crash cut off end, and messages that waited run.
async fn finish_what_was_cut_off(sessions: Sessions) {
    match sessions.open_unfinished().await {
        Ok(0) => {}
        Ok(count) => tracing::info!("{count} sessions had unfinished work, which continues or has ended"),
        Err(error) => tracing::error!("failed to {error}"),
    }
}

async fn until_stopping(shutdown: Shutdown, task: impl Future<Output = ()>) {
    tokio::select! {
        () = task => {}
        () = shutdown.stopping().cancelled() => {}
    }
}
