//! `GET /api/sessions/{session}/variables/{name}`: a whole value, as what it is; with `at`, as it was at that event.

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::{HeaderValue, Uri, header};
use axum::response::Response;

use super::ApiState;
use super::error::Problem;
use super::path::VariablePath;
use super::query::{MAX_NUMBER, Query};
use switchboard_accounts::Principal;
use switchboard_events::ArtifactValue;

/// Answers with the value: JSON, text, or bytes that a browser saves instead of showing them.
pub(super) async fn value(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    VariablePath(session, name): VariablePath,
    uri: Uri,
) -> Result<Response, Problem> {
    let at = Query::of(&uri, &["at"])?.number("at", 1..=MAX_NUMBER)?;
    let handle = state.sessions.open(&owner, Some(session)).await?;
    let (variable, value) = match at {
        Some(seq) => handle.variable_at(&name, seq).await?,
        None => handle.variable(&name).await?,
    };
    let (kind, bytes) = body_of(&value);
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox"),
    );
    if kind == BYTES {
        // A variable's name has only letters, digits and `_`.
        let saved = HeaderValue::from_str(&format!("attachment; filename=\"{}\"", variable.name));
        headers.insert(header::CONTENT_DISPOSITION, saved.map_err(|error| Problem::internal(&error))?);
    }
    Ok(response)
}

pub(super) const BYTES: &str = "application/octet-stream";
pub(super) const TEXT: &str = "text/plain; charset=utf-8";
pub(super) const JSON: &str = "application/json";

/// The media type and the content of a value.
pub(super) fn body_of(value: &ArtifactValue) -> (&'static str, Bytes) {
    match value {
        ArtifactValue::Json(json) => (JSON, json.to_string().into()),
        ArtifactValue::Text(text) => (TEXT, text.clone().into()),
        ArtifactValue::Bytes(bytes) => (BYTES, bytes.clone()),
    }
}
