//! What the user has allowed and forbidden for a session.

use std::collections::BTreeMap;

use switchboard_events::{Grant, RuleRecord, ServerOnly};
use switchboard_tools::{Effect, Rule, RuleSet, RuleSource};

/// The session's own permissions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Permissions {
    /// What was allowed for the session when it was asked, and what that covers in words.
    pub(crate) grants: BTreeMap<Grant, String>,
    /// Rules of the session's own, in the order in which they were given.
    pub(crate) rules: Vec<RuleRecord>,
}

impl Permissions {
    /// The session's own rules, ready for use.
    pub(crate) fn rule_set(&self) -> RuleSet {
        let parse = |fact: &RuleRecord| {
            let effect = Effect::of(&fact.effect)?;
            Rule::parse(effect, &fact.rule, RuleSource::Session).ok()
        };
        RuleSet::new(self.rules.iter().filter_map(parse).collect())
    }

    /// Takes note of what an event changes.
    pub(super) fn apply(&mut self, private: &ServerOnly) {
        if private.grants_revoked {
            self.grants.clear();
            // Rules that only restrict may stay.
            self.rules.retain(|rule| rule.effect != "allow");
        }
        if let Some(grant) = &private.grant {
            self.grants.insert(grant.clone(), private.grant_covers.clone());
        }
        if let Some(grant) = &private.grant_removed {
            self.grants.remove(grant);
        }
        if let Some(removed) = &private.rule_removed {
            self.rules.retain(|rule| rule != removed);
        }
        self.rules.extend(private.rule.clone());
    }
}
