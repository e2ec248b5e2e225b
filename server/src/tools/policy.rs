//! May this call run, must the user be asked, or is it denied? Decided by the tool's risk and the mode in force.

use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use switchboard_protocol::Risk;

use super::tool::ToolSpec;

/// What happens with calls that change something (`--approve`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ApproveMode {
    /// `read` and `ui` run, everything else asks.
    #[default]
    Ask,
    /// Everything runs.
    Auto,
    /// `read` and `ui` run, everything else is denied.
    Deny,
}

impl FromStr for ApproveMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "ask" => Ok(Self::Ask),
            "auto" => Ok(Self::Auto),
            "deny" => Ok(Self::Deny),
            other => Err(format!("{other:?} is no way to approve: use ask, auto or deny")),
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
    /// It does not run, for this reason.
    Deny(String),
}

/// Decides which calls run; may change while the server runs.
#[derive(Debug, Default)]
pub struct Policy {
    mode: RwLock<ApproveMode>,
}

impl Policy {
    /// The policy of this mode.
    #[must_use]
    pub fn new(mode: ApproveMode) -> Self {
        Self { mode: RwLock::new(mode) }
    }

    /// The mode in force.
    #[must_use]
    pub fn mode(&self) -> ApproveMode {
        *self.mode.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another mode, from the next call on.
    pub fn set_mode(&self, mode: ApproveMode) {
        *self.mode.write().unwrap_or_else(PoisonError::into_inner) = mode;
    }

    /// What happens with a call of this tool whose arguments make it this risk ([`Tool::risk`](super::Tool::risk)). A
    /// call that the user makes is not asked about: making it is the answer.
    #[must_use]
    pub fn decide(&self, spec: &ToolSpec, risk: Risk, by_user: bool) -> Verdict {
        let harmless = matches!(risk, Risk::Read | Risk::Ui);
        match self.mode() {
            ApproveMode::Auto => Verdict::Allow,
            ApproveMode::Ask | ApproveMode::Deny if harmless && !spec.always_confirm => Verdict::Allow,
            ApproveMode::Ask if by_user => Verdict::Allow,
            ApproveMode::Ask => Verdict::Ask(reason(spec, risk)),
            ApproveMode::Deny => Verdict::Deny(format!(
                "{}, and this server denies that (it runs with `--approve deny`)",
                reason(spec, risk).trim_end_matches('.')
            )),
        }
    }
}

fn reason(spec: &ToolSpec, risk: Risk) -> String {
    let name = &spec.definition.name;
    if spec.always_confirm {
        return format!("{name} always asks before it runs.");
    }
    match risk {
        Risk::Read | Risk::Ui => format!("{name} asks before it runs."),
        Risk::Write => format!("{name} changes files."),
        Risk::Execute => format!("{name} runs a program."),
        Risk::Network if spec.definition.risk == Risk::Execute => {
            format!("{name} runs a program that can reach the network.")
        }
        Risk::Network => format!("{name} reaches the network."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::test_tools::spec;

    fn verdicts(mode: ApproveMode, by_user: bool) -> Vec<&'static str> {
        let policy = Policy::new(mode);
        [Risk::Read, Risk::Ui, Risk::Write, Risk::Execute, Risk::Network]
            .map(|risk| match policy.decide(&spec("tool", risk), risk, by_user) {
                Verdict::Allow => "allow",
                Verdict::Ask(_) => "ask",
                Verdict::Deny(_) => "deny",
            })
            .into()
    }

    #[test]
    fn each_mode_decides_by_risk() {
        assert_eq!(verdicts(ApproveMode::Ask, false), ["allow", "allow", "ask", "ask", "ask"]);
        assert_eq!(verdicts(ApproveMode::Auto, false), ["allow"; 5]);
        assert_eq!(verdicts(ApproveMode::Deny, false), ["allow", "allow", "deny", "deny", "deny"]);
    }

    #[test]
    fn a_users_own_call_is_not_asked_about_but_can_be_denied() {
        assert_eq!(verdicts(ApproveMode::Ask, true), ["allow"; 5]);
        assert_eq!(verdicts(ApproveMode::Deny, true), ["allow", "allow", "deny", "deny", "deny"]);
    }

    #[test]
    fn a_tool_that_always_confirms_asks_whatever_its_risk() {
        let mut careful = spec("careful", Risk::Read);
        careful.always_confirm = true;

        let verdict = Policy::new(ApproveMode::Ask).decide(&careful, Risk::Read, false);

        assert_eq!(verdict, Verdict::Ask("careful always asks before it runs.".to_owned()));
        assert_eq!(Policy::new(ApproveMode::Auto).decide(&careful, Risk::Read, false), Verdict::Allow);
    }

    #[test]
    fn a_denial_names_the_flag() {
        let verdict = Policy::new(ApproveMode::Deny).decide(&spec("bash", Risk::Execute), Risk::Execute, false);

        let said = "bash runs a program, and this server denies that (it runs with `--approve deny`)";
        assert_eq!(verdict, Verdict::Deny(said.to_owned()));
    }

    #[test]
    fn a_program_that_reaches_the_network_asks_as_both() {
        let verdict = Policy::new(ApproveMode::Ask).decide(&spec("bash", Risk::Execute), Risk::Network, false);

        assert_eq!(verdict, Verdict::Ask("bash runs a program that can reach the network.".to_owned()));
    }

    #[test]
    fn a_mode_is_read_from_its_word() {
        assert_eq!("auto".parse(), Ok(ApproveMode::Auto));
        assert!("always".parse::<ApproveMode>().is_err());
    }
}
