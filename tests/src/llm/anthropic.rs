//! What the scripted server answers in Anthropic's words: blocks, named events, and its own way to refuse.

use serde_json::{Value, json};

use super::{Answer, Asked};

/// Whether somebody asks as Anthropic is asked.
pub(super) fn is_asked(head: &str) -> bool {
    head.to_lowercase().contains("\r\nanthropic-version: ")
}

/// The list of models, one on each of its two pages.
pub(super) fn models(path: &str) -> Value {
    let (id, has_more) = if path.contains("after_id=scripted") { ("scripted-2", false) } else { ("scripted", true) };
    let model = json!({"type": "model", "id": id, "display_name": "Scripted", "max_input_tokens": 200_000});
    json!({"data": [model], "has_more": has_more, "first_id": id, "last_id": id})
}

/// A refusal in OpenAI's form, in Anthropic's.
pub(super) fn refusal(status: u16, refusal: &Value) -> Value {
    let kind = match status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    };
    match refusal["error"]["message"].as_str() {
        Some(message) => {
            json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"})
        }
        None => refusal.clone(),
    }
}

/// The body in one piece.
pub(super) fn body(answer: &Answer, asked: &Asked) -> Value {
    let whole = |(block, _): (Value, Vec<String>)| block;
    let mut body = message(&usage(answer));
    body["content"] = blocks(answer, asked).into_iter().map(whole).collect();
    body["stop_reason"] = stop_reason(answer, asked);
    body
}

/// The events of the stream.
pub(super) fn events(answer: &Answer, asked: &Asked) -> Vec<Vec<u8>> {
    let usage = usage(answer);
    let mut begun = usage.clone();
    if begun.is_object() {
        begun["output_tokens"] = 1.into();
    }
    let mut said = vec![json!({"type": "message_start", "message": message(&begun)}), json!({"type": "ping"})];
    for (index, (mut block, pieces)) in blocks(answer, asked).into_iter().enumerate() {
        let (field, kind) =
            if block["type"] == "text" { ("text", "text_delta") } else { ("input", "input_json_delta") };
        let cited = block.as_object_mut().and_then(|block| block.remove("citations"));
        if block["type"] != "web_search_tool_result" {
            block[field] = if field == "text" { json!("") } else { json!({}) };
        }
        let name = if field == "text" { "text" } else { "partial_json" };
        said.push(json!({"type": "content_block_start", "index": index, "content_block": block}));
        for piece in pieces {
            said.push(json!({"type": "content_block_delta", "index": index, "delta": {"type": kind, name: piece}}));
        }
        for citation in cited.as_ref().and_then(Value::as_array).into_iter().flatten() {
            let delta = json!({"type": "citations_delta", "citation": citation});
            said.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        said.push(json!({"type": "content_block_stop", "index": index}));
    }
    let delta = json!({"stop_reason": stop_reason(answer, asked), "stop_sequence": null});
    said.push(json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": usage["output_tokens"]}}));
    if answer.done {
        said.push(json!({"type": "message_stop"}));
    }
    let event = |said: Value| answer.event(said["type"].as_str().unwrap_or_default(), &said.to_string());
    said.into_iter().map(event).collect()
}

fn message(usage: &Value) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    })
}

/// What is said and called, each whole and in pieces. A text that is JSON is the answer when one is asked for.
fn blocks(answer: &Answer, asked: &Asked) -> Vec<(Value, Vec<String>)> {
    let parsed = serde_json::from_str::<Value>(&answer.text).ok().filter(Value::is_object);
    let mut blocks = searches(answer);
    match (asked.schema(), parsed) {
        (Some(name), Some(input)) => {
            let block = json!({"type": "tool_use", "id": "toolu_0", "name": name, "input": input});
            blocks.push((block, answer.text_pieces()));
        }
        _ if answer.text.is_empty() => {}
        _ => {
            let mut block = json!({"type": "text", "text": answer.text});
            if !answer.sources.is_empty() {
                block["citations"] = pages(answer, "web_search_result_location");
            }
            blocks.push((block, answer.text_pieces()));
        }
    }
    for call in &answer.calls {
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
        let half = arguments.floor_char_boundary(arguments.len() / 2);
        let input = serde_json::from_str::<Value>(arguments).unwrap_or_else(|_| json!({}));
        let block = json!({"type": "tool_use", "id": call["id"], "name": call["function"]["name"], "input": input});
        blocks.push((block, vec![String::new(), arguments[..half].to_owned(), arguments[half..].to_owned()]));
    }
    blocks
}

/// What Anthropic's own web search was asked for, and what it found.
fn searches(answer: &Answer) -> Vec<(Value, Vec<String>)> {
    if answer.sources.is_empty() {
        return Vec::new();
    }
    let asked =
        json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "plums"}});
    let found = pages(answer, "web_search_result");
    let found = json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": found});
    vec![(asked, vec!["{\"query\":".to_owned(), " \"plums\"}".to_owned()]), (found, Vec::new())]
}

fn pages(answer: &Answer, kind: &str) -> Value {
    let page = |(title, url): &(String, String)| json!({"type": kind, "title": title, "url": url});
    answer.sources.iter().map(page).collect()
}

fn stop_reason(answer: &Answer, asked: &Asked) -> Value {
    match answer.finish_reason() {
        Some("stop") if asked.schema().is_some() => "tool_use".into(),
        Some("stop") => "end_turn".into(),
        Some("tool_calls") => "tool_use".into(),
        Some("length") => "max_tokens".into(),
        Some("content_filter") => "refusal".into(),
        Some(other) => other.into(),
        None => Value::Null,
    }
}

/// The same figures: a part of what was read came from the prompt cache, and a part is new in it.
fn usage(answer: &Answer) -> Value {
    let Some(usage) = &answer.usage else { return Value::Null };
    let (read, written) = (&usage["prompt_tokens"], &usage["completion_tokens"]);
    match read.as_u64().filter(|read| (3..1000).contains(read)) {
        Some(read) => json!({
            "input_tokens": read - 3, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 1, "output_tokens": written,
        }),
        None => json!({"input_tokens": read, "output_tokens": written}),
    }
}
