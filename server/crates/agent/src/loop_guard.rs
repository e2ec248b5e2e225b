//! When a model goes round in circles, the turn ends and says so.
//!
//! What counts are rounds: several calls that a model makes at once are one attempt of it.

use std::collections::HashMap;

use serde_json::Value;
use switchboard_protocol::ErrorType;

use super::error::AgentError;
use super::reasoner::Attempt;
use super::turn::Turn;

/// After as many rounds with a tool that does not exist, no more.
const UNKNOWN_TOOLS: u32 = 3;

/// After as many rounds of corrections to arguments that do not fit, no more.
const CORRECTIONS: u32 = 3;

/// After as many rounds of nothing but calls that were made before, no more.
const REPEATS: u32 = 3;

/// After as many identical failures, no more. Arguments that do not fit are counted by [`CORRECTIONS`].
const FAILURES: u32 = 3;

/// What has gone wrong in this turn.
#[derive(Default)]
pub(super) struct LoopGuard {
    seen: usize,
    unknown: u32,
    unfit: u32,
    repeated: u32,
    /// How often each call has failed since it last ran.
    failures: HashMap<String, u32>,
    /// How often the calls of the latest round have failed, the one that failed least.
    failed: u32,
}

impl LoopGuard {
    /// Of a turn that has made these calls, which are not looked at any more.
    pub(super) fn after(attempts: &[Attempt]) -> Self {
        Self { seen: attempts.len(), ..Self::default() }
    }

    /// Looks at the calls since the last time; `unreadable` more had arguments that nobody could read.
    pub(super) fn after_calls(&mut self, turn: &Turn<'_>, unreadable: usize) -> Result<(), AgentError> {
        let new = &turn.attempts[self.seen..];
        self.seen = turn.attempts.len();
        let there = |attempt: &Attempt| turn.means.registry.get(&attempt.tool).is_some();
        let unfit = |attempt: &Attempt| {
            let failure = attempt.outcome.result.failure.as_ref();
            there(attempt) && failure.is_some_and(|failure| failure.error_type == ErrorType::Validation)
        };
        if new.iter().any(|attempt| !there(attempt)) {
            self.unknown += 1;
        }
        if unreadable > 0 || new.iter().any(unfit) {
            self.unfit += 1;
        } else if new.iter().any(|attempt| attempt.outcome.result.is_success()) {
            self.unfit = 0;
        }
        self.repeated = match !new.is_empty() && new.iter().all(|attempt| attempt.outcome.repeated) {
            true => self.repeated + 1,
            false => 0,
        };
        let failed = new.iter().map(|attempt| if there(attempt) { self.failures_of(attempt) } else { 0 });
        self.failed = failed.min().unwrap_or_default();
        self.verdict(new.last())
    }

    /// How often this very call has failed. One that runs again, because something was written, is a new one.
    fn failures_of(&mut self, attempt: &Attempt) -> u32 {
        let failure = attempt.outcome.result.failure.as_ref();
        if failure.is_none_or(|failure| failure.error_type == ErrorType::Validation) {
            return 0;
        }
        let mut arguments = Value::Object(attempt.arguments.clone());
        arguments.sort_all_objects();
        let count = self.failures.entry(format!("{} {arguments}", attempt.tool)).or_default();
        *count = if attempt.outcome.started { 1 } else { *count + 1 };
        *count
    }

    fn verdict(&self, latest: Option<&Attempt>) -> Result<(), AgentError> {
        let tool = latest.map_or("a tool", |attempt| attempt.tool.as_str());
        let (code, message) = if self.unknown >= UNKNOWN_TOOLS {
            ("unknown-tool", format!("the model called tools that do not exist {UNKNOWN_TOOLS} times"))
        } else if self.unfit > CORRECTIONS {
            ("invalid-arguments", format!("the arguments for {tool} were still wrong after {CORRECTIONS} corrections"))
        } else if self.failed >= FAILURES {
            ("loop-detected", format!("the same call to {tool} has now failed {FAILURES} times"))
        } else if self.repeated >= REPEATS {
            ("loop-detected", format!("the model kept repeating the same call to {tool}"))
        } else {
            return Ok(());
        };
        Err(AgentError::Stuck { code, message })
    }
}
