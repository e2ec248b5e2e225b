//! Rules together: deny overrides ask, and ask overrides allow, whatever their order and wherever they were set.

use std::sync::Arc;

use switchboard_protocol::Risk;

use super::call::{CallTraits, Hit, Main};
use super::rule::{Effect, Part, Rule, Subject};
use crate::RegisteredTool;
use switchboard_workspace::DeniedPaths;

/// Rules, in the order in which they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSet {
    rules: Vec<Rule>,
}

/// What rules say of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling<'a> {
    /// It does not run.
    Deny(&'a Rule),
    /// The user is asked.
    Ask(&'a Rule),
    /// Whether this rule denies it cannot be told from its text.
    Unclear(&'a Rule),
    /// It runs without asking.
    Allow,
    /// Nothing.
    Silent,
}

impl RuleSet {
    /// These rules.
    #[must_use]
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { rules }
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Rule] {
        &self.rules
    }

    /// These rules and further ones.
    #[must_use]
    pub fn with(&self, further: &Self) -> Self {
        Self { rules: self.rules.iter().chain(&further.rules).cloned().collect() }
    }

    /// The rules that are not of this effect.
    #[must_use]
    pub fn without(&self, effect: Effect) -> Self {
        Self { rules: self.rules.iter().filter(|rule| rule.effect != effect).cloned().collect() }
    }

    /// What they say of a call.
    pub fn ruling(&self, call: &CallTraits<'_>) -> Ruling<'_> {
        let find = |effect, hit| self.of(effect).find(|rule| rule.hits(call) == hit);
        if let Some(rule) = find(Effect::Deny, Hit::Yes) {
            return Ruling::Deny(rule);
        }
        if let Some(rule) = find(Effect::Deny, Hit::Maybe) {
            return Ruling::Unclear(rule);
        }
        if let Some(rule) = find(Effect::Ask, Hit::Yes).or_else(|| find(Effect::Ask, Hit::Maybe)) {
            return Ruling::Ask(rule);
        }
        if self.allow(call) { Ruling::Allow } else { Ruling::Silent }
    }

    /// What tools cannot reach because of these rules: the files that a reading tool is denied are closed to all, those
    /// that a writing tool is denied are closed for changes.
    pub fn denied_paths(&self, tools: &[Arc<RegisteredTool>]) -> DeniedPaths {
        let mut closed = DeniedPaths::default();
        for rule in self.of(Effect::Deny) {
            let definitions = tools.iter().map(|tool| &tool.spec().definition);
            for definition in definitions.filter(|definition| definition.module == "files") {
                let Some(files) = rule.closes(definition) else { continue };
                closed.close(files, definition.risk == Risk::Read);
            }
        }
        closed
    }

    /// Whether a rule denies files by their paths.
    pub fn denies_paths(&self) -> bool {
        self.of(Effect::Deny).any(|rule| rule.pattern.is_some())
    }

    /// Every part of the call must be allowed, each by a rule of its own if need be.
    fn allow(&self, call: &CallTraits<'_>) -> bool {
        let allowed = |part: Part<'_>| {
            let mut rules = self.of(Effect::Allow);
            rules.any(|rule| {
                let by_name = matches!(rule.subject, Subject::Tool(_));
                let means_it = call.start_file().is_none() || rule.names_start_files();
                means_it && (by_name || !call.always_confirm()) && rule.allows(call, &part)
            })
        };
        if allowed(Part::Whole) {
            return true;
        }
        match Main::of(call.definition) {
            Main::Command => {
                call.certain().is_some_and(|all| !all.is_empty() && all.iter().all(|one| allowed(Part::Command(one))))
            }
            Main::Files => !call.paths.is_empty() && call.paths.iter().all(|path| allowed(Part::Path(path))),
            Main::Address => call.address.is_some_and(|address| allowed(Part::Address(address))),
            Main::Nothing => false,
        }
    }

    pub(super) fn of(&self, effect: Effect) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |rule| rule.effect == effect)
    }
}
