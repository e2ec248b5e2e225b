//! A small asynchronous client: connect, send, read a typed stream of frames; it reconnects automatically and resumes
//! where it was, so that events come once and in order, and a message that was sent is never lost.
//!
//! One task owns the socket. It is told what to send through one bounded channel and tells what came through another;
//! what has to survive a lost connection is in two small pure parts: [`resume`] knows what was seen, [`outbox`] what
//! was not acknowledged.

mod backoff;
mod config;
mod connect;
mod connection;
mod endpoint;
mod error;
mod event;
mod handle;
mod outbox;
mod queue;
mod resume;

pub use backoff::Backoff;
pub use config::{ClientConfig, Start};
pub use error::{ConnectError, SendError};
pub use event::ClientEvent;
pub use handle::{Client, FrameSender};
