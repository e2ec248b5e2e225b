//! Errors of rmcp and of HTTP in words for people: without the names of types, and without addresses, which may carry
//! keys.

use rmcp::ServiceError;
use rmcp::service::ClientInitializeError;
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::names::sanitized;

/// The longest text of an error, in bytes.
const MAX_BYTES: usize = 1000;

/// Why a request failed.
pub(super) fn error_text(error: &ServiceError) -> String {
    match error {
        ServiceError::McpError(error) => short(&error.message),
        ServiceError::TransportSend(error) => transport_text(error),
        ServiceError::TransportClosed => "the connection was closed".to_owned(),
        ServiceError::Timeout { timeout } => format!("it did not answer within {} s", timeout.as_secs_f64()),
        other => short(&other.to_string()),
    }
}

/// Why a greeting failed.
pub(super) fn greeting_text(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::JsonRpcError(error) => short(&error.message),
        ClientInitializeError::ConnectionClosed(_) => "the connection was closed".to_owned(),
        ClientInitializeError::TransportError { error, .. } => transport_text(error),
        other => short(&other.to_string()),
    }
}

/// Whether a greeting failed because the server's input is closed: it has ended, though nothing has told so yet.
pub(super) fn takes_nothing(error: &ClientInitializeError) -> bool {
    let ClientInitializeError::TransportError { error, .. } = error else { return false };
    let inner = error.error.downcast_ref::<std::io::Error>();
    inner.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Whether a request that failed so tells that the connection is of no use any more. A server that answers with a wrong
/// status is still there.
pub(super) fn ends_connection(error: &ServiceError) -> bool {
    let ServiceError::TransportSend(error) = error else { return matches!(error, ServiceError::TransportClosed) };
    match http_error(error) {
        Some(error) => matches!(error, StreamableHttpError::Client(_) | StreamableHttpError::SessionExpired),
        None => true,
    }
}

fn http_error(error: &DynamicTransportError) -> Option<&StreamableHttpError<reqwest::Error>> {
    error.error.downcast_ref()
}

fn transport_text(error: &DynamicTransportError) -> String {
    match http_error(error) {
        Some(StreamableHttpError::Client(error)) => {
            let what = if error.is_connect() { "it cannot be reached" } else { "the request failed" };
            // The error's own text is little more than the address.
            match std::error::Error::source(error) {
                Some(source) => short(&format!("{what}: {}", chain(source))),
                None => what.to_owned(),
            }
        }
        Some(StreamableHttpError::AuthRequired(_)) => {
            "it requires authentication (HTTP 401); give it a token in \"headers\"".to_owned()
        }
        Some(StreamableHttpError::SessionExpired) => "it no longer knows this session (HTTP 404)".to_owned(),
        _ => short(&chain(error.error.as_ref())),
    }
}

/// An error with what caused it.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

fn short(text: &str) -> String {
    let (mut text, _) = sanitized(text);
    text.truncate(text.floor_char_boundary(MAX_BYTES));
    text
}
