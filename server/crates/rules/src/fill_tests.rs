//! Claims about filling the parameters of tools that the rules have never seen.

use serde_json::json;

use super::*;
use crate::clause::split;

fn tool(name: &str, parameters: Value) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: String::new(),
        module: "mcp".to_owned(),
        parameters,
        output: None,
        example: json!({}),
        risk: Risk::Network,
    }
}

fn filled(tool: &ToolDefinition, text: &str) -> Result<Value, Unfilled> {
    let clause = split(text).clauses.remove(0);
    fill(tool, &[], &clause, true).map(Value::Object)
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

#[test]
fn prepositions_lead_to_parameters() {
    let mail = tool(
        "send_email",
        json!({
            "type": "object",
            "properties": {"to": text("The address."), "subject": text("Its subject."), "body": text("Its text.")},
            "required": ["to", "body"],
        }),
    );
    let expected = json!({"to": "bob@example.org", "subject": "lunch", "body": "see you at noon"});
    assert_eq!(filled(&mail, "send an email to bob@example.org about lunch saying see you at noon"), Ok(expected));
    assert_eq!(filled(&mail, "send an email to bob"), Err(Unfilled::Missing(vec!["body".to_owned()])));
}

#[test]
fn names_enums_flags_and_numbers_are_taken_from_the_words() {
    let search = tool(
        "search_issues",
        json!({
            "type": "object",
            "properties": {
                "query": text("What to look for."),
                "state": {"type": "string", "enum": ["open", "closed"]},
                "limit": {"type": "integer"},
                "recursive": {"type": "boolean"},
            },
            "required": ["query"],
        }),
    );
    let expected = json!({"query": "memory leak", "state": "closed", "limit": 5});
    assert_eq!(filled(&search, "search closed issues for \"memory leak\" with limit 5"), Ok(expected));
    let expected = json!({"query": "leaks", "recursive": false});
    assert_eq!(filled(&search, "search issues for leaks, not recursive"), Ok(expected));
}

#[test]
fn places_and_amounts_are_found() {
    let weather = tool(
        "get_weather",
        json!({
            "type": "object",
            "properties": {"city": text("The city."), "days": {"type": "integer"}},
            "required": ["city", "days"],
        }),
    );
    assert_eq!(filled(&weather, "weather in New York for 3 days"), Ok(json!({"city": "New York", "days": 3})));
    assert_eq!(filled(&weather, "weather for 3 days"), Err(Unfilled::Missing(vec!["city".to_owned()])));
}

#[test]
fn commands_and_expressions_are_never_guessed() {
    let run = |name: &str| {
        tool(name, json!({"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}))
    };
    let missing = Err(Unfilled::Missing(vec!["command".to_owned()]));
    assert_eq!(filled(&run("run_shell"), "shell \"rm -rf x\""), missing.clone());
    assert_eq!(filled(&run("run_shell"), "run the shell with rm"), missing);
}

#[test]
fn what_an_intent_gave_must_find_its_place() {
    let clause = split("write x").clauses.remove(0);
    let only_path = tool("make_file", json!({"type": "object", "properties": {"path": {"type": "string"}}}));
    let given = [(Role::Path, json!("a.txt")), (Role::Content, json!("x"))];

    assert_eq!(fill(&only_path, &given, &clause, false), Err(Unfilled::Unfit));
    let path = fill(&only_path, &given[..1], &clause, false).map(Value::Object);
    assert_eq!(path, Ok(json!({"path": "a.txt"})));
}

#[test]
fn one_of_several_ways_to_give_a_value_is_enough() {
    let read = tool(
        "read",
        json!({
            "type": "object",
            "properties": {
                "file_paths": {"type": "array", "items": {"type": "string"}},
                "path": {"type": "string"},
            },
            "anyOf": [{"required": ["file_paths"]}, {"required": ["path"]}],
        }),
    );
    assert_eq!(filled(&read, "read something"), Err(Unfilled::Missing(vec!["file_paths".to_owned()])));
    let clause = split("read").clauses.remove(0);
    let two = [(Role::Path, json!("a")), (Role::Path, json!("b"))];
    let filled = fill(&read, &two, &clause, false).map(Value::Object);
    assert_eq!(filled, Ok(json!({"file_paths": ["a", "b"]})));
}
