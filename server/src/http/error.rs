//! What goes wrong over HTTP, as problem details (RFC 9457): what happened, in which field, and what to do next.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use switchboard_protocol::{ServerFrame, ServerMessage};

use switchboard_context::ContextError;
use switchboard_events::LogError;
use switchboard_session::{CloseReason, Refusal, SessionError};

/// The media type of problem details.
pub(super) const PROBLEM_JSON: &str = "application/problem+json";

/// What every refused request is answered with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Problem", deny_unknown_fields)]
pub struct ProblemDetails {
    /// Always `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened.
    pub detail: String,
    /// The field, parameter or header that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// A refusal on its way to the client.
#[derive(Debug, Clone)]
pub struct Problem {
    status: StatusCode,
    detail: String,
    field: Option<String>,
    suggestion: Option<String>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A refusal with this status.
    #[must_use]
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), field: None, suggestion: None, headers: Vec::new() }
    }

    /// The request is wrong in `field`.
    #[must_use]
    pub fn bad_request(field: &str, detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail).in_field(field)
    }

    /// There is no such thing, or it is somebody else's.
    #[must_use]
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    /// Something inside went wrong; the log says more.
    #[must_use]
    pub fn internal(error: &dyn std::fmt::Display) -> Self {
        tracing::error!("a request failed: {error}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "something went wrong inside the server")
            .suggest("try again; if it happens again, look at the server's log")
    }

    /// It cannot be done now, but may be in some seconds.
    #[must_use]
    pub fn try_later(detail: impl Into<String>, seconds: u64) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, detail)
            .suggest(format!("try again in {seconds} seconds"))
            .with_header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// What the session answered instead of doing what it was told: an `agent-error` outside turns.
    pub(super) fn refused(frame: ServerFrame) -> Self {
        let ServerMessage::AgentError { text, code, path, suggestions, retry_after_ms, .. } = frame.message else {
            return Self::internal(&"the session's answer was unexpected");
        };
        let status = match code.as_str() {
            "not-allowed" => StatusCode::FORBIDDEN,
            "message-id-conflict" | "log-damaged" => StatusCode::CONFLICT,
            "unknown-call" | "unknown-query" => StatusCode::NOT_FOUND,
            "protocol-too-large" => StatusCode::PAYLOAD_TOO_LARGE,
            _ if retry_after_ms.is_some() => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        let mut problem = Self::new(status, text);
        problem.field = path;
        problem.suggestion = (!suggestions.is_empty()).then(|| suggestions.join(" "));
        match retry_after_ms {
            Some(after) => problem.with_header(header::RETRY_AFTER, HeaderValue::from(after.div_ceil(1000))),
            None => problem,
        }
    }

    /// The session let go of the request.
    pub(super) fn gone(reason: CloseReason) -> Self {
        match reason {
            CloseReason::Deleted => Self::not_found("the session was deleted"),
            CloseReason::SlowReader => Self::try_later("the response was not read for too long", 1),
            CloseReason::Restarted => Self::try_later("the session has just closed", 1),
            CloseReason::Moved => Self::try_later("another server has the session", 1),
        }
    }

    /// What happened.
    pub(super) fn detail(&self) -> &str {
        &self.detail
    }

    /// The same refusal, naming the field that is wrong.
    #[must_use]
    pub fn in_field(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }

    /// The same refusal, saying what to do next.
    #[must_use]
    pub fn suggest(mut self, suggestion: impl Into<String>) -> Self {
        self.suggestion = Some(suggestion.into());
        self
    }

    /// The same refusal with a header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }
}

impl From<SessionError> for Problem {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::UnknownSession(id) => Self::not_found(format!("there is no session {id}"))
                .in_field("session")
                .suggest("GET /api/sessions lists the sessions"),
            SessionError::Beyond { .. } => Self::new(StatusCode::CONFLICT, format!("failed to {error}")),
            SessionError::Gone | SessionError::Busy => Self::try_later(format!("failed to {error}"), 1),
            SessionError::Stopping => Self::try_later(format!("failed to {error}"), 5),
            SessionError::Broken(_) => Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("failed to {error}")),
            SessionError::ReadOnly(_) | SessionError::Attached(_) => {
                Self::new(StatusCode::CONFLICT, format!("failed to {error}"))
            }
            SessionError::Context(error) => error.into(),
            SessionError::Log(error) => error.into(),
        }
    }
}

impl From<ContextError> for Problem {
    fn from(error: ContextError) -> Self {
        match error {
            ContextError::Unknown { .. } => Self::not_found(format!("failed to {error}")).in_field("name"),
            ContextError::Load(error) => error.into(),
            other => Self::new(StatusCode::UNPROCESSABLE_ENTITY, format!("failed to {other}")),
        }
    }
}

impl From<LogError> for Problem {
    fn from(error: LogError) -> Self {
        match error {
            LogError::UnknownSession(id) => SessionError::UnknownSession(id).into(),
            LogError::Moved(_) => Self::try_later(format!("failed to {error}"), 1),
            LogError::OtherWorkspace { .. } => Self::try_later(format!("failed to {error}"), 10),
            LogError::Busy => Self::try_later(format!("failed to {error}"), 5),
            LogError::Unavailable(_) => Self::try_later(format!("failed to {error}"), 2),
            LogError::Full | LogError::Limit(_) => {
                Self::new(StatusCode::INSUFFICIENT_STORAGE, format!("failed to {error}"))
            }
            LogError::Closed => Self::try_later("the server is stopping", 5),
            LogError::Damaged { .. } => {
                tracing::error!("a request failed to {error}");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("failed to {error}"))
                    .suggest("docs/operations.md says how to restore a backup")
            }
            other => Self::internal(&other),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::refused(refusal.into_frame())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let details = ProblemDetails {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            detail: self.detail,
            field: self.field,
            suggestion: self.suggestion,
        };
        let body = serde_json::to_vec(&details).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = self.status;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        for (name, value) in self.headers {
            response.headers_mut().insert(name, value);
        }
        response
    }
}
