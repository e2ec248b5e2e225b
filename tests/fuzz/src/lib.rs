//! What must hold for any bytes, a function for each fuzz target: none panics, and what each one says. Each tells whether the
//! bytes got as far as what it is about.
//!
//! `cargo fuzz run frames` (from `tests/`) looks for bytes for which it does not hold; `random.rs` beside tries some thousand
//! inputs with the tests, without libFuzzer.

mod bytes;
mod edits;
mod frames;
mod json;
mod records;
mod references;
mod rules;
mod sentences;
mod shell;
mod wait;

pub use frames::frames;
pub use json::json;
pub use records::records;
pub use references::references;
pub use rules::rules;
pub use sentences::{align, arguments, template};
pub use shell::shell;
