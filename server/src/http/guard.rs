//! Who may talk to the server at all: checks the `Host` that the request names and the `Origin` that it comes from.
//!
//! Any web page can make a browser send requests to a server on this machine. Two things give such a page away: its
//! name in `Host` (a name that was made to point here) and its address in `Origin`. The frame that draws diagrams has no
//! origin on purpose, and gets its own files all the same.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::config::{HttpConfig, normal_authority};
use super::error::Problem;
use super::headers::is_of_frame;

/// What requests are held against.
#[derive(Debug, Clone)]
pub(super) struct Guard {
    /// The server listens on loopback only: a foreign `Host` cannot be right.
    pub(super) loopback: bool,
    pub(super) config: HttpConfig,
}

/// Refuses requests that a foreign page made.
pub(super) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.refusal(&request) {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    }
}

impl Guard {
    fn refusal(&self, request: &Request) -> Option<Problem> {
        let headers = request.headers();
        let Some(host) = host_of(request) else {
            return Some(
                Problem::new(StatusCode::FORBIDDEN, "the request names no host, or more than one")
                    .in_field("Host")
                    .suggest("send one Host header with the server's address"),
            );
        };
        if self.loopback && !self.is_ours(&host) {
            return Some(
                Problem::new(StatusCode::FORBIDDEN, format!("the server does not answer for {host}"))
                    .in_field("Host")
                    .suggest(
                        "use the address that the server printed, or set public-url to the address in front of it",
                    ),
            );
        }
        if is_by_frame(request) {
            return None;
        }
        if let Some(origin) = single(headers, header::ORIGIN)
            && !self.is_same_origin(origin, &host)
        {
            return Some(
                Problem::new(StatusCode::FORBIDDEN, "the request comes from another site").in_field("Origin").suggest(
                    "open the page from the server itself, or set public-url to the address that browsers use",
                ),
            );
        }
        if headers.get_all(header::ORIGIN).iter().nth(1).is_some() || is_cross_site_fetch(request) {
            return Some(Problem::new(StatusCode::FORBIDDEN, "the request comes from another site").in_field("Origin"));
        }
        None
    }

    /// Whether `host` (lower case, with its port if it has one) names this machine's loopback, or the public address.
    fn is_ours(&self, host: &str) -> bool {
        if self.config.public_url.as_ref().is_some_and(|url| normal_authority(host, url.https) == url.authority) {
            return true;
        }
        let Ok(authority) = host.parse::<Authority>() else { return false };
        let name = authority.host();
        let literal = name.trim_start_matches('[').trim_end_matches(']');
        name == "localhost" || literal.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Whether the page came from the address that the request was sent to, or from the public address.
    fn is_same_origin(&self, origin: &str, host: &str) -> bool {
        let (https, authority) = match (origin.strip_prefix("https://"), origin.strip_prefix("http://")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            _ => return false,
        };
        let authority = normal_authority(authority, https);
        // The server itself speaks plain HTTP; what stands before it and speaks TLS has a public address.
        match &self.config.public_url {
            Some(url) if url.authority == authority => url.https == https,
            _ => !https && authority == normal_authority(host, https),
        }
    }
}

/// `Host` in lower case; `None` when there is not exactly one.
fn host_of(request: &Request) -> Option<String> {
    let host = single(request.headers(), header::HOST)?;
    (!host.is_empty() && !host.contains('@')).then(|| host.to_ascii_lowercase())
}

fn single(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() {
        return None;
    }
    // A header that is not text is as good as a foreign one: it equals nothing.
    Some(value.to_str().unwrap_or("\u{fffd}"))
}

/// Whether it asks for a file of the frame that draws diagrams, as that frame does. Nobody learns more from these files than
/// that the server is there.
fn is_by_frame(request: &Request) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD)
        && is_of_frame(request.uri().path())
        && single(request.headers(), header::ORIGIN) == Some("null")
}

/// Browsers say with `Sec-Fetch-Site` where a request comes from, also where they send no `Origin` (an image, a form
/// by GET). Following a link is fine: nothing but the person sees the answer.
fn is_cross_site_fetch(request: &Request) -> bool {
    let headers = request.headers();
    let foreign = matches!(single(headers, header::HeaderName::from_static("sec-fetch-site")), Some("cross-site"));
    let mode = single(headers, header::HeaderName::from_static("sec-fetch-mode"));
    let follows_link = mode == Some("navigate") && request.method() == Method::GET;
    foreign && !follows_link
}
