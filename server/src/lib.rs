//! Switchboard's server: a message enters at the socket, is owned by one session, is processed by one agent
//! pipeline, is acted on by tools, and everything that happens becomes an event.
//!
//! This crate is the program: settings, the command line, the WebSocket and HTTP API, and `app`, which puts the rooms
//! together. The rooms are separate crates beside it, and ARCHITECTURE.md shows which may use which.

pub mod app;
pub mod cli;
pub mod config;
pub mod http;
pub mod socket;
mod workers;

pub use workers::enter_worker;
