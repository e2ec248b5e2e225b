//! Frames in, lines out. Nothing here knows of a terminal: what comes out has no control characters but colors.

use std::collections::HashSet;

use switchboard_protocol::{
    Attachment, Level, MessageId, OpenWindow, ReasonerInfo, ServerFrame, ServerMessage, TokenGauge, Variable,
};

use super::calls::Calls;
use super::choice;
use super::reply::Reply;
use super::sanitize::{short, visible, without_escapes};
use super::style::Style;

/// What has been shown, as far as it matters for what comes.
#[derive(Debug)]
pub(in crate::cli) struct Renderer {
    style: Style,
    width: Option<usize>,
    reply: Reply,
    calls: Calls,
    /// Messages typed here, which stand on the screen already.
    typed: HashSet<MessageId>,
}

impl Renderer {
    /// With the width of the terminal, if there is one.
    pub(in crate::cli) fn new(style: Style, width: Option<usize>) -> Self {
        Self { style, width, reply: Reply::default(), calls: Calls::default(), typed: HashSet::new() }
    }

    /// The terminal has another width now.
    pub(super) fn set_width(&mut self, width: Option<usize>) {
        self.width = width;
    }

    /// A message was typed here.
    pub(super) fn typed(&mut self, id: MessageId) {
        self.typed.insert(id);
    }

    /// What a frame adds to the screen. Questions are shown by [`super::questions`].
    pub(in crate::cli) fn frame(&mut self, frame: &ServerFrame) -> Vec<String> {
        match &frame.message {
            ServerMessage::AgentDelta { offset, text } => self.reply.piece(*offset, text, self.width),
            ServerMessage::AgentResponse { text, tools_used, context_updated, .. } => {
                self.response(text, tools_used, context_updated)
            }
            ServerMessage::SessionReady { .. } | ServerMessage::Pong {} => Vec::new(),
            // What came of a reply stands above all that happens meanwhile.
            other => {
                let mut lines = self.reply.flush();
                lines.extend(self.happened(other));
                lines
            }
        }
    }

    /// What happens beside the reply: one arm a kind of frame, or a group of kinds.
    fn happened(&mut self, message: &ServerMessage) -> Vec<String> {
        let style = self.style;
        match message {
            ServerMessage::UserMessage { repeated: Some(true), .. } => Vec::new(),
            ServerMessage::UserMessage { message_id, text, tool, attachments, .. } => {
                let mut lines = self.user_message(message_id, text, tool.as_deref());
                lines.extend(attachments.as_deref().map(|attached| attachments_line(attached, style)));
                lines
            }
            ServerMessage::AgentThinking { step, message, candidates, selected, .. } => {
                choice::thought(*step, message, candidates.as_deref(), selected.as_deref(), style)
            }
            ServerMessage::ToolCallStart { .. }
            | ServerMessage::ToolOutputChunk { .. }
            | ServerMessage::ToolCallEnd { .. } => self.calls.frame(message, style),
            ServerMessage::ContextUpdate { .. }
            | ServerMessage::ContextState { .. }
            | ServerMessage::ContextCleared {} => context_lines(message, style),
            ServerMessage::ConversationSummary(summary) => {
                vec![style.dim(&format!("  · Summary of earlier messages: {}", short(&summary.text, 300)))]
            }
            ServerMessage::DisplayResource(window) => vec![window_line(window, style)],
            ServerMessage::Notification { level, message, progress, .. } => {
                vec![notification(*level, message, *progress, style)]
            }
            ServerMessage::SessionUpdate { reasoner, context_tokens, .. } => {
                session_line(reasoner.as_ref(), context_tokens.as_ref(), style).into_iter().collect()
            }
            ServerMessage::ApprovalResolved { .. } | ServerMessage::QueryResolved { .. } => {
                answer_line(message, style).into_iter().collect()
            }
            ServerMessage::AgentError { message_ids, text, error, path, suggestions, .. } => {
                let lines = self.error(text, error, path.as_deref(), suggestions);
                if message_ids.is_some() { self.turn_failed(lines) } else { lines }
            }
            ServerMessage::LogDamaged { text, .. } => lines_of(&visible(text), &format!("{} ", style.red("✗")), "  "),
            ServerMessage::CommandResponse { text, .. } => lines_of(&without_escapes(text), "", ""),
            ServerMessage::CommandError { text, usage, .. } => command_error(text, usage.as_deref(), style),
            _ => Vec::new(),
        }
    }

    /// The end of a turn: the rest of the reply, and what it used.
    fn response(&mut self, text: &str, tools: &[String], stored: &[String]) -> Vec<String> {
        let mut lines = self.reply.end(text, self.width);
        lines.extend(self.footer(tools, stored));
        lines.push(String::new());
        self.calls.clear();
        lines
    }

    /// The end of a turn without a reply: what came of one stands above the error.
    fn turn_failed(&mut self, error: Vec<String>) -> Vec<String> {
        let mut lines = self.reply.abandon();
        lines.extend(error);
        lines.push(String::new());
        self.calls.clear();
        lines
    }

    /// A message of somebody else, or what a message typed here says beside its text.
    fn user_message(&self, id: &MessageId, text: &str, tool: Option<&str>) -> Vec<String> {
        let style = self.style;
        match tool {
            _ if !self.typed.contains(id) => {
                let with = tool.map(|tool| format!("[{}] ", short(tool, 64))).unwrap_or_default();
                lines_of(&visible(text), &format!("{} {}", style.bold("you ›"), style.dim(&with)), "      ")
            }
            Some(tool) => vec![style.dim(&format!("  · With {}: {}", short(tool, 64), short(text, 300)))],
            None => Vec::new(),
        }
    }

    fn footer(&self, tools: &[String], stored: &[String]) -> Option<String> {
        let tools = (!tools.is_empty()).then(|| format!("Tools used: {}", tools.join(", ")));
        let stored = (!stored.is_empty()).then(|| format!("Stored: @{}", stored.join(", @")));
        let parts: Vec<String> = tools.into_iter().chain(stored).collect();
        (!parts.is_empty()).then(|| self.style.dim(&format!("  {}", visible(&parts.join(" · ")))))
    }

    fn error(&self, text: &str, error: &str, path: Option<&str>, suggestions: &[String]) -> Vec<String> {
        let mut lines = lines_of(&visible(text), &format!("{} ", self.style.red("✗")), "  ");
        let place = path.map(|path| format!("{path}: ")).unwrap_or_default();
        if !error.is_empty() && !text.contains(error) {
            lines.extend(lines_of(&visible(&format!("{place}{error}")), "  ", "  "));
        }
        lines.extend(suggestions.iter().map(|text| self.style.dim(&format!("  → {}", short(text, 300)))));
        lines
    }
}

/// Text as lines: the first one after `first`, the others after `rest`.
pub(super) fn lines_of(text: &str, first: &str, rest: &str) -> Vec<String> {
    text.lines().enumerate().map(|(i, line)| format!("{}{line}", if i == 0 { first } else { rest })).collect()
}

/// A word of the wire as people read it.
pub(super) fn word<T: serde::Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word.replace('-', " "),
        _ => String::new(),
    }
}

/// What became of the variables. What calls store is told at their end; what users set is told here.
fn context_lines(message: &ServerMessage, style: Style) -> Vec<String> {
    match message {
        ServerMessage::ContextUpdate { set, removed } => {
            let set = set.iter().filter(|variable| variable.origin.call_id.is_none()).map(|v| variable_line(v, style));
            let removed = removed.iter().map(|name| style.dim(&format!("  · @{} was removed.", visible(name))));
            set.chain(removed).collect()
        }
        ServerMessage::ContextState { variables, .. } => variables.iter().map(|v| variable_line(v, style)).collect(),
        _ => vec![style.dim("  · All variables were removed.")],
    }
}

fn variable_line(variable: &Variable, style: Style) -> String {
    let stale = if variable.stale { ", outdated" } else { "" };
    let what = format!("({}, {} bytes{stale})", word(&variable.value_type), variable.bytes);
    format!("  @{} {} {}", visible(&variable.name), style.dim(&what), short(&variable.preview, 120))
}

fn window_line(window: &OpenWindow, style: Style) -> String {
    let (title, resource) = (short(&window.title, 120), &window.resource);
    let what = format!("{}, {} bytes", visible(&resource.mime_type), resource.bytes);
    format!("  {} {title} {}", style.cyan("▣"), style.dim(&format!("({what}) {}", visible(&resource.handle))))
}

fn notification(level: Level, message: &str, progress: Option<f64>, style: Style) -> String {
    let sign = match level {
        Level::Info => style.cyan("ℹ"),
        Level::Success => style.green("✓"),
        Level::Error => style.red("!"),
        Level::Progress => style.dim("…"),
    };
    let percent = progress.map(|part| format!(" {:.0} %", part.clamp(0.0, 1.0) * 100.0)).unwrap_or_default();
    format!("  {sign} {}{percent}", short(message, 500))
}

/// What belongs to a message.
fn attachments_line(attachments: &[Attachment], style: Style) -> String {
    let names: Vec<String> = attachments.iter().map(|attached| format!("@{}", short(&attached.name, 64))).collect();
    style.dim(&format!("  · Attached: {}", names.join(", ")))
}

/// Another reasoner, or how full the window is.
fn session_line(reasoner: Option<&ReasonerInfo>, gauge: Option<&TokenGauge>, style: Style) -> Option<String> {
    let line = match (reasoner, gauge) {
        (Some(reasoner), _) => {
            let model = reasoner.model.as_deref().map(|model| format!(" ({})", visible(model))).unwrap_or_default();
            format!("  · Now answered by {}{model}.", word(&reasoner.kind))
        }
        (None, Some(gauge)) => {
            let percent = gauge.used.saturating_mul(100) / gauge.limit.max(1);
            format!("  · {percent} % of the window is used ({} of {} tokens).", gauge.used, gauge.limit)
        }
        (None, None) => return None,
    };
    Some(style.dim(&line))
}

/// How a question ended, here or at another client.
fn answer_line(message: &ServerMessage, style: Style) -> Option<String> {
    let line = match message {
        ServerMessage::ApprovalResolved { decision, by, .. } => format!("  · {} ({})", word(decision), short(by, 60)),
        ServerMessage::QueryResolved { answer, .. } => {
            let said = answer.as_ref().map_or("dismissed".to_owned(), |answer| short(&answer.to_string(), 120));
            format!("  · Answer: {said}")
        }
        _ => return None,
    };
    Some(style.dim(&line))
}

fn command_error(text: &str, usage: Option<&str>, style: Style) -> Vec<String> {
    let mut lines = lines_of(&visible(text), &format!("{} ", style.red("✗")), "  ");
    lines.extend(usage.map(|usage| style.dim(&format!("  Usage: {}", short(usage, 300)))));
    lines
}

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
