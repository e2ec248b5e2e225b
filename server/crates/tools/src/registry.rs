//! The tools there are, by name. It changes while the server runs, and each change reaches those who subscribed, in
//! the order in which it happened.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use sha2::{Digest, Sha256};
use switchboard_protocol::ToolDefinition;

use super::error::ToolError;
use super::lengths::{Length, Lengths};
use super::result::ToolResult;
use super::tool::{Tool, ToolSpec};
use super::usage::{ToolUsage, UsageLedger};
use super::validator::ToolValidator;
use switchboard_runtime::nearest;

/// What changed.
#[derive(Debug)]
pub enum ToolChange<'a> {
    /// A tool is there.
    Added(&'a ToolDefinition),
    /// The tool of this name is gone.
    Removed(&'a str),
}

type Subscriber = Box<dyn Fn(&ToolChange<'_>) + Send + Sync>;

/// The tools there are.
#[derive(Default)]
pub struct ToolRegistry {
    tools: RwLock<BTreeMap<String, Arc<RegisteredTool>>>,
    /// Tools that are there and not offered, by whoever holds them back.
    withheld: RwLock<BTreeMap<String, Vec<String>>>,
    /// What is wrong with the files of tools.
    problems: RwLock<Vec<String>>,
    /// Names that would be tools, and why they are none now.
    absent: RwLock<BTreeMap<String, Absence>>,
    changes: AtomicU64,
    usage: Arc<UsageLedger>,
    // Held over a change and its news, so that nobody hears of changes in another order.
    subscribers: Mutex<Vec<Subscriber>>,
}

/// Why a tool that people know of is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absence {
    /// Why.
    pub why: String,
    /// What would bring it back.
    pub next: String,
}

/// A tool with what the registry made of its definition.
pub struct RegisteredTool {
    tool: Arc<dyn Tool>,
    usage: Arc<UsageLedger>,
    validator: ToolValidator,
    fingerprint: String,
    lengths: Lengths,
}

impl RegisteredTool {
    /// Counts a call that ran.
    pub(super) fn count(&self, result: &ToolResult, took: Duration) {
        self.usage.count(&self.spec().definition, result, took);
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> &Arc<dyn Tool> {
        &self.tool
    }

    /// What it says of itself.
    #[must_use]
    pub fn spec(&self) -> &ToolSpec {
        self.tool.spec()
    }

    /// Its definition as a model is shown it, and about how many bytes of a prompt that takes.
    #[must_use]
    pub fn told(&self, length: Length) -> (&Arc<ToolDefinition>, usize) {
        self.lengths.get(&self.spec().definition, length)
    }

    /// Checks its arguments.
    #[must_use]
    pub fn validator(&self) -> &ToolValidator {
        &self.validator
    }

    /// SHA-256 of its definition: another one means that the tool is not what was approved.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }
}

impl ToolRegistry {
    /// No tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a tool.
    ///
    /// # Errors
    /// When the name is taken or is none, or the schema cannot be used.
    pub fn insert(&self, tool: Arc<dyn Tool>) -> Result<(), ToolError> {
        let definition = &tool.spec().definition;
        let name = definition.name.clone();
        if !is_name(&name) {
            return Err(ToolError::Name(name));
        }
        let validator = ToolValidator::new(definition)?;
        let fingerprint = fingerprint(definition);
        let usage = Arc::clone(&self.usage);
        let tool = Arc::new(RegisteredTool { tool, usage, validator, fingerprint, lengths: Lengths::default() });
        let subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
            if tools.contains_key(&name) {
                return Err(ToolError::Taken(name));
            }
            tools.insert(name, Arc::clone(&tool));
        }
        self.changes.fetch_add(1, Ordering::Relaxed);
        for subscriber in subscribers.iter() {
            subscriber(&ToolChange::Added(&tool.spec().definition));
        }
        Ok(())
    }

    /// Forgets a tool; whether it was there. A call that runs goes on.
    pub fn remove(&self, name: &str) -> bool {
        let subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        let removed = self.tools.write().unwrap_or_else(PoisonError::into_inner).remove(name);
        if removed.is_some() {
            self.changes.fetch_add(1, Ordering::Relaxed);
            for subscriber in subscribers.iter() {
                subscriber(&ToolChange::Removed(name));
            }
        }
        removed.is_some()
    }

    /// Tells `subscriber` of the tools there are, then of every change. It must not change the registry itself.
    pub fn on_change(&self, subscriber: impl Fn(&ToolChange<'_>) + Send + Sync + 'static) {
        let mut subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        for tool in self.all() {
            subscriber(&ToolChange::Added(&tool.spec().definition));
        }
        subscribers.push(Box::new(subscriber));
    }

    /// Another number after each change: what was made of the tools before is out of date.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// The tool of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<RegisteredTool>> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Says which tools `owner` has and does not offer, until the user agrees to what they say of themselves now.
    pub fn withhold(&self, owner: &str, names: Vec<String>) {
        let mut withheld = self.withheld.write().unwrap_or_else(PoisonError::into_inner);
        if names.is_empty() {
            withheld.remove(owner);
        } else {
            withheld.insert(owner.to_owned(), names);
        }
    }

    /// Whether the tool of this name is held back.
    #[must_use]
    pub fn is_withheld(&self, name: &str) -> bool {
        let withheld = self.withheld.read().unwrap_or_else(PoisonError::into_inner);
        withheld.values().flatten().any(|held| held == name)
    }

    /// Says what is wrong with the files of tools, in place of what was said before.
    pub fn set_problems(&self, problems: Vec<String>) {
        *self.problems.write().unwrap_or_else(PoisonError::into_inner) = problems;
    }

    /// What is wrong with the files of tools, which are skipped.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        self.problems.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says of which names there could be tools and why there are none, in place of what was said before.
    pub fn set_absent(&self, absent: BTreeMap<String, Absence>) {
        *self.absent.write().unwrap_or_else(PoisonError::into_inner) = absent;
    }

    /// Why there is no tool of this name now, if that is known.
    #[must_use]
    pub fn absence(&self, name: &str) -> Option<Absence> {
        self.absent.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Up to three names that could have been meant, the nearest first.
    #[must_use]
    pub fn near(&self, name: &str) -> Vec<String> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        nearest(name, tools.keys().map(String::as_str), 3).into_iter().map(ToOwned::to_owned).collect()
    }

    /// All tools, by name.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<RegisteredTool>> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The definitions of all tools, by name.
    #[must_use]
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.all().iter().map(|tool| tool.spec().definition.clone()).collect()
    }

    /// The names of all tools, in order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect()
    }

    /// How often each tool was called, by name; tools that were there before are among them.
    #[must_use]
    pub fn usage(&self) -> Vec<ToolUsage> {
        self.usage.list(self.all().iter().map(|tool| &tool.spec().definition))
    }

    /// Where calls are counted.
    #[must_use]
    pub fn usage_ledger(&self) -> Arc<UsageLedger> {
        Arc::clone(&self.usage)
    }

    /// A registry of those tools alone that `keep` wants; later changes reach neither.
    #[must_use]
    pub fn only(&self, keep: impl Fn(&ToolDefinition) -> bool) -> Self {
        let tools = self.all().into_iter().filter(|tool| keep(&tool.spec().definition));
        let tools = tools.map(|tool| (tool.spec().definition.name.clone(), tool)).collect();
        Self { tools: RwLock::new(tools), usage: Arc::clone(&self.usage), ..Self::default() }
    }

    /// How many tools there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

fn fingerprint(definition: &ToolDefinition) -> String {
    let text = serde_json::to_string(definition).expect("a definition is JSON with text keys");
    hex(&Sha256::digest(text))
}

/// Bytes in hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[path = "registry_tests.rs"]
mod tests;
