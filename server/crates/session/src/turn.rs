//! One running turn, and one running call of the user's own: tasks with a cancellation token that end by telling the
//! actor, whatever happens in them. The actor makes exactly one end frame of that.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::{Map, Value};
use switchboard_protocol::{CallId, ServerMessage};
use tokio_util::sync::CancellationToken;

use super::host::{CallEnd, SessionHost, WorkRequest};
use super::outcome;
use switchboard_agent::{CutTurn, ToolUsingChatAgent, UserMessage};
use switchboard_context::ContextManager;
use switchboard_events::CallRecord;
use switchboard_tools::{CallOutcome, Invocation, ToolFailure, ToolManager};

/// What a turn is made of.
pub(super) struct Turn {
    pub(super) agent: Arc<ToolUsingChatAgent>,
    pub(super) tools: Arc<ToolManager>,
    /// The messages that it has taken up; one, unless it goes on.
    pub(super) messages: Vec<UserMessage>,
    /// How it goes on, if a restart cut it off.
    pub(super) cut: Option<CutTurn>,
    pub(super) host: SessionHost,
    pub(super) cancellation: CancellationToken,
}

impl Turn {
    /// Runs the turn to its end.
    pub(super) async fn run(self) {
        let Self { agent, tools, messages, cut, host, cancellation } = self;
        let work = agent.run(messages, cut, &tools, &host, &cancellation);
        let message = match AssertUnwindSafe(work).catch_unwind().await {
            Ok(end) => end.message,
            Err(_) => broken_down(),
        };
        tools.clear_current_turn();
        // A session that has ended finds the turn open in its log when it comes back.
        let _ = host.request(WorkRequest::TurnEnded(message)).await;
    }
}

/// What a call of the user's own is made of.
pub(super) struct UserCall {
    pub(super) tools: Arc<ToolManager>,
    pub(super) call_id: CallId,
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) context: ContextManager,
    pub(super) host: SessionHost,
    pub(super) cancellation: CancellationToken,
}

impl UserCall {
    /// Runs the call to its end.
    pub(super) async fn run(self) {
        let Self { tools, call_id, tool, arguments, context, host, cancellation } = self;
        let invocation = Invocation {
            call_id,
            parent: None,
            turn_id: None,
            tool: &tool,
            within: None,
            reply: None,
            arguments,
            output: None,
            request: "",
            by_user: true,
            answered: None,
            sees_pictures: false,
            context: &context,
            cancellation,
        };
        let call = AssertUnwindSafe(tools.call(invocation, &host)).catch_unwind().await;
        let end = match call {
            Ok(Ok(outcome)) => told(outcome),
            // The session knows better why its log does not take events.
            Ok(Err(error)) => CallEnd::Failed(format!("Failed to {error}.")),
            Err(_) => CallEnd::BrokeDown,
        };
        let _ = host.request(WorkRequest::CallEnded(end)).await;
    }
}

fn told(outcome: CallOutcome) -> CallEnd {
    match outcome.result.failure {
        None => CallEnd::Told(outcome.view),
        Some(ToolFailure { message, suggestion, .. }) => {
            CallEnd::Failed([message, suggestion.unwrap_or_default()].join(" ").trim().to_owned())
        }
    }
}

/// A call of a turn that was cut off, to be made once more at the user's word; then the turn ends.
pub(super) struct Retry {
    pub(super) tools: Arc<ToolManager>,
    pub(super) tool: String,
    pub(super) fact: CallRecord,
    pub(super) context: ContextManager,
    pub(super) host: SessionHost,
    pub(super) cancellation: CancellationToken,
}

impl Retry {
    /// Runs the call and ends the turn.
    pub(super) async fn run(self) {
        let Self { tools, tool, fact, context, host, cancellation } = self;
        let invocation = Invocation {
            call_id: fact.call_id,
            parent: None,
            turn_id: host.turn_id.as_ref(),
            tool: &tool,
            within: None,
            reply: fact.reply.as_ref(),
            arguments: fact.arguments,
            output: fact.output,
            request: &fact.request,
            // The user said so himself.
            by_user: true,
            answered: None,
            sees_pictures: false,
            context: &context,
            cancellation: cancellation.clone(),
        };
        let message = match AssertUnwindSafe(tools.call(invocation, &host)).catch_unwind().await {
            Ok(Ok(outcome)) => outcome::retried(&tool, &outcome, cancellation.is_cancelled()),
            // The session has ended: it finds the call open in its log when it comes back.
            Ok(Err(_)) => return,
            Err(_) => broken_down(),
        };
        tools.clear_current_turn();
        let _ = host.request(WorkRequest::TurnEnded(message)).await;
    }
}

/// The end of a turn in which something broke; what it was is in the server's own log, never in the frame.
fn broken_down() -> ServerMessage {
    ServerMessage::AgentError {
        message_ids: None,
        text: "Sorry, something went wrong inside the server while I was working on this. Everything stored before \
               that is kept."
            .to_owned(),
        error: "the turn ended in an internal error; the server's log has the details".to_owned(),
        code: "internal".to_owned(),
        path: None,
        attempted_tools: Vec::new(),
        suggestions: vec!["Send the message again, or rephrase it.".to_owned()],
        retryable: true,
        retry_after_ms: None,
    }
}
