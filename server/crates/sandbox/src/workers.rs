//! Workers that are ready before their command is there: to start one takes longer than most commands run.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::program::WorkerProgram;
use super::runner::{Idle, RunOutcome, RunOutput, run_in};
use super::spec::RunSpec;
use super::world::World;

/// How long a command runs before another worker is started beside it.
const LONG: Duration = Duration::from_millis(100);

/// Runs commands in workers, one of which is started in advance: when a command has ended, or runs for long.
///
/// Copies share it. It ends when the last of them is dropped.
#[derive(Debug, Clone)]
pub struct Workers {
    program: WorkerProgram,
    ready: Arc<Mutex<Option<Idle>>>,
}

impl Workers {
    /// Workers that are this program.
    #[must_use]
    pub fn of(program: WorkerProgram) -> Self {
        Self { program, ready: Arc::default() }
    }

    /// The program that they are.
    #[must_use]
    pub fn program(&self) -> &WorkerProgram {
        &self.program
    }

    /// Runs a command to its end, or until `cancellation`; everything it started has ended then.
    ///
    /// # Errors
    /// When the worker cannot be started or dies.
    pub async fn run(
        &self,
        spec: &RunSpec,
        output: &mut dyn RunOutput,
        cancellation: &CancellationToken,
    ) -> std::io::Result<RunOutcome> {
        let world = World::of(spec);
        let ready = self.ready().take().and_then(|idle| idle.fit_for(world));
        let idle = ready.map_or_else(|| Idle::start(&self.program, world), Ok)?;
        let mut run = pin!(run_in(idle, spec, output, cancellation));
        // Not at once: to start another one slows down what is being started.
        let ended = tokio::time::timeout(LONG, &mut run).await;
        let workers = self.clone();
        drop(tokio::task::spawn_blocking(move || workers.make_ready(world)));
        match ended {
            Ok(outcome) => outcome,
            Err(_) => run.await,
        }
    }

    /// Without it the next command is only slower, so that it may fail.
    fn make_ready(&self, world: World) {
        if self.ready().is_none() {
            let idle = Idle::start(&self.program, world).ok();
            *self.ready() = idle;
        }
    }

    /// The worker that is ready.
    #[cfg(test)]
    pub(super) fn ready_pid(&self) -> Option<u32> {
        self.ready().as_ref().and_then(Idle::pid)
    }

    fn ready(&self) -> MutexGuard<'_, Option<Idle>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
