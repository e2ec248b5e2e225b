//! Ids and names in paths. One that cannot be right is answered like one that does not exist.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use switchboard_protocol::SessionId;

use super::error::Problem;
use switchboard_llm::{Provider, provider};
use switchboard_tools::ResourceHandle;

/// The longest id that is not a session's, in characters.
pub(super) const MAX_ID_CHARS: usize = 128;

/// The session that the path names.
pub(super) struct SessionPath(pub(super) SessionId);

/// The session and the variable that the path names.
pub(super) struct VariablePath(pub(super) SessionId, pub(super) String);

/// The session and the resource that the path names.
pub(super) struct ResourcePath(pub(super) SessionId, pub(super) ResourceHandle);

/// The session and the question, a call or a query, that the path names.
pub(super) struct AskedPath(pub(super) SessionId, pub(super) String);

/// The provider that the path names.
pub(super) struct ProviderPath(pub(super) &'static Provider);

/// The agent that the path names.
pub(super) struct AgentPath(pub(super) String);

/// The MCP server that the path names.
pub(super) struct McpPath(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for McpPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let names = named(parts, state).await?;
        Ok(Self(get(&names, "server").unwrap_or_default().to_owned()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for AgentPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let names = named(parts, state).await?;
        let id = get(&names, "agent").unwrap_or_default();
        // No longer id is an agent's, and the answer repeats it.
        Ok(Self(id.chars().take(MAX_ID_CHARS).collect()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ProviderPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let names = named(parts, state).await?;
        get(&names, "provider").and_then(provider).map(Self).ok_or_else(|| {
            let unknown = Problem::not_found("there is no such provider").in_field("provider");
            unknown.suggest("GET /api/providers lists them")
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for SessionPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let names = named(parts, state).await?;
        session(&names).map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for VariablePath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let names = named(parts, state).await?;
        let name = get(&names, "name").unwrap_or_default();
        Ok(Self(session(&names)?, name.to_owned()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ResourcePath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let names = named(parts, state).await?;
        let handle = get(&names, "handle").unwrap_or_default().parse().map_err(|_| {
            Problem::not_found("a handle is file:<path>, var:<name>@<version> or call:<id>/<n>")
                .in_field("handle")
                .suggest("write the handle percent-encoded, a slash in it as %2F")
        });
        Ok(Self(session(&names)?, handle?))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for AskedPath {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let names = named(parts, state).await?;
        let (field, id) = names.iter().find(|(name, _)| *name != "session").unwrap_or_default();
        if id.is_empty() || id.chars().count() > MAX_ID_CHARS {
            return Err(Problem::not_found(format!("an id has 1 to {MAX_ID_CHARS} characters")).in_field(field));
        }
        Ok(Self(session(&names)?, id.to_owned()))
    }
}

async fn named<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<RawPathParams, Problem> {
    RawPathParams::from_request_parts(parts, state)
        .await
        .map_err(|_| Problem::not_found(format!("there is no {}", parts.uri.path())).suggest("write the path in UTF-8"))
}

fn get<'a>(names: &'a RawPathParams, name: &str) -> Option<&'a str> {
    names.iter().find(|(found, _)| *found == name).map(|(_, value)| value)
}

fn session(names: &RawPathParams) -> Result<SessionId, Problem> {
    let text = get(names, "session").unwrap_or_default();
    // Other spellings of a UUID name nothing here: a session has one address.
    let plain = text.len() == 36;
    text.parse().ok().filter(|_| plain).ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        Problem::not_found(format!("\"{shown}\" is not a session's id"))
            .in_field("session")
            .suggest("an id looks like 7b0e4f6a-3c1d-4b5e-9f70-2a6c8d1e0b34; GET /api/sessions lists the sessions")
    })
}
