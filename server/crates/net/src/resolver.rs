//! The resolver that connections use: it gives only public addresses, so the address that was checked is the one
//! connected to.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::addresses::is_public;
use super::local_hosts::LocalHosts;
use super::target::{is_local_name, not_public};

/// Finds the addresses of a name.
pub(super) trait Lookup: Send + Sync {
    /// All addresses that the name has now; ports mean nothing.
    fn lookup(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>>;
}

/// As the system finds them.
pub(super) struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, name: &str) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        let name = name.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) })
    }
}

/// Gives public addresses, and those of listed hosts.
pub(super) struct GuardedResolver {
    pub(super) lookup: Arc<dyn Lookup>,
    pub(super) local: LocalHosts,
}

/// A name that has no address which may be reached.
#[derive(Debug)]
pub(super) struct NotPublic(pub(super) String);

impl fmt::Display for NotPublic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for NotPublic {}

/// Why a name has no addresses: [`NotPublic`], or what the lookup says.
pub(super) type Unresolved = Box<dyn std::error::Error + Send + Sync>;

impl GuardedResolver {
    /// The addresses of a name that may be reached; ports mean nothing.
    pub(super) fn usable(&self, name: &str) -> BoxFuture<'static, Result<Vec<SocketAddr>, Unresolved>> {
        let name = name.to_owned();
        let listed = self.local.has_name(&name);
        let lookup = self.lookup.lookup(&name);
        Box::pin(async move {
            if !listed && is_local_name(&name) {
                return Err(NotPublic(format!("{name} is a host on the local network")).into());
            }
            let found = lookup.await?;
            let usable: Vec<SocketAddr> =
                found.iter().filter(|address| listed || is_public(address.ip())).copied().collect();
            match (usable.is_empty(), found.first()) {
                (true, Some(first)) => {
                    Err(NotPublic(format!("{name} leads to the local network: {}", not_public(first.ip()))).into())
                }
                _ => Ok(usable),
            }
        })
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let usable = self.usable(name.as_str());
        Box::pin(async move { Ok(Box::new(usable.await?.into_iter()) as Addrs) })
    }
}
