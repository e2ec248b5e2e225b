//! `/api/sessions/{session}/approvals/{call}`: the whole arguments that an `approval-request` is about (`GET`), and the
//! answer to it for whoever has no WebSocket (`POST`).

use axum::Json;
use axum::extract::{Extension, Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use switchboard_protocol::{ApprovalAnswer, ClientFrame};

use super::ApiState;
use super::body::JsonBody;
use super::error::Problem;
use super::exchange::Exchange;
use super::path::CallPath;
use super::query::Query;
use crate::accounts::Principal;
use crate::session::AttachFrom;

/// The answer to an `approval-request`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ApprovalReply {
    /// Run it this once, run it and all like it in this session, or do not.
    decision: ApprovalAnswer,
    /// Run it with these arguments instead of those that were asked about.
    #[serde(default)]
    arguments: Option<Map<String, Value>>,
    /// Why, for the agent to hear; at most 1,024 characters.
    #[serde(default)]
    #[schemars(length(max = 1024))]
    reason: Option<String>,
}

/// The whole arguments of a waiting call, also where its question shows them cut.
pub(super) async fn whole(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    CallPath(session, call_id): CallPath,
    uri: Uri,
) -> Result<Response, Problem> {
    Query::of(&uri, &[])?;
    let handle = state.sessions.open(&owner, Some(session)).await?;
    let arguments = handle.asked(call_id).await?.ok_or_else(|| {
        Problem::not_found("no approval waits under this id: it was answered, has expired or never was")
            .in_field("call")
            .suggest("`pending` in `session-ready` lists what waits")
    })?;
    Ok(Json(arguments.as_ref()).into_response())
}

/// Hands the answer over; 204 when the session has taken it, 404 when nothing waits under this id.
pub(super) async fn answer(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    CallPath(session, call_id): CallPath,
    request: Request,
) -> Result<StatusCode, Problem> {
    Query::of(request.uri(), &[])?;
    let JsonBody(ApprovalReply { decision, arguments, reason }) = JsonBody::from(request).await?;
    let mut exchange = Exchange::begin(&state.sessions, &owner, session, AttachFrom::Tail(0)).await?;
    exchange.tell(ClientFrame::ApproveTool { call_id, decision, arguments, reason }).await?;
    Ok(StatusCode::NO_CONTENT)
}
