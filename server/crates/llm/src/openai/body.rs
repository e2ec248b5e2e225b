//! A request as OpenAI-compatible providers want it, and what a provider turned out not to take.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use serde_json::{Map, Value, json};
use switchboard_protocol::FunctionTool;

use super::messages::openai_messages;
use crate::request::LlmRequest;

/// OpenRouter's own web search among the tools.
const ROUTER_SEARCH: &str = "openrouter:web_search";

/// What the provider does not take; learned from its refusals.
#[derive(Debug)]
pub(super) struct UnsupportedParams {
    completion_tokens: AtomicBool,
    no_temperature: AtomicBool,
    no_stream_options: AtomicBool,
    no_tool_choice: AtomicBool,
    no_web_search: AtomicBool,
    /// 0: a schema is sent; 1: only that JSON is wanted; 2: nothing.
    plainer_format: AtomicU8,
    /// Whether the end of what stays the same is marked for a prompt cache.
    marks: bool,
    /// Whether OpenRouter serves it, which has a web search for every model.
    router: bool,
}

impl UnsupportedParams {
    pub(super) fn new(completion_tokens: bool, marks: bool, router: bool) -> Self {
        Self {
            completion_tokens: completion_tokens.into(),
            no_temperature: false.into(),
            no_stream_options: false.into(),
            no_tool_choice: false.into(),
            no_web_search: false.into(),
            plainer_format: 0.into(),
            marks,
            router,
        }
    }

    /// Whether the refusal names a field that was sent and can be left out; it is from now on.
    pub(super) fn learn(&self, refusal: &str, sent: &Value) -> bool {
        let refusal = refusal.to_lowercase();
        let named = |field: &str| sent.get(field).is_some() && refusal.contains(field);
        if named("max_tokens") && refusal.contains("max_completion_tokens") {
            return !self.completion_tokens.swap(true, Ordering::Relaxed);
        }
        if named("max_completion_tokens") {
            return self.completion_tokens.swap(false, Ordering::Relaxed);
        }
        if named("response_format") || (sent.get("response_format").is_some() && refusal.contains("json_schema")) {
            return self.plainer_format.fetch_add(1, Ordering::Relaxed) < 2;
        }
        let tools = sent.get("tools").and_then(Value::as_array);
        if tools.is_some_and(|tools| tools.iter().any(is_router_search)) && refusal.contains("web_search") {
            return !self.no_web_search.swap(true, Ordering::Relaxed);
        }
        let optional = [
            ("web_search_options", &self.no_web_search),
            ("temperature", &self.no_temperature),
            ("stream_options", &self.no_stream_options),
            ("tool_choice", &self.no_tool_choice),
        ];
        optional.iter().any(|(field, habit)| named(field) && !habit.swap(true, Ordering::Relaxed))
    }
}

/// The body. What stays the same from call to call comes first, for the provider's prompt cache.
pub(super) fn body(model: &str, request: &LlmRequest, stream: bool, unsupported: &UnsupportedParams) -> Value {
    let is = |habit: &AtomicBool| habit.load(Ordering::Relaxed);
    let mut body = Map::new();
    let mut set = |field: &str, value: Value| drop(body.insert(field.to_owned(), value));
    set("model", model.into());
    let searches = request.web_search && !is(&unsupported.no_web_search);
    let tool = |function| json!(FunctionTool { kind: "function".to_owned(), function });
    let mut tools: Vec<Value> = request.tools.iter().cloned().map(tool).collect();
    if searches && unsupported.router {
        tools.push(json!({"type": ROUTER_SEARCH}));
    } else if searches {
        set("web_search_options", json!({}));
    }
    if !tools.is_empty() {
        set("tools", tools.into());
        if !is(&unsupported.no_tool_choice) {
            set("tool_choice", "auto".into());
        }
    }
    if let Some(format) = response_format(request, unsupported.plainer_format.load(Ordering::Relaxed)) {
        set("response_format", format);
    }
    set("messages", messages(request, unsupported.marks));
    if !is(&unsupported.no_temperature) {
        set("temperature", json!(request.temperature));
    }
    let limit = if is(&unsupported.completion_tokens) { "max_completion_tokens" } else { "max_tokens" };
    set(limit, request.max_tokens.into());
    set("stream", stream.into());
    if stream && !is(&unsupported.no_stream_options) {
        set("stream_options", json!({"include_usage": true}));
    }
    body.into()
}

fn is_router_search(tool: &Value) -> bool {
    tool.get("type").is_some_and(|kind| kind == ROUTER_SEARCH)
}

fn response_format(request: &LlmRequest, plainer: u8) -> Option<Value> {
    let schema = request.schema.as_ref()?;
    match plainer {
        0 => {
            let named = json!({"name": schema.name, "schema": schema.schema});
            Some(json!({"type": "json_schema", "json_schema": named}))
        }
        1 => Some(json!({"type": "json_object"})),
        _ => None,
    }
}

fn messages(request: &LlmRequest, marks: bool) -> Value {
    let parts = [request.system.trim_end(), request.situation.trim_end()];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let content = if marks { marked(&parts) } else { parts.join("\n\n").into() };
    let system = (!parts.is_empty()).then(|| json!({"role": "system", "content": content}));
    let said = openai_messages(request.messages.iter().map(|said| &**said), &request.pictures);
    system.into_iter().chain(said).collect()
}

/// The instructions, marked for the prompt cache, and behind them what holds at this moment only.
fn marked(parts: &[&str]) -> Value {
    let mut parts: Vec<Value> = parts.iter().map(|part| json!({"type": "text", "text": part})).collect();
    if let Some(first) = parts.first_mut() {
        first["cache_control"] = json!({"type": "ephemeral"});
    }
    parts.into()
}
