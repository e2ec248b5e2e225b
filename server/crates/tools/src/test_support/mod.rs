//! What the tests of this and higher rooms share: a session in memory, tools of a test's own, and a manager that has them.

mod desk;
mod host;
mod tools;

pub use desk::{Desk, counting, desk, echo, failure, map, suggestion};
pub use host::TestHost;
pub use tools::{Echo, Scripted, spec, workspace};
