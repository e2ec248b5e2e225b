//! What is reported about work that was cut off: by a crash, a shutdown, a store that failed, or because it did not end
//! when it was told to. Nothing is run again here; whoever reads the frames learns what is certain and what is not.

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, Decision, ErrorType, MessageId, Operation, QueryKind, ServerFrame, ServerMessage};

use super::state::{OpenCall, OpenTurn, SessionState};
use switchboard_context::preview_arguments;
use switchboard_events::{ChatMessage, ChatRole, InsideRecord, NewEvent, ServerOnly, ToolCall};

/// What cut the work off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// The server stopped, whether it was told to or crashed.
    ServerStopped,
    /// The log could not be written.
    StoreFailed,
    /// It was told to end and did not.
    Stuck,
    /// The session was exported while it worked, and goes on in another place.
    Imported,
    /// A new session was made from the beginning of another one.
    Forked,
    /// A backup was made while it worked, and was put back.
    Restored,
}

impl Cut {
    /// The beginning of a sentence.
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::ServerStopped => "The server stopped",
            Self::StoreFailed => "The event log could not be written",
            Self::Stuck => "The work did not end when it was stopped",
            Self::Imported => "The session was exported",
            Self::Forked => "The session was forked",
            Self::Restored => "A backup of the session was restored",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::ServerStopped => "the server stopped",
            Self::StoreFailed => "the event log could not be written",
            Self::Stuck => "the work did not end when it was stopped",
            Self::Imported => "the session was exported",
            Self::Forked => "the session was forked here",
            Self::Restored => "a backup of the session was restored",
        }
    }

    /// Who resolved a question that was open then.
    pub(super) fn by(self) -> &'static str {
        match self {
            Self::ServerStopped => "restart",
            Self::StoreFailed => "storage",
            Self::Stuck => "cancel",
            Self::Imported => "import",
            Self::Forked => "fork",
            Self::Restored => "restore",
        }
    }
}

/// The events that end everything that is open except messages that wait.
pub(super) fn end_all(state: &SessionState, cut: Cut) -> Vec<NewEvent> {
    let mut events = end_questions(state, cut);
    events.extend(state.calls.open.iter().map(|call| end_call(call, cut)));
    events.extend(state.messages.turn.as_ref().map(|turn| end_turn(state, &turn.id, cut)));
    events
}

/// The event that ends messages which wait, so that none of them runs.
pub(super) fn end_waiting(state: &SessionState, cut: Cut) -> Option<NewEvent> {
    let ids: Vec<MessageId> = state.messages.waiting.iter().map(|waiting| waiting.id.clone()).collect();
    let first = ids.first()?.clone();
    let text = format!("I did not start on this: {} before its turn came.", cut.text());
    let message = ServerMessage::AgentError {
        message_ids: Some(ids),
        error: format!("the message was not started: {}", cut.text()),
        code: "interrupted".to_owned(),
        path: None,
        attempted_tools: Vec::new(),
        suggestions: vec!["Send the message again.".to_owned()],
        retryable: true,
        retry_after_ms: None,
        text,
    };
    Some(NewEvent::of_turn(&first, message))
}

/// The events that end the calls of one turn, or the one call of the user's own.
pub(super) fn end_calls(state: &SessionState, cut: Cut, of: impl Fn(&OpenCall) -> bool) -> Vec<NewEvent> {
    state.calls.open.iter().filter(|call| of(call)).map(|call| end_call(call, cut)).collect()
}

/// The event that ends a turn in which a call's outcome may be unknown.
pub(super) fn end_turn(state: &SessionState, turn_id: &MessageId, cut: Cut) -> NewEvent {
    let turn = state.messages.turn.as_ref().filter(|turn| turn.id == *turn_id);
    let message_ids = turn.map_or_else(|| vec![turn_id.clone()], OpenTurn::message_ids);
    let running: Vec<&OpenCall> = state.calls.open.iter().filter(|call| call.turn.as_ref() == Some(turn_id)).collect();
    let what = what_was_running(state, turn_id, &running);
    let text = format!("I was interrupted: {} while I was working on this. {what}", cut.text());
    let message = ServerMessage::AgentError {
        message_ids: Some(message_ids),
        error: format!("the turn was interrupted: {}", cut.text()),
        code: "interrupted".to_owned(),
        path: None,
        attempted_tools: running.iter().map(|call| call.tool.clone()).collect(),
        suggestions: vec![match running.iter().any(|call| !call.repeatable()) {
            true => "Check whether it happened, then send the message again if it did not.".to_owned(),
            false => "Send the message again.".to_owned(),
        }],
        retryable: true,
        retry_after_ms: None,
        text: text.clone(),
    };
    let private = ServerOnly { messages: vec![ChatMessage::new(ChatRole::Assistant, text)], ..ServerOnly::default() };
    NewEvent::of_turn(turn_id, message).with_private(private)
}

/// The event that resolves an approval nobody will answer.
pub(super) fn end_approval(turn_id: Option<&MessageId>, call_id: &CallId, decision: Decision, by: &str) -> NewEvent {
    let message = ServerMessage::ApprovalResolved { call_id: call_id.clone(), decision, by: by.to_owned() };
    NewEvent { turn_id: turn_id.cloned(), message, private: None, blobs: Vec::new() }
}

fn end_questions(state: &SessionState, cut: Cut) -> Vec<NewEvent> {
    state.pending.iter().filter_map(|asked| end_pending(asked, cut)).collect()
}

/// The event that resolves a request nobody will answer.
pub(super) fn end_pending(asked: &ServerFrame, cut: Cut) -> Option<NewEvent> {
    match &asked.message {
        ServerMessage::ApprovalRequest { call_id, .. } => {
            Some(end_approval(asked.turn_id.as_ref(), call_id, Decision::Cancelled, cut.by()))
        }
        // A plan waits for its yes across restarts: nothing of it has begun.
        ServerMessage::UserQuery { kind: QueryKind::Plan, .. }
            if matches!(cut, Cut::ServerStopped | Cut::StoreFailed | Cut::Stuck) =>
        {
            None
        }
        ServerMessage::UserQuery { query_id, .. } => {
            let message = ServerMessage::QueryResolved { query_id: query_id.clone(), answer: None };
            Some(NewEvent { turn_id: asked.turn_id.clone(), message, private: None, blobs: Vec::new() })
        }
        _ => None,
    }
}

/// The event that ends a call of which nobody knows how it went.
pub(super) fn end_call(call: &OpenCall, cut: Cut) -> NewEvent {
    let (error, suggestion) = if call.repeatable() {
        (format!("{}: {} while it ran; it can safely be run again", call.tool, cut.text()), "Run it again.".to_owned())
    } else {
        (
            format!("{}: {} while it ran; whether it did its work is unknown", call.tool, cut.text()),
            format!("Check what `{}` did before you run it again.", call.tool),
        )
    };
    let message = ServerMessage::ToolCallEnd {
        call_id: call.call_id.clone(),
        tool: call.tool.clone(),
        started: true,
        success: false,
        preview: vec![error.clone()],
        output_variable: None,
        duration_ms: 0,
        undoable: call.undoable,
        error: error.clone(),
        error_type: Some(ErrorType::System),
        suggestion: Some(suggestion),
        diff: None,
        undid: None,
        pictures: None,
        fields: None,
    };
    let event = NewEvent { turn_id: call.turn.clone(), message, private: None, blobs: Vec::new() };
    event.with_private(private_end(call, &error, false))
}

/// The history and the conversation stay whole: a call has its result, even if nobody knows it.
pub(super) fn private_end(call: &OpenCall, outputs: &str, success: bool) -> ServerOnly {
    let fact = call.fact.as_ref();
    let arguments = fact.map(|fact| preview_arguments(&fact.arguments)).unwrap_or_default();
    let operation = Operation {
        call_id: call.call_id.clone(),
        tool: call.tool.clone(),
        request: fact.map(|fact| fact.request.clone()).filter(|request| !request.is_empty()),
        inputs: arguments.clone(),
        outputs: outputs.to_owned(),
        output_variable: None,
        timestamp: call.started_at.clone(),
        success,
    };
    if let Some(specialist) = &call.parent {
        // What a specialist does is part of its own conversation.
        let mut record = InsideRecord::of(specialist.clone());
        record.messages = vec![said(call, arguments), ChatMessage::result(&call.call_id, outputs)];
        record.operations = vec![operation];
        return ServerOnly { inside: Some(Box::new(record)), ..ServerOnly::default() };
    }
    let messages = match &call.turn {
        Some(_) => vec![said(call, arguments), ChatMessage::result(&call.call_id, outputs)],
        None => Vec::new(),
    };
    ServerOnly { operation: Some(operation), messages, ..ServerOnly::default() }
}

/// The call as the conversation has it.
fn said(call: &OpenCall, arguments: Map<String, Value>) -> ChatMessage {
    let reply = call.fact.as_ref().and_then(|fact| fact.reply.as_ref());
    ChatMessage::calls_in(reply, ToolCall { id: call.call_id.clone(), name: call.tool.clone(), arguments })
}

fn what_was_running(state: &SessionState, turn_id: &MessageId, running: &[&OpenCall]) -> String {
    let asked = state.pending.iter().find_map(|asked| match &asked.message {
        ServerMessage::ApprovalRequest { tool, .. } if asked.turn_id.as_ref() == Some(turn_id) => Some(tool),
        _ => None,
    });
    if let Some(tool) = asked {
        return format!("`{tool}` was waiting for your approval and was not run.");
    }
    let unknown = state.calls.unknown_but(OpenCall::repeatable).filter(|call| call.turn.as_ref() == Some(turn_id));
    let unknown: Vec<String> = unknown.map(|call| format!("`{}`", call.tool)).collect();
    if !unknown.is_empty() {
        return format!(
            "{} was running, and whether it did its work is unknown: check before you try again.",
            unknown.join(", ")
        );
    }
    match running.first() {
        Some(call) => format!("`{}` was running; it can safely be run again.", call.tool),
        None => "No tool was running.".to_owned(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use switchboard_protocol::ServerFrame;

    /// The end of a turn that was cut off.
    pub(crate) fn interrupted_end(turn: &str) -> ServerFrame {
        let event = end_turn(&SessionState::default(), &turn.to_owned(), Cut::ServerStopped);
        crate::frames::frame(Some(9), event.turn_id, event.message)
    }

    #[test]
    fn nothing_open_needs_no_word() {
        assert!(end_all(&SessionState::default(), Cut::ServerStopped).is_empty());
    }
}
