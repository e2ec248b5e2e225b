//! [`Dialer`]: connects to public addresses and to hosts that the settings list, never to the server itself.
//!
//! What a destination says is checked by [`Dialer::check`] without looking anything up, so that a name which nobody has
//! allowed does not leave the machine as a question to a resolver either.

use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpStream;
use url::Host;

use super::destination::Destination;
use super::local_hosts::LocalHosts;
use super::resolver::{GuardedResolver, Lookup, NotPublic, SystemLookup};
use super::target::check;
use crate::error::WebError;

/// How long one address has to answer.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// What of the network connections may reach beside public addresses, and what never.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProxyReach {
    /// Hosts of the local network that may be reached.
    pub local: LocalHosts,
    /// The server's own port, which is closed at every address of this machine.
    pub own_port: u16,
}

/// Makes guarded connections.
pub struct Dialer {
    reach: ProxyReach,
    resolver: GuardedResolver,
}

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DialError {
    /// It may not be.
    #[error("{0}")]
    Refused(String),
    /// Nothing answers there.
    #[error("{0}")]
    Unreachable(String),
}

impl Dialer {
    /// A dialer that reaches this far.
    #[must_use]
    pub fn new(reach: ProxyReach) -> Self {
        Self::with_lookup(reach, Arc::new(SystemLookup))
    }

    pub(super) fn with_lookup(reach: ProxyReach, lookup: Arc<dyn Lookup>) -> Self {
        let resolver = GuardedResolver { lookup, local: reach.local.clone() };
        Self { reach, resolver }
    }

    /// Whether a destination may be reached, as far as its text says it.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, to: &Destination) -> Result<(), DialError> {
        let refused = |why: String| DialError::Refused(why);
        let url = to.url().map_err(refused)?;
        check(&url, &self.reach.local).map(drop).map_err(|WebError { message, .. }| refused(message))
    }

    /// Connects; the address that was checked is the one connected to.
    ///
    /// # Errors
    /// When no address of it may be reached, or none answers.
    pub async fn connect(&self, to: &Destination) -> Result<TcpStream, DialError> {
        self.check(to)?;
        let mut why = format!("{} has no address", to.domain());
        for address in self.addresses(to).await? {
            match tokio::time::timeout(CONNECT_LIMIT, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => why = format!("{to} cannot be reached: {error}"),
                Err(_) => why = format!("{to} does not answer"),
            }
        }
        Err(DialError::Unreachable(why))
    }

    async fn addresses(&self, to: &Destination) -> Result<Vec<SocketAddr>, DialError> {
        let found: Vec<IpAddr> = match to.host() {
            Host::Ipv4(address) => vec![IpAddr::V4(*address)],
            Host::Ipv6(address) => vec![IpAddr::V6(*address)],
            Host::Domain(name) => {
                let usable = self.resolver.usable(name).await.map_err(|error| match error.downcast_ref() {
                    Some(NotPublic(why)) => DialError::Refused(why.clone()),
                    None => DialError::Unreachable(format!("{name} cannot be resolved: {error}")),
                })?;
                usable.iter().map(SocketAddr::ip).collect()
            }
        };
        if to.port() == self.reach.own_port && found.iter().any(|address| is_own(address.to_canonical())) {
            return Err(DialError::Refused("this is the server's own port".to_owned()));
        }
        Ok(found.into_iter().map(|address| SocketAddr::new(address, to.port())).collect())
    }
}

/// Whether the address is one of this machine's: only at those can a socket be bound.
fn is_own(address: IpAddr) -> bool {
    address.is_loopback() || address.is_unspecified() || UdpSocket::bind((address, 0)).is_ok()
}
