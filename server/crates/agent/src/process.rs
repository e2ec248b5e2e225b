//! [`ToolUsingChatAgent`]: a message goes in, the turn's end comes out.
//!
//! There is one agent per process. It holds no session's state; a turn's state is in [`Turn`] and ends with it.

use std::sync::Arc;

use switchboard_protocol::{ReasonerInfo, ReasonerKind, ServerMessage};
use tokio_util::sync::CancellationToken;

use super::error::AgentError;
use super::host::{CutTurn, TurnEnd, TurnHost, UserMessage};
use super::reasoner::{Reasoner, ReasonerError, Reply};
use super::turn::{Means, Turn};
use super::{native_loop, pipeline, resume};
use switchboard_search::ToolIndex;
use switchboard_tools::{ToolManager, ToolRegistry};

/// How many rounds a turn may take when nothing else is said.
pub const DEFAULT_MAX_ITERATIONS: u32 = 10;

/// The tools that the primary agent's file names, and their index; none while it names none.
pub type PrimaryTools = Arc<dyn Fn() -> Option<(Arc<ToolRegistry>, Arc<ToolIndex>)> + Send + Sync>;

/// The agent.
pub struct ToolUsingChatAgent {
    reasoner: Arc<dyn Reasoner>,
    pub(super) registry: Arc<ToolRegistry>,
    index: Arc<ToolIndex>,
    max_iterations: u32,
    /// Whether the tools are those that its file names.
    declared: bool,
    /// The primary agent's tools, if its file names them.
    primary_tools: Option<PrimaryTools>,
}

impl ToolUsingChatAgent {
    /// An agent that decides with `reasoner` and finds its tools through `index`.
    #[must_use]
    pub fn new(
        reasoner: Arc<dyn Reasoner>,
        registry: Arc<ToolRegistry>,
        index: Arc<ToolIndex>,
        max_iterations: u32,
    ) -> Self {
        Self { reasoner, registry, index, max_iterations: max_iterations.max(1), declared: false, primary_tools: None }
    }

    /// The same agent, whose tools are those that its file names, or not.
    pub(super) fn with_declared_tools(self, declared: bool) -> Self {
        Self { declared, ..self }
    }

    /// The same agent, with these tools instead of all in turns that begin while there are such.
    #[must_use]
    pub fn with_primary_tools(self, tools: PrimaryTools) -> Self {
        Self { primary_tools: Some(tools), ..self }
    }

    /// Which reasoner decides.
    #[must_use]
    pub fn info(&self) -> ReasonerInfo {
        self.reasoner.info()
    }

    /// Answers a message. Always ends in one frame; a canceled turn keeps what it has stored.
    pub async fn process_message(
        &self,
        message: UserMessage,
        tools: &ToolManager,
        host: &dyn TurnHost,
        cancellation: &CancellationToken,
    ) -> TurnEnd {
        self.run(vec![message], None, tools, host, cancellation).await
    }

    /// Whether a turn that has made calls can go on without what it wrote down of its plan: whoever calls tools itself finds
    /// all that it did in the conversation.
    #[must_use]
    pub fn remembers_calls(&self) -> bool {
        self.reasoner.info().kind == ReasonerKind::Native
    }

    /// The same for a turn that has taken up these messages, and that may go on after a restart cut it off, or after it waited
    /// for its user meanwhile.
    pub async fn run(
        &self,
        messages: Vec<UserMessage>,
        cut: Option<CutTurn>,
        tools: &ToolManager,
        host: &dyn TurnHost,
        cancellation: &CancellationToken,
    ) -> TurnEnd {
        let own = self.primary_tools.as_ref().and_then(|tools| tools());
        let mut turn = self.turn(own.as_ref(), tools, host, cancellation, messages);
        let ended = self.answer(&mut turn, cut).await;
        tools.clear_current_turn();
        if ended.is_ok() {
            turn.ask_plan().await;
        }
        match ended {
            Ok(reply) => TurnEnd { message: response(&turn, &reply), usage: turn.usage(), record_error: None },
            Err(error) => failed(&turn, error),
        }
    }

    async fn answer(&self, turn: &mut Turn<'_>, cut: Option<CutTurn>) -> Result<Reply, AgentError> {
        match cut {
            None => turn.begin().await?,
            Some(mut cut) => {
                turn.go_on(std::mem::take(&mut cut.done)).await?;
                if let Some(reply) = resume::run(turn, cut).await? {
                    return Ok(reply);
                }
            }
        }
        if turn.lacks_its_tool() {
            return Ok(self.not_there(turn));
        }
        if turn.calls_tools() { native_loop::run(turn, None).await } else { pipeline::run(turn).await }
    }

    /// A turn with these tools, without them with all.
    fn turn<'a>(
        &'a self,
        own: Option<&'a (Arc<ToolRegistry>, Arc<ToolIndex>)>,
        tools: &'a ToolManager,
        host: &'a dyn TurnHost,
        cancellation: &'a CancellationToken,
        messages: Vec<UserMessage>,
    ) -> Turn<'a> {
        let (registry, index) = own.map_or((&self.registry, &self.index), |(registry, index)| (registry, index));
        let declared = self.declared || own.is_some();
        let means = Means { registry, index, declared, max_iterations: self.max_iterations, tools, host, cancellation };
        Turn::new(means, self.reasoner.begin_turn(), messages)
    }

    /// The tool that was asked for when the message was taken has gone since, or is none of the primary agent's.
    fn not_there(&self, turn: &Turn<'_>) -> Reply {
        let tool = turn.bound_to().unwrap_or_default();
        let text = match self.registry.get(tool) {
            Some(_) => format!(
                "`{tool}`, which you asked for, is not among the tools that the primary agent may use. `/agents` shows \
                 its file."
            ),
            None => {
                format!("`{tool}`, which you asked for, is not there any more. `/tools` lists the tools that are.")
            }
        };
        Reply { text, complete: false }
    }
}

fn response(turn: &Turn<'_>, reply: &Reply) -> ServerMessage {
    ServerMessage::AgentResponse {
        message_ids: turn.message_ids(),
        text: reply.text.trim().to_owned(),
        tools_used: turn.tools_used(),
        context_updated: turn.context_updated(),
        reasoning: turn.reasoning(),
        operation_count: turn.operation_count(),
        complete: reply.complete,
        usage: turn.usage(),
    }
}

fn failed(turn: &Turn<'_>, error: AgentError) -> TurnEnd {
    let (retryable, retry_after_ms) = match &error {
        AgentError::ToolFailed { retryable, .. } => (*retryable, None),
        AgentError::Reasoner(ReasonerError::Model { retryable, retry_after_ms, .. }) => (*retryable, *retry_after_ms),
        AgentError::Cancelled | AgentError::Record(_) => (true, None),
        AgentError::Stuck { .. } | AgentError::Reasoner(ReasonerError::Answer(_)) => (true, None),
        AgentError::MaxIterations(_) | AgentError::Unread { .. } | AgentError::Reasoner(_) => (false, None),
    };
    let message = ServerMessage::AgentError {
        message_ids: Some(turn.message_ids()),
        text: text_of(turn, &error),
        error: error.to_string(),
        code: error.code().to_owned(),
        path: None,
        attempted_tools: turn.tools_used(),
        suggestions: suggestions_of(&error),
        retryable,
        retry_after_ms,
    };
    let record_error = match error {
        AgentError::Record(error) => Some(error),
        _ => None,
    };
    TurnEnd { message, usage: turn.usage(), record_error }
}

fn text_of(turn: &Turn<'_>, error: &AgentError) -> String {
    match error {
        AgentError::ToolFailed { text, .. } => text.clone(),
        AgentError::MaxIterations(rounds) => {
            format!("I stopped after {rounds} rounds without finishing the request. {}", turn.done_so_far())
        }
        AgentError::Unread { text } => text.clone(),
        AgentError::Stuck { message, .. } => format!("I stopped: {message}. {}", turn.done_so_far()),
        AgentError::Cancelled => match turn.attempts.is_empty() {
            true => "I stopped, as you asked. Nothing had been done yet.".to_owned(),
            false => format!("I stopped, as you asked. {}", turn.done_so_far()),
        },
        AgentError::Reasoner(error) => {
            let text = format!("Sorry, I could not continue: failed to {error}. {}", turn.done_so_far());
            match error {
                ReasonerError::Model { partial: Some(partial), .. } => {
                    format!("{text}\n\nThe reply is incomplete. This much had arrived:\n\n{partial}")
                }
                _ => text,
            }
        }
        AgentError::Record(error) => format!("Sorry, this session can no longer be saved: failed to {error}."),
    }
}

fn suggestions_of(error: &AgentError) -> Vec<String> {
    let texts: &[&str] = match error {
        AgentError::ToolFailed { suggestions, .. } => return suggestions.clone(),
        AgentError::MaxIterations(_) => &[
            "Ask for the rest in a new message",
            "Ask for less at once. If you run this server, you can also raise --max-iterations",
        ],
        AgentError::Reasoner(ReasonerError::Model { suggestion, .. }) => return vec![suggestion.clone()],
        AgentError::Stuck { .. } => {
            &["Rephrase the request, or split it into smaller steps", "Use a more capable model"]
        }
        AgentError::Reasoner(ReasonerError::Answer(_)) => {
            &["Send the message again", "If it happens again, use a more capable model, or --reasoner native"]
        }
        AgentError::Cancelled => &["Send the message again to start over"],
        AgentError::Unread { .. } => &["Ask for the rest in a new message"],
        AgentError::Reasoner(_) | AgentError::Record(_) => &["Send the message again"],
    };
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
