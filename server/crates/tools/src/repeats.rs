//! Remembers the calls of the running turn, so that the same one is not run twice: unless something was written since,
//! its earlier result stands. It forgets with the turn.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use switchboard_protocol::Risk;

use super::registry::hex;
use super::result::ToolResult;

/// As many identical failures as this, and the agent is told to stop.
const MAX_FAILURES: u32 = 3;

/// The calls of the running turn.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    calls: HashMap<CallKey, Remembered>,
    /// How many calls have changed something.
    writes: u64,
}

/// A call that can be told from others: the tool and its resolved arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct CallKey(String);

/// What was before the call.
#[derive(Debug, Clone)]
pub(super) enum Earlier {
    /// Nothing like it, or something was written since.
    Nothing,
    /// The same call; this came of it.
    Result(Arc<ToolResult>, Option<String>),
    /// The same call has failed this many times, this one counted.
    Failures(u32, Arc<ToolResult>),
}

#[derive(Debug)]
struct Remembered {
    result: Arc<ToolResult>,
    variable: Option<String>,
    writes: u64,
    failures: u32,
}

impl CallKey {
    /// The key of a call; the order of arguments makes no difference.
    pub(super) fn new(tool: &str, arguments: &Map<String, Value>) -> Self {
        Self(format!("{tool}:{}", arguments_hash(arguments)))
    }
}

/// SHA-256 of arguments with their keys in order.
pub(super) fn arguments_hash(arguments: &Map<String, Value>) -> String {
    let mut text = String::new();
    canonical(&Value::Object(arguments.clone()), &mut text);
    hex(&Sha256::digest(text))
}

fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for item in items {
                canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            out.push('{');
            for name in names {
                out.push_str(&Value::String(name.clone()).to_string());
                out.push(':');
                canonical(&fields[name], out);
                out.push(',');
            }
            out.push('}');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

impl Repeats {
    /// What was before this call; asking counts as an attempt.
    pub(super) fn earlier(&mut self, key: &CallKey) -> Earlier {
        let Some(call) = self.calls.get_mut(key) else { return Earlier::Nothing };
        if call.writes != self.writes {
            return Earlier::Nothing;
        }
        if call.result.is_success() {
            return Earlier::Result(Arc::clone(&call.result), call.variable.clone());
        }
        call.failures += 1;
        if call.failures >= MAX_FAILURES {
            return Earlier::Failures(call.failures, Arc::clone(&call.result));
        }
        Earlier::Result(Arc::clone(&call.result), call.variable.clone())
    }

    /// A call has run; how many times it has failed by now.
    pub(super) fn ran(&mut self, key: CallKey, risk: Risk, result: Arc<ToolResult>, variable: Option<String>) -> u32 {
        if matches!(risk, Risk::Write | Risk::Execute) {
            self.writes += 1;
        }
        let before = self.calls.get(&key).map_or(0, |call| call.failures);
        let failures = if result.is_success() { 0 } else { before + 1 };
        self.calls.insert(key, Remembered { result, variable, writes: self.writes, failures });
        failures
    }

    /// The turn is over.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// What the agent hears when it does not stop.
pub(super) fn stop_message(failures: u32, error: &str) -> String {
    format!(
        "this same call has now failed {failures} times in this turn, so it was not run again. Stop repeating it: use \
         other arguments or another tool, or tell the user what is in the way. It failed with: {error}"
    )
}

#[cfg(test)]
#[path = "repeats_tests.rs"]
mod tests;
