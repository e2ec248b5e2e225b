//! For monitoring: `/healthz` says that the server runs, `/readyz` that it can take work.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::ApiState;
use super::error::Problem;
use switchboard_events::LogError;

/// It runs.
pub(super) async fn healthz() -> &'static str {
    "ok\n"
}

/// It takes messages and can keep them; what was lost before it started is said too.
pub(super) async fn readyz(State(state): State<ApiState>) -> Response {
    let services = state.sessions.services();
    if services.shutdown.stopping().is_cancelled() {
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the server is shutting down")
            .suggest("try again when it is back")
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
