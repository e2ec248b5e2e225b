//! What rules say of the domains that commands reach: `network(example.org)`, `network(*.example.org)`, and `network` for
//! all of them. They say nothing of whether the command runs.

use super::rule::{Effect, Pattern, Rule, Subject};
use super::rules::{RuleSet, Ruling};
use switchboard_net::Destination;

impl RuleSet {
    /// What they say of a connection.
    #[must_use]
    pub fn domain_ruling(&self, to: &Destination) -> Ruling<'_> {
        let names = [to.domain(), to.to_string()];
        let find = |effect| self.of(effect).find(|rule| rule.names(&names));
        match (find(Effect::Deny), find(Effect::Ask), find(Effect::Allow)) {
            (Some(rule), ..) => Ruling::Deny(rule),
            (None, Some(rule), _) => Ruling::Ask(rule),
            (None, None, Some(_)) => Ruling::Allow,
            (None, None, None) => Ruling::Silent,
        }
    }
}

impl Rule {
    /// Whether it is about this destination: by its domain, or by domain and port.
    fn names(&self, names: &[String; 2]) -> bool {
        if self.subject != Subject::Network {
            return false;
        }
        match &self.pattern {
            None => true,
            Some(Pattern::Main { text, .. }) => names.iter().any(|name| text.fits(name)),
            Some(Pattern::Argument { .. }) => false,
        }
    }

    /// Why its pattern can never be a domain, if it is to be one.
    pub(super) fn domain_problem(&self) -> Option<String> {
        if self.subject != Subject::Network {
            return None;
        }
        let wrong =
            self.written_pattern().chars().find(|sign| !(sign.is_ascii_alphanumeric() || "-._*:[]".contains(*sign)))?;
        Some(match wrong {
            '/' => "a domain has no path and no scheme; write `network(example.org)`".to_owned(),
            '=' => "a domain has no arguments; write `network(example.org)`".to_owned(),
            sign if !sign.is_ascii() => "international domains are written as `xn--…`".to_owned(),
            sign => format!("a domain does not contain {sign:?}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permissions::RuleSource;

    #[test]
    fn rules_that_name_no_domain_or_are_covered_are_told() {
        let never = |rules: &[(Effect, &str)]| {
            let parse =
                |(effect, text): &(Effect, &str)| Rule::parse(*effect, text, RuleSource::Session).expect("a rule");
            let rules = RuleSet::new(rules.iter().map(parse).collect());
            rules.never_matching(&[], &[]).map_or_else(String::new, |(_, why)| why)
        };
        let (allow, deny) = (Effect::Allow, Effect::Deny);
        for (text, why) in [
            ("network(//example.org)", "no path"),
            ("network(host=example.org)", "no arguments"),
            ("network(exämple.org)", "xn--"),
            ("network(example.org *)", "contain"),
        ] {
            assert!(never(&[(allow, text)]).contains(why), "{text}: {}", never(&[(allow, text)]));
        }
        for wide in ["network", "network(*)", "network(*.example.org)"] {
            let text = never(&[(allow, "network(*.example.org)"), (deny, wide)]);
            assert!(text.contains("takes precedence"), "{wide}: {text}");
        }
        assert_eq!(never(&[(allow, "network(*.example.org)"), (deny, "network(bad.example.org)")]), "");
    }
}
