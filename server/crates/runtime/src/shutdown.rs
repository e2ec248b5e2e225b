//! How everything ends: every task is started here, so that the shutdown knows all of them.
//!
//! Three steps: *stopping* (no new turns, clients are told), *cutting off* (the drain deadline is over, running turns
//! end), and then every task has ended.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Starts tasks and ends them; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Shutdown {
    stopping: CancellationToken,
    refusing: CancellationToken,
    cutting_off: CancellationToken,
    handing_over: Arc<AtomicBool>,
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

    /// Canceled when no connections are taken any more: with [`Self::stopping`], or when what is handed over has gone.
    #[must_use]
    pub fn refusing(&self) -> &CancellationToken {
        &self.refusing
    }

    /// Canceled when running work must end.
    #[must_use]
    pub fn cutting_off(&self) -> &CancellationToken {
        &self.cutting_off
    }

    /// Takes no new work from now on.
    pub fn stop(&self) {
        self.stopping.cancel();
        self.refusing.cancel();
    }

    /// Takes no new work from now on, because another process goes on with what this one has to leave. Whoever connects is
    /// served until [`Self::stop`].
    pub fn hand_over(&self) {
        self.handing_over.store(true, Ordering::Release);
        self.stopping.cancel();
    }

    /// Whether another process goes on with what this one has to leave.
    #[must_use]
    pub fn is_handing_over(&self) -> bool {
        self.handing_over.load(Ordering::Acquire)
    }

    /// Ends what still runs.
    pub fn cut_off(&self) {
        self.stop();
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
