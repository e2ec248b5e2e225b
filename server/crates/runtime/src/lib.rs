//! What every other crate builds on: time, tasks and their shutdown, live settings, small values that outlive the process, secrets and how they are marked,
//! and suggestions for misspelled names.

mod backoff;
mod clock;
mod discovery;
mod key_value;
mod live;
mod names;
mod pages;
mod redact;
mod secret;
mod shutdown;
mod trace;

pub use backoff::backoff;
pub use clock::{now, rfc3339, timestamp};
pub use discovery::{announce, discover};
pub use key_value::{Change, FileValues, KeyValueStore};
pub use live::Live;
pub use names::nearest;
pub use pages::Pages;
pub use redact::{REDACTED, Redactor, may_hold_secret, redact, redact_json, secret_in};
pub use secret::Secret;
pub use shutdown::Shutdown;
pub use trace::{LogControl, check_log_filter};
