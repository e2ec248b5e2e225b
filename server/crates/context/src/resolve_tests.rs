//! Claims about values in place of references.

use serde_json::json;
use switchboard_protocol::SessionId;

use super::super::change::{OutputName, user_origin};
use super::*;
use switchboard_events::MemoryLog;

fn values() -> Values {
    Values::new(Arc::new(MemoryLog::new()), SessionId::random())
}

/// A context with these variables, small enough to stand in their events.
fn context(values: &Values, variables: &[(&str, ArtifactValue)]) -> ContextManager {
    let mut context = ContextManager::default();
    for (name, value) in variables {
        let (_, change) = context
            .plan_set(values, &OutputName::Given((*name).to_owned()), value.clone(), user_origin())
            .expect("the variable is allowed");
        context.apply(&change.set, &change.removed, &change.values);
    }
    context
}

fn text(text: &str) -> ArtifactValue {
    ArtifactValue::Text(text.to_owned())
}

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(fields) = value else { panic!("{value} is no object") };
    fields
}

/// Resolves the arguments against a few variables of each type.
async fn resolve(arguments: Value) -> Result<Resolved, ContextError> {
    let values = values();
    let config = json!({"port": 3000, "hosts": [{"name": "a"}, {"name": "@text"}], "empty": [], "note": "{}"});
    let context = context(
        &values,
        &[
            ("text", text("plain @config")),
            ("config", ArtifactValue::Json(config)),
            ("answer", ArtifactValue::Json(json!(42))),
            ("picture", ArtifactValue::Bytes(vec![0, 159, 146, 150].into())),
            ("sign", text("@config")),
        ],
    );
    context.resolve_params(&values, &object(arguments)).await
}

async fn unresolved(arguments: Value) -> Vec<(String, String, String)> {
    match resolve(arguments).await {
        Err(ContextError::Unresolved { unresolved, available }) => {
            assert_eq!(available, ["text", "config", "answer", "picture", "sign"]);
            unresolved.into_iter().map(|problem| (problem.path, problem.reference, problem.reason)).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_reference_stands_for_the_value_with_its_type() {
    let arguments = json!({
        "expression": "@answer", "host": "@config.hosts[0]", "deep": [{"port": "@config.port"}, "@text"], "raw": "@picture",
        "limit": 7
    });

    let resolved = resolve(arguments).await.expect("all of it is there");

    let expected = json!({
        "expression": 42, "host": {"name": "a"}, "deep": [{"port": 3000}, "plain @config"], "raw": "AJ+Slg==", "limit": 7
    });
    assert_eq!(Value::Object(resolved.arguments), expected);
    let references = [
        ("deep[0].port", "@config.port"),
        ("deep[1]", "@text"),
        ("expression", "@answer"),
        ("host", "@config.hosts[0]"),
        ("raw", "@picture"),
    ];
    let expected = references.map(|(path, reference)| (path.to_owned(), reference.to_owned()));
    assert_eq!(resolved.references, BTreeMap::from(expected));
    assert_eq!(resolved.inputs, ["answer", "config", "text", "picture"]);
}

#[tokio::test]
async fn what_was_put_in_is_not_scanned_again() {
    let resolved = resolve(json!({"a": "@sign", "b": "@config.hosts[1].name"})).await.expect("all of it is there");
    assert_eq!(Value::Object(resolved.arguments), json!({"a": "@config", "b": "@text"}));
}

#[tokio::test]
async fn literals_stay_and_two_signs_become_one() {
    let arguments = json!({"a": "mail @bob", "b": "@dataclass\nclass A", "c": "@@text", "d": ["@@@text", "@@ -1 @@"]});
    let resolved = resolve(arguments).await.expect("nothing to resolve");
    let expected = json!({"a": "mail @bob", "b": "@dataclass\nclass A", "c": "@text", "d": ["@@text", "@@ -1 @@"]});
    assert_eq!(Value::Object(resolved.arguments), expected);
    assert_eq!((resolved.references.len(), resolved.inputs.len()), (0, 0));
}

#[tokio::test]
async fn one_error_names_every_reference_that_does_not_resolve() {
    let arguments = json!({
        "a": "@anwser", "b": ["@config.prot", "@answer"], "c": "@zzz", "d": "@config.hosts[2]", "e": "@answer.x",
        "f": "@config.empty[0]", "g": "@picture.x", "h": "@config.xyzzy", "i": "@config[0]"
    });

    let problems = unresolved(arguments).await;

    let expected = [
        ("a", "@anwser", "variable not found in context; did you mean @answer?"),
        ("b[0]", "@config.prot", "@config has no field \"prot\"; did you mean @config.port?"),
        ("c", "@zzz", "variable not found in context"),
        ("d", "@config.hosts[2]", "@config.hosts has 2 items, [0] to [1]"),
        ("e", "@answer.x", "@answer is a number and has no field \"x\""),
        ("f", "@config.empty[0]", "@config.empty is an empty array"),
        ("g", "@picture.x", "@picture is binary data and has no field \"x\""),
        ("h", "@config.xyzzy", "@config has no field \"xyzzy\"; its fields are: port, hosts, empty, note"),
        ("i", "@config[0]", "@config is an object and has no item [0]"),
    ];
    let expected = expected.map(|(path, reference, reason)| (path.to_owned(), reference.to_owned(), reason.to_owned()));
    assert_eq!(problems, expected);
}

#[tokio::test]
async fn a_step_into_text_says_to_parse_it_first() {
    let problems = unresolved(json!({"a": "@text.port", "b": "@config.note.port"})).await;
    let hint = "run json_parse on it first and refer to the result";
    assert_eq!(problems[0].2, format!("@text is text and has no field \"port\"; if it holds JSON, {hint}"));
    assert_eq!(problems[1].2, format!("@config.note is text and has no field \"port\"; if it holds JSON, {hint}"));
}

#[tokio::test]
async fn the_error_reads_well() {
    let error = resolve(json!({"content": "@txet"})).await.map_err(|error| error.to_string());
    let expected = "resolve the arguments: content: @txet (variable not found in context; did you mean @text?); \
                    the variables are: text, config, answer, picture, sign";
    assert_eq!(error.expect_err("it is not there"), expected);
}

#[tokio::test]
async fn what_references_stand_for_together_has_a_limit() {
    let values = values();
    let context = context(&values, &[("big", text(&"x".repeat(MAX_VALUE_BYTES)))]);

    let two = object(json!({"a": "@big", "b": "@big"}));
    let three = object(json!({"a": ["@big", "@big", "@big"]}));

    assert!(context.resolve_params(&values, &two).await.is_ok());
    let error = context.resolve_params(&values, &three).await;
    assert!(matches!(error, Err(ContextError::ArgumentsTooLarge { limit: MAX_RESOLVED })), "{error:?}");
}

#[tokio::test]
async fn a_value_is_given_by_name_or_its_near_misses_are() {
    let values = values();
    let context = context(&values, &[("file_content", text("hello"))]);

    let value = context.value(&values, "file_content").await.expect("it is there");
    let error = context.value(&values, "file_contnt").await.map_err(|error| error.to_string());

    assert_eq!(*value, text("hello"));
    let expected = "find the variable file_contnt: did you mean file_content? the variables are: file_content";
    assert_eq!(error, Err(expected.to_owned()));
}
