//! What every room stands on: time, tasks and their end, near misses of names.

mod clock;
mod names;
mod shutdown;

pub use clock::{now, rfc3339, timestamp};
pub use names::nearest;
pub use shutdown::Shutdown;
