//! The web UI: embedded in release builds, read from `web/dist` in others. Files with a hash in their name never
//! change and are kept for good; all others are asked for again with their tag. What the build has compressed goes out as it
//! is, and is unpacked only for a client that does not take gzip.

use std::io::Read;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::error::Problem;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Dist;

/// Whether there is a UI to serve.
#[must_use]
pub fn has_ui() -> bool {
    Dist::get("index.html").is_some()
}

/// Everything that is no other route: a file of the UI, or the UI itself for its own addresses.
pub(super) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return Problem::not_found(format!("there is no {}", uri.path()))
            .suggest("GET /api/openapi.json describes the API; /api/docs shows it as a page")
            .into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return Problem::new(StatusCode::METHOD_NOT_ALLOWED, format!("{method} is not supported here"))
            .with_header(header::ALLOW, HeaderValue::from_static("GET,HEAD"))
            .into_response();
    }
    if let Some(file) = (!path.is_empty()).then(|| Dist::get(path)).flatten() {
        return file_response(path, file, &headers);
    }
    if let Some(packed) = Dist::get(&format!("{path}.gz")) {
        return packed_response(path, packed, &headers);
    }
    // An address without a file's ending is one of the UI's own.
    let is_page = !path.rsplit('/').next().unwrap_or_default().contains('.');
    match Dist::get("index.html") {
        Some(file) if is_page => file_response("index.html", file, &headers),
        None if path.is_empty() => no_ui(),
        _ => Problem::not_found(format!("there is no {}", uri.path())).into_response(),
    }
}

fn no_ui() -> Response {
    let text = "Switchboard is running, but this build has no web page: run `npm ci && npm run build` in web/ and \
                restart the server (a release build embeds the page). `switchboard chat` works without it.\n";
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

fn file_response(path: &str, file: EmbeddedFile, asked: &HeaderMap) -> Response {
    // Weak, because the same file also goes out compressed.
    let tag: String = file.metadata.sha256_hash()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("W/\"{tag}\"");
    let known = asked.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let unchanged = known.is_some_and(|known| known.split(',').any(|known| known.trim() == tag));

    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut response = Response::new(Body::from(file.data.into_owned()));
        if let Ok(kind) = HeaderValue::from_str(&media_type(path)) {
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
        }
        response
    };
    let lasting = if has_hash(path) { "public, max-age=31536000, immutable" } else { "no-cache" };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// A file that the build has compressed.
fn packed_response(path: &str, mut packed: EmbeddedFile, asked: &HeaderMap) -> Response {
    let as_it_is = takes_gzip(asked);
    if !as_it_is {
        let mut data = Vec::new();
        if let Err(error) = GzDecoder::new(&*packed.data).read_to_end(&mut data) {
            return Problem::internal(&format!("the page's file {path} is damaged: {error}")).into_response();
        }
        packed.data = data.into();
    }
    let mut response = file_response(path, packed, asked);
    if as_it_is {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Whether the client says that it takes gzip.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let named = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().trim_start_matches("q=").parse::<f32>();
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_ok_and(|weight| weight > 0.0)
    })
}

fn media_type(path: &str) -> String {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    match (kind.type_().as_str(), kind.subtype().as_str()) {
        ("text", _) | (_, "javascript" | "json" | "manifest+json") => format!("{}; charset=utf-8", kind.essence_str()),
        _ => kind.essence_str().to_owned(),
    }
}

/// Whether the name carries a hash of the content, as the build writes it: `assets/name-0a1b2c3d4e.js`.
fn has_hash(path: &str) -> bool {
    let Some((_, rest)) = path.strip_prefix("assets/").and_then(|name| name.rsplit_once('-')) else { return false };
    let hash = rest.split('.').next().unwrap_or_default();
    hash.len() >= 8 && hash.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
