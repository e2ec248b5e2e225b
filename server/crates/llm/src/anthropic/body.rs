//! A request as Anthropic wants it. A reply of a given shape is asked for as a call of a tool that takes that shape: its
//! arguments are the reply.

use serde_json::{Map, Value, json};

use super::schema;
use super::turns::{Turns, mark};
use super::unsupported_params::UnsupportedParams;
use crate::request::{LlmRequest, ResponseSchema};

/// Anthropic's own web search, and how often it may be used for one reply.
const WEB_SEARCH: &str = "web_search";
const WEB_SEARCH_TYPE: &str = "web_search_20250305";
const MAX_SEARCHES: u32 = 5;

/// The highest temperature that is taken.
const HOTTEST: f64 = 1.0;

/// The body. The provider reads tools, instructions and conversation in this order: the end of what stays the same from
/// question to question is marked for its prompt cache, and the end of a conversation that goes on.
pub(super) fn body(model: &str, request: &LlmRequest, stream: bool, unsupported: &UnsupportedParams) -> Value {
    let turns = Turns::of(&request.messages, &request.pictures);
    let mut body = Map::new();
    let mut set = |field: &str, value: Value| drop(body.insert(field.to_owned(), value));
    set("model", model.into());
    set("max_tokens", unsupported.with_thoughts(request.max_tokens).into());
    set("stream", stream.into());
    let (mut tools, choice) = tools(request, &turns, stream, unsupported);
    let mut system = Vec::new();
    if !request.system.trim().is_empty() {
        system.push(json!({"type": "text", "text": &*request.system}));
    }
    if unsupported.cache()
        && let Some(end) = system.last_mut().or(tools.last_mut())
    {
        mark(end);
    }
    if !tools.is_empty() {
        set("tools", tools.into());
        set("tool_choice", choice);
    }
    if !system.is_empty() {
        set("system", system.into());
    }
    set("messages", turns.messages(&request.situation, unsupported.cache() && goes_on(request)));
    if unsupported.temperature() {
        set("temperature", json!(request.temperature.min(HOTTEST)));
    }
    if unsupported.thoughts_off() {
        set("thinking", json!({"type": "disabled"}));
    }
    body.into()
}

/// Whether the next question will begin as this one does. To keep what is asked only once costs more than it saves.
fn goes_on(request: &LlmRequest) -> bool {
    request.schema.is_none() && (!request.tools.is_empty() || request.messages.len() > 1)
}

fn tools(request: &LlmRequest, turns: &Turns, stream: bool, unsupported: &UnsupportedParams) -> (Vec<Value>, Value) {
    let tool = |name: &str, description: &str, schema: Value| match description {
        "" => json!({"name": name, "input_schema": schema}),
        _ => json!({"name": name, "description": description, "input_schema": schema}),
    };
    if let Some(schema) = request.schema.as_ref().filter(|_| unsupported.forced_tool()) {
        return (vec![answer(schema, stream && unsupported.eager_streaming())], forced(schema));
    }
    let searches = request.web_search && unsupported.web_search();
    if !request.tools.is_empty() || searches {
        // Two tools of one name are refused: the provider's own takes the place of ours.
        let offered = request.tools.iter().filter(|it| !searches || it.name != WEB_SEARCH);
        let offered = offered.map(|it| tool(&it.name, &it.description, schema::of_object(&it.parameters)));
        let search = searches.then(|| json!({"type": WEB_SEARCH_TYPE, "name": WEB_SEARCH, "max_uses": MAX_SEARCHES}));
        return (offered.chain(search).collect(), json!({"type": "auto"}));
    }
    // Where calls are in the conversation, there have to be tools, even if none may be called now.
    let called = turns.tools.iter().map(|name| tool(name, "", json!({"type": "object"})));
    (called.collect(), json!({"type": "none"}))
}

fn answer(schema: &ResponseSchema, eager: bool) -> Value {
    let mut tool = json!({
        "name": schema.name,
        "description": "Gives the answer. Always use this tool to answer.",
        "input_schema": schema::of_object(&schema.schema),
    });
    if eager {
        tool["eager_input_streaming"] = true.into();
    }
    tool
}

fn forced(schema: &ResponseSchema) -> Value {
    json!({"type": "tool", "name": schema.name, "disable_parallel_tool_use": true})
}
