//! The policy's claims: the mode decides where no rule speaks, and rules decide before it.

use serde_json::{Map, Value, json};
use switchboard_protocol::Risk;

use super::*;
use crate::test_support::{Echo, spec, workspace};

fn verdict_of(policy: &Policy, spec: ToolSpec, arguments: Value, by_user: bool) -> Verdict {
    let (_folder, workspace) = workspace();
    let arguments: Map<String, Value> = serde_json::from_value(arguments).expect("an object");
    let tool = Echo { spec };
    let call = CallTraits::new(&tool, &arguments, by_user, &workspace);
    policy.decide(&tool.spec, &call, &policy.rules_with(&RuleSet::default()))
}

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Ask(_) => "ask",
        Verdict::Deny { .. } => "deny",
    }
}

fn verdicts(mode: ApproveMode, by_user: bool) -> Vec<&'static str> {
    let policy = Policy::new(mode);
    [Risk::Read, Risk::Ui, Risk::Write, Risk::Execute, Risk::Network]
        .map(|risk| word(&verdict_of(&policy, spec("tool", risk), json!({}), by_user)))
        .into()
}

fn rule(effect: Effect, text: &str) -> Rule {
    Rule::parse(effect, text, RuleSource::Settings("settings.toml:1".to_owned())).expect("a rule")
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
    let by_risk = Policy::with_rules(ApproveMode::Ask, RuleSet::new(vec![rule(Effect::Allow, "risk:read")]));
    let by_name = Policy::with_rules(ApproveMode::Ask, RuleSet::new(vec![rule(Effect::Allow, "careful")]));

    let verdict = verdict_of(&by_risk, careful.clone(), json!({}), false);

    assert_eq!(verdict, Verdict::Ask("careful always asks before it runs.".to_owned()));
    assert_eq!(verdict_of(&by_name, careful.clone(), json!({}), false), Verdict::Allow);
    let auto = verdict_of(&Policy::new(ApproveMode::Auto), careful, json!({}), false);
    assert_eq!(
        auto,
        Verdict::Ask("careful always asks before it runs.".to_owned()),
        "auto as well: the design says so"
    );
}

#[test]
fn a_denial_names_the_flag_or_the_rule() {
    let by_mode = verdict_of(&Policy::new(ApproveMode::Deny), spec("bash", Risk::Execute), json!({}), false);
    let rules = RuleSet::new(vec![rule(Effect::Deny, "bash")]);
    let by_rule =
        verdict_of(&Policy::with_rules(ApproveMode::Auto, rules), spec("bash", Risk::Execute), json!({}), true);

    let Verdict::Deny { reason, .. } = by_mode else { panic!("{by_mode:?}") };
    assert_eq!(reason, "bash runs a program, and this server denies that (it runs with `--approve deny`)");
    let Verdict::Deny { reason, suggestion, .. } = by_rule else { panic!("{by_rule:?}") };
    assert_eq!(reason, "the rule `bash` in the settings denies this call of bash");
    assert!(suggestion.contains("/permissions") && !suggestion.contains("settings.toml"), "{suggestion}");
}

#[test]
fn rules_decide_before_the_mode() {
    let rules = || RuleSet::new(vec![rule(Effect::Allow, "risk:write"), rule(Effect::Ask, "look")]);
    let of = |mode, name: &str, risk| {
        word(&verdict_of(&Policy::with_rules(mode, rules()), spec(name, risk), json!({}), false))
    };

    assert_eq!(of(ApproveMode::Ask, "note", Risk::Write), "allow");
    assert_eq!(of(ApproveMode::Deny, "note", Risk::Write), "allow");
    assert_eq!(of(ApproveMode::Ask, "look", Risk::Read), "ask");
    assert_eq!(of(ApproveMode::Deny, "look", Risk::Read), "deny");
    assert_eq!(of(ApproveMode::Auto, "look", Risk::Read), "allow");
}

#[test]
fn where_all_is_denied_a_session_cannot_allow_itself() {
    let session = RuleSet::new(vec![
        Rule::parse(Effect::Allow, "bash", RuleSource::Session).expect("a rule"),
        Rule::parse(Effect::Deny, "file_read", RuleSource::Session).expect("a rule"),
    ]);

    let texts = |mode| {
        let rules = Policy::new(mode).rules_with(&session);
        rules.all().iter().map(|rule| rule.text().to_owned()).collect::<Vec<_>>()
    };

    assert_eq!(texts(ApproveMode::Deny), ["file_read"]);
    assert_eq!(texts(ApproveMode::Ask), ["bash", "file_read"]);
}

#[test]
fn a_mode_is_read_from_its_word() {
    assert_eq!("auto".parse(), Ok(ApproveMode::Auto));
    assert!("always".parse::<ApproveMode>().is_err());
}
