//! How everything ends: every task is started here, so that the shutdown knows all of them.
//!
//! Three steps: *stopping* (no new turns, clients are told), *cutting off* (the drain deadline is over, running turns
//! end), and then every task has ended.

use std::future::Future;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Starts tasks and ends them; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    stopping: CancellationToken,
    cutting_off: CancellationToken,
    tasks: TaskTracker,
}

impl Shutdown {
    /// A process, or a test, that runs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a task that the shutdown waits for.
    pub fn spawn<F>(&self, task: F) -> JoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.tasks.spawn(task)
    }

    /// Canceled when no new work is taken.
    #[must_use]
    pub fn stopping(&self) -> &CancellationToken {
        &self.stopping
    }

    /// Canceled when running work must end.
    #[must_use]
    pub fn cutting_off(&self) -> &CancellationToken {
        &self.cutting_off
    }

    /// Takes no new work from now on.
    pub fn stop(&self) {
        self.stopping.cancel();
    }

    /// Ends what still runs.
    pub fn cut_off(&self) {
        self.stopping.cancel();
        self.cutting_off.cancel();
    }

    /// Waits until every task has ended; call [`Self::stop`] or [`Self::cut_off`] first.
    pub async fn ended(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }
}

#[cfg(test)]
#[path = "shutdown_tests.rs"]
mod tests;
