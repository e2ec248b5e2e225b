//! The thread on which everything is sent and received: it outlives the tasks of the sessions, which end before the log does.

use std::future::Future;
use std::thread::JoinHandle;

use switchboard_events::LogError;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// Runs tasks until it is dropped.
#[derive(Debug)]
pub(super) struct IoThread {
    handle: Handle,
    /// Dropped to end it.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl IoThread {
    pub(super) fn start() -> Result<Self, LogError> {
        let failed = |error: std::io::Error| LogError::Store(format!("its thread cannot be started: {error}"));
        let runtime = Builder::new_current_thread().enable_all().build().map_err(failed)?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name("event-log".to_owned()).spawn(move || {
            // It is never sent, only dropped.
            let _ = runtime.block_on(stopped);
            runtime.shutdown_background();
        });
        Ok(Self { handle, stop: Some(stop), thread: Some(thread.map_err(failed)?) })
    }

    /// Where tasks are started.
    pub(super) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Runs something there to its end.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        task: impl Future<Output = Result<T, LogError>> + Send + 'static,
    ) -> Result<T, LogError> {
        self.handle.spawn(task).await.unwrap_or_else(|error| Err(LogError::Store(error.to_string())))
    }
}

impl Drop for IoThread {
    fn drop(&mut self) {
        drop(self.stop.take());
        // Not from itself: a task may be the last to hold the log.
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
    }
}
