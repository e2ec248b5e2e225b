//! What `json_parse` parses, and how it says where a mistake is.

use super::*;
use crate::test_support::Bench;

fn bench() -> Bench<JsonParse> {
    Bench::new(JsonParse::new())
}

#[test]
fn its_definition_is_whole() {
    bench().definition_is_whole();
}

#[tokio::test]
async fn text_becomes_the_value_that_it_stands_for() {
    for (content, value) in [
        (json!("{\"port\": 8080, \"hosts\": [\"a\"]}"), json!({"port": 8080, "hosts": ["a"]})),
        (json!("\u{feff} [1, 2.5, null]\n"), json!([1, 2.5, null])),
        (json!("\"text\""), json!("text")),
        (json!({"is": "parsed already"}), json!({"is": "parsed already"})),
    ] {
        assert_eq!(bench().json(json!({"content": content})).await, value);
    }
}

#[tokio::test]
async fn a_mistake_is_shown_where_it_is() {
    for (content, message) in [
        ("{\n  \"a\": 1,\n  b: 2\n}", "this is not JSON: key must be a string at line 3, column 3: b: 2"),
        ("{\"a\": 1,}", "this is not JSON: trailing comma at line 1, column 9: {\"a\": 1,»}"),
        ("{\"a\": tru}", "this is not JSON: expected ident at line 1, column 10"),
        ("{\"a\": 1", "this is not JSON: EOF while parsing an object at line 1, column 7"),
        ("{\"ä\": 'x'}", "this is not JSON: expected value at line 1, column 8: {\"ä\": »'x'}"),
        ("{\"a\":1}\n{\"a\":2}", "this is not JSON: trailing characters at line 2, column 1: »{\"a\":2}"),
        (" \n", "`content` is empty, so there is no JSON in it"),
    ] {
        let (error_type, said, next) = bench().failure(json!({"content": content})).await;
        let plain = said.replace("  »b", "b");
        assert_eq!(error_type, ErrorType::User);
        assert!(plain.starts_with(message), "{said}");
        assert!(!next.is_empty());
    }
}

#[tokio::test]
async fn deep_nesting_does_no_harm() {
    let (_, message, _) = bench().failure(json!({"content": "[".repeat(100_000)})).await;

    assert!(message.starts_with("this is not JSON: recursion limit exceeded at line 1"), "{message}");
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_named() {
    assert_eq!(bench().problems(json!({})).await, "`content` is missing");
}

#[tokio::test]
async fn its_preview_says_what_it_is() {
    let preview = bench().preview(json!({"content": "{\"port\": 8080}"})).await;

    assert_eq!(preview, ["Parsed an object with 1 field:", "{\"port\":8080}"]);
}
