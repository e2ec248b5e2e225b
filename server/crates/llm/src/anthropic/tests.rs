//! Claims about Anthropic's dialect: what is sent is valid whatever the history is, and less of it when a model
//! does not take all.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Value, json};
use switchboard_protocol::{CallId, FunctionDefinition};

use super::schema::of_object;
use super::turns::Turns;
use super::*;
use crate::request::{Pictures, ResponseSchema};
use switchboard_events::{ChatMessage, ChatRole, ToolCall};

#[path = "reply_tests.rs"]
mod replies;

fn said(role: ChatRole, text: &str) -> ChatMessage {
    ChatMessage::new(role, text)
}

fn call(id: &str) -> ChatMessage {
    let arguments = json!({"path": "a"}).as_object().cloned().expect("an object");
    ChatMessage::calls(ToolCall { id: CallId::from(id), name: "file_read".to_owned(), arguments })
}

fn result(id: &str, text: &str) -> ChatMessage {
    ChatMessage::result(&CallId::from(id), text)
}

fn request(messages: impl IntoIterator<Item = ChatMessage>) -> LlmRequest {
    LlmRequest {
        situation: "".into(),
        system: "Be brief.".into(),
        messages: messages.into_iter().map(Arc::new).collect(),
        pictures: Pictures::new(),
        web_search: false,
        tools: Vec::new(),
        schema: None,
        temperature: 0.5,
        max_tokens: 1000,
    }
}

fn question() -> LlmRequest {
    request([said(ChatRole::User, "Hello?")])
}

fn shaped() -> LlmRequest {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    LlmRequest { schema: Some(ResponseSchema { name: "need".to_owned(), schema }), ..question() }
}

fn file_read() -> FunctionDefinition {
    FunctionDefinition {
        name: "file_read".to_owned(),
        description: "Reads a file".to_owned(),
        parameters: json!({"type": "object", "properties": {}}),
    }
}

fn asked(request: &LlmRequest) -> Value {
    Anthropic::new("claude", None).body(request, false)
}

fn turns(messages: impl IntoIterator<Item = ChatMessage>) -> Value {
    let messages: Vec<_> = messages.into_iter().map(Arc::new).collect();
    Turns::of(&messages, &Pictures::new()).messages("", false)
}

#[test]
fn a_request_has_blocks_and_marks_what_stays_the_same_and_the_end_of_the_conversation() {
    let messages = [said(ChatRole::User, "Read a"), call("call_1"), result("call_1", "hello")];
    let situation = "There is a variable.".into();
    let request = LlmRequest { tools: vec![file_read()], situation, temperature: 1.5, ..request(messages) };
    let mark = json!({"type": "ephemeral"});

    assert_eq!(
        asked(&request),
        json!({
            "model": "claude",
            "max_tokens": 1000,
            "stream": false,
            "tools": [{"name": "file_read", "description": "Reads a file",
                "input_schema": {"type": "object", "properties": {}}}],
            "tool_choice": {"type": "auto"},
            "system": [{"type": "text", "text": "Be brief.", "cache_control": mark}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "Read a"}]},
                {"role": "assistant", "content":
                    [{"type": "tool_use", "id": "call_1", "name": "file_read", "input": {"path": "a"}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "call_1", "content": "hello", "cache_control": mark},
                    {"type": "text", "text": "There is a variable."},
                ]},
            ],
            "temperature": 1.0,
            "thinking": {"type": "disabled"},
        })
    );
}

#[test]
fn a_shape_is_asked_for_as_a_call_that_has_to_be_made() {
    let body = Anthropic::new("claude", None).body(&shaped(), true);

    assert_eq!(body["tool_choice"], json!({"type": "tool", "name": "need", "disable_parallel_tool_use": true}));
    assert_eq!(body["tools"][0]["name"], "need");
    assert_eq!(body["tools"][0]["eager_input_streaming"], true);
    assert_eq!(body["messages"][0]["content"][0], json!({"type": "text", "text": "Hello?"}), "asked once, not kept");
}

#[test]
fn one_of_several_shapes_becomes_an_object_that_can_be_any_of_them() {
    let branch = |tool: &str| {
        let properties = json!({"why": {"type": "string"}, "tool": {"const": tool}});
        json!({"type": "object", "properties": properties, "required": ["why", "tool"], "additionalProperties": false})
    };
    let mut second = branch("b");
    second["required"] = json!(["tool"]);

    let merged = of_object(&json!({"anyOf": [branch("a"), second]}));

    assert_eq!(
        merged,
        json!({
            "type": "object",
            "properties": {"why": {"type": "string"}, "tool": {"anyOf": [{"const": "a"}, {"const": "b"}]}},
            "required": ["tool"],
        })
    );
    let own = json!({"type": "object", "properties": {"a": {}}, "oneOf": [{"required": ["a"]}]});
    assert_eq!(of_object(&own), json!({"type": "object", "properties": {"a": {}}}));
    assert_eq!(of_object(&Value::Null), json!({"type": "object", "properties": {}}));
}

#[test]
fn calls_of_the_past_have_a_tool_even_when_none_may_be_called() {
    let body = asked(&request([said(ChatRole::User, "Read a"), call("1"), result("1", "hello")]));

    assert_eq!(body["tool_choice"], json!({"type": "none"}));
    assert_eq!(body["tools"][0]["name"], "file_read");
}

/// What Anthropic refuses in a conversation.
fn check(messages: &Value) -> Result<(), String> {
    let messages = messages.as_array().expect("a list");
    let (mut ids, mut open) = (HashSet::new(), Vec::new());
    for (number, message) in messages.iter().enumerate() {
        let role = if number % 2 == 0 { "user" } else { "assistant" };
        let blocks = message["content"].as_array().ok_or("no blocks")?;
        if message["role"] != role || blocks.is_empty() {
            return Err(format!("message {number} has a wrong role or is empty"));
        }
        let results = blocks.iter().take_while(|block| block["type"] == "tool_result");
        let answered: Vec<_> = results.map(|block| block["tool_use_id"].clone()).collect();
        if answered.iter().collect::<HashSet<_>>() != open.iter().collect() || answered.len() != open.len() {
            return Err(format!("message {number} does not answer the calls before it, and nothing else"));
        }
        open.clear();
        for block in &blocks[answered.len()..] {
            match block["type"].as_str() {
                Some("text") if block["text"].as_str().is_some_and(|text| !text.trim().is_empty()) => {}
                Some("tool_use") if role == "assistant" && ids.insert(block["id"].clone()) => {
                    open.push(block["id"].clone());
                }
                _ => return Err(format!("message {number} has a wrong block: {block}")),
            }
        }
    }
    match messages.len() % 2 {
        1 => Ok(()),
        _ => Err("the last word is not the user's".to_owned()),
    }
}

#[test]
fn whatever_was_said_what_is_sent_is_valid() {
    let words: [&dyn Fn() -> ChatMessage; 8] = [
        &|| said(ChatRole::User, "Hello"),
        &|| said(ChatRole::Assistant, "Hm."),
        &|| said(ChatRole::Assistant, " \n"),
        &|| call("functions.read:0"),
        &|| call("2"),
        &|| result("functions.read:0", "one"),
        &|| result("2", ""),
        &|| said(ChatRole::System, "A note"),
    ];
    for length in 0..=5_u32 {
        for number in 0..words.len().pow(length) {
            let history: Vec<_> =
                (0..length).map(|place| words[number / words.len().pow(place) % words.len()]()).collect();
            let sent = turns(history.clone());
            assert_eq!(check(&sent), Ok(()), "{history:?} became {sent:#}");
        }
    }
}

#[test]
fn a_result_stands_behind_its_call_whatever_was_said_meanwhile() {
    let sent = turns([
        said(ChatRole::User, "Read"),
        call("a/1"),
        said(ChatRole::User, "Faster!"),
        result("a/1", "hello"),
        call("a/1"),
        result("a/1", "again"),
    ]);

    assert_eq!(
        sent[2]["content"],
        json!([
            {"type": "tool_result", "tool_use_id": "a_1", "content": "hello"},
            {"type": "text", "text": "Faster!"},
        ])
    );
    assert_eq!((&sent[3]["content"][0]["id"], &sent[4]["content"][0]["content"]), (&json!("a_1_2"), &json!("again")));
}

#[test]
fn what_a_model_does_not_take_is_left_out_from_then_on() {
    let dialect = Anthropic::new("claude", None);
    let body = || dialect.body(&shaped(), true);
    for (refusal, field) in [
        ("`temperature` is deprecated for this model.", "/temperature"),
        ("tools.0.custom.eager_input_streaming: Extra inputs are not permitted", "/tools/0/eager_input_streaming"),
        ("tool_choice: forced tool use is not supported by this model", "/tool_choice"),
        ("system.0.cache_control: Extra inputs are not permitted", "/system/0/cache_control"),
        ("thinking.type.disabled is not supported for this model", "/thinking"),
    ] {
        let sent = body();
        assert!(sent.pointer(field).is_some(), "{field} is sent");
        assert!(dialect.learn(refusal, &sent), "{refusal}");
        assert_eq!(body().pointer(field), None, "{refusal}");
        assert!(!dialect.learn(refusal, &body()), "once is enough: {refusal}");
    }
    assert_eq!(body()["max_tokens"], 1000 + 8192, "thoughts that cannot be turned off have room");
    assert!(dialect.learn("max_tokens: 9192 > 4096, which is the maximum", &body()));
    assert_eq!(body()["max_tokens"], 1000);
    assert!(!dialect.learn("messages: at least one message is required", &body()));
}
