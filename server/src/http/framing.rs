//! What is behind a body that comes in chunks is not read: where the request also said a length, which is left out here, a proxy
//! may have gone by that, and taken the rest for a part of the body. So nobody smuggles a request past it.

use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// Closes the connection behind such a request.
pub(super) async fn close_behind_chunks(request: Request, next: Next) -> Response {
    let in_chunks = request.headers().contains_key(header::TRANSFER_ENCODING);
    let mut response = next.run(request).await;
    if in_chunks {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
