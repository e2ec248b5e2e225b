//! What the model is shown of the session. Everything that comes from outside is in a fence.

use std::fmt::Write as _;
use std::sync::Arc;

use super::fence;
use crate::host::UserMessage;
use crate::reasoner::TurnContext;
use switchboard_conversation::ToolAwareChatEngine;
use switchboard_events::{ChatMessage, ChatRole};
use switchboard_llm::ModelInfo;
use switchboard_protocol::{OpenWindow, Resource};

const SYSTEM: &str = include_str!("../prompts/system.md");

/// How many characters a token has, about.
const CHARACTERS: u64 = 4;

/// The window of a model that does not say how large its own is, in tokens.
const USUAL_WINDOW: u64 = 16 * 1024;

/// The shares of the window, in parts of 16, for what can be cut.
const HISTORY: u64 = 3;
const VARIABLES: u64 = 2;
const RESULTS: u64 = 3;

/// What each call of a turn keeps at least, in characters.
const LEAST_OF_A_CALL: usize = 512;

/// The instructions: the user's own, or the built-in ones.
pub(in crate::reasoner) fn system_prompt(conversation: &ToolAwareChatEngine) -> &str {
    conversation.config().system_prompt.as_deref().unwrap_or(SYSTEM).trim()
}

/// Windows below this, in tokens, are small: definitions are shortened.
const SMALL_WINDOW: u64 = 24 * 1024;

/// Makes the parts of a prompt, each no longer than its share of the model's window.
#[derive(Clone, Copy)]
pub(in crate::reasoner) struct Prompt {
    characters: u64,
    /// How many characters the definitions of tools may have together, and how many if they are as brief as can be.
    for_tools: u64,
    for_brief_tools: u64,
    small: bool,
}

impl Prompt {
    /// For a window of so many tokens. One that nobody knows is most likely at home, and small.
    pub(in crate::reasoner) fn new(context_tokens: Option<u64>) -> Self {
        let tokens = context_tokens.unwrap_or(USUAL_WINDOW);
        Self {
            characters: tokens.min(64 * 1024) * CHARACTERS,
            for_tools: tokens / 4 * CHARACTERS,
            for_brief_tools: tokens / 4 * CHARACTERS,
            small: tokens < SMALL_WINDOW,
        }
    }

    /// For this model in this conversation, whichever window is smaller.
    pub(in crate::reasoner) fn of(context: &TurnContext<'_>, model: &ModelInfo) -> Self {
        let config = context.view.conversation.config();
        let prompt = Self::new(config.context_tokens.into_iter().chain(model.context_tokens).min());
        let window = config.context_limit().min(model.context_tokens.unwrap_or(u64::MAX));
        let for_tools = config.tool_tokens.unwrap_or(window / 4) * CHARACTERS;
        // A window that nobody knows is taken for a small one, but is seldom so small that tools have to be hidden.
        let for_brief_tools =
            if config.tool_tokens.is_some() { for_tools } else { prompt.for_brief_tools.max(for_tools) };
        Self { for_tools, for_brief_tools, ..prompt }
    }

    /// How many characters the definitions of tools may have together: a quarter of the window, or what is set.
    pub(super) fn room_for_tools(self) -> usize {
        usize::try_from(self.for_tools).unwrap_or(usize::MAX)
    }

    /// The same for definitions that are as brief as can be.
    pub(super) fn room_for_brief_tools(self) -> usize {
        usize::try_from(self.for_brief_tools).unwrap_or(usize::MAX)
    }

    /// Whether definitions are to be short.
    pub(super) fn is_small(self) -> bool {
        self.small
    }

    /// What was said before this turn; the newest of it, if it is long.
    pub(in crate::reasoner) fn history(self, context: &TurnContext<'_>) -> String {
        let window = context.view.conversation.window();
        let said = &window[..before_the_turn(&window, context)];
        let mut room = self.share(HISTORY);
        let mut lines: Vec<String> = Vec::new();
        for message in said.iter().rev() {
            let line = line(message);
            let Some(left) = room.checked_sub(line.len()) else { break };
            room = left;
            lines.push(line);
        }
        lines.reverse();
        section("Conversation before this request", "conversation", &lines.concat())
    }

    /// What there is beside the conversation: the variables, and the windows that are open, the one used last at the end.
    pub(in crate::reasoner) fn surroundings(self, context: &TurnContext<'_>) -> String {
        let variables = context.view.context.format_context_for_prompt(self.share(VARIABLES));
        let mut windows = String::new();
        for OpenWindow { window_id, title, resource: Resource { handle, mime_type, .. }, .. } in &context.view.windows {
            let title = title.replace(['\n', '\r'], " ");
            let _ = writeln!(windows, "- {window_id}: {title}, {handle} ({mime_type})");
        }
        section("Context variables", "variables", &variables) + &section("Open windows", "windows", &windows)
    }

    /// The calls of this turn and what came of them: whole, as far as the window has room, and the oldest are cut first.
    pub(in crate::reasoner) fn calls(self, context: &TurnContext<'_>) -> String {
        let mut room = self.share(RESULTS);
        let mut calls: Vec<String> = Vec::with_capacity(context.attempts.len());
        for (number, attempt) in context.attempts.iter().enumerate().rev() {
            let own = room.saturating_sub(number * LEAST_OF_A_CALL).max(LEAST_OF_A_CALL);
            let arguments = serde_json::to_string(&attempt.arguments).unwrap_or_default();
            let view = &attempt.outcome.view;
            let beside = |other: &str| own - other.len().min(own / 2);
            let cut_arguments = switchboard_tools::head_and_tail(&arguments, beside(view));
            let cut_view = switchboard_tools::head_and_tail(view, beside(&arguments));
            room = room.saturating_sub(cut_arguments.len() + cut_view.len());
            let success = attempt.outcome.result.is_success();
            let stored =
                attempt.outcome.variable.as_ref().map_or_else(String::new, |name| format!(", stored as @{name}"));
            let result = fence("result", &cut_view);
            calls.push(format!(
                "{}. {}({cut_arguments}), success: {success}{stored}\n{result}\n",
                number + 1,
                attempt.tool
            ));
        }
        calls.reverse();
        if calls.is_empty() { String::new() } else { format!("## Calls of this turn\n{}\n", calls.concat()) }
    }

    /// The request, always last: what comes before it is the same in the next prompt.
    pub(in crate::reasoner) fn request(self, context: &TurnContext<'_>) -> String {
        let said: Vec<_> = context.messages.iter().map(UserMessage::with_attachments).collect();
        section("Request", "request", &said.join("\n\n"))
    }

    /// So many parts of 16 of the window, in characters.
    pub(super) fn share(self, parts: u64) -> usize {
        usize::try_from(self.characters / 16 * parts).unwrap_or(usize::MAX)
    }
}

/// A headline and a fenced text; nothing for no text.
pub(super) fn section(title: &str, label: &str, text: &str) -> String {
    let text = text.trim_end();
    if text.is_empty() { String::new() } else { format!("## {title}\n{}\n\n", fence(label, text)) }
}

/// Where in the window the turn's own first message stands.
fn before_the_turn(window: &[Arc<ChatMessage>], context: &TurnContext<'_>) -> usize {
    let request = context.messages.first().map(UserMessage::with_attachments).unwrap_or_default();
    let own = |message: &Arc<ChatMessage>| message.role == ChatRole::User && message.content.text() == request;
    window.iter().rposition(own).unwrap_or(window.len())
}

fn line(message: &ChatMessage) -> String {
    let (who, calls) = spoken(message);
    format!("{who}: {}{calls}\n", switchboard_tools::head_and_tail(&message.content.in_words(), 4096))
}

/// Who says a message, and the calls in it as they are shown.
pub(in crate::reasoner) fn spoken(message: &ChatMessage) -> (&'static str, String) {
    let who = match message.role {
        ChatRole::System => "note",
        ChatRole::User => "user",
        ChatRole::Assistant => "assistant",
        ChatRole::Tool => "result",
    };
    let mut calls = String::new();
    for call in &message.tool_calls {
        let arguments = serde_json::Value::Object(call.arguments.clone());
        let _ = write!(calls, "[calls {}({arguments})]", call.name);
    }
    (who, calls)
}
