//! [`Proxy`]: accepts a command's connections and serves them side by side.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::net::TcpListener;

use super::journal::{ConnectionEnd, Journal};
use crate::destination::Destination;
use crate::dialer::Dialer;

/// How many connections there are at once; further ones wait in the listener's queue.
const MAX_CONNECTIONS: usize = 64;

/// How long nothing is accepted when that failed, which it does when the server has too many files open.
const PAUSE: Duration = Duration::from_millis(50);

/// Decides where a command may go, and hears where it went.
pub trait ProxyGate: Send + Sync {
    /// Whether this may be connected to, or in a line why not; takes as long as whoever decides does.
    fn admit<'a>(&'a self, to: &'a Destination) -> BoxFuture<'a, Result<(), String>>;

    /// An attempt ended like this.
    fn heard(&self, to: &Destination, end: &ConnectionEnd);
}

/// The proxy of one command.
pub struct Proxy {
    pub(super) dialer: Dialer,
    pub(super) gate: Arc<dyn ProxyGate>,
    pub(super) journal: Arc<Journal>,
}

impl Proxy {
    /// A proxy that connects by `dialer` where `gate` allows it, and writes what it does into `journal`.
    #[must_use]
    pub fn new(dialer: Dialer, gate: Arc<dyn ProxyGate>, journal: Arc<Journal>) -> Self {
        Self { dialer, gate, journal }
    }

    /// Serves all connections that come in at the listener, until the future is dropped.
    ///
    /// # Errors
    /// When the listener cannot be used.
    pub async fn serve(&self, listener: std::net::TcpListener) -> std::io::Result<Infallible> {
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        let mut connections = FuturesUnordered::new();
        loop {
            tokio::select! {
                accepted = listener.accept(), if connections.len() < MAX_CONNECTIONS => match accepted {
                    Ok((client, _)) => connections.push(self.connection(client)),
                    Err(_) => tokio::time::sleep(PAUSE).await,
                },
                Some(()) = connections.next(), if !connections.is_empty() => {}
            }
        }
    }
}
