//! What the tests of this and higher rooms share: a session in memory, tools of a test's own, and a manager that has them.

mod host;
mod manager;
mod tools;

pub use host::TestHost;
pub use manager::{TestManager, counting, echo, failure, manager, map, suggestion};
pub use tools::{Echo, Scripted, spec, workspace};
