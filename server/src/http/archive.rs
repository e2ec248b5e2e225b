//! A session as a file: `GET /api/sessions/{session}/export` and `POST /api/sessions/import`; and what was said in it, as
//! other programs take it.
//!
//! Export and import do not hold the file in memory. An import is a task of its own, so that one whose client went away ends as it
//! should: with nothing left of it.

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures_util::{Stream, StreamExt, stream};
use tokio::time::timeout_at;

use super::ApiState;
use super::body::wrong_type;
use super::deadline::{self, Deadline};
use super::error::Problem;
use super::path::SessionPath;
use super::query::Query;
use super::rights::EveryRight;
use switchboard_accounts::Principal;
use switchboard_protocol::SessionId;
use switchboard_session::{ImportError, SessionError};

/// The media type of an exported session.
const NDJSON: &str = "application/x-ndjson";

/// What is said of a file that comes too slowly.
const TOO_SLOW: &str = "it arrives too slowly";

/// The media type of a session as a page.
const HTML: &str = "text/html; charset=utf-8";

/// What a file of a session can be; the first if nothing is said.
pub(super) const FORMATS: [&str; 2] = ["session", "html"];

/// Answers with the file.
pub(super) async fn export(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    uri: Uri,
) -> Result<Response, Problem> {
    match Query::of(&uri, &["format"])?.text("format") {
        None | Some("session") => {
            let export = state.sessions.export(&owner, session).await?;
            file(session, NDJSON, "jsonl", export.into_stream())
        }
        Some("html") => file(session, HTML, "html", state.sessions.page(&owner, session).await?.into_stream()),
        Some(_) => {
            let problem = Problem::bad_request("format", "there is no such format");
            Err(problem.suggest(format!("it can be {}", FORMATS.join(" or "))))
        }
    }
}

/// A file to be saved, also the page: opened from here it would be a page of this server.
fn file(
    session: SessionId,
    kind: &'static str,
    ending: &str,
    pieces: impl Stream<Item = Result<Bytes, SessionError>> + Send + 'static,
) -> Result<Response, Problem> {
    // The status is sent by then: a file that is not whole is known by the connection that breaks off.
    let file = pieces.inspect(move |piece| {
        if let Err(error) = piece {
            tracing::error!(%session, "an export broke off: failed to {error}");
        }
    });
    let name = format!("attachment; filename=\"session-{session}.{ending}\"");
    let name = HeaderValue::from_str(&name).map_err(|error| Problem::internal(&error))?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, Body::from_stream(file)).into_response())
}

/// `GET /api/sessions/{session}/transcript`: what was said, in OpenAI's format.
pub(super) async fn transcript(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    SessionPath(session): SessionPath,
    uri: Uri,
) -> Result<Response, Problem> {
    Query::of(&uri, &[])?;
    let row = state.sessions.row(&owner, session).await?;
    let said = switchboard_session::transcript(state.sessions.services().log.as_ref(), row.session).await?;
    let headers = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((headers, Json(said)).into_response())
}

/// Takes a file in and answers with the new session.
pub(super) async fn import(
    State(state): State<ApiState>,
    _: EveryRight,
    Extension(owner): Extension<Principal>,
    request: Request,
) -> Result<Response, Problem> {
    Query::of(request.uri(), &[])?;
    if !is_ndjson(request.headers()) {
        return Err(wrong_type(NDJSON));
    }
    let shutdown = state.sessions.services().shutdown.clone();
    let cut_off = shutdown.cutting_off().clone().cancelled_owned();
    let file = pieces(request.into_body()).take_until(cut_off);
    let (sessions, importer) = (state.sessions.clone(), owner.clone());
    let importing = shutdown.spawn(async move { sessions.import(&importer, file).await });
    let session = importing.await.map_err(|error| Problem::internal(&error))??;
    let body = Json(state.sessions.summary(&owner, session).await?);
    let location = format!("/api/sessions/{session}");
    let location = HeaderValue::from_str(&location).map_err(|error| Problem::internal(&error))?;
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], body).into_response())
}

impl From<ImportError> for Problem {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Line { line, .. } => Self::new(StatusCode::UNPROCESSABLE_ENTITY, format!("failed to {error}"))
                .in_field(&format!("line {line}")),
            ImportError::File(ref why) if why == TOO_SLOW => deadline::too_slow(),
            ImportError::File(_) => Self::bad_request("body", format!("failed to {error}")),
            ImportError::Context(error) => error.into(),
            ImportError::Log(error) => error.into(),
        }
    }
}

/// The body, piece by piece; it ends with an error when it comes too slowly.
fn pieces(body: Body) -> impl Stream<Item = Result<Bytes, String>> + Send {
    let body = body.into_data_stream().fuse();
    stream::unfold(Some((Box::pin(body), Deadline::begin())), |state| async move {
        let (mut body, mut deadline) = state?;
        match timeout_at(deadline.at(), body.next()).await {
            Ok(None) => None,
            Ok(Some(Ok(piece))) => {
                deadline.received(piece.len());
                Some((Ok(piece), Some((body, deadline))))
            }
            Ok(Some(Err(error))) => Some((Err(error.to_string()), None)),
            Err(_) => Some((Err(TOO_SLOW.to_owned()), None)),
        }
    })
}

/// Programs name lines of JSON in several ways.
fn is_ndjson(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    [NDJSON, "application/jsonl", "application/json"].iter().any(|right| kind.eq_ignore_ascii_case(right))
}
