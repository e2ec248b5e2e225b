//! Switchboard's server: a message enters at the socket, is owned by one session, is thought about by one agent
//! pipeline, is acted on by tools, and everything that happens becomes an event.
//!
//! This crate is the program: settings, the command line, the two doors, and `app`, which puts the rooms together. The rooms
//! are crates of their own beside it, and ARCHITECTURE.md shows who may know whom.

pub mod app;
pub mod cli;
pub mod config;
pub mod http;
pub mod socket;
mod workers;

pub use workers::enter_worker;
