//! The routes, and what every request passes on its way to them.

use std::any::Any;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::auth;
use super::cluster::{self, Cluster};
use super::config::HttpConfig;
use super::error::Problem;
use super::guard::{self, Guard};
use super::state::ApiState;
use super::{
    agents, answers, archive, assets, branches, describe, docs, events, framing, headers, health, mcp, messages,
    permissions, providers, resources, search, sessions, tools, uploads, variables,
};
use crate::socket::{self, SocketConfig};

/// The whole of it. `loopback`: the server listens on this machine only.
pub fn router(state: ApiState, config: &HttpConfig, socket: SocketConfig, loopback: bool) -> Router {
    let guard = Guard { loopback, config: config.clone() };
    let cluster = Cluster::new(state.sessions.clone(), state.node_secret.clone(), socket.connections);
    Router::new()
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .merge(api())
        .fallback(assets::serve)
        .with_state(state.clone())
        .merge(socket::router(state.sessions.clone(), socket))
        .method_not_allowed_fallback(method_not_allowed)
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(cluster.clone(), cluster::pass_on))
        .layer(from_fn_with_state(state.auth, auth::require))
        .layer(from_fn_with_state(guard, guard::check))
        .layer(from_fn_with_state(cluster, cluster::admit))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(framing::close_behind_chunks))
        .layer(from_fn(headers::secure))
}

fn api() -> Router<ApiState> {
    Router::new()
        .route("/api/login", post(auth::login).delete(auth::logout))
        .route("/api/sessions", get(sessions::list).post(sessions::create))
        .route("/api/sessions/{session}", get(sessions::get).patch(sessions::change).delete(sessions::delete))
        .route("/api/sessions/import", post(archive::import))
        .route("/api/sessions/search", get(search::search))
        .route("/api/sessions/{session}/export", get(archive::export))
        .route("/api/sessions/{session}/transcript", get(archive::transcript))
        .route("/api/sessions/{session}/branches", get(branches::list))
        .route("/api/sessions/{session}/context", get(sessions::context))
        .route("/api/sessions/{session}/events", get(events::page))
        .route("/api/sessions/{session}/messages", post(messages::send))
        .route(
            "/api/sessions/{session}/approvals/{call}",
            get(answers::asked).post(answers::answer::<answers::ApprovalReply>),
        )
        .route("/api/sessions/{session}/queries/{query}", post(answers::answer::<answers::QueryReply>))
        .route("/api/sessions/{session}/variables/{name}", get(variables::value))
        .route("/api/sessions/{session}/resources/{handle}", get(resources::content))
        .route("/api/sessions/{session}/uploads", post(uploads::upload).delete(uploads::discard))
        .route("/api/tools", get(tools::list))
        .route("/api/tools/usage", get(agents::usage))
        .route("/api/agents", get(agents::list))
        .route("/api/agents/{agent}", post(agents::switch))
        .route("/api/mcp", get(mcp::list))
        .route("/api/mcp/{server}", post(mcp::change))
        .route("/api/permissions", get(permissions::list))
        .route("/api/providers", get(providers::list).post(providers::choose))
        .route("/api/providers/{provider}", delete(providers::forget))
        .route("/api/openapi.json", get(describe::openapi))
        .route("/api/schema", get(describe::schema))
        .route("/api/asyncapi.json", get(describe::asyncapi))
        .route("/api/docs", get(docs::page))
        .route("/api/docs/{file}", get(docs::file))
}

async fn method_not_allowed(request: Request) -> Problem {
    let method = request.method();
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, format!("{} does not take {method}", request.uri().path()))
        .suggest("the Allow header says what it takes")
}

#[expect(clippy::needless_pass_by_value, reason = "the layer hands it over so")]
fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let what = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    Problem::internal(&what.unwrap_or("a panic")).into_response()
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
