//! `POST /api/sessions/{session}/approvals/{call}` and `…/queries/{query}`: answers to what a session asks, for whoever
//! has no WebSocket.

use axum::Json;
use axum::extract::{Extension, Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use switchboard_protocol::{ApprovalAnswer, CallId, ClientFrame, QueryId};

use super::ApiState;
use super::body::JsonBody;
use super::error::Problem;
use super::exchange::Exchange;
use super::path::AskedPath;
use super::query::Query;
use switchboard_accounts::{Principal, Rights};
use switchboard_session::AttachFrom;

/// The answer to an `approval-request`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ApprovalReply {
    /// Run it once, run it and every call like it in this session, or do not run it.
    decision: ApprovalAnswer,
    /// Run it with these arguments instead of those that were asked about.
    #[serde(default)]
    arguments: Option<Map<String, Value>>,
    /// Why, for the agent to read; at most 1,024 characters.
    #[serde(default)]
    #[schemars(length(max = 1024))]
    reason: Option<String>,
}

/// The answer to a `user-query`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct QueryReply {
    /// The answer, in the form that the question asks for; absent: the question is dismissed.
    #[serde(default)]
    answer: Option<Value>,
}

/// The whole arguments of a waiting call, also where its question shows them cut.
pub(super) async fn asked(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    AskedPath(session, id): AskedPath,
    uri: Uri,
) -> Result<Response, Problem> {
    Query::of(&uri, &[])?;
    let handle = state.sessions.open(&owner, Some(session)).await?;
    let arguments = handle.asked(CallId(id)).await?.ok_or_else(|| {
        Problem::not_found("no approval is waiting under this id: it was answered, has expired or never existed")
            .in_field("call")
            .suggest("`pending` in `session-ready` lists what is waiting")
    })?;
    Ok(Json(arguments.as_ref()).into_response())
}

/// Hands the answer over; 204 when the session has taken it, 404 when nothing waits under this id.
pub(super) async fn answer<A: Answer>(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    Extension(rights): Extension<Rights>,
    AskedPath(session, id): AskedPath,
    request: Request,
) -> Result<StatusCode, Problem> {
    Query::of(request.uri(), &[])?;
    let JsonBody(answer) = JsonBody::<A>::from(request).await?;
    let mut exchange = Exchange::begin(&state.sessions, (&owner, rights), session, AttachFrom::Tail(0)).await?;
    exchange.tell(answer.to(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A body that answers something, and the frame that says the same.
pub(super) trait Answer: DeserializeOwned + JsonSchema {
    /// The frame that answers what waits under this id.
    fn to(self, id: String) -> ClientFrame;
}

impl Answer for ApprovalReply {
    fn to(self, id: String) -> ClientFrame {
        let Self { decision, arguments, reason } = self;
        ClientFrame::ApproveTool { call_id: CallId(id), decision, arguments, reason }
    }
}

impl Answer for QueryReply {
    fn to(self, id: String) -> ClientFrame {
        ClientFrame::AnswerQuery { query_id: QueryId(id), answer: self.answer }
    }
}
