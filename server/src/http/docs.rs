//! `/api/docs`: a page of our own that draws the API's description, under the same policy as every other page.

use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::http::{Uri, header};
use axum::response::{IntoResponse, Response};

use super::error::Problem;
use super::query::Query;

/// What the page consists of beside itself.
pub(super) const FILES: [&str; 2] = ["docs.css", "docs.js"];

const CSS: &str = include_str!("docs/docs.css");
const SCRIPT: &str = include_str!("docs/docs.js");
const PAGE: &str = include_str!("docs/index.html");

/// The page.
pub(super) async fn page(uri: Uri) -> Result<Response, Problem> {
    Query::of(&uri, &[])?;
    Ok(served("text/html; charset=utf-8", PAGE))
}

/// One of its files.
pub(super) async fn file(request: Request) -> Result<Response, Problem> {
    Query::of(request.uri(), &[])?;
    let (mut parts, _) = request.into_parts();
    let names = RawPathParams::from_request_parts(&mut parts, &()).await.ok();
    let file = names.as_ref().and_then(|names| names.iter().next()).map(|(_, file)| file);
    match file {
        Some("docs.css") => Ok(served("text/css; charset=utf-8", CSS)),
        Some("docs.js") => Ok(served("text/javascript; charset=utf-8", SCRIPT)),
        _ => Err(Problem::not_found(format!("there is no {}", parts.uri.path())).suggest("the page is at /api/docs")),
    }
}

fn served(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], text).into_response()
}
