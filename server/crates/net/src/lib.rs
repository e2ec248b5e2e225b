//! The way out of the machine: how HTTP clients are made, and the address guard. [`WebClient`] fetches public pages
//! and nothing from the local network; [`Proxy`] takes the connections of a command there.
//!
//! An address is checked when the connection is made: literals in the URL, and every answer of the resolver that the
//! connection uses. So no name, notation, redirect, or resolver that changes its answer leads anywhere else.

mod addresses;
mod body;
mod client;
mod destination;
mod dialer;
mod error;
mod http_client;
mod limits;
mod local_hosts;
mod proxy;
mod resolver;
mod target;
#[cfg(any(test, feature = "test_support"))]
pub mod test_support;
#[cfg(test)]
mod tests;

pub use client::{Page, Received, WebClient};
pub use destination::Destination;
pub use dialer::{DialError, Dialer, ProxyReach};
pub use error::WebError;
pub use http_client::{http_client, install_crypto};
pub use limits::WebLimits;
pub use local_hosts::LocalHosts;
pub use proxy::{ConnectionEnd, Journal, Proxy, ProxyGate, Tally};
pub use target::{carries_no_secret, check, parse};
