//! Futures are waited for on a runtime of this thread.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Builder::new_current_thread().build().expect("a runtime"));

/// Waits for it.
pub(super) fn wait<T>(future: impl Future<Output = T>) -> T {
    RUNTIME.block_on(future)
}
