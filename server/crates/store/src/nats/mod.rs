//! The log on NATS JetStream, for several servers that share it.
//!
//! `layout` says where things are, `link` what each message says of its place, and `jetstream` what is asked of NATS. `writer`
//! writes a session and claims it, with what `core` knows of it and what waits in `queue`; `reading` reads it, `blobs` its large
//! values. `meta` is what the list says of a session, `index` the list in a file of this server, `follow` what other servers
//! change in it. `lease` says who lives. No clock decides who may write: what each write expects to stand in front of it does.

mod blobs;
mod core;
mod follow;
mod index;
mod io_thread;
mod jetstream;
mod layout;
mod lease;
mod link;
mod log;
mod message;
mod meta;
mod options;
mod queue;
mod reading;
mod writer;

pub use log::NatsLog;
pub use options::NatsOptions;

#[cfg(test)]
mod tests;
