//! For monitoring: `/healthz` says that the server runs, `/readyz` that it can take work.

use std::fs;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use tokio::time::timeout;

use super::ApiState;
use super::error::Problem;
use switchboard_events::LogError;

/// How many files the server must be able to open still: a command needs a dozen, and each connection one.
const SPARE_FILES: u64 = 64;

/// How long the log may take over a write that changes nothing.
const CHECK_LIMIT: Duration = Duration::from_secs(1);

/// It runs.
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// It takes messages, can keep them and can do what they ask for; what was lost before it started is said too.
pub(super) async fn readyz(State(state): State<ApiState>) -> Response {
    let services = state.sessions.services();
    if services.shutdown.stopping().is_cancelled() {
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down")
            .suggest("try again when it is back")
            .into_response();
    }
    if let Ok(Some((open, limit))) = tokio::task::spawn_blocking(open_files).await
        && limit.saturating_sub(open) < SPARE_FILES
    {
        let full = format!("the server has {open} files and connections open, and may have {limit}");
        tracing::error!("the server is not ready: {full}");
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, full)
            .suggest("close connections, or raise the limit: `ulimit -n`, or `LimitNOFILE=` of the systemd unit")
            .into_response();
    }
    tell(services.log.check(), services.log.report()).await
}

/// What a write says that changes nothing, and what was lost before the log was opened.
async fn tell(check: impl Future<Output = Result<(), LogError>>, report: Option<String>) -> Response {
    match timeout(CHECK_LIMIT, check).await.unwrap_or(Err(LogError::Busy)) {
        Ok(()) => match report {
            None => "ready\n".into_response(),
            Some(report) => format!("ready\n{report}\n").into_response(),
        },
        Err(LogError::Busy) => {
            Problem::try_later("the log is behind: the disk does not keep up, or the file is locked", 5).into_response()
        }
        Err(error @ LogError::Closed) => Problem::from(error).into_response(),
        Err(error) => {
            tracing::error!("the server is not ready: it cannot {error}");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, format!("the server cannot {error}")).into_response()
        }
    }
}

/// How many files the process has open, and how many it may have; nothing where the system does not say.
fn open_files() -> Option<(u64, u64)> {
    let limit = getrlimit(Resource::Nofile).current?;
    match fs::read_dir("/proc/self/fd") {
        Ok(open) => Some((open.count() as u64, limit)),
        // Not even this folder can be opened.
        Err(error) if error.raw_os_error() == Some(Errno::MFILE.raw_os_error()) => Some((limit, limit)),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_log_that_does_not_answer_within_a_second_is_behind() {
        let ready = tell(async { Ok(()) }, None).await;
        let waiting = tokio::time::timeout(2 * CHECK_LIMIT, tell(std::future::pending(), None)).await;

        let behind = waiting.expect("an answer in time");
        assert_eq!((ready.status(), behind.status()), (StatusCode::OK, StatusCode::SERVICE_UNAVAILABLE));
        let text = to_bytes(behind.into_body(), 4096).await.expect("a problem");
        assert!(String::from_utf8_lossy(&text).contains("the log is behind"), "{text:?}");
    }
}
