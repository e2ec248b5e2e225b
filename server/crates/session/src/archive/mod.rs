//! A session as a file, out and in: lines of JSON, first a head, then each large value once before the event that
//! first needs it, and each event with `frame` and `private` exactly as they are stored.
//!
//! Nothing in a file depends on when or where it was written, so what comes in goes out again byte for byte; only the
//! session's id is another. `restored` ends what was open in a log that is put back as a whole.

mod append;
mod batch;
mod check;
mod export;
mod fork;
mod from_openai;
mod html;
mod import;
mod lines;
mod markdown;
mod restored;
mod transcript;

pub use export::Export;
pub(super) use fork::{Attached, Fork, Rerun, fork_record};
pub use from_openai::from_openai;
pub use html::HtmlPage;
pub use import::Import;
pub use restored::end_restored;
pub use transcript::transcript;

#[cfg(test)]
mod tests;
