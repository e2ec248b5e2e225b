//! Claims about refusals, as providers really write them.

use super::*;

fn check(status: u16, body: &str, code: &str) {
    let error = of_status(status, None, body);
    assert_eq!(error.code(), code, "{status} {body}: {error}");
}

#[test]
fn e06_refusals_are_told_apart() {
    check(
        401,
        r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#,
        "provider-authentication",
    );
    check(403, "forbidden", "provider-authentication");
    check(
        400,
        r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#,
        "provider-authentication",
    );
    check(404, r#"{"error":{"message":"model 'nope' not found","type":"api_error"}}"#, "provider-unknown-model");
    check(
        400,
        r#"{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}"#,
        "context-too-long",
    );
    check(
        400,
        r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
        "context-too-long",
    );
    check(
        400,
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 200001 tokens > 200000 maximum"}}"#,
        "context-too-long",
    );
    check(413, "", "context-too-long");
    check(400, r#"{"error":{"message":"Unknown parameter","param":"foo"}}"#, "provider-bad-request");
    check(400, r#"{"error":{"message":"The response was filtered","code":"content_filter"}}"#, "provider-filtered");
    check(429, r#"{"error":{"message":"Slow down"}}"#, "provider-rate-limited");
    check(
        429,
        r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#,
        "provider-authentication",
    );
    for status in [500, 502, 503, 529] {
        check(status, "<html>trouble</html>", "provider-overloaded");
    }
}

#[test]
fn an_error_in_a_good_answer_is_told_by_its_code() {
    let code = |error| of_value(&error).code();
    assert_eq!(code(serde_json::json!({"code": 429, "message": "slow"})), "provider-rate-limited");
    assert_eq!(code(serde_json::json!({"type": "overloaded_error", "message": "Overloaded"})), "provider-overloaded");
    assert_eq!(code(serde_json::json!({"type": "rate_limit_error", "message": "slow"})), "provider-rate-limited");
    assert_eq!(code(serde_json::json!("it broke")), "provider-overloaded");
}

#[test]
fn e06_a_long_text_is_cut_and_a_key_in_it_is_gone() {
    let key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
    let error = of_status(401, None, &format!("wrong key {key} {}", "x ".repeat(10_000))).to_string();
    assert!(!error.contains(key) && error.len() < 1000, "{error}");
}
