//! The one way from the tools to the web: [`WebClient`] fetches public pages and nothing of the own network.
//!
//! An address is judged where it is dialled: literals in the URL, and every answer of the resolver that the connection
//! uses. So a name, a notation, a redirect or a resolver that changes its mind leads nowhere else.

mod addresses;
mod body;
mod client;
mod local_hosts;
mod resolver;
mod target;
#[cfg(test)]
pub(super) mod test_server;
#[cfg(test)]
mod tests;

pub(in crate::tools) use client::{Page, Received, WebClient, WebLimits};
pub use local_hosts::LocalHosts;
pub(in crate::tools) use target::{carries_no_secret, check, parse};
