//! The validator's claims: all problems at once, each with its path and what was expected, and an example call.

use serde_json::json;
use switchboard_protocol::Risk;

use super::*;
use crate::test_support::spec;

fn validator(parameters: Value) -> ToolValidator {
    let mut definition = spec("bash", Risk::Execute).definition;
    definition.parameters = parameters;
    definition.example = json!({"command": "ls -la", "timeout": 10});
    ToolValidator::new(&definition).expect("a usable schema")
}

fn bash() -> ToolValidator {
    validator(json!({
        "type": "object",
        "properties": {
            "command": {"type": "string", "minLength": 1},
            "timeout": {"type": "integer", "minimum": 1, "maximum": 60},
            "paths": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
            "mode": {"enum": ["fast", "slow"]},
        },
        "required": ["command"],
        "additionalProperties": false,
    }))
}

fn texts(arguments: Value) -> Vec<String> {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    bash().problems(&arguments).iter().map(Problem::to_text).collect()
}

#[test]
fn arguments_that_fit_have_no_problems() {
    assert_eq!(texts(json!({"command": "ls", "timeout": 60, "paths": ["a", "b"], "mode": "fast"})), [""; 0]);
}

#[test]
fn every_problem_is_named_at_once() {
    let mut found = texts(json!({"timeout": 90, "paths": ["a", 1], "mode": "medium", "comand": "ls"}));
    found.sort();

    assert_eq!(
        found,
        [
            "`comand` is not a parameter; did you mean `command`?",
            "`command` is missing",
            "`mode` must be one of [\"fast\",\"slow\"], not \"medium\"",
            "`paths[1]` must be a string, not a number (1)",
            "`timeout` must be at most 60, not 90",
        ]
    );
}

#[test]
fn a_number_given_as_text_is_refused_in_clear_words() {
    let found = texts(json!({"command": "ls", "timeout": "5"}));

    assert_eq!(found, ["`timeout` must be an integer, not a string (\"5\")"]);
}

#[test]
fn each_limit_has_its_words() {
    assert_eq!(texts(json!({"command": ""})), ["`command` must not be empty"]);
    assert_eq!(texts(json!({"command": "a", "timeout": 0})), ["`timeout` must be at least 1, not 0"]);
    assert_eq!(texts(json!({"command": "a", "paths": ["", "", ""]})), ["`paths` must have at most 2 items"]);
}

#[test]
fn the_failure_shows_a_call_that_would_be_right() {
    let problems = bash().problems(&Map::new());

    let failure = bash().failure(&problems).expect("something is wrong");

    assert_eq!(failure.error_type, ErrorType::Validation);
    assert_eq!(failure.message, "`command` is missing");
    assert_eq!(failure.suggestion.as_deref(), Some("Example: bash(command=\"ls -la\", timeout=10)"));
    assert_eq!(bash().failure(&[]), None);
}

#[test]
fn a_flood_of_problems_is_cut() {
    let arguments: Map<String, Value> = (0..100).map(|n| (format!("unknown{n}"), json!(n))).collect();

    let failure = bash().failure(&bash().problems(&arguments)).expect("something is wrong");

    assert!(failure.message.starts_with("101 problems with the arguments: "), "{}", failure.message);
    assert!(failure.message.ends_with("; and 81 more"), "{}", failure.message);
}

#[test]
fn a_pattern_cannot_take_for_ever() {
    let validator = validator(json!({
        "type": "object",
        "properties": {"command": {"type": "string", "pattern": "^(a+)+$"}},
    }));
    let Value::Object(arguments) = json!({"command": format!("{}b", "a".repeat(5000))}) else { unreachable!() };

    let problems = validator.problems(&arguments);

    assert_eq!(problems.len(), 1);
    assert!(problems[0].message.starts_with("must match ^(a+)+$, unlike "), "{}", problems[0].message);
}

#[test]
fn a_nested_path_is_written_as_people_write_it() {
    assert_eq!(display_path("/a/0/b~1c/12"), "a[0].b/c[12]");
    assert_eq!(display_path(""), "");
}
