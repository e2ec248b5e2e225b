//! For monitoring: `/healthz` says that the server runs, `/readyz` that it can take work.

use std::fs;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

use super::ApiState;
use super::error::Problem;
use switchboard_events::LogError;

/// How many files the server must be able to open still: a command needs a dozen, and each connection one.
const SPARE_FILES: u64 = 64;

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
    match services.log.check().await {
        Ok(()) => match services.log.report() {
            None => "ready\n".into_response(),
            Some(report) => format!("ready\n{report}\n").into_response(),
        },
        Err(error @ (LogError::Busy | LogError::Closed)) => Problem::from(error).into_response(),
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
