//! `/api/sessions`: the list, one of them, its title, its end, and what it knows.

use axum::Json;
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use switchboard_protocol::{ClientFrame, OpenWindow, Operation, ServerMessage, SessionId, SessionSummary, Variable};

use super::ApiState;
use super::body::{JsonBody, NOT_BLANK};
use super::error::Problem;
use super::exchange::Exchange;
use super::path::SessionPath;
use super::query::{MAX_NUMBER, Query};
use switchboard_accounts::{Principal, Rights};
use switchboard_events::ListPage;
use switchboard_session::AttachFrom;

/// How many sessions a page has at most, and how many if nothing is said.
pub(super) const PAGE: (u64, u64) = (500, 100);

/// A page of sessions.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionList {
    /// Most recently changed first.
    sessions: Vec<SessionSummary>,
    /// The `cursor` of the next page, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<u64>,
}

/// The body of `POST /api/sessions`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewSession {
    /// Its title; without one, its first message gives it a title.
    #[serde(default)]
    title: Option<Title>,
}

/// The body of `PATCH /api/sessions/{session}`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1))]
pub(super) struct SessionChange {
    /// Its new title.
    #[serde(default)]
    title: Option<Title>,
    /// Whether it is kept at the top of the list.
    #[serde(default)]
    pinned: Option<bool>,
}

/// A title: at most 200 characters, not only spaces.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
struct Title(#[schemars(length(min = 1, max = 200), regex(pattern = NOT_BLANK))] String);

/// What a session knows: `context-state` without its envelope.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContextState {
    /// The variables, in order of creation; values are fetched one by one.
    variables: Vec<Variable>,
    /// The tools that ran, the latest last.
    operation_history: Vec<Operation>,
    /// How many messages the conversation has.
    chat_history_length: u64,
    /// Windows that are open.
    open_windows: Vec<OpenWindow>,
}

/// `GET /api/sessions`.
pub(super) async fn list(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    uri: Uri,
) -> Result<Json<SessionList>, Problem> {
    let query = Query::of(&uri, &["limit", "cursor", "pinned"])?;
    let limit = query.number("limit", 1..=PAGE.0)?.unwrap_or(PAGE.1);
    let behind = query.number("cursor", 0..=MAX_NUMBER)?;
    let pinned = match query.text("pinned") {
        None => false,
        Some("true") => true,
        Some(_) => {
            let problem = Problem::bad_request("pinned", "pinned can only be true");
            return Err(problem.suggest("leave it out for all sessions"));
        }
    };
    let page = ListPage { pinned, behind, limit: limit + 1 };
    let mut rows = state.sessions.services().log.list(&owner, &page).await?;
    let more = rows.len() as u64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next_cursor = rows.last().filter(|_| more).map(|row| row.place);
    let sessions = state.sessions.forks().summaries(rows).await?;
    Ok(Json(SessionList { sessions, next_cursor }))
}

/// `POST /api/sessions`.
pub(super) async fn create(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    request: Request,
) -> Result<Response, Problem> {
    Query::of(request.uri(), &[])?;
    let body = JsonBody::<NewSession>::from_optional(request).await?.map(|JsonBody(body)| body).unwrap_or_default();
    let session = state.sessions.open(&owner, None).await?.id();
    if let Some(Title(title)) = body.title {
        rename(&state, &owner, session, title).await?;
    }
    let mut response = (StatusCode::CREATED, Json(state.sessions.summary(&owner, session).await?)).into_response();
    let location =
        HeaderValue::from_str(&format!("/api/sessions/{session}")).map_err(|error| Problem::internal(&error))?;
    response.headers_mut().insert(header::LOCATION, location);
    Ok(response)
}

/// `GET /api/sessions/{session}`.
pub(super) async fn get(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    uri: Uri,
) -> Result<Json<SessionSummary>, Problem> {
    Query::of(&uri, &[])?;
    Ok(Json(state.sessions.summary(&owner, session).await?))
}

/// `PATCH /api/sessions/{session}`.
pub(super) async fn change(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    request: Request,
) -> Result<Json<SessionSummary>, Problem> {
    Query::of(request.uri(), &[])?;
    let JsonBody(SessionChange { title, pinned }) = JsonBody::from(request).await?;
    if let Some(Title(title)) = title {
        rename(&state, &owner, session, title).await?;
    }
    if let Some(pinned) = pinned {
        state.sessions.pin(&owner, session, pinned).await?;
    }
    Ok(Json(state.sessions.summary(&owner, session).await?))
}

/// `DELETE /api/sessions/{session}`.
pub(super) async fn delete(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    uri: Uri,
) -> Result<StatusCode, Problem> {
    Query::of(&uri, &[])?;
    state.sessions.delete(&owner, session).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /api/sessions/{session}/context`.
pub(super) async fn context(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    uri: Uri,
) -> Result<Json<ContextState>, Problem> {
    Query::of(&uri, &[])?;
    let mut exchange = Exchange::begin(&state.sessions, (&owner, Rights::Chat), session, AttachFrom::Tail(0)).await?;
    match exchange.context().await? {
        ServerMessage::ContextState { variables, operation_history, chat_history_length, open_windows } => {
            Ok(Json(ContextState { variables, operation_history, chat_history_length, open_windows }))
        }
        _ => Err(Problem::internal(&"the session answered with something other than its context")),
    }
}

async fn rename(state: &ApiState, owner: &Principal, session: SessionId, title: String) -> Result<(), Problem> {
    let mut exchange = Exchange::begin(&state.sessions, (owner, Rights::Chat), session, AttachFrom::Tail(0)).await?;
    exchange.tell(ClientFrame::SetTitle { title }).await
}
