//! What the tests of this and higher rooms share: a session in memory with everything real behind it, and a language model
//! that says what a test has written down.

mod model;
mod session;

pub use model::{ScriptedModel, calls, ends, garbled, says};
pub use session::{AgentHost, TestSession, Turned};
