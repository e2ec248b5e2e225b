//! The API's description, made from the types that the routes use and from the limits that they hold: OpenAPI for
//! HTTP, JSON Schema and AsyncAPI for the socket. Each is made once and served as it is.

mod events;
mod parts;
mod paths;
mod schemas;
mod sessions;

use std::sync::OnceLock;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::auth::Auth;
use super::error::Problem;
use super::query::Query;

const ABOUT: &str = "A chat server whose agent uses tools. A session is a log of events; clients get them as frames, \
                     over the WebSocket at `/ws` (described at `/api/asyncapi.json`) or here. Refusals are answered \
                     with problem details (RFC 9457) that name the field and say what to do next. Parameters and \
                     fields that are not described are refused.";

/// `GET /api/openapi.json`.
pub(super) async fn openapi(State(auth): State<Auth>, uri: Uri) -> Result<Response, Problem> {
    static OPEN: OnceLock<Bytes> = OnceLock::new();
    static LOCKED: OnceLock<Bytes> = OnceLock::new();
    Query::of(&uri, &[])?;
    let locked = auth.is_required();
    Ok(served(if locked { &LOCKED } else { &OPEN }, || document(locked)))
}

/// `GET /api/schema`.
pub(super) async fn schema(uri: Uri) -> Result<Response, Problem> {
    static SCHEMA: OnceLock<Bytes> = OnceLock::new();
    Query::of(&uri, &[])?;
    Ok(served(&SCHEMA, switchboard_protocol::schema::all))
}

/// `GET /api/asyncapi.json`.
pub(super) async fn asyncapi(uri: Uri) -> Result<Response, Problem> {
    static ASYNCAPI: OnceLock<Bytes> = OnceLock::new();
    Query::of(&uri, &[])?;
    Ok(served(&ASYNCAPI, switchboard_protocol::schema::asyncapi))
}

fn served(made: &OnceLock<Bytes>, make: impl FnOnce() -> Value) -> Response {
    let text = made.get_or_init(|| make().to_string().into()).clone();
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The document; `locked`: the server asks for a token.
fn document(locked: bool) -> Value {
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Switchboard",
            "version": env!("CARGO_PKG_VERSION"),
            "description": ABOUT,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "This server"}],
        "tags": [
            {"name": "sessions", "description": "Conversations, with everything that happened in them."},
            {"name": "messages", "description": "Sending messages and receiving answers."},
            {"name": "tools", "description": "What the agent can do."},
            {"name": "models", "description": "The language model in use, and its provider."},
            {"name": "login", "description": "Exchanging the token for a cookie, for browsers."},
            {"name": "description", "description": "Descriptions of the API, for programs."},
            {"name": "health", "description": "For monitoring the server."},
        ],
        "paths": paths::all(locked),
        "components": {"schemas": schemas::all()},
    });
    if locked {
        document["components"]["securitySchemes"] = json!({
            "token": {"type": "http", "scheme": "bearer", "description": "The token that the server was started with."},
            "cookie": {
                "type": "apiKey",
                "in": "cookie",
                "name": super::auth::COOKIE,
                "description": "What `POST /api/login` sets.",
            },
        });
        document["security"] = json!([{"token": []}, {"cookie": []}]);
    }
    document
}
