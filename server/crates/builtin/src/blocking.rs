//! Work that blocks, computes long or recurses deep runs on a thread of its own, with a stack that is large enough.

use std::thread;

use switchboard_protocol::ErrorType;
use tokio::sync::oneshot;

use switchboard_tools::ToolFailure;

/// The stack; memory is taken only as far as it is used.
const STACK_BYTES: usize = 64 * 1024 * 1024;

/// Runs the work on a thread. Work that panics is a failure; work that nobody waits for any more goes on to its end,
/// so it must look at the cancellation itself.
pub(super) async fn on_thread<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> Result<T, ToolFailure> + Send + 'static,
) -> Result<T, ToolFailure> {
    let (sender, receiver) = oneshot::channel();
    let thread = thread::Builder::new().name(format!("tool-{name}")).stack_size(STACK_BYTES);
    let spawned = thread.spawn(move || {
        let _nobody_waits = sender.send(work());
    });
    if let Err(error) = spawned {
        return Err(ToolFailure::new(ErrorType::System, format!("could not start a thread: {error}")));
    }
    receiver.await.unwrap_or_else(|_| {
        let failure = ToolFailure::new(ErrorType::System, "the tool crashed on this input");
        Err(failure.suggesting("This is a bug in the tool; try other arguments."))
    })
}
