//! One request to another server, and its answer: bodies are streamed, and a WebSocket becomes a tunnel once the other server
//! has agreed to it. What belongs to one connection only stays there.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use axum::response::Response;
use hyper::client::conn::http1;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::error::Problem;
use super::tunnel::{Ending, tunnel};
use switchboard_runtime::Shutdown;

/// How long a connection to another server may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(2);

/// Headers that are about one connection.
const OF_CONNECTION: [HeaderName; 9] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Where a request goes, and what bounds that.
pub(super) struct Forwarded<'a> {
    /// The other server's `host:port`.
    pub(super) address: &'a str,
    /// Room for WebSockets.
    pub(super) tunnels: &'a Arc<Semaphore>,
    pub(super) shutdown: &'a Shutdown,
}

/// Sends the request to the other server, which is waited for until it has `ended`.
///
/// # Errors
/// When it does not answer; whether the request was carried out is not known then.
pub(super) async fn forward(
    mut request: Request,
    Forwarded { address, tunnels, shutdown }: Forwarded<'_>,
    ended: impl Future<Output = ()> + Send + 'static,
) -> Result<Response, Problem> {
    let is_upgrade =
        request.headers().get(header::UPGRADE).is_some_and(|to| to.as_bytes().eq_ignore_ascii_case(b"websocket"));
    let room = match is_upgrade {
        true => Some(Arc::clone(tunnels).try_acquire_owned().map_err(|_| Problem::try_later("too many clients", 5))?),
        false => None,
    };
    let client = request.extensions_mut().remove::<OnUpgrade>();
    let logged_out = request.extensions().get::<CancellationToken>().cloned().unwrap_or_default();
    make_ready(&mut request, is_upgrade);

    let mut ended = Box::pin(ended);
    let answer = async {
        let stream = timeout(CONNECT_LIMIT, TcpStream::connect(address)).await.map_err(|_| unreachable())?;
        let stream = stream.map_err(|_| unreachable())?;
        let _ = stream.set_nodelay(true);
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(|_| unreachable())?;
        let cut_off = shutdown.cutting_off().clone();
        drop(shutdown.spawn(async move {
            let mut connection = pin!(connection.with_upgrades());
            tokio::select! {
                _ = connection.as_mut() => {}
                () = cut_off.cancelled() => {}
            }
        }));
        sender.send_request(request).await.map_err(|_| unreachable())
    };
    let mut response = tokio::select! {
        response = answer => response?,
        () = ended.as_mut() => return Err(unreachable()),
    };

    let is_tunnel = response.status() == StatusCode::SWITCHING_PROTOCOLS;
    let server = response.extensions_mut().remove::<OnUpgrade>();
    strip(response.headers_mut());
    if is_tunnel {
        let (Some(client), Some(server), Some(room)) = (client, server, room) else {
            return Err(Problem::internal(&"the other server opened a WebSocket that nobody asked for"));
        };
        offer_upgrade(response.headers_mut());
        let refusing = shutdown.refusing().clone();
        drop(shutdown.spawn(async move {
            let _room = room;
            let ending = async {
                tokio::select! {
                    () = ended => Ending::Gone,
                    () = logged_out.cancelled() => Ending::LoggedOut,
                    () = refusing.cancelled() => Ending::Stopping,
                }
            };
            tunnel(client, server, ending).await;
        }));
        return Ok(response.map(|_| Body::empty()));
    }
    Ok(response.map(Body::new))
}

/// Makes of a request that came here one that goes on.
fn make_ready(request: &mut Request, is_upgrade: bool) {
    *request.version_mut() = Version::HTTP_11;
    let headers = request.headers_mut();
    if headers.contains_key(header::TRANSFER_ENCODING) {
        headers.remove(header::CONTENT_LENGTH);
    }
    // The server here answers that by itself.
    headers.remove(header::EXPECT);
    strip(headers);
    if is_upgrade {
        offer_upgrade(headers);
    }
}

/// Removes what belongs to one connection, by its name or because the connection says so.
fn strip(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(header::CONNECTION)
        .iter()
        .filter_map(|names| names.to_str().ok())
        .flat_map(|names| names.split(','))
        .filter_map(|name| name.trim().parse().ok())
        .collect();
    for name in named.iter().chain(&OF_CONNECTION) {
        headers.remove(name);
    }
}

fn offer_upgrade(headers: &mut HeaderMap) {
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
}

fn unreachable() -> Problem {
    Problem::try_later(
        "the server that has the session does not answer; if it has ended, another one takes over soon",
        1,
    )
}
