//! How often tools were called, how long that took, and what the models of specialists cost. It is kept by name: a tool
//! that is switched off and on again, or a server that starts again, goes on counting where it was.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use switchboard_protocol::{ToolDefinition, Usage};

use super::result::ToolResult;

/// Of how many calls of a tool the times are kept.
const TIMES: usize = 200;

/// Of how many tools it is kept; beyond that, those that were used longest ago go.
const TOOLS: usize = 2000;

/// What is known of the calls of one tool, as it is written down.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UsageRecord {
    module: String,
    calls: u64,
    failures: u64,
    last_used: String,
    /// Milliseconds of the latest calls, oldest first.
    times: VecDeque<u64>,
    input_tokens: u64,
    output_tokens: u64,
}

/// The calls of one tool, counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolUsage {
    /// Its name.
    pub tool: String,
    /// Its module; specialists have `agents`.
    pub module: String,
    /// Calls that ran.
    pub calls: u64,
    /// Those of them that failed.
    pub failures: u64,
    /// When the latest one ended, RFC 3339; none if there was none.
    pub last_used: Option<String>,
    /// How long half of the latest calls took at most, in milliseconds.
    pub p50_ms: Option<u64>,
    /// How long 99 of 100 of the latest calls took at most, in milliseconds.
    pub p99_ms: Option<u64>,
    /// Tokens that its models were sent, those of specialists below it included.
    pub input_tokens: u64,
    /// Tokens that they answered with.
    pub output_tokens: u64,
}

/// The calls of all tools.
#[derive(Debug, Default)]
pub struct UsageLedger {
    records: Mutex<BTreeMap<String, UsageRecord>>,
    changes: AtomicU64,
}

impl UsageLedger {
    /// Counts a call that ran.
    pub(super) fn count(&self, tool: &ToolDefinition, result: &ToolResult, took: Duration) {
        let mut records = self.records();
        let record = records.entry(tool.name.clone()).or_default();
        record.module.clone_from(&tool.module);
        record.calls += 1;
        record.failures += u64::from(!result.is_success());
        record.last_used = switchboard_runtime::timestamp();
        record.times.push_back(u64::try_from(took.as_millis()).unwrap_or(u64::MAX));
        if record.times.len() > TIMES {
            record.times.pop_front();
        }
        if let Some(Usage { input_tokens, output_tokens }) = result.usage {
            record.input_tokens = record.input_tokens.saturating_add(input_tokens);
            record.output_tokens = record.output_tokens.saturating_add(output_tokens);
        }
        forget_oldest(&mut records);
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    /// Another number after each call: what was written down before is out of date.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// All of it, to be written down.
    pub fn records(&self) -> MutexGuard<'_, BTreeMap<String, UsageRecord>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Goes on from what was written down.
    pub fn restore(&self, records: BTreeMap<String, UsageRecord>) {
        *self.records() = records;
    }

    /// What there is about these tools, and about others that were called before, by name.
    pub(super) fn list<'a>(&self, tools: impl Iterator<Item = &'a ToolDefinition>) -> Vec<ToolUsage> {
        let uncalled = |tool: &ToolDefinition| {
            let usage = ToolUsage { tool: tool.name.clone(), module: tool.module.clone(), ..ToolUsage::default() };
            (tool.name.clone(), usage)
        };
        let mut all: BTreeMap<String, ToolUsage> = tools.map(uncalled).collect();
        all.extend(self.records().iter().map(|(tool, record)| (tool.clone(), record.usage(tool))));
        all.into_values().collect()
    }
}

impl UsageRecord {
    fn usage(&self, tool: &str) -> ToolUsage {
        let mut times: Vec<u64> = self.times.iter().copied().collect();
        times.sort_unstable();
        ToolUsage {
            tool: tool.to_owned(),
            module: self.module.clone(),
            calls: self.calls,
            failures: self.failures,
            last_used: Some(self.last_used.clone()).filter(|at| !at.is_empty()),
            p50_ms: percentile(&times, 50),
            p99_ms: percentile(&times, 99),
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
        }
    }
}

/// The smallest of the values, which are in order, that as many percent of them do not exceed.
fn percentile(values: &[u64], percent: usize) -> Option<u64> {
    let rank = (values.len() * percent).div_ceil(100);
    values.get(rank.saturating_sub(1)).copied()
}

fn forget_oldest(records: &mut BTreeMap<String, UsageRecord>) {
    while records.len() > TOOLS {
        let oldest = records.iter().min_by(|one, other| one.1.last_used.cmp(&other.1.last_used));
        let Some(name) = oldest.map(|(name, _)| name.clone()) else { return };
        records.remove(&name);
    }
}

#[cfg(test)]
mod tests {
    use switchboard_protocol::{ErrorType, Risk};

    use super::*;
    use crate::test_support::spec;

    fn after(times: &[u64]) -> UsageLedger {
        let ledger = UsageLedger::default();
        let definition = spec("look", Risk::Read).definition;
        for time in times {
            let usage = Some(Usage { input_tokens: 3, output_tokens: 2 });
            let result = ToolResult { usage, ..ToolResult::default() };
            ledger.count(&definition, &result, Duration::from_millis(*time));
        }
        ledger
    }

    #[test]
    fn calls_failures_times_and_tokens_are_counted() {
        let ledger = after(&[5, 1, 9]);
        let failed = ToolResult::failure(ErrorType::System, "no");
        ledger.count(&spec("look", Risk::Read).definition, &failed, Duration::from_millis(40));

        let usage = ledger.list(std::iter::empty()).remove(0);

        assert_eq!((usage.calls, usage.failures), (4, 1));
        assert_eq!((usage.p50_ms, usage.p99_ms), (Some(5), Some(40)));
        assert_eq!((usage.input_tokens, usage.output_tokens), (9, 6));
        assert!(usage.last_used.is_some());
    }

    #[test]
    fn what_was_written_down_goes_on_and_uncalled_tools_are_listed() {
        let written = serde_json::to_string(&*after(&[5]).records()).expect("JSON");
        let ledger = after(&[]);
        ledger.restore(serde_json::from_str(&written).expect("what was written"));
        let (look, see) = (spec("look", Risk::Read).definition, spec("see", Risk::Read).definition);
        ledger.count(&look, &ToolResult::default(), Duration::from_millis(7));

        let all = ledger.list([&look, &see].into_iter());

        assert_eq!(
            all.iter().map(|usage| (usage.tool.as_str(), usage.calls)).collect::<Vec<_>>(),
            [("look", 2), ("see", 0)]
        );
        assert_eq!((all[1].last_used.as_ref(), all[1].p50_ms), (None, None));
    }

    #[test]
    fn only_the_latest_times_are_kept() {
        let times: Vec<u64> = (0..300).collect();

        let usage = after(&times).list(std::iter::empty()).remove(0);

        assert_eq!((usage.calls, usage.p50_ms, usage.p99_ms), (300, Some(199), Some(297)));
    }
}
