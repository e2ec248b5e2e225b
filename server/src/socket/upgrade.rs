//! The route `/ws`: from an HTTP request to a connection.

use std::sync::Arc;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::config::SocketConfig;
use super::connection::{self, Admitted, SocketState};
use super::echo;
use switchboard_accounts::{Principal, Rights};
use switchboard_session::Sessions;

/// Read and write buffers of a connection: small, because most connections are idle.
const WRITE_BUFFER: usize = 4 * 1024;
/// How much is read at once; every connection holds so much.
const READ_BUFFER: usize = 2 * 1024;
/// The most that waits to be written: one frame of 16 MiB and a little.
const MAX_WRITE_BUFFER: usize = 20 * 1024 * 1024;
/// The largest message that is read at all, so that one a little too large can be answered with a reason.
const MAX_READ: usize = 8 * 1024 * 1024;

/// `/ws`. The caller puts the [`Principal`] into the request's extensions; without one nothing is let in.
pub fn router(sessions: Sessions, config: SocketConfig) -> Router {
    let places = Arc::new(Semaphore::new(config.connections));
    let state = Arc::new(SocketState { sessions, config, places });
    Router::new().route("/ws", any(upgrade)).with_state(state)
}

async fn upgrade(
    State(state): State<Arc<SocketState>>,
    Extension(owner): Extension<Principal>,
    Extension(rights): Extension<Rights>,
    Extension(ended): Extension<CancellationToken>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !has_key(&headers) {
        let reason = "Sec-WebSocket-Key: it must be 16 random bytes in Base64";
        return (StatusCode::BAD_REQUEST, reason).into_response();
    }
    if state.config.echo {
        return echo::upgrade(upgrade);
    }
    upgrade
        .read_buffer_size(READ_BUFFER)
        .write_buffer_size(WRITE_BUFFER)
        .max_write_buffer_size(MAX_WRITE_BUFFER)
        .max_message_size(MAX_READ)
        .max_frame_size(MAX_READ)
        .on_upgrade(async move |socket| {
            let Ok(place) = Arc::clone(&state.places).try_acquire_owned() else {
                return connection::turn_away(&state, socket).await;
            };
            // Started through the shutdown, so that it waits until the client has heard the goodbye.
            let halves = socket.split();
            let shutdown = state.sessions.services().shutdown.clone();
            shutdown.spawn(async move {
                connection::serve(state, Admitted { owner, rights, ended }, query.unwrap_or_default(), halves).await;
                drop(place);
            });
        })
}

/// Whether the key is one (RFC 6455, section 4.1); axum takes any.
fn has_key(headers: &HeaderMap) -> bool {
    let key = headers.get(header::SEC_WEBSOCKET_KEY).and_then(|key| STANDARD.decode(key).ok());
    key.is_some_and(|key| key.len() == 16)
}
