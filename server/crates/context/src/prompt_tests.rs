//! Claims about what a model is told of the variables.

use std::sync::Arc;

use serde_json::json;
use switchboard_protocol::{Origin, SessionId};

use super::super::change::OutputName;
use super::*;
use switchboard_events::{ArtifactValue, MemoryLog, Values};

fn context(variables: &[(&str, ArtifactValue, &[&str])]) -> ContextManager {
    let values = Values::new(Arc::new(MemoryLog::new()), SessionId::random());
    let mut context = ContextManager::default();
    for (name, value, inputs) in variables {
        let inputs = inputs.iter().map(|input| (*input).to_owned()).collect();
        let origin = Origin { call_id: None, tool: "file_read".to_owned(), inputs, default_name: None };
        let name = OutputName::Given((*name).to_owned());
        let (_, change) = context.plan_set(&values, &name, value.clone(), origin).expect("it is allowed");
        context.apply(&change.set, &change.removed, &change.values);
    }
    context
}

fn text(text: &str) -> ArtifactValue {
    ArtifactValue::Text(text.to_owned())
}

#[test]
fn small_values_are_whole_and_large_ones_previews() {
    let context = context(&[
        ("config", ArtifactValue::Json(json!({"port": 3000})), &[]),
        ("notes", text("first\nsecond"), &[]),
        ("nearly", text(&"n".repeat(2048)), &[]),
        ("large", text(&"l".repeat(2049)), &[]),
        ("config", ArtifactValue::Json(json!({"port": 4000})), &[]),
        ("port", text("3000"), &["config"]),
        ("config", ArtifactValue::Json(json!({"port": 5000})), &[]),
    ]);

    let prompt = context.format_context_for_prompt(100_000);

    let expected = format!(
        "- @config (object, 13 bytes, from file_read): {{\"port\":5000}}\n\
         - @notes (text, 12 bytes, from file_read):\n    first\n    second\n\
         - @nearly (text, 2.0 KiB, from file_read): {}\n\
         - @large (text, 2.0 KiB, from file_read): {}… (2.0 KiB in all)\n\
         - @port (text, 4 bytes, from file_read, out of date): 3000\n",
        "n".repeat(2048),
        "l".repeat(182),
    );
    assert!(prompt == expected, "{}", prompt.replace("nnnn", ""));
    assert_eq!(ContextManager::default().format_context_for_prompt(1000), "");
}

#[test]
fn of_a_list_it_is_said_how_long_it_is() {
    let context = context(&[
        ("found", ArtifactValue::Json(json!(["first", "second", "third"])), &[]),
        ("one", ArtifactValue::Json(json!([{"a": [1, 2]}])), &[]),
    ]);

    let prompt = context.format_context_for_prompt(100_000);

    assert_eq!(
        prompt,
        "- @found (array of 3 items, 26 bytes, from file_read): [\"first\",\"second\",\"third\"]\n\
         - @one (array of 1 item, 13 bytes, from file_read): [{\"a\":[1,2]}]\n"
    );
}

#[test]
fn when_there_is_little_room_older_values_give_way() {
    let values: Vec<(String, ArtifactValue)> =
        (0..100).map(|number| (format!("v{number}"), text(&"z".repeat(1000)))).collect();
    let variables: Vec<_> = values.iter().map(|(name, value)| (name.as_str(), value.clone(), &[][..])).collect();

    let prompt = context(&variables).format_context_for_prompt(4000);

    assert!(prompt.chars().count() <= 5000, "it has {}", prompt.len());
    let shown: Vec<(&str, usize)> =
        prompt.lines().map(|line| (&line[..6], line.matches('z').count())).skip(1).collect();
    let previews = [("- @v94", 179), ("- @v95", 179), ("- @v96", 179)];
    assert_eq!(shown[..3], previews);
    assert_eq!(shown[3..], [("- @v97", 1000), ("- @v98", 1000), ("- @v99", 1000)]);
    assert!(prompt.starts_with("- 94 older ones, not shown: @v93, @v92, "));
}
