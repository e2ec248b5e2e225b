//! What holds for every tool that comes with the server: its schema refuses each kind of wrong argument by name, its
//! example is right, and a result that worked has a preview of as many lines as were asked for.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{SearchProvider, ShellConfig, WebConfig, all};
use switchboard_events::ArtifactValue;
use switchboard_tools::{Tool, ToolResult, ToolValidator};

fn tools() -> Vec<Arc<dyn Tool>> {
    let url = Some("http://127.0.0.1:9/".parse().expect("an address"));
    let web = WebConfig { search: Some(SearchProvider::Searxng), search_url: url, ..WebConfig::default() };
    all(&ShellConfig::default(), &web)
}

/// Values that break a property's schema, one for each thing that it demands.
fn wrong(schema: &Value) -> Vec<Value> {
    let number = |name: &str| schema[name].as_u64().map(|limit| usize::try_from(limit).expect("a small limit"));
    let item = || match schema["items"]["type"].as_str() {
        Some("string") => json!("x"),
        _ => json!(1),
    };
    let mut wrong = Vec::new();
    match schema["type"].as_str() {
        Some("string") => wrong.push(json!(1)),
        Some("integer") => wrong.extend([json!("1"), json!(1.5)]),
        Some("boolean") => wrong.push(json!("true")),
        Some("array") => wrong.extend([json!("x"), json!([{}])]),
        Some("object") => wrong.push(json!([])),
        _ => {}
    }
    if schema["enum"].is_array() {
        wrong.push(json!("none of them"));
    }
    wrong.extend(number("minLength").filter(|&least| least > 0).map(|least| json!("x".repeat(least - 1))));
    wrong.extend(number("maxLength").map(|most| json!("x".repeat(most + 1))));
    wrong.extend(number("minItems").filter(|&least| least > 0).map(|least| json!(vec![item(); least - 1])));
    wrong.extend(number("maxItems").map(|most| json!((0..=most).map(|n| json!(format!("x{n}"))).collect::<Vec<_>>())));
    wrong.extend(schema["minimum"].as_i64().map(|least| json!(least - 1)));
    wrong.extend(schema["maximum"].as_i64().map(|most| json!(most + 1)));
    wrong.extend(schema["pattern"].as_str().map(|_| json!("\u{1}")));
    wrong
}

#[test]
fn each_kind_of_wrong_argument_is_refused_by_its_name() {
    for tool in tools() {
        let definition = &tool.spec().definition;
        let validator = ToolValidator::new(definition).expect("a usable schema");
        let right: Map<String, Value> = serde_json::from_value(definition.example.clone()).expect("an object");
        let names = |arguments: &Map<String, Value>| -> BTreeSet<String> {
            validator.problems(arguments).into_iter().map(|problem| problem.path).collect()
        };
        assert!(names(&right).is_empty(), "{}: its example is wrong", definition.name);

        let required: Vec<&str> =
            definition.parameters["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        assert_eq!(names(&Map::new()), required.iter().map(ToString::to_string).collect(), "{}", definition.name);
        let mut more = right.clone();
        more.insert("no_such_parameter".to_owned(), json!(1));
        assert!(names(&more).contains("no_such_parameter"), "{}", definition.name);

        for (name, schema) in definition.parameters["properties"].as_object().expect("parameters") {
            for value in wrong(schema) {
                let mut arguments = right.clone();
                arguments.insert(name.clone(), value.clone());
                let found = names(&arguments);
                assert!(
                    found.iter().any(|path| path.split(['[', '.']).next() == Some(name)),
                    "{}: {name} = {value} is not refused by name: {found:?}",
                    definition.name
                );
            }
        }
    }
}

#[test]
fn each_has_a_title_and_a_preview_that_keeps_to_its_lines() {
    let result = ToolResult::success(ArtifactValue::Json(json!([1, 2, 3]))).with_view("1\n2\n3\n4\n5\n6");
    for tool in tools() {
        let name = &tool.spec().definition.name;
        let arguments = serde_json::from_value(tool.spec().definition.example.clone()).expect("an object");
        assert!(tool.title(&arguments).is_none_or(|title| !title.is_empty()), "{name}");
        for lines in [1, 3, 5] {
            let preview = tool.preview(&result, lines);
            assert!(!preview.is_empty() && preview.len() <= lines, "{name}, {lines}: {preview:?}");
        }
    }
}
