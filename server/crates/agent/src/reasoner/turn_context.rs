//! What a reasoner sees when it decides.

use std::sync::Arc;

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, Operation, ToolDefinition, Variable};

use crate::host::{DoneCall, TurnView, UserMessage};
use crate::reply::ReplyStream;
use switchboard_context::Entry;
use switchboard_events::{ArtifactValue, ChatMessage, ChatRole, Values};
use switchboard_search::{Found, Likeness};
use switchboard_tools::{CallOutcome, ToolRegistry, ToolResult};

/// How much of a message a search takes, in bytes.
const MAX_SAID: usize = 500;

/// The turn so far, at one stage.
#[derive(Clone, Copy)]
pub struct TurnContext<'a> {
    /// The messages that the turn answers: the one that began it, then those that steered it.
    pub messages: &'a [UserMessage],
    /// The session as it is now.
    pub view: &'a TurnView,
    /// Loads the values of variables.
    pub values: &'a Values,
    /// All tools, for what the search does not show.
    pub registry: &'a ToolRegistry,
    /// Whether they are those that the agent's file names: then a model sees all of them.
    pub declared: bool,
    /// The calls of this turn, oldest first; those before the server's end cut it off without what nobody needs any more.
    pub attempts: &'a [Attempt],
    /// Whether the turn is a specialist's: it sees its own calls alone, and the session has others.
    pub inside: bool,
    /// Takes the reply while it is written.
    pub reply: &'a ReplyStream,
}

impl TurnContext<'_> {
    /// The text of the message that began the turn.
    #[must_use]
    pub fn request(&self) -> &str {
        self.messages.first().map_or("", |message| &message.text)
    }

    /// What was said before this turn, cut: two messages of the user and the last reply, newest first. "Yes, please do" says
    /// nothing by itself of which tool is wanted.
    #[must_use]
    pub fn said_before(&self) -> Vec<String> {
        let own =
            |message: &&ChatMessage| !self.messages.iter().any(|own| own.with_attachments() == message.content.text());
        let said = |role: ChatRole| {
            let messages = self.view.conversation.messages().filter(move |message| message.role == role);
            messages.filter(own).filter(|message| !message.content.text().trim().is_empty()).rev()
        };
        let all = said(ChatRole::Assistant).take(1).chain(said(ChatRole::User).take(2));
        let cut = |text: &str| text[..text.floor_char_boundary(MAX_SAID)].to_owned();
        all.map(|message| cut(message.content.text())).collect()
    }

    /// The latest call of this turn.
    #[must_use]
    pub fn latest(&self) -> Option<&Attempt> {
        self.attempts.last()
    }
}

impl<'a> TurnContext<'a> {
    /// The tool that the user asked for, until it has worked: no other one is chosen before.
    #[must_use]
    pub fn bound_to(&self) -> Option<&'a str> {
        let tool = self.messages.first()?.tool.as_deref()?;
        let worked = |attempt: &Attempt| attempt.tool == tool && attempt.outcome.result.is_success();
        (!self.attempts.iter().any(worked)).then_some(tool)
    }
}

/// A call that the turn made.
pub struct Attempt {
    /// The call.
    pub call_id: CallId,
    /// The tool.
    pub tool: String,
    /// The arguments as they were chosen, references unresolved.
    pub arguments: Map<String, Value>,
    /// What came of it.
    pub outcome: CallOutcome,
    /// The variable that keeps the error, when it failed.
    pub error_variable: Option<String>,
}

impl Attempt {
    /// A call that ended before the server's end cut its turn off, without its value.
    pub(crate) fn that_ended(call: DoneCall, view: &TurnView) -> Self {
        let DoneCall { call_id, tool, arguments, started, failure, variable, seen: _ } = call;
        let operation = view.operations.iter().rev().find(|operation| operation.call_id == call_id);
        let operation = operation.map(|operation| Operation::clone(operation)).unwrap_or_else(|| Operation {
            call_id: call_id.clone(),
            tool: tool.clone(),
            request: None,
            inputs: arguments.clone(),
            outputs: String::new(),
            output_variable: variable.clone(),
            timestamp: String::new(),
            success: failure.is_none(),
        });
        let said = view.conversation.messages().rev().find(|message| message.tool_call_id.as_ref() == Some(&call_id));
        let said = said.map(|message| message.content.text().to_owned()).unwrap_or_default();
        let shown = variable.as_ref().and_then(|name| said.strip_suffix(&format!("(stored as @{name})")));
        let shown = shown.map(|shown| shown.trim_end().to_owned());
        let result = ToolResult { failure, view: shown, ..ToolResult::default() };
        let outcome = CallOutcome { result, started, repeated: false, variable, operation, view: said };
        let own_error = |variable: &&Variable| {
            variable.origin.call_id.as_ref() == Some(&call_id) && Some(&variable.name) != outcome.variable.as_ref()
        };
        let error = view.context.variables().rev().find(own_error).map(|variable| variable.name.clone());
        let error_variable = error.filter(|_| outcome.result.failure.is_some());
        Self { call_id, tool, arguments, outcome, error_variable }
    }

    /// Its value, if the variable still holds it.
    pub(crate) async fn load(&mut self, view: &TurnView, values: &Values) {
        let Some(name) = &self.outcome.variable else { return };
        let own = |entry: &Entry| entry.variable.origin.call_id.as_ref() == Some(&self.call_id);
        if view.context.get(name).is_some_and(own)
            && let Ok(value) = view.context.value(values, name).await
        {
            self.outcome.result.value = Some(ArtifactValue::clone(&value));
        }
    }
}

/// A tool that the search found.
#[derive(Debug, Clone)]
pub struct CandidateTool {
    /// What it says of itself.
    pub definition: Arc<ToolDefinition>,
    /// From 0 to 1.
    pub confidence: f64,
    /// How alike it and the request are in meaning.
    pub likeness: Likeness,
    /// Why it was found.
    pub reasons: Vec<String>,
    /// Only a part of the next action led to it.
    pub of_part: bool,
}

impl CandidateTool {
    /// The tool as the search found it.
    #[must_use]
    pub fn found(definition: Arc<ToolDefinition>, Found { confidence, likeness, reasons, .. }: Found) -> Self {
        Self { definition, confidence, likeness, reasons, of_part: false }
    }
}

/// Takes in what a search found, once each.
pub(crate) fn add_candidates(offered: &mut Vec<CandidateTool>, found: Vec<CandidateTool>) {
    for tool in found {
        if !offered.iter().any(|known| known.definition.name == tool.definition.name) {
            offered.push(tool);
        }
    }
}
