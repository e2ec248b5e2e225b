//! Frames in, lines out. Nothing here knows of a terminal: what comes out has no control characters but colours.

use std::collections::HashSet;

use switchboard_protocol::{Level, MessageId, ServerFrame, ServerMessage, Variable};

use super::calls::{CallEnd, Calls, call_text};
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
        let style = self.style;
        match &frame.message {
            ServerMessage::AgentDelta { offset, text } => return self.reply.piece(*offset, text, self.width),
            ServerMessage::AgentResponse { text, tools_used, context_updated, .. } => {
                let mut lines = self.reply.end(text, self.width);
                lines.extend(self.footer(tools_used, context_updated));
                lines.push(String::new());
                self.calls.clear();
                return lines;
            }
            ServerMessage::SessionReady { .. } | ServerMessage::Pong {} => return Vec::new(),
            _ => {}
        }
        let mut lines = self.reply.flush();
        lines.extend(match &frame.message {
            ServerMessage::UserMessage { message_id, text, tool, repeated: None | Some(false), .. }
                if !self.typed.contains(message_id) =>
            {
                let with = tool.as_deref().map(|tool| format!("[{}] ", short(tool, 64))).unwrap_or_default();
                lines_of(&visible(text), &format!("{} {}", style.bold("you ›"), style.dim(&with)), "      ")
            }
            ServerMessage::UserMessage { text, tool: Some(tool), repeated: None | Some(false), .. } => {
                vec![style.dim(&format!("  · With {}: {}", short(tool, 64), short(text, 300)))]
            }
            ServerMessage::AgentThinking { step, message, candidates, selected, .. } => {
                choice::thought(*step, message, candidates.as_deref(), selected.as_deref(), style)
            }
            ServerMessage::ToolCallStart { call_id, parent_call_id, tool, title, arguments, references, .. } => {
                let call = call_text(tool, arguments, references.as_ref());
                let shown = match title {
                    Some(title) => format!("{} {}", short(title, 120), style.dim(&call)),
                    None => call,
                };
                self.calls.start(call_id, parent_call_id.is_some(), tool, &shown, style)
            }
            ServerMessage::ToolOutputChunk { call_id, stream, offset, chunk } => {
                self.calls.output(call_id, *stream, *offset, chunk, style)
            }
            ServerMessage::ToolCallEnd {
                call_id,
                tool,
                success,
                preview,
                output_variable,
                duration_ms,
                error,
                suggestion,
                diff,
                ..
            } => {
                let end = CallEnd {
                    call: call_id,
                    tool,
                    success: *success,
                    preview,
                    diff: diff.as_deref(),
                    variable: output_variable.as_deref(),
                    duration_ms: *duration_ms,
                    error,
                    suggestion: suggestion.as_deref(),
                };
                self.calls.end(&end, style)
            }
            ServerMessage::ContextUpdate { set, removed } => context_lines(set, removed, style),
            ServerMessage::ContextState { variables, .. } => {
                variables.iter().map(|v| variable_line(v, style)).collect()
            }
            ServerMessage::ContextCleared {} => vec![style.dim("  · All variables are gone.")],
            ServerMessage::ConversationSummary(summary) => {
                vec![style.dim(&format!("  · Earlier messages in short: {}", short(&summary.text, 300)))]
            }
            ServerMessage::DisplayResource(window) => {
                let (title, resource) = (short(&window.title, 120), &window.resource);
                let what = format!("{}, {} bytes", visible(&resource.mime_type), resource.bytes);
                vec![format!(
                    "  {} {title} {}",
                    style.cyan("▣"),
                    style.dim(&format!("({what}) {}", visible(&resource.url)))
                )]
            }
            ServerMessage::Notification { level, message, progress, .. } => {
                vec![notification(*level, message, *progress, style)]
            }
            ServerMessage::SessionUpdate { reasoner: Some(reasoner), .. } => {
                let model = reasoner.model.as_deref().map(|model| format!(" ({})", visible(model))).unwrap_or_default();
                vec![style.dim(&format!("  · Now answered by {}{model}.", word(&reasoner.kind)))]
            }
            ServerMessage::SessionUpdate { context_tokens: Some(gauge), .. } => {
                let percent = gauge.used.saturating_mul(100) / gauge.limit.max(1);
                vec![
                    style.dim(&format!(
                        "  · {percent} % of the window is used ({} of {} tokens).",
                        gauge.used, gauge.limit
                    )),
                ]
            }
            ServerMessage::ApprovalResolved { decision, by, .. } => {
                vec![style.dim(&format!("  · {} ({})", word(decision), short(by, 60)))]
            }
            ServerMessage::QueryResolved { answer, .. } => {
                let said = answer.as_ref().map_or("dismissed".to_owned(), |answer| short(&answer.to_string(), 120));
                vec![style.dim(&format!("  · Answer: {said}"))]
            }
            ServerMessage::AgentError { message_ids, text, error, path, suggestions, .. } => {
                let mut lines = self.error(text, error, path.as_deref(), suggestions);
                if message_ids.is_some() {
                    lines.splice(0..0, self.reply.abandon());
                    lines.push(String::new());
                    self.calls.clear();
                }
                lines
            }
            ServerMessage::CommandResponse { text, .. } => lines_of(&without_escapes(text), "", ""),
            ServerMessage::CommandError { text, usage, .. } => {
                let mut lines = lines_of(&visible(text), &format!("{} ", style.red("✗")), "  ");
                lines.extend(usage.as_deref().map(|usage| style.dim(&format!("  Usage: {}", short(usage, 300)))));
                lines
            }
            _ => Vec::new(),
        });
        lines
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

/// What calls store is told at their end; what users set is told here.
fn context_lines(set: &[Variable], removed: &[String], style: Style) -> Vec<String> {
    let set = set.iter().filter(|variable| variable.origin.call_id.is_none()).map(|v| variable_line(v, style));
    let removed = removed.iter().map(|name| style.dim(&format!("  · @{} is gone.", visible(name))));
    set.chain(removed).collect()
}

fn variable_line(variable: &Variable, style: Style) -> String {
    let stale = if variable.stale { ", stale" } else { "" };
    let what = format!("({}, {} bytes{stale})", word(&variable.value_type), variable.bytes);
    format!("  @{} {} {}", visible(&variable.name), style.dim(&what), short(&variable.preview, 120))
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

#[cfg(test)]
#[path = "render_tests.rs"]
mod tests;
