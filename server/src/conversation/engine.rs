//! [`ToolAwareChatEngine`]: messages in, messages out, and how many tokens they are.
//!
//! A clone shares every message, so a turn reads a snapshot while the session goes on.

use std::sync::Arc;

use super::tokens::estimate;
use super::window::window;
use crate::events::{ChatMessage, ChatRole};

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
    /// How many messages the window holds; none: all.
    pub max_history: Option<usize>,
    /// Whether what falls out of the window is summarised.
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
            enable_summarization: false,
        }
    }
}

/// The conversation of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolAwareChatEngine {
    config: Arc<ChatConfig>,
    kept: Arc<Vec<Kept>>,
    tokens: u64,
}

/// A message with its number of tokens.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kept {
    pub(super) message: Arc<ChatMessage>,
    pub(super) tokens: u64,
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
        let tokens = estimate(&message);
        self.tokens += tokens;
        Arc::make_mut(&mut self.kept).push(Kept { message: Arc::new(message), tokens });
    }

    /// Every message, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &ChatMessage> + ExactSizeIterator {
        self.kept.iter().map(|kept| kept.message.as_ref())
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether nothing was said yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// What a model would be given: at most `max_history` messages, calls together with their results, and always the
    /// first thing that the user asked for.
    #[must_use]
    pub fn window(&self) -> Vec<Arc<ChatMessage>> {
        window(&self.kept, self.config.max_history).map(|kept| Arc::clone(&kept.message)).collect()
    }

    /// About how many tokens the window has.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        match self.config.max_history {
            None => self.tokens,
            limit => window(&self.kept, limit).map(|kept| kept.tokens).sum(),
        }
    }

    /// The last `count` texts of user and assistant, oldest first.
    #[must_use]
    pub fn recent(&self, count: usize) -> Vec<&ChatMessage> {
        let mut last: Vec<&ChatMessage> = self
            .messages()
            .rev()
            .filter(|message| matches!(message.role, ChatRole::User | ChatRole::Assistant))
            .filter(|message| !message.content.is_empty())
            .take(count)
            .collect();
        last.reverse();
        last
    }

    /// Begins again: memory is empty, the configuration stays.
    pub fn new_conversation(&mut self) {
        *self = Self::new(Arc::clone(&self.config));
    }
}

#[cfg(test)]
#[path = "engine_tests.rs"]
mod tests;
