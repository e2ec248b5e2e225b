//! What a turn has done so far, as its end tells it.

use super::reasoner::Attempt;
use super::turn::{Turn, distinct};

impl Turn<'_> {
    /// Each tool that was tried, in order.
    pub(super) fn tools_used(&self) -> Vec<String> {
        distinct(self.attempts.iter().map(|attempt| attempt.tool.as_str()))
    }

    /// Each variable that was set, errors included, in order.
    pub(super) fn context_updated(&self) -> Vec<String> {
        distinct(self.attempts.iter().flat_map(|attempt| {
            attempt.outcome.variable.as_deref().into_iter().chain(attempt.error_variable.as_deref())
        }))
    }

    pub(super) fn operation_count(&self) -> u32 {
        let ran = self.attempts.iter().filter(|attempt| attempt.outcome.started).count();
        u32::try_from(ran).unwrap_or(u32::MAX)
    }

    /// For the end of a turn that did not reach its goal: what it did, in a sentence.
    pub(super) fn done_so_far(&self) -> String {
        let worked = self.attempts.iter().filter(|attempt| attempt.outcome.result.is_success());
        let done: Vec<String> = worked
            .map(|Attempt { tool, outcome, .. }| match &outcome.variable {
                Some(variable) => format!("`{tool}` (stored as `{variable}`)"),
                None => format!("`{tool}`"),
            })
            .collect();
        match done.is_empty() {
            true => "No tool finished its work.".to_owned(),
            false => format!("Done so far: {}.", done.join(", ")),
        }
    }
}
