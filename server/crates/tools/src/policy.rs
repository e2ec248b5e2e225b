//! May this call run, must the user be asked, or is it denied? Rules decide first, deny over ask over allow; where they
//! say nothing, the tool's risk and the mode in force do.

use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use switchboard_protocol::{Risk, ToolDefinition};

use super::permissions::{CallTraits, Effect, Rule, RuleSet, RuleSource, Ruling};
use super::tool::ToolSpec;

/// What happens with calls that change something (`--approve`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApproveMode {
    /// `read` and `ui` run, everything else asks.
    #[default]
    Ask,
    /// Everything runs that no rule denies.
    Auto,
    /// `read`, `ui` and what a rule allows run, everything else is denied.
    Deny,
}

impl FromStr for ApproveMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "ask" => Ok(Self::Ask),
            "auto" => Ok(Self::Auto),
            "deny" => Ok(Self::Deny),
            other => Err(format!("{other:?} is not an approval mode: use ask, auto or deny")),
        }
    }
}

/// What the policy says of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It runs.
    Allow,
    /// The user is asked, for this reason.
    Ask(String),
    /// It does not run.
    Deny {
        /// Why.
        reason: String,
        /// What can be done about it.
        suggestion: String,
        /// Whether a rule said so, and not that nobody is asked or that the call is unclear.
        refused: bool,
    },
}

/// Decides which calls run; may change while the server runs.
#[derive(Debug, Default)]
pub struct Policy {
    state: RwLock<PolicyState>,
}

#[derive(Debug, Default)]
struct PolicyState {
    mode: ApproveMode,
    rules: Arc<RuleSet>,
    /// Tools and modules that ask whatever the mode is.
    always_confirm: Arc<[String]>,
}

impl Policy {
    /// The policy of this mode, without rules.
    #[must_use]
    pub fn new(mode: ApproveMode) -> Self {
        Self::with_rules(mode, RuleSet::default())
    }

    /// The policy of this mode and these rules.
    #[must_use]
    pub fn with_rules(mode: ApproveMode, rules: RuleSet) -> Self {
        let state = PolicyState { mode, rules: Arc::new(rules), always_confirm: Arc::default() };
        Self { state: RwLock::new(state) }
    }

    /// The same policy, under which these tools and modules always ask.
    #[must_use]
    pub fn confirming(self, names: &[String]) -> Self {
        self.write().always_confirm = names.into();
        self
    }

    /// The mode in force.
    #[must_use]
    pub fn mode(&self) -> ApproveMode {
        self.state().mode
    }

    /// The rules in force for all sessions.
    #[must_use]
    pub fn rules(&self) -> Arc<RuleSet> {
        Arc::clone(&self.state().rules)
    }

    /// Another mode, other rules and other tools that always ask, from the next call on.
    pub fn set(&self, mode: ApproveMode, rules: RuleSet, always_confirm: &[String]) {
        *self.write() = PolicyState { mode, rules: Arc::new(rules), always_confirm: always_confirm.into() };
    }

    /// Whether calls of this tool always ask: by its own word, or by name or module in the settings.
    #[must_use]
    pub fn always_confirms(&self, spec: &ToolSpec) -> bool {
        let ToolDefinition { name, module, .. } = &spec.definition;
        spec.always_confirm || self.state().always_confirm.iter().any(|said| said == name || said == module)
    }

    /// The rules in force for a session with these of its own. Where everything is denied, a session's user cannot
    /// allow what the server's owner did not.
    pub(super) fn rules_with(&self, session: &RuleSet) -> RuleSet {
        let PolicyState { mode, rules, .. } = &*self.state();
        match mode {
            ApproveMode::Deny => rules.with(&session.without(Effect::Allow)),
            ApproveMode::Ask | ApproveMode::Auto => rules.with(session),
        }
    }

    /// What happens with a call, `rules` being those of [`Self::rules_with`]. A call that the user makes is not asked
    /// about: making it is the answer.
    pub fn decide(&self, spec: &ToolSpec, call: &CallTraits<'_>, rules: &RuleSet) -> Verdict {
        let mode = self.mode();
        match (rules.ruling(call), mode) {
            (Ruling::Deny(rule), _) => denied_by(rule, spec),
            (Ruling::Unclear(rule), ApproveMode::Auto) if !call.by_user() => unclear(rule, spec),
            (Ruling::Unclear(rule), ApproveMode::Ask) if !call.by_user() => Verdict::Ask(format!(
                "{} Its text does not show whether the rule `{}` {} denies it.",
                reason(spec, call),
                rule.text(),
                rule.source().words()
            )),
            (Ruling::Ask(rule), ApproveMode::Ask) if !call.by_user() => Verdict::Ask(format!(
                "{} The rule `{}` {} asks first.",
                reason(spec, call),
                rule.text(),
                rule.source().words()
            )),
            (Ruling::Ask(_) | Ruling::Unclear(_), ApproveMode::Deny) => denied_by_mode(spec, call),
            (Ruling::Allow, _) => Verdict::Allow,
            _ => by_mode(spec, call, mode),
        }
    }

    fn state(&self) -> RwLockReadGuard<'_, PolicyState> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, PolicyState> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What holds where no rule speaks.
fn by_mode(spec: &ToolSpec, call: &CallTraits<'_>, mode: ApproveMode) -> Verdict {
    let harmless = matches!(call.risk(), Risk::Read | Risk::Ui);
    match mode {
        ApproveMode::Auto if !call.always_confirm() => Verdict::Allow,
        ApproveMode::Ask | ApproveMode::Deny if harmless && !call.always_confirm() => Verdict::Allow,
        ApproveMode::Ask | ApproveMode::Auto if call.by_user() => Verdict::Allow,
        ApproveMode::Ask | ApproveMode::Auto => Verdict::Ask(reason(spec, call)),
        ApproveMode::Deny => denied_by_mode(spec, call),
    }
}

fn denied_by_mode(spec: &ToolSpec, call: &CallTraits<'_>) -> Verdict {
    let reason = reason(spec, call);
    let reason = reason.trim_end_matches('.');
    Verdict::Deny {
        reason: format!("{reason}, and this server denies that (it runs with `--approve deny`)"),
        suggestion: "To let it run, whoever runs the server can start it with `--approve ask` or `--approve auto`, or \
                     with a rule that allows it (`--allow`)."
            .to_owned(),
        refused: false,
    }
}

fn denied_by(rule: &Rule, spec: &ToolSpec) -> Verdict {
    let name = &spec.definition.name;
    Verdict::Deny {
        reason: format!("the rule `{}` {} denies this call of {name}", rule.text(), rule.source().words()),
        suggestion: change(rule),
        refused: true,
    }
}

fn unclear(rule: &Rule, spec: &ToolSpec) -> Verdict {
    let (name, text) = (&spec.definition.name, rule.text());
    Verdict::Deny {
        reason: format!(
            "its text does not show whether the rule `{text}` {} denies this call of {name}, and nobody is asked (the \
             server runs with `--approve auto`)",
            rule.source().words()
        ),
        suggestion: "Write the command plainly: no variables or substitutions as commands, no eval, no functions."
            .to_owned(),
        refused: false,
    }
}

fn change(rule: &Rule) -> String {
    let how = match rule.source() {
        RuleSource::Settings(_) => "only the server's settings can change it",
        RuleSource::Session => "`/permissions remove` removes it",
    };
    format!("`/permissions` shows the rules; {how}.")
}

fn reason(spec: &ToolSpec, call: &CallTraits<'_>) -> String {
    let name = &spec.definition.name;
    if let Some(file) = call.start_file() {
        return format!(
            "{name} changes `{file}`, which shells, editors or git obey without asking, so it always asks."
        );
    }
    if call.always_confirm() {
        return format!("{name} always asks before it runs.");
    }
    match call.risk() {
        Risk::Read | Risk::Ui => format!("{name} asks before it runs."),
        Risk::Write => format!("{name} changes files."),
        Risk::Execute => format!("{name} runs a program."),
        Risk::Network if spec.definition.risk == Risk::Execute => {
            format!("{name} runs a program that can reach {}.", call.network())
        }
        Risk::Network => format!("{name} reaches {}.", call.network()),
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
