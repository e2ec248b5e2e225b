//! Parameters that a model turned out not to accept. Each new generation refuses fields that the last one needed.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use serde_json::Value;

/// Room for thoughts that cannot be turned off, in tokens: they count as a part of the reply.
const THOUGHTS: u32 = 8192;

/// How it stands with a model's thoughts.
const OFF: u8 = 0;
const ON: u8 = 1;
const ON_WITHOUT_ROOM: u8 = 2;

/// What the model does not take; learned from its refusals.
#[derive(Debug, Default)]
pub(super) struct UnsupportedParams {
    no_temperature: AtomicBool,
    no_eager_streaming: AtomicBool,
    no_forced_tool: AtomicBool,
    no_cache: AtomicBool,
    no_web_search: AtomicBool,
    thoughts: AtomicU8,
}

impl UnsupportedParams {
    /// Whether it takes a temperature.
    pub(super) fn temperature(&self) -> bool {
        !self.no_temperature.load(Ordering::Relaxed)
    }

    /// Whether the arguments of a tool can come while they are written.
    pub(super) fn eager_streaming(&self) -> bool {
        !self.no_eager_streaming.load(Ordering::Relaxed)
    }

    /// Whether it can be made to call a tool.
    pub(super) fn forced_tool(&self) -> bool {
        !self.no_forced_tool.load(Ordering::Relaxed)
    }

    /// Whether it takes marks for its prompt cache.
    pub(super) fn cache(&self) -> bool {
        !self.no_cache.load(Ordering::Relaxed)
    }

    /// Whether it searches the web.
    pub(super) fn web_search(&self) -> bool {
        !self.no_web_search.load(Ordering::Relaxed)
    }

    /// Whether its thoughts can be turned off.
    pub(super) fn thoughts_off(&self) -> bool {
        self.thoughts.load(Ordering::Relaxed) == OFF
    }

    /// How long a reply of `tokens` may be, thoughts and all.
    pub(super) fn with_thoughts(&self, tokens: u32) -> u32 {
        tokens + if self.thoughts.load(Ordering::Relaxed) == ON { THOUGHTS } else { 0 }
    }

    /// Whether the refusal is about something that was sent and can be left out; it is from now on.
    pub(super) fn learn(&self, refusal: &str, sent: &Value) -> bool {
        let refusal = refusal.to_lowercase();
        let named = |field: &str| sent.get(field).is_some() && refusal.contains(field);
        let first = |habit: &AtomicBool| !habit.swap(true, Ordering::Relaxed);
        let becomes =
            |from: u8, to: u8| self.thoughts.compare_exchange(from, to, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        let is_forced = sent.pointer("/tool_choice/type").is_some_and(|kind| kind == "tool");
        let tools = sent.get("tools").and_then(Value::as_array);
        let searches = tools.is_some_and(|tools| tools.iter().any(|tool| tool.get("type").is_some()));
        // The order matters: some say that a temperature or a forced tool does not go with "thinking".
        (named("temperature") && first(&self.no_temperature))
            || (refusal.contains("eager_input_streaming") && first(&self.no_eager_streaming))
            || (is_forced && refusal.contains("tool_choice") && first(&self.no_forced_tool))
            || (searches && refusal.contains("web_search") && first(&self.no_web_search))
            || (refusal.contains("cache_control") && first(&self.no_cache))
            || (named("thinking") && becomes(OFF, ON))
            || (named("max_tokens") && becomes(ON, ON_WITHOUT_ROOM))
    }
}
