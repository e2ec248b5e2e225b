//! Walking the workspace on threads of its own: it ends when it is told to, and says how far it is.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use switchboard_protocol::{ErrorType, Stream};

use super::blocking::on_thread;
use switchboard_tools::{ToolContext, ToolFailure};
use switchboard_workspace::{Finds, WalkEntry, WalkOptions};

/// Between two words on how far it is.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// Looks at everything below `start` with several threads, each with a `worker` of its own, and gives the first `limit`
/// finds in order; which they are does not depend on the threads. `look` is also told the path as seen from `start`.
pub(super) async fn search<W, T: Send + 'static>(
    context: &ToolContext,
    start: &str,
    options: WalkOptions,
    limit: usize,
    worker: impl Fn() -> W + Sync + Send + 'static,
    look: impl Fn(&mut W, &str, &WalkEntry, &mut Vec<T>) + Sync + Send + 'static,
) -> Result<Finds<T>, ToolFailure> {
    let context = context.clone();
    let walk = context.workspace.walk(start, options)?;
    let start = start.to_owned();
    let look = move |worker: &mut W, entry: &WalkEntry, found: &mut Vec<T>| {
        look(worker, below(entry.path.as_str(), &start), entry, found);
    };
    on_thread("search", move || {
        let said = Mutex::new(Instant::now());
        let finds = walk.find(limit, worker, look, |count| {
            say_how_far(&context, &said, count);
            !context.cancellation.is_cancelled()
        });
        if finds.ended {
            let message = format!("was stopped after {} files and folders", finds.looked_at);
            let failure = ToolFailure::new(ErrorType::Timeout, message);
            return Err(failure.suggesting("Search in a smaller folder, or with a narrower pattern."));
        }
        Ok(finds)
    })
    .await
}

fn say_how_far(context: &ToolContext, said: &Mutex<Instant>, count: u64) {
    // Whoever finds it taken need not wait: somebody else is saying it.
    let Ok(mut said) = said.try_lock() else { return };
    if said.elapsed() >= PROGRESS_EVERY {
        *said = Instant::now();
        context.output.chunk(Stream::Progress, &format!("Checked {count} files and folders …\n"));
    }
}

/// The path of an entry as seen from the folder in which the search began.
fn below<'a>(path: &'a str, start: &str) -> &'a str {
    if start == "." {
        return path;
    }
    path.strip_prefix(start).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}
