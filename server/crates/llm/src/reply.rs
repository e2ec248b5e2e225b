//! What a model answers, in nobody's dialect.

use serde_json::Value;
use switchboard_protocol::Usage;

use super::calls::{CallParts, UnreadableCall};
use super::error::LlmError;
use switchboard_events::ToolCall;

/// The most sources that are taken, and how long their names and addresses may be.
const MAX_SOURCES: usize = 20;
const MAX_SOURCE_BYTES: usize = 2048;

/// More tokens than any model has taken or given: such a figure is not true.
const MAX_TOKENS: u64 = 1_000_000_000;

/// A whole reply.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmReply {
    /// Its text; empty when the model only calls functions.
    pub text: String,
    /// The calls, in the model's order, no id twice. Names and arguments are the model's: check them.
    pub tool_calls: Vec<ToolCall>,
    /// Calls that must not run, because their arguments cannot be read; tell the model what is wrong.
    pub unreadable_calls: Vec<UnreadableCall>,
    /// The pages that the provider found on the web for it and that it cites, each once.
    pub sources: Vec<WebSource>,
    /// What it cost, if the provider says so in figures that can be true.
    pub usage: Option<Usage>,
    /// Why it ended.
    pub finish: FinishReason,
}

impl LlmReply {
    /// The reply, once it has come to its end.
    ///
    /// # Errors
    /// When there is nothing in it, and no reason for that.
    pub(super) fn whole(
        text: String,
        parts: CallParts,
        finish: FinishReason,
        usage: Option<Usage>,
    ) -> Result<Self, LlmError> {
        let (tool_calls, unreadable_calls) = parts.finish(finish == FinishReason::Length);
        let is_empty = text.trim().is_empty() && tool_calls.is_empty() && unreadable_calls.is_empty();
        if is_empty && matches!(finish, FinishReason::Stop | FinishReason::Unknown | FinishReason::ToolCalls) {
            return Err(LlmError::Empty);
        }
        Ok(Self { text, tool_calls, unreadable_calls, sources: Vec::new(), usage, finish })
    }

    /// The same with sources.
    pub(super) fn citing(mut self, sources: Sources) -> Self {
        self.sources = if sources.cited.is_empty() { sources.found } else { sources.cited };
        self
    }
}

/// A page on the web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebSource {
    /// Its address: http or https.
    pub url: String,
    /// What it is called; may be empty.
    pub title: String,
}

/// The sources of a reply while it comes.
#[derive(Debug, Default)]
pub(super) struct Sources {
    cited: Vec<WebSource>,
    found: Vec<WebSource>,
}

impl Sources {
    /// A page that the reply cites: `{url, title}`.
    pub(super) fn cite(&mut self, page: &Value) {
        add(&mut self.cited, page);
    }

    /// A page that a search found.
    pub(super) fn find(&mut self, page: &Value) {
        add(&mut self.found, page);
    }
}

fn add(sources: &mut Vec<WebSource>, page: &Value) {
    let field = |name: &str| page.get(name).and_then(Value::as_str).unwrap_or_default();
    let (url, title) = (field("url"), field("title"));
    let is_page = ["https://", "http://"].iter().any(|scheme| url.starts_with(scheme));
    let plain = |text: &str| text.len() <= MAX_SOURCE_BYTES && !text.chars().any(char::is_control);
    let is_new = !sources.iter().any(|known| known.url == url);
    if is_page && is_new && plain(url) && sources.len() < MAX_SOURCES {
        let title = if plain(title) { title } else { "" };
        sources.push(WebSource { url: url.to_owned(), title: title.to_owned() });
    }
}

/// A figure of what a reply cost; one that cannot be true counts as not given.
pub(super) fn tokens(usage: Option<&Value>, name: &str) -> Option<u64> {
    usage?.get(name)?.as_u64().filter(|&tokens| tokens <= MAX_TOKENS)
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FinishReason {
    /// The model had said all.
    Stop,
    /// It reached `max_tokens`: the text is cut off.
    Length,
    /// It calls functions.
    ToolCalls,
    /// The provider's filter, or the model's refusal: the text, if there is one, is the refusal.
    Filtered,
    /// The provider did not say, or said a word that nobody knows.
    Unknown,
}
