//! [`NetworkPolicy`]: which domains commands of a session may reach. Rules decide first; where they say nothing, the mode
//! in force does.

use std::sync::{Arc, PoisonError, RwLock};

use super::domain_policy::{DomainPolicy, DomainVerdict};
use super::permissions::{RuleSet, Ruling};
use super::policy::{ApproveMode, Policy};
use switchboard_net::Destination;

/// Decides by rules and mode as they are at that moment.
#[derive(Debug, Clone, Default)]
pub struct NetworkPolicy {
    policy: Arc<Policy>,
    /// The session's own rules.
    session: Arc<RwLock<Arc<RuleSet>>>,
}

impl NetworkPolicy {
    /// The policy of a session whose own rules are these.
    pub(crate) fn new(policy: Arc<Policy>, session: Arc<RwLock<Arc<RuleSet>>>) -> Self {
        Self { policy, session }
    }

    /// The rules in force: the server's and the session's own.
    pub(crate) fn rules(&self) -> RuleSet {
        let own = Arc::clone(&self.session.read().unwrap_or_else(PoisonError::into_inner));
        self.policy.rules_with(&own)
    }

    /// The policy of a session without rules of its own.
    #[must_use]
    pub fn of(policy: Policy) -> Self {
        Self::new(Arc::new(policy), Arc::default())
    }
}

impl DomainPolicy for NetworkPolicy {
    /// Leave to use the network is not leave to reach every domain, whoever gave it.
    fn decide(&self, to: &Destination) -> DomainVerdict {
        let rules = self.rules();
        let domain = to.domain();
        match (rules.domain_ruling(to), self.policy.mode()) {
            (Ruling::Deny(rule), _) => {
                DomainVerdict::Deny(format!("the rule `{}` {} denies {domain}", rule.text(), rule.source().words()))
            }
            (Ruling::Allow, _) | (_, ApproveMode::Auto) => DomainVerdict::Allow,
            (_, ApproveMode::Deny) => {
                DomainVerdict::Deny(format!("no rule allows {domain}, and this server asks nobody (`--approve deny`)"))
            }
            (Ruling::Ask(rule), ApproveMode::Ask) => {
                DomainVerdict::Ask(format!("The rule `{}` {} asks first.", rule.text(), rule.source().words()))
            }
            (_, ApproveMode::Ask) => DomainVerdict::Ask(String::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permissions::{Effect, Rule, RuleSource};

    fn rules(rules: &[(Effect, &str)]) -> RuleSet {
        let parse = |(effect, text): &(Effect, &str)| Rule::parse(*effect, text, RuleSource::Session).expect("a rule");
        RuleSet::new(rules.iter().map(parse).collect())
    }

    fn decided(mode: ApproveMode, given: &[(Effect, &str)], host: &str) -> &'static str {
        let policy = NetworkPolicy::of(Policy::with_rules(mode, rules(given)));
        match policy.decide(&Destination::new(host, 443).expect("a host")) {
            DomainVerdict::Allow => "allow",
            DomainVerdict::Ask(_) => "ask",
            DomainVerdict::Deny(_) => "deny",
        }
    }

    #[test]
    fn a_new_domain_asks_unless_a_rule_or_the_mode_decides() {
        let some = [
            (Effect::Allow, "network(Example.org)"),
            (Effect::Allow, "network(*.example.org)"),
            (Effect::Deny, "network(bad.example.org)"),
            (Effect::Ask, "network(ask.example.org)"),
            (Effect::Allow, "network(ported.example:443)"),
            (Effect::Allow, "network(other.example:80)"),
            (Effect::Allow, "network(93.184.216.34)"),
        ];
        for (host, ask, auto, deny) in [
            ("example.org", "allow", "allow", "allow"),
            ("EXAMPLE.ORG.", "allow", "allow", "allow"),
            ("a.b.example.org", "allow", "allow", "allow"),
            ("notexample.org", "ask", "allow", "deny"),
            ("bad.example.org", "deny", "deny", "deny"),
            ("ask.example.org", "ask", "allow", "deny"),
            ("ported.example", "allow", "allow", "allow"),
            ("other.example", "ask", "allow", "deny"),
            ("0x5db8d822", "allow", "allow", "allow"),
            ("1.1.1.1", "ask", "allow", "deny"),
        ] {
            for (mode, expected) in [(ApproveMode::Ask, ask), (ApproveMode::Auto, auto), (ApproveMode::Deny, deny)] {
                assert_eq!(decided(mode, &some, host), expected, "{host} {mode:?}");
            }
        }
        assert_eq!(decided(ApproveMode::Auto, &[(Effect::Deny, "network")], "example.org"), "deny");
        // Leave for commands with the network is not leave for every domain.
        assert_eq!(
            decided(ApproveMode::Ask, &[(Effect::Allow, "risk:network"), (Effect::Allow, "*")], "example.org"),
            "ask"
        );
    }
}
