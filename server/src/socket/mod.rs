//! WebSocket clients: one connection is one client of one session.
//!
//! A connection reads what its client says into commands and writes what the session sends; it keeps no state of the
//! session, so losing one loses nothing. Read `connection.rs` first.

mod close;
mod codec;
mod config;
mod connection;
mod echo;
mod list;
mod query;
mod resume;
mod shape;
mod strict;
mod upgrade;
mod writer;

pub use codec::decode;
pub use config::SocketConfig;
pub use upgrade::router;

#[cfg(test)]
mod tests;
