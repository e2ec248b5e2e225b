//! How a session stood at one of its events: what its events until then amount to.

use std::collections::BTreeMap;

use switchboard_protocol::{CallId, MessageId, Mode, QueryId, ServerFrame, ServerMessage, Variable};

use crate::cli::chat::{Style, short};

/// How long a request to the user may be.
const MAX_ASKED_CHARS: usize = 200;

/// How long a tool's name may be.
const MAX_TOOL_CHARS: usize = 64;

/// What the events so far amount to.
#[derive(Debug, Default)]
pub(super) struct Standing {
    variables: BTreeMap<String, Variable>,
    approvals: Vec<(CallId, String)>,
    questions: Vec<(QueryId, String)>,
    calls: Vec<(CallId, String)>,
    turn: Option<MessageId>,
    waiting: Vec<MessageId>,
}

impl Standing {
    /// Takes note of an event.
    pub(super) fn apply(&mut self, frame: &ServerFrame) {
        match &frame.message {
            // One that steers joins the turn that runs.
            ServerMessage::UserMessage { mode: Mode::Steer, .. } if self.turn.is_some() => {}
            ServerMessage::UserMessage { message_id, .. } => self.waiting.push(message_id.clone()),
            ServerMessage::AgentThinking { .. } => {
                self.turn.clone_from(&frame.turn_id);
                self.waiting.retain(|waiting| Some(waiting) != frame.turn_id.as_ref());
            }
            ServerMessage::AgentResponse { message_ids, .. }
            | ServerMessage::AgentError { message_ids: Some(message_ids), .. } => {
                self.waiting.retain(|waiting| !message_ids.contains(waiting));
                self.turn.take_if(|turn| Some(&*turn) == frame.turn_id.as_ref());
            }
            ServerMessage::ToolCallStart { call_id, tool, .. } => {
                // One that was made again after a restart runs once.
                self.calls.retain(|(id, _)| id != call_id);
                self.calls.push((call_id.clone(), short(tool, MAX_TOOL_CHARS)));
            }
            ServerMessage::ToolCallEnd { call_id, .. } => self.calls.retain(|(id, _)| id != call_id),
            ServerMessage::ApprovalRequest { call_id, tool, .. } => {
                self.approvals.push((call_id.clone(), format!("whether `{}` may run", short(tool, MAX_TOOL_CHARS))));
            }
            ServerMessage::ApprovalResolved { call_id, .. } => self.approvals.retain(|(id, _)| id != call_id),
            ServerMessage::UserQuery { query_id, message, .. } => {
                self.questions.push((query_id.clone(), short(message, MAX_ASKED_CHARS)));
            }
            ServerMessage::QueryResolved { query_id, .. } => self.questions.retain(|(id, _)| id != query_id),
            ServerMessage::ContextUpdate { set, removed } => {
                removed.iter().for_each(|name| drop(self.variables.remove(name)));
                self.variables.extend(set.iter().map(|variable| (variable.name.clone(), variable.clone())));
            }
            ServerMessage::ContextCleared {} => self.variables.clear(),
            _ => {}
        }
    }

    /// As lines for people; `event` of `all`.
    pub(super) fn lines(&self, event: u64, all: u64, style: Style) -> Vec<String> {
        let mut lines = vec![style.bold(&format!("At event {event} of {all}"))];
        let names: Vec<String> = self.variables.keys().map(|name| format!("@{name}")).collect();
        lines.push(match names.is_empty() {
            true => "There were no variables.".to_owned(),
            false => format!("Variables: {}", names.join(", ")),
        });
        lines.extend(self.turn.is_some().then(|| "A turn was running.".to_owned()));
        lines.extend(self.calls.iter().map(|(_, tool)| format!("`{tool}` was running.")));
        let asked = self.approvals.iter().map(|(_, asked)| asked).chain(self.questions.iter().map(|(_, asked)| asked));
        lines.extend(asked.map(|asked| format!("It waited for an answer: {asked}")));
        match self.waiting.len() {
            0 => {}
            1 => lines.push("One message was waiting.".to_owned()),
            count => lines.push(format!("{count} messages were waiting.")),
        }
        if event > 0 {
            lines.push(style.dim(&format!("/fork {event} in the session makes a new one from here.")));
        }
        lines
    }
}
