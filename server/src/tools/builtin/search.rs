//! Walking the workspace on a thread: it ends when it is told to, and says how far it is.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use switchboard_protocol::{ErrorType, Stream};

use super::blocking::on_thread;
use crate::tools::{ToolContext, ToolFailure};
use crate::workspace::{WalkEntry, WalkOptions};

/// Between two words on how far it is.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// Looks at everything below `start` in order until `each` breaks, and gives what it has made.
pub(super) async fn walk<T: Send + 'static>(
    context: &ToolContext,
    start: &str,
    options: WalkOptions,
    mut state: T,
    each: impl Fn(&mut T, &WalkEntry) -> ControlFlow<()> + Send + 'static,
) -> Result<T, ToolFailure> {
    let context = context.clone();
    let entries = context.workspace.walk(start, options)?;
    on_thread("search", move || {
        let mut said = Instant::now();
        for (count, entry) in entries.enumerate() {
            if context.cancellation.is_cancelled() {
                let failure =
                    ToolFailure::new(ErrorType::Timeout, format!("was ended after {count} files and folders"));
                return Err(failure.suggesting("Search in a smaller folder, or with a narrower pattern."));
            }
            if said.elapsed() >= PROGRESS_EVERY {
                said = Instant::now();
                context.output.chunk(Stream::Progress, &format!("Looked at {count} files and folders …\n"));
            }
            if each(&mut state, &entry).is_break() {
                break;
            }
        }
        Ok(state)
    })
    .await
}

/// The path of an entry as seen from the folder in which the search began.
pub(super) fn below<'a>(path: &'a str, start: &str) -> &'a str {
    if start == "." {
        return path;
    }
    path.strip_prefix(start).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}
