//! What servers answer, and what becomes of it.

use serde_json::json;

use super::*;

/// The result of a call that is answered so.
fn result(answer: Value) -> ToolResult {
    result_of(serde_json::from_value(answer).expect("an answer"), &CallId::from("c1"))
}

fn content(parts: &Value) -> ToolResult {
    result(json!({"content": parts}))
}

/// The answer as the library reads it.
fn taken_as_it_is(answer: Value) -> rmcp::model::CallToolResult {
    serde_json::from_value(answer).expect("an answer")
}

#[test]
fn texts_are_one_text() {
    let parts = json!([{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]);

    assert_eq!(content(&parts), ToolResult::success(ArtifactValue::Text("one\ntwo".to_owned())));
    assert_eq!(content(&json!([])), ToolResult::success(ArtifactValue::Text(String::new())));
}

#[test]
fn what_has_a_structure_is_json_and_is_shown_as_the_server_says_it() {
    let answer = json!({"content": [{"type": "text", "text": "20 °C"}], "structuredContent": {"temperature": 20}});

    let value = ArtifactValue::Json(json!({"temperature": 20}));
    assert_eq!(result(answer), ToolResult::success(value.clone()).with_view("20 °C"));
    assert_eq!(result(json!({"structuredContent": {"temperature": 20}})), ToolResult::success(value));
}

#[test]
fn a_picture_is_its_bytes() {
    let image = json!([{"type": "image", "data": "AAEC", "mimeType": "image/png"}]);

    let expected = ToolResult::success(ArtifactValue::Bytes(Bytes::from_static(&[0, 1, 2])));
    assert_eq!(content(&image), expected.with_view("[image image/png, 3 bytes]"));
}

#[test]
fn bytes_that_are_none_are_a_failure() {
    let image = json!([{"type": "image", "data": "*", "mimeType": "image/png"}]);

    assert!(content(&image).failure.is_some_and(|failure| failure.message.contains("not base64")));
}

#[test]
fn what_is_mixed_is_a_list_and_is_shown_without_its_bytes() {
    let parts = json!([
        {"type": "text", "text": "Look:"},
        {"type": "audio", "data": "AAEC", "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "demo://1", "text": "inside"}},
    ]);

    let result = content(&parts);

    assert_eq!(result.view.as_deref(), Some("Look:\n[audio audio/wav, 3 bytes]\ninside"));
    let Some(ArtifactValue::Json(value)) = result.value else { panic!("a list") };
    assert_eq!(value[1], json!({"type": "audio", "mimeType": "audio/wav", "data": "AAEC"}));
}

#[test]
fn a_picture_beside_other_parts_is_named_in_the_list_by_its_handle() {
    let gif = STANDARD.encode(b"GIF89a\x02\0\x05\0\0\0\0");
    let picture = json!({"type": "image", "data": gif, "mimeType": "image/png"});

    let result = content(&json!([{"type": "text", "text": "Look:"}, picture, picture]));
    let many = content(&json!(vec![picture; MAX_PICTURES + 1]));

    let Some(ArtifactValue::Json(value)) = result.value else { panic!("a list") };
    let description = "GIF picture of 2 × 5 pixels, 13 bytes";
    let named =
        |handle| json!({"type": "image", "mimeType": "image/gif", "description": description, "handle": handle});
    assert_eq!(value, json!([{"type": "text", "text": "Look:"}, named("call:c1/0"), named("call:c1/1")]));
    assert_eq!(result.pictures.len(), 2);
    // What is not kept with the call stays where it is.
    let Some(ArtifactValue::Json(value)) = many.value else { panic!("a list") };
    assert_eq!((value[15]["handle"].as_str(), value[16]["data"].as_str()), (Some("call:c1/15"), Some(&*gif)));
}

#[test]
fn i09_a_link_stays_a_link() {
    let parts = json!([{"type": "resource_link", "uri": "file:///etc/passwd", "name": "passwd"}]);

    // Baseline: whoever follows it reads the host's file.
    let path = parts[0]["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("a path");
    assert!(std::fs::read_to_string(path).expect("it can be read").contains("root:"));
    let expected = "[resource passwd: file:///etc/passwd]".to_owned();
    assert_eq!(content(&parts), ToolResult::success(ArtifactValue::Text(expected)));
}

#[test]
fn i09_ten_thousand_parts_are_cut() {
    let parts: Vec<_> = (0..10_000).map(|n| json!({"type": "text", "text": n.to_string()})).collect();

    let Some(ArtifactValue::Text(text)) = content(&json!(parts)).value else { panic!("a text") };

    // Baseline: the library takes all of them.
    assert_eq!(taken_as_it_is(json!({ "content": parts })).content.len(), 10_000);
    assert_eq!(text.lines().count(), 1001);
    assert!(text.ends_with("\n… 9000 more parts left out here"));
}

#[test]
fn i09_what_is_too_large_is_not_kept_and_told() {
    let parts = json!([{"type": "text", "text": "x".repeat(MAX_VALUE_BYTES + 1)}]);

    // Baseline: the library takes all of it.
    let text = taken_as_it_is(json!({ "content": parts })).content.remove(0);
    assert_eq!(text.as_text().expect("a text").text.len(), MAX_VALUE_BYTES + 1);
    let failure = content(&parts).failure.expect("it is too large");
    assert!(failure.message.starts_with("it ran, but its result of 16777217 bytes"), "{}", failure.message);
}

#[test]
fn an_error_is_a_failure_with_its_words() {
    let answer = json!({"content": [{"type": "text", "text": "no\u{e0041} such\u{1b} file"}], "isError": true});

    assert_eq!(result(answer), ToolResult::failure(ErrorType::User, "no such file"));
    let silent = json!({"content": [], "isError": true});
    assert_eq!(result(silent), ToolResult::failure(ErrorType::User, "the server says that it failed, but not why"));
}

#[test]
fn a_part_of_an_unknown_kind_is_shown_as_it_is() {
    let parts = json!([{"type": "text", "text": "one"}, {"type": "hologram", "data": 1}]);

    let expected = "one\n{\"type\":\"hologram\",\"data\":1}".to_owned();
    assert_eq!(content(&parts), ToolResult::success(ArtifactValue::Text(expected)));
}

#[test]
fn g10_an_answer_that_is_none_is_a_failure() {
    for answer in [json!("text"), json!({"temperature": 20}), json!({"content": "text"})] {
        assert!(result(answer.clone()).failure.is_some(), "{answer}");
    }
}
