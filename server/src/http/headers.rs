//! The headers that every response carries, even a refusal, so that a browser does nothing unintended with it.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// What the page may do. The policies that make trusted types are the two of its libraries, which make fragments, and its
/// own for the address of one worker (`web/src/trust/policy.ts`).
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; \
    form-action 'self'; require-trusted-types-for 'script'; trusted-types lit-html dompurify sb-worker";

/// Where the frame that draws diagrams lies, with its scripts.
const FRAME: &str = "/frame/";

/// What that frame may do: run the server's scripts, without an origin, and ask for nothing else. The library in it writes
/// stylesheets.
const FRAME_POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'self'; \
    style-src 'self' 'unsafe-inline'; img-src data: blob:; frame-ancestors 'self'";

/// Whether the path belongs to the frame that draws diagrams.
pub(super) fn is_of_frame(path: &str) -> bool {
    path.starts_with(FRAME)
}

/// Sets the headers, where the answer has not set stricter ones itself.
pub(super) async fn secure(request: Request, next: Next) -> Response {
    let private = request.uri().path().starts_with("/api/");
    let in_frame = is_of_frame(request.uri().path());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if in_frame {
        // It has no origin, so its own scripts are foreign to it.
        for (name, value) in [
            (header::CONTENT_SECURITY_POLICY, FRAME_POLICY),
            (header::X_FRAME_OPTIONS, "SAMEORIGIN"),
            (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if private {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    response
}
