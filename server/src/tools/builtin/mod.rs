//! The tools that come with the server: one file a tool, one line here.

mod arithmetic;
mod blocking;
mod calculator;
mod current_time;
#[cfg(test)]
mod testing;

use std::sync::Arc;

use super::Tool;

/// All of them.
#[must_use]
pub fn all() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(calculator::Calculator::new()), Arc::new(current_time::CurrentTime::new())]
}
