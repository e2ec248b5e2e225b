//! `GET /api/sessions/{session}/branches`: which messages were edited or sent again, and where the other versions are.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::Uri;
use schemars::JsonSchema;
use serde::Serialize;
use switchboard_protocol::{MessageId, SessionId};

use super::ApiState;
use super::error::Problem;
use super::path::SessionPath;
use super::query::Query;
use switchboard_accounts::Principal;
use switchboard_session::{Branch, BranchVersion};

/// The branches of a session.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BranchList {
    /// One for each of its messages that has other versions, in the order of the messages.
    branches: Vec<MessageBranches>,
}

/// A message that was edited or sent again.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct MessageBranches {
    /// The event of the message in this session.
    seq: u64,
    /// All versions, the first one first; this session's is the one with its id.
    versions: Vec<Version>,
}

/// A version of a message.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Version {
    /// The session that shows it.
    session_id: SessionId,
    /// The event of the message there.
    seq: u64,
    /// The message.
    message_id: MessageId,
}

/// Lists them.
pub(super) async fn list(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    uri: Uri,
) -> Result<Json<BranchList>, Problem> {
    Query::of(&uri, &[])?;
    let branches = state.sessions.branches(&owner, session).await?;
    Ok(Json(BranchList { branches: branches.into_iter().map(MessageBranches::from).collect() }))
}

impl From<Branch> for MessageBranches {
    fn from(Branch { seq, versions }: Branch) -> Self {
        let told = |BranchVersion { session, seq, message }| Version { session_id: session, seq, message_id: message };
        Self { seq, versions: versions.into_iter().map(told).collect() }
    }
}
