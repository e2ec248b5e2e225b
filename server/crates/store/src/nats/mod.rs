//! The log on NATS JetStream, for several servers that share it.
//!
//! `layout` says where things are, `link` what each message says of its place, `jetstream` what is asked of NATS, and `error` why
//! it was not done. `writer` writes a session and claims it, with what `core` knows of it and what waits in `queue`; `reading`
//! reads it, `blobs` its large values. `meta` is what the list says of a session, `index` the list in a file of this server,
//! `follow` what other servers change in it, and `rebuild` makes it again when it is lost. `lease` says who lives and where,
//! `owners` whose a session is. `end` is the log as an end of a migration, `search` as the index of conversations reads it.
//! `values` are what servers share beside sessions, encrypted by `cipher`. `authors` tells tests who wrote a session; for
//! measurements, `copies` fills the log and `publishes` is NATS alone. No clock decides who may write: what each write expects to
//! stand in front of it does.

#[cfg(any(test, feature = "test_support"))]
mod authors;
mod blobs;
mod cipher;
#[cfg(any(test, feature = "test_support"))]
mod copies;
mod core;
mod end;
mod error;
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
mod owners;
#[cfg(any(test, feature = "test_support"))]
mod publishes;
mod queue;
mod reading;
mod rebuild;
mod search;
mod values;
mod writer;

#[cfg(any(test, feature = "test_support"))]
pub use authors::{Written, written};
pub use cipher::ClusterKeys;
#[cfg(any(test, feature = "test_support"))]
pub use copies::{Copied, copy_session};
pub use log::NatsLog;
pub use options::NatsOptions;
#[cfg(any(test, feature = "test_support"))]
pub use publishes::{PublishTo, Publishes, publish_for};
pub use rebuild::{RebuiltList, rebuild_list};
pub use values::NatsValues;

#[cfg(test)]
mod tests;
