//! `GET /api/sessions/{session}/resources/{handle}`: what a window shows, as what it is.
//!
//! Only pictures and PDFs whose bytes are that, text and JSON are named as what they are; a page of a workspace is text
//! here. Whatever a browser makes of it, the policy leaves it without scripts and without an origin.

use std::ops::RangeInclusive;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use serde_json::{Value, json};

use super::ApiState;
use super::error::Problem;
use super::path::ResourcePath;
use super::query::Query;
use super::variables::{BYTES, JSON, TEXT, body_of};
use switchboard_accounts::Principal;
use switchboard_events::PictureFormat;
use switchboard_session::SessionHandle;
use switchboard_tools::ResourceHandle;
use switchboard_workspace::{DirEntry, EntryKind, Workspace, WorkspaceError, WorkspaceErrorKind};

/// The largest answer; the rest of a larger file is fetched by ranges.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// What the content may do in a browser: nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/// A part of a resource, and what it is a part of.
struct Content {
    name: String,
    kind: &'static str,
    total: u64,
    part: Bytes,
    range: Option<RangeInclusive<u64>>,
}

/// Answers with the resource, or the range of it that was asked for.
pub(super) async fn content(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    ResourcePath(session, handle): ResourcePath,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Problem> {
    let query = Query::of(&uri, &["download"])?;
    let session = state.sessions.open(&owner, Some(session)).await?;
    let range = headers.get(header::RANGE).and_then(|range| range.to_str().ok()).and_then(asked_range);
    let content = match handle {
        ResourceHandle::File(path) => of_file(&session.workspace(), &path, range).await?,
        handle => of_value(&session, &handle, range).await?,
    };
    respond(content, query.text("download").is_some_and(|value| value != "0"))
}

async fn of_file(workspace: &Workspace, path: &str, range: Option<Asked>) -> Result<Content, Problem> {
    let metadata = workspace.metadata(path).await.map_err(|error| refused(&error))?;
    let name = path.rsplit('/').find(|name| !name.is_empty()).unwrap_or("workspace").to_owned();
    if metadata.kind == EntryKind::Directory {
        let listing = workspace.list(path).await.map_err(|error| refused(&error))?;
        let entries: Vec<Value> = listing.entries.iter().map(described).collect();
        let body = json!({"workspace": workspace.name(), "entries": entries, "more": listing.more}).to_string();
        return part_of(name, JSON, &body.into(), range);
    }
    let total = metadata.bytes;
    let wanted = range.map(|range| range.within(total)).transpose()?;
    let (start, length) = match &wanted {
        Some(range) => (*range.start(), range.end() - range.start() + 1),
        None => (0, total),
    };
    if length > MAX_BYTES {
        return Err(too_large(total));
    }
    let part = workspace.read_range(path, start, length).await.map_err(|error| refused(&error))?;
    // What it is stands at its beginning.
    let head = if start == 0 {
        Vec::new()
    } else {
        workspace.read_range(path, 0, SNIFFED).await.map_err(|error| refused(&error))?
    };
    let kind = kind_of(path, if start == 0 { &part } else { &head });
    // It may have grown or shrunk since; without a range, all that was read is all there is.
    let total = if wanted.is_some() { total } else { part.len() as u64 };
    Ok(Content { name, kind, total, part: part.into(), range: wanted })
}

async fn of_value(session: &SessionHandle, handle: &ResourceHandle, range: Option<Asked>) -> Result<Content, Problem> {
    let found = session.resource(handle).await?;
    let found = found.ok_or_else(|| {
        let detail = switchboard_tools::not_found(handle).message;
        Problem::not_found(detail).in_field("handle").suggest("GET /api/sessions/{session}/context lists the variables")
    })?;
    let (kind, bytes) = body_of(&found.value);
    let kind = if kind == BYTES { kind_of("", &bytes) } else { kind };
    part_of(found.name, kind, &bytes, range)
}

fn part_of(name: String, kind: &'static str, bytes: &Bytes, range: Option<Asked>) -> Result<Content, Problem> {
    let total = bytes.len() as u64;
    let range = range.map(|range| range.within(total)).transpose()?;
    let at = |byte: u64| usize::try_from(byte).unwrap_or(usize::MAX).min(bytes.len());
    let part = match &range {
        Some(range) => bytes.slice(at(*range.start())..at(range.end() + 1)),
        None => bytes.clone(),
    };
    Ok(Content { name, kind, total, part, range })
}

fn described(entry: &DirEntry) -> Value {
    let kind = entry.metadata.kind.name();
    let milliseconds = i64::try_from(entry.metadata.modified / 1_000_000).unwrap_or_default();
    json!({"name": entry.name, "type": kind, "bytes": entry.metadata.bytes, "modified": milliseconds})
}

/// How many bytes tell what a file is.
const SNIFFED: u64 = 512;

/// The media type that a browser is told: by the bytes, and where these are text by the ending.
fn kind_of(path: &str, bytes: &[u8]) -> &'static str {
    if let Some(format) = PictureFormat::of(bytes) {
        return format.media_type();
    }
    let ending =
        path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending.to_lowercase());
    match ending.as_deref() {
        _ if bytes.starts_with(b"%PDF-") => "application/pdf",
        // The beginning of a picture is one too, even where it is too short to be measured.
        Some("png") if bytes.starts_with(b"\x89PNG") => "image/png",
        Some("jpg" | "jpeg") if bytes.starts_with(b"\xff\xd8\xff") => "image/jpeg",
        Some("gif") if bytes.starts_with(b"GIF8") => "image/gif",
        Some("bmp") if bytes.starts_with(b"BM") => "image/bmp",
        Some("ico") if bytes.starts_with(b"\0\0\x01\0") => "image/x-icon",
        Some("svg") if is_text(bytes) => "image/svg+xml",
        _ if is_text(bytes) => TEXT,
        _ => BYTES,
    }
}

/// Whether it is text as far as it goes: its end may cut a character.
fn is_text(bytes: &[u8]) -> bool {
    let valid = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    valid && !bytes.contains(&0)
}

/// `bytes=0-99`, `bytes=100-` or `bytes=-100`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    From(u64, Option<u64>),
    Last(u64),
}

/// A single range; anything else is answered with everything, as the protocol allows.
fn asked_range(text: &str) -> Option<Asked> {
    let (start, end) = text.strip_prefix("bytes=")?.split_once('-')?;
    match (start, end) {
        ("", last) => Some(Asked::Last(last.parse().ok()?)),
        (start, "") => Some(Asked::From(start.parse().ok()?, None)),
        (start, end) => {
            let (start, end) = (start.parse().ok()?, end.parse().ok()?);
            (start <= end).then_some(Asked::From(start, Some(end)))
        }
    }
}

impl Asked {
    fn within(self, total: u64) -> Result<RangeInclusive<u64>, Problem> {
        let (start, end) = match self {
            Self::From(start, end) => (start, end.unwrap_or(u64::MAX)),
            Self::Last(0) => (total, total),
            Self::Last(count) => (total.saturating_sub(count), u64::MAX),
        };
        if start >= total {
            let range =
                HeaderValue::from_str(&format!("bytes */{total}")).map_err(|error| Problem::internal(&error))?;
            let problem = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, format!("it has only {total} bytes"));
            return Err(problem.in_field("Range").with_header(header::CONTENT_RANGE, range));
        }
        Ok(start..=end.min(total - 1))
    }
}

fn respond(content: Content, download: bool) -> Result<Response, Problem> {
    let Content { name, kind, total, part, range } = content;
    let text = |text: String| HeaderValue::from_str(&text).map_err(|error| Problem::internal(&error));
    let mut response = Response::new(Body::from(part));
    if let Some(range) = &range {
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        let told = text(format!("bytes {}-{}/{total}", range.start(), range.end()))?;
        response.headers_mut().insert(header::CONTENT_RANGE, told);
    }
    let shown = if download || kind == BYTES { "attachment" } else { "inline" };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::CONTENT_DISPOSITION, text(format!("{shown}; filename*=UTF-8''{}", encoded(&name)))?);
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

/// A name as RFC 8187 wants it.
fn encoded(name: &str) -> String {
    let mut encoded = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

fn too_large(total: u64) -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, format!("it has {total} bytes; at most {MAX_BYTES} are sent at once"))
        .in_field("Range")
        .suggest("ask for a part with the header Range, such as `bytes=0-1048575`")
}

pub(super) fn refused(error: &WorkspaceError) -> Problem {
    let status = match error.kind() {
        WorkspaceErrorKind::NotFound => StatusCode::NOT_FOUND,
        WorkspaceErrorKind::Outside | WorkspaceErrorKind::Denied | WorkspaceErrorKind::Permission => {
            StatusCode::FORBIDDEN
        }
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    Problem::new(status, format!("failed: {error}")).in_field("handle")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_read_as_the_protocol_writes_it() {
        assert_eq!(asked_range("bytes=0-99"), Some(Asked::From(0, Some(99))));
        assert_eq!(asked_range("bytes=100-"), Some(Asked::From(100, None)));
        assert_eq!(asked_range("bytes=-5"), Some(Asked::Last(5)));
        for text in ["", "bytes=", "bytes=5-1", "bytes=a-b", "items=0-1", "bytes=0-1,4-5"] {
            assert_eq!(asked_range(text), None, "{text}");
        }
    }

    #[test]
    fn a_range_ends_where_the_content_does() {
        assert_eq!(Asked::From(2, Some(99)).within(10).expect("it fits"), 2..=9);
        assert_eq!(Asked::Last(4).within(10).expect("it fits"), 6..=9);
        assert_eq!(Asked::Last(40).within(10).expect("it fits"), 0..=9);
        assert!(Asked::From(10, None).within(10).is_err());
        assert!(Asked::Last(0).within(10).is_err());
    }

    #[test]
    fn a_browser_is_told_what_the_bytes_are() {
        assert_eq!(kind_of("page.html", b"<script>alert(1)</script>"), TEXT);
        assert_eq!(kind_of("cat.png", b"<script>alert(1)</script>"), TEXT);
        assert_eq!(kind_of("cat.png", b"\x89PNG\r\n\x1a\n"), "image/png");
        assert_eq!(kind_of("letter.pdf", b"%PDF-1.7"), "application/pdf");
        assert_eq!(kind_of("letter.pdf", b"\0\x01"), BYTES);
        assert_eq!(kind_of("logo.svg", b"<svg/>"), "image/svg+xml");
    }
}
