//! What a turn has done so far, as its end tells it.

use switchboard_protocol::Usage;

use super::reasoner::Attempt;
use super::turn::{Turn, distinct};

/// How many characters of reasons the end frame carries.
const MAX_REASONING_CHARS: usize = 4000;

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

    /// What its models cost, those of the specialists that it called included.
    pub(super) fn usage(&self) -> Option<Usage> {
        let called = self.attempts.iter().filter(|attempt| !attempt.outcome.repeated);
        let all = self.usage.iter().chain(called.filter_map(|attempt| attempt.outcome.result.usage.as_ref()));
        all.cloned().reduce(|sum, usage| Usage {
            input_tokens: sum.input_tokens + usage.input_tokens,
            output_tokens: sum.output_tokens + usage.output_tokens,
        })
    }

    /// Why it was done this way: the reasons of the stages, in order.
    pub(super) fn reasoning(&self) -> String {
        let mut all = distinct(self.thinking.iter().map(String::as_str)).join(" ");
        if all.is_empty() && self.calling.is_some() {
            all = match self.attempts.is_empty() {
                true => "The model answered without a tool.".to_owned(),
                false => format!("The model called {} and gave no reason.", self.tools_used().join(", ")),
            };
        }
        match all.char_indices().nth(MAX_REASONING_CHARS) {
            Some((cut, _)) => format!("{}…", &all[..cut]),
            None => all,
        }
    }
}
