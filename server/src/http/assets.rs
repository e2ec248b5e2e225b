//! The web UI: embedded in release builds, read from `web/dist` in others. Files with a hash in their name never
//! change and are kept for good; all others are asked for again with their tag. The page's build compresses its scripts
//! and stylesheets (`name.js.gz`), so that the program carries them, and sends them, as small as they are.

use std::borrow::Cow;
use std::io::Read;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use rust_embed::RustEmbed;

use super::error::Problem;
use super::headers;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Dist;

/// The largest file that is unpacked for a client that takes nothing compressed.
const MOST_UNPACKED: u64 = 16 * 1024 * 1024;

/// A file of the UI.
struct Asset {
    data: Cow<'static, [u8]>,
    hash: [u8; 32],
    /// The data is compressed with gzip.
    packed: bool,
}

impl Asset {
    fn get(path: &str) -> Option<Self> {
        let found = |path: &str, packed| {
            let file = Dist::get(path)?;
            Some(Self { hash: file.metadata.sha256_hash(), data: file.data, packed })
        };
        found(path, false).or_else(|| found(&format!("{path}.gz"), true))
    }
}

/// Whether there is a UI to serve.
#[must_use]
pub fn has_ui() -> bool {
    Dist::get("index.html").is_some()
}

/// Everything that is no other route: a file of the UI, or the UI itself for its own addresses.
pub(super) async fn serve(method: Method, uri: Uri, asked: HeaderMap) -> Response {
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
    if let Some(asset) = (!path.is_empty()).then(|| Asset::get(path)).flatten() {
        return file_response(path, asset, &asked);
    }
    // An address without a file's ending is one of the UI's own.
    let is_page = !headers::is_of_frame(uri.path()) && !path.rsplit('/').next().unwrap_or_default().contains('.');
    match Asset::get("index.html") {
        Some(asset) if is_page => file_response("index.html", asset, &asked),
        None if path.is_empty() => no_ui(),
        _ => Problem::not_found(format!("there is no {}", uri.path())).into_response(),
    }
}

fn no_ui() -> Response {
    let text = "Switchboard is running, but this build has no web page: run `npm ci && npm run build` in web/ and \
                restart the server (a release build embeds the page). `switchboard chat` works without it.\n";
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

fn file_response(path: &str, Asset { data, hash, packed }: Asset, asked: &HeaderMap) -> Response {
    // Weak, because the same file also goes out compressed.
    let tag: String = hash[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("W/\"{tag}\"");
    let known = asked.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let unchanged = known.is_some_and(|known| known.split(',').any(|known| known.trim() == tag));

    let sent_packed = packed && takes_gzip(asked);
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let content = if packed && !sent_packed { unpacked(&data) } else { Ok(data) };
        let mut response = match content {
            Ok(content) => Response::new(Body::from(content.into_owned())),
            Err(error) => return Problem::internal(&error).into_response(),
        };
        if sent_packed {
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if let Ok(kind) = HeaderValue::from_str(&media_type(path)) {
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
        }
        response
    };
    let lasting = if has_hash(path) { "public, max-age=31536000, immutable" } else { "no-cache" };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
    if packed {
        response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

/// Whether the client says that it can unpack gzip.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let takes = |coding: &str| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f32>);
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_ok_and(|weight| weight > 0.0)
    };
    let values = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(takes)
}

fn unpacked(data: &[u8]) -> std::io::Result<Cow<'static, [u8]>> {
    let mut content = Vec::new();
    GzDecoder::new(data).take(MOST_UNPACKED).read_to_end(&mut content)?;
    Ok(content.into())
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
    let name = path.strip_prefix("assets/").or_else(|| path.strip_prefix("frame/"));
    let Some((_, rest)) = name.and_then(|name| name.rsplit_once('-')) else { return false };
    let hash = rest.split('.').next().unwrap_or_default();
    hash.len() >= 8 && hash.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(text: &str) -> Asset {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).expect("it is in memory");
        let data = encoder.finish().expect("it is in memory");
        Asset { data: data.into(), hash: [7; 32], packed: true }
    }

    #[tokio::test]
    async fn what_is_packed_is_sent_so_to_whoever_can_unpack_it() {
        for (takes, is_packed) in [
            (Some("gzip, deflate, br"), true),
            (Some("br;q=1, GZIP;q=0.2"), true),
            (Some("gzip;q=0, br"), false),
            (Some("identity"), false),
            (None, false),
        ] {
            let mut asked = HeaderMap::new();
            asked.extend(takes.map(|takes| (header::ACCEPT_ENCODING, HeaderValue::from_static(takes))));

            let response = file_response("assets/app-0a1b2c3d.js", packed("let answer = 42;"), &asked);

            let headers = response.headers().clone();
            assert_eq!(headers.contains_key(header::CONTENT_ENCODING), is_packed, "{takes:?}");
            assert_eq!(headers[header::VARY], "accept-encoding");
            assert_eq!(headers[header::CONTENT_TYPE], "text/javascript; charset=utf-8");
            let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("the body");
            let text = if is_packed { unpacked(&body).expect("gzip") } else { body.to_vec().into() };
            assert_eq!(text.as_ref(), b"let answer = 42;", "{takes:?}");
        }
    }

    #[test]
    fn only_what_never_changes_is_kept_for_good() {
        assert!(has_hash("assets/app-PFQLKQEA.js") && has_hash("frame/chunk-0A1B2C3D.js"));
        assert!(!has_hash("index.html") && !has_hash("frame/mermaid.html") && !has_hash("other/app-PFQLKQEA.js"));
    }
}
