//! Takes connections and hands their requests to the router. A connection that dawdles over its headers is closed,
//! and all of them end with the shutdown: those whose request has arrived when it is answered, others at once.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

use super::peer::{Peer, Peers};
use super::write_timeout::WriteTimeout;
use switchboard_runtime::Shutdown;

/// How long a client may take over a request's headers, and how long a connection may lie idle.
const HEADER_LIMIT: Duration = Duration::from_secs(10);

/// The most bytes that a request's headers may have.
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// How long to wait when the machine has no room for another connection.
const BACK_OFF: Duration = Duration::from_millis(100);

/// Where a request came from; stands in the request's extensions.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClientAddress(pub(super) IpAddr);

/// Serves until the shutdown refuses connections; `peers` says whose connections they are.
pub async fn serve(listener: TcpListener, router: Router, peers: Peers, shutdown: Shutdown) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shutdown.refusing().cancelled() => return,
        };
        match accepted {
            Ok((stream, peer)) => {
                let connection = connection(stream, peer, router.clone(), peers, shutdown.clone());
                drop(shutdown.spawn(connection));
            }
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                tokio::time::sleep(BACK_OFF).await;
            }
        }
    }
}

async fn connection(stream: TcpStream, from: SocketAddr, router: Router, peers: Peers, shutdown: Shutdown) {
    let _ = stream.set_nodelay(true);
    let peer = identify(peers, &stream, from).await;
    let arrived = Arc::new(AtomicBool::new(false));
    let latest = Arc::clone(&arrived);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(|body| Body::new(Arriving::new(body, Arc::clone(&latest))));
        request.extensions_mut().insert(ClientAddress(from.ip()));
        request.extensions_mut().insert(peer);
        let router = router.clone();
        async move { Ok::<_, Infallible>(router.oneshot(request).await.unwrap_or_else(|never| match never {})) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_LIMIT).max_buf_size(MAX_HEADER_BYTES);
    let mut connection = pin!(http.serve_connection(TokioIo::new(WriteTimeout::new(stream)), service).with_upgrades());
    let ended = tokio::select! {
        biased;
        ended = connection.as_mut() => ended,
        () = shutdown.refusing().cancelled() => {
            connection.as_mut().graceful_shutdown();
            tokio::select! {
                biased;
                ended = connection => ended,
                () = shutdown.cutting_off().cancelled() => Ok(()),
                // Nobody waits for the rest of a request.
                () = std::future::ready(()), if !arrived.load(Ordering::Relaxed) => Ok(()),
            }
        }
    };
    if let Err(error) = ended {
        tracing::debug!("a connection ended: {error}");
    }
}

/// The body of a request, which notes when all of it has arrived, or when nobody reads it any more.
struct Arriving {
    body: Incoming,
    arrived: Arc<AtomicBool>,
}

impl Arriving {
    fn new(body: Incoming, arrived: Arc<AtomicBool>) -> Self {
        arrived.store(body.is_end_stream(), Ordering::Relaxed);
        Self { body, arrived }
    }
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.arrived.store(true, Ordering::Relaxed);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.arrived.store(true, Ordering::Relaxed);
    }
}

/// Looked up once a connection, and away from the tasks that serve the others.
async fn identify(peers: Peers, stream: &TcpStream, from: SocketAddr) -> Peer {
    let Ok(local) = stream.local_addr() else { return Peer::Unknown };
    tokio::task::spawn_blocking(move || peers.identify(local, from)).await.unwrap_or(Peer::Unknown)
}
