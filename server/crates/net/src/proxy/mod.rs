//! A proxy for one command: SOCKS5, HTTP `CONNECT`, and plain HTTP with whole addresses, at one listener.
//!
//! It runs as one future and starts no tasks, so everything of it ends when that is dropped. Each connection asks the
//! [`ProxyGate`] first, then goes through the [`Dialer`](crate::Dialer), and is written into the [`Journal`].

mod connection;
mod http;
mod journal;
mod relay;
mod reply;
mod request;
mod server;
mod socks;
#[cfg(test)]
mod tests;

pub use journal::{ConnectionEnd, Journal, Tally};
pub use server::{Proxy, ProxyGate};
