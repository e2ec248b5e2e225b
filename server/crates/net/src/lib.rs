//! The way out of the machine: where HTTP clients begin, and the guard of addresses. [`WebClient`] fetches public pages
//! and nothing of the own network.
//!
//! An address is judged where it is dialled: literals in the URL, and every answer of the resolver that the connection
//! uses. So a name, a notation, a redirect or a resolver that changes its mind leads nowhere else.

mod addresses;
mod body;
mod client;
mod error;
mod http_client;
mod limits;
mod local_hosts;
mod resolver;
mod target;
#[cfg(any(test, feature = "test_support"))]
pub mod test_support;
#[cfg(test)]
mod tests;

pub use client::{Page, Received, WebClient};
pub use error::WebError;
pub use http_client::http_client;
pub use limits::WebLimits;
pub use local_hosts::LocalHosts;
pub use target::{carries_no_secret, check, parse};
