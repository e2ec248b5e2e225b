//! [`ToolAwareChatEngine`]: messages in, messages out, and how many tokens they are.
//!
//! A clone shares every message, so a turn reads a snapshot while the session goes on; adding a message and making a
//! window cost no more in a long conversation than in a short one.

use std::sync::Arc;

use switchboard_protocol::CallId;

use super::ids::CallIds;
use super::summary::{Overflow, Summary};
use super::tokens;
use super::units::Units;
use super::window::{Conversation, Room, Window, window};
use switchboard_events::{ChatMessage, ChatRole};
use switchboard_llm::ModelInfo;

/// The window of a model that does not say how large it is, in tokens.
pub const DEFAULT_CONTEXT_TOKENS: u64 = 8192;

/// The least room that messages have, whatever else is in a request.
const LEAST_ROOM: u64 = 256;

/// The part of the limit that instructions and tools are taken to have when it is decided what is summarized.
const BESIDE: u64 = 4;

/// How a conversation is held (seed 001).
#[derive(Debug, Clone, PartialEq)]
pub struct ChatConfig {
    /// The model, if one is configured.
    pub model: Option<String>,
    /// How freely it writes.
    pub temperature: f64,
    /// How long its reply may be, in tokens.
    pub max_tokens: u32,
    /// Its instructions; none: the built-in ones.
    pub system_prompt: Option<String>,
    /// How many messages the window holds; none: as many as there is room for.
    pub max_history: Option<usize>,
    /// How many tokens a request and its reply have together, at most: the setting, else what the model says. None:
    /// [`DEFAULT_CONTEXT_TOKENS`].
    pub context_tokens: Option<u64>,
    /// How many tokens the definitions of the offered tools have together, at most; none: a quarter of the window.
    pub tool_tokens: Option<u64>,
    /// Whether what falls out of the window is summarized.
    pub enable_summarization: bool,
}

impl Default for ChatConfig {
    fn default() -> Self {
        Self {
            model: None,
            temperature: 0.5,
            max_tokens: 1024,
            system_prompt: None,
            max_history: None,
            context_tokens: None,
            tool_tokens: None,
            enable_summarization: false,
        }
    }
}

impl ChatConfig {
    /// How many tokens a request and its reply have together, at most.
    #[must_use]
    pub fn context_limit(&self) -> u64 {
        self.context_tokens.unwrap_or(DEFAULT_CONTEXT_TOKENS)
    }

    /// The same with this model: its window holds, unless one was set.
    #[must_use]
    pub fn with_model(self, model: Option<&ModelInfo>) -> Self {
        Self {
            context_tokens: self.context_tokens.or(model.and_then(|model| model.context_tokens)),
            model: self.model.or_else(|| model.map(|model| model.name.clone())),
            ..self
        }
    }

    /// Whether there is a window that somebody wants to see filling: a model's, or one that was set.
    #[must_use]
    pub fn has_window(&self) -> bool {
        self.model.is_some() || self.context_tokens.is_some()
    }

    /// What is left of the limit for messages beside the reply, the system prompt and `others`, in tokens.
    fn room(&self, others: u64) -> u64 {
        let limit = self.context_limit();
        let reply = u64::from(self.max_tokens).min(limit / 4);
        let system = self.system_prompt.as_deref().map_or(0, tokens::text);
        limit.saturating_sub(reply + system + others).max(LEAST_ROOM.min(limit))
    }
}

/// The conversation of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolAwareChatEngine {
    config: Arc<ChatConfig>,
    units: Units,
    calls: CallIds,
    /// The units of the user's first request, and of the last.
    first: Option<usize>,
    request: Option<usize>,
    summary: Option<Arc<Summary>>,
}

impl ToolAwareChatEngine {
    /// An empty conversation.
    #[must_use]
    pub fn new(config: Arc<ChatConfig>) -> Self {
        Self { config, ..Self::default() }
    }

    /// How it is held.
    #[must_use]
    pub fn config(&self) -> &ChatConfig {
        &self.config
    }

    /// Holds it otherwise from now on, say because another model was chosen.
    pub fn configure(&mut self, config: Arc<ChatConfig>) {
        self.config = config;
    }

    /// Takes a message into memory.
    pub fn add(&mut self, message: ChatMessage) {
        let seq = self.units.messages() as u64 + 1;
        self.add_at(message, seq);
    }

    /// Takes a message that the event `seq` brought into memory. A result goes to the call that it answers.
    pub fn add_at(&mut self, message: ChatMessage, seq: u64) {
        let asks = message.role == ChatRole::User && !message.content.is_blank();
        message.tool_calls.iter().for_each(|call| self.calls.add(&call.id));
        let place = self.units.add(message, seq);
        if asks {
            self.first.get_or_insert(place);
            self.request = Some(place);
        }
    }

    /// Takes note of a summary: what it stands for is not in the window any more.
    pub fn summarized(&mut self, summary: Summary) {
        self.summary = Some(Arc::new(summary));
    }

    /// Whether a call with this id was made in it, or in one before it in the same session.
    #[must_use]
    pub fn has_call(&self, id: &CallId) -> bool {
        self.calls.contains(id)
    }

    /// Whether the event `seq` is one of this conversation, and not of one before it.
    #[must_use]
    pub fn knows(&self, seq: u64) -> bool {
        self.units.get(0).and_then(|unit| unit.kept.first()).is_some_and(|first| first.seq <= seq)
    }

    /// Every message, oldest first, each result behind its call.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &ChatMessage> {
        self.units.iter().flat_map(|unit| unit.kept.iter()).map(|kept| kept.whole.message.as_ref())
    }

    /// The messages that a model can be given, oldest first: calls without result and results without call are left out.
    pub fn valid_messages(&self) -> impl Iterator<Item = &ChatMessage> {
        let fit = self.units.iter().filter(|unit| unit.fits_a_model());
        fit.flat_map(|unit| unit.kept.iter()).map(|kept| kept.whole.message.as_ref())
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.units.messages()
    }

    /// Whether nothing was said yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a model is given: the user's first request, the last one, and as much of what was said last as fits, calls
    /// only together with all their results. Large results of earlier turns are previews that name their variable.
    #[must_use]
    pub fn window(&self) -> Vec<Arc<ChatMessage>> {
        self.window_beside(0)
    }

    /// The same, when a request holds `others` tokens beside the messages and the configured system prompt: other
    /// instructions, and the definitions of tools.
    #[must_use]
    pub fn window_beside(&self, others: u64) -> Vec<Arc<ChatMessage>> {
        self.make_window(others).messages
    }

    /// About how many tokens the window has, the configured system prompt included.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.config.system_prompt.as_deref().map_or(0, tokens::text) + self.make_window(0).tokens
    }

    /// What has fallen out of the window and is in no summary yet; more than just that, so that the next summary is not
    /// due at once. None when nothing has, or no summaries are wanted.
    #[must_use]
    pub fn overflow(&self) -> Option<Overflow> {
        if !self.config.enable_summarization {
            return None;
        }
        let others = self.beside_messages();
        let begin = self.make_window(others).begin;
        let from = self.summarized_units();
        if begin <= from {
            return None;
        }
        let half =
            Room { tokens: self.config.room(others) / 2, messages: self.config.max_history.map(|most| most / 2) };
        let until = window(self.conversation(), half).begin.min(self.request.unwrap_or(usize::MAX)).max(begin);
        let units: Vec<_> = (from..until).filter_map(|place| self.units.get(place)).collect();
        let earlier = self.summary.as_deref();
        let to_seq = units.iter().map(|unit| unit.last_seq()).max()?;
        let from_seq = units.first().and_then(|unit| unit.kept.first()).map_or(to_seq, |kept| kept.seq);
        Some(Overflow {
            earlier: earlier.map(|summary| summary.text.clone()),
            messages: units.iter().flat_map(|unit| &unit.kept).map(|kept| Arc::clone(&kept.usual.message)).collect(),
            from_seq: earlier.map_or(from_seq, |summary| summary.from_seq),
            to_seq,
        })
    }

    /// The last `count` texts of user and assistant, oldest first.
    #[must_use]
    pub fn recent(&self, count: usize) -> Vec<&ChatMessage> {
        let mut last: Vec<&ChatMessage> = self
            .messages()
            .rev()
            .filter(|message| matches!(message.role, ChatRole::User | ChatRole::Assistant))
            .filter(|message| !message.content.text().is_empty())
            .take(count)
            .collect();
        last.reverse();
        last
    }

    /// Begins again: memory is empty, the configuration stays. The ids of calls stay taken: the session's log has them.
    pub fn new_conversation(&mut self) {
        *self = Self { calls: std::mem::take(&mut self.calls), ..Self::new(Arc::clone(&self.config)) };
    }

    /// What a model's requests hold beside the messages, about: what has no room beside that has fallen out for it.
    fn beside_messages(&self) -> u64 {
        if self.config.model.is_some() { self.config.context_limit() / BESIDE } else { 0 }
    }

    fn make_window(&self, others: u64) -> Window {
        let room = Room { tokens: self.config.room(others), messages: self.config.max_history };
        window(self.conversation(), room)
    }

    fn conversation(&self) -> Conversation<'_> {
        let Self { units, first, request, .. } = self;
        Conversation { units, first: *first, request: *request, summary: self.summary.as_deref() }
    }

    /// The first unit behind those that the summary stands for; found from the end, as summaries are made there.
    fn summarized_units(&self) -> usize {
        let after_first = self.first.map_or(0, |first| first + 1);
        let Some(summary) = &self.summary else { return after_first };
        let behind = self.units.iter().rev().take_while(|unit| unit.last_seq() > summary.to_seq).count();
        (self.units.len() - behind).max(after_first)
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
