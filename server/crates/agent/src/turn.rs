//! One running turn: what it answers, what it has done, and how it says so.
//!
//! Every stage begins with [`Turn::enter`], which ends a canceled turn, takes up messages that joined, and renews the
//! view. Only what a model answered is waited for here: it is durable before anything follows from it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use serde_json::Value;
use switchboard_protocol::{Candidate, MessageId, ServerMessage, Step, Usage};
use tokio_util::sync::CancellationToken;

use super::attached::Attached;
use super::continuation::{Continuation, Place};
use super::error::AgentError;
use super::host::{DoneCall, TurnHost, TurnView, UserMessage};
use super::reasoner::{
    Attempt, CallingReasoner, CandidateTool, Keeps, Move, ReasonerError, Reasoning, TurnContext, TurnReasoner,
};
use super::reply::ReplyStream;
use switchboard_events::{FileSeen, NewEvent, ServerOnly};
use switchboard_search::ToolIndex;
use switchboard_tools::{ToolManager, ToolRegistry};

/// The answer that takes a plan.
pub const YES: &str = "yes";
/// The answer that leaves it.
pub const NO: &str = "no";

/// What a turn works with.
pub(super) struct Means<'a> {
    pub(super) registry: &'a ToolRegistry,
    pub(super) index: &'a ToolIndex,
    /// Whether the agent's file names the tools that are in the registry.
    pub(super) declared: bool,
    pub(super) max_iterations: u32,
    pub(super) tools: &'a ToolManager,
    pub(super) host: &'a dyn TurnHost,
    pub(super) cancellation: &'a CancellationToken,
}

/// A running turn.
pub(super) struct Turn<'a> {
    pub(super) means: Means<'a>,
    pub(super) messages: Vec<UserMessage>,
    pub(super) view: Arc<TurnView>,
    /// Its calls, those before the server's end cut it off included.
    pub(super) attempts: Vec<Attempt>,
    /// How many searches it has made in the reasoner's own words.
    pub(super) searches: u32,
    /// The reasons of its stages.
    pub(super) thinking: Vec<String>,
    reply: ReplyStream,
    reasoner: Option<Box<dyn TurnReasoner>>,
    pub(super) calling: Option<Box<dyn CallingReasoner>>,
    /// What its model has cost so far.
    pub(super) usage: Option<Usage>,
}

/// What an `agent-thinking` frame says beside its step and message.
#[derive(Default)]
pub(super) struct Thought {
    pub(super) needs_tools: Option<bool>,
    pub(super) candidates: Option<Vec<Candidate>>,
    pub(super) selected: Option<Vec<String>>,
    pub(super) reasoning: Option<String>,
}

impl<'a> Turn<'a> {
    pub(super) fn new(means: Means<'a>, reasoning: Reasoning, messages: Vec<UserMessage>) -> Self {
        let (reasoner, calling) = match reasoning {
            Reasoning::ByStages(reasoner) => (Some(reasoner), None),
            Reasoning::ByCalls(calling) => (None, Some(calling)),
        };
        Self {
            means,
            messages,
            view: Arc::default(),
            attempts: Vec::new(),
            searches: 0,
            thinking: Vec::new(),
            reply: ReplyStream::default(),
            reasoner,
            calling,
            usage: None,
        }
    }

    /// Says that the turn has taken up its message: the first frame of every turn.
    pub(super) async fn begin(&mut self) -> Result<(), AgentError> {
        let taken = self.messages.clone();
        self.take_up(Step::Analyzing, "Reading the request", &taken).await
    }

    /// Says that the turn goes on which the server's end cut off.
    pub(super) async fn go_on(&mut self, done: Vec<DoneCall>) -> Result<(), AgentError> {
        let private = ServerOnly { resumed: true, ..ServerOnly::default() };
        let message = "Continuing after a restart".to_owned();
        self.think_with(Step::Analyzing, message, Thought::default(), private).await?;
        self.view = self.means.host.view().await?;
        // Of a file that several calls have seen, as the last of them left it.
        let seen = done.iter().flat_map(|call| &call.seen).map(|file| (&file.path, file));
        let seen: Vec<FileSeen> = BTreeMap::from_iter(seen).into_values().cloned().collect();
        self.means.tools.recall_files(&seen).await;
        self.attempts = done.into_iter().map(|call| Attempt::that_ended(call, &self.view)).collect();
        if let Some(latest) = self.attempts.last_mut() {
            latest.load(&self.view, self.means.host.values()).await;
        }
        Ok(())
    }

    /// Begins a stage.
    pub(super) async fn enter(&mut self, step: Step) -> Result<(), AgentError> {
        self.stop_if_cancelled()?;
        let joined = self.means.host.steered().await;
        if !joined.is_empty() {
            self.messages.extend(joined.iter().cloned());
            self.take_up(step, "Taking in your new message", &joined).await?;
        }
        self.view = self.means.host.view().await?;
        Ok(())
    }

    /// Says what a stage found out.
    pub(super) async fn think(&mut self, step: Step, message: String, thought: Thought) -> Result<(), AgentError> {
        self.think_with(step, message, thought, ServerOnly::default()).await
    }

    /// The same, with what only the server sees.
    pub(super) async fn think_with(
        &mut self,
        step: Step,
        message: String,
        thought: Thought,
        private: ServerOnly,
    ) -> Result<(), AgentError> {
        self.record_thought(step, message, thought, private, false).await
    }

    /// The same; waits until it is durable where that is wanted.
    async fn record_thought(
        &mut self,
        step: Step,
        message: String,
        thought: Thought,
        private: ServerOnly,
        durable: bool,
    ) -> Result<(), AgentError> {
        if let Some(reasoning) = thought.reasoning.as_deref().filter(|text| !text.is_empty()) {
            self.thinking.push(reasoning.to_owned());
        }
        let event = self.event(thinking_frame(step, message, thought), Some(private));
        let receipt = self.means.host.record(event, durable).await?;
        if durable {
            receipt.durable().await?;
        }
        Ok(())
    }

    /// The same at a decision, with which the turn goes on from there if the server ends.
    pub(super) async fn think_at(
        &mut self,
        step: Step,
        message: String,
        thought: Thought,
        place: Option<&Place>,
    ) -> Result<(), AgentError> {
        let continuation = self.continuation(step, place);
        let waits = continuation.is_some() && self.reasoner.as_ref().is_some_and(|reasoner| reasoner.asks_model());
        let private = ServerOnly { continuation, ..ServerOnly::default() };
        self.record_thought(step, message, thought, private, waits).await
    }

    /// The same for an answer of a model that calls tools itself.
    pub(super) async fn think_after(
        &mut self,
        step: Step,
        message: String,
        thought: Thought,
        next: &Move,
    ) -> Result<(), AgentError> {
        let continuation = Some(Continuation::written_after(next, self.messages.len()));
        let private = ServerOnly { continuation, ..ServerOnly::default() };
        self.record_thought(step, message, thought, private, true).await
    }

    /// From where the turn goes on, as it is written down.
    fn continuation(&self, step: Step, place: Option<&Place>) -> Option<Value> {
        let (place, context) = (place?, self.context());
        let reasoner = self.reasoner.as_ref()?;
        let mind = match reasoner.keeps(&context, step) {
            Keeps::NothingNew => return None,
            Keeps::Mind(mind) => Some(mind),
            Keeps::TooMuch => None,
        };
        Some(Continuation::written(place, self.searches, mind.as_ref()))
    }

    /// Whether its model calls tools itself.
    pub(super) fn calls_tools(&self) -> bool {
        self.calling.is_some()
    }

    /// Lends the model that calls tools out for one question; [`Self::keep_calling`] takes it back.
    pub(super) fn native(&mut self) -> Result<Box<dyn CallingReasoner>, AgentError> {
        self.calling.take().ok_or(AgentError::Cancelled)
    }

    /// Takes it back, and what it has cost so far.
    pub(super) fn keep_calling(&mut self, calling: Box<dyn CallingReasoner>) {
        self.usage = calling.usage();
        self.calling = Some(calling);
    }

    /// Goes on stage by stage with the same model.
    pub(super) fn go_by_stages(&mut self) -> Result<(), AgentError> {
        self.reasoner = Some(self.native()?.by_stages());
        Ok(())
    }

    /// Lends the turn's reasoner out for one question; [`Self::keep`] takes it back.
    pub(super) fn reasoner(&mut self) -> Result<Box<dyn TurnReasoner>, AgentError> {
        self.reasoner.take().ok_or(AgentError::Cancelled)
    }

    /// Takes the reasoner back, and what it has cost so far.
    pub(super) fn keep(&mut self, reasoner: Box<dyn TurnReasoner>) {
        self.usage = reasoner.usage();
        self.reasoner = Some(reasoner);
    }

    /// Whether the failure of the latest call, which ran, is what was asked for.
    pub(super) fn failure_is_an_answer(&self) -> bool {
        let ran = self
            .attempts
            .last()
            .is_some_and(|attempt| attempt.outcome.started && attempt.outcome.result.value.is_some());
        ran && self.reasoner.as_ref().is_some_and(|reasoner| reasoner.answers_failure())
    }

    /// Whether files are read for a call that would change them unread.
    pub(super) fn reads_first(&self) -> bool {
        self.reasoner.as_ref().is_some_and(|reasoner| reasoner.reads_first())
    }

    /// Whether the results of its calls can show pictures to a model.
    pub(super) fn sees_pictures(&self) -> bool {
        let calling = self.calling.as_ref().is_some_and(|calling| calling.sees_pictures());
        calling || self.reasoner.as_ref().is_some_and(|reasoner| reasoner.sees_pictures())
    }

    /// Waits for the reasoner's answer and sends meanwhile what it writes; a canceled turn does not wait.
    pub(super) async fn answer<T>(
        &self,
        answer: impl Future<Output = Result<T, ReasonerError>>,
    ) -> Result<T, AgentError> {
        let answered = tokio::select! {
            biased;
            () = self.means.cancellation.cancelled() => return Err(AgentError::Cancelled),
            answered = answer => answered,
            () = self.reply.send_to(self.means.host) => return Err(AgentError::Cancelled),
        };
        self.reply.finish(self.means.host).await;
        Ok(answered?)
    }

    pub(super) fn stop_if_cancelled(&self) -> Result<(), AgentError> {
        if self.means.cancellation.is_cancelled() { Err(AgentError::Cancelled) } else { Ok(()) }
    }

    /// The id that the turn's frames carry.
    pub(super) fn id(&self) -> &MessageId {
        &self.messages[0].id
    }

    /// What the user asked for, steering messages included.
    pub(super) fn request(&self) -> String {
        self.messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn message_ids(&self) -> Vec<MessageId> {
        self.messages.iter().map(|message| message.id.clone()).collect()
    }

    /// The tool that the user asked for, until it has worked: no other one is chosen before.
    pub(super) fn bound_to(&self) -> Option<&str> {
        self.context().bound_to()
    }

    /// Whether the tool that the user asked for is not there any more.
    pub(super) fn lacks_its_tool(&self) -> bool {
        self.bound_to().is_some_and(|tool| self.means.registry.get(tool).is_none())
    }

    /// Those of the candidates that may be chosen now.
    pub(super) fn allowed<'c>(&self, candidates: &'c [CandidateTool]) -> Cow<'c, [CandidateTool]> {
        match self.bound_to() {
            None => Cow::Borrowed(candidates),
            Some(tool) => candidates.iter().filter(|found| found.definition.name == tool).cloned().collect(),
        }
    }

    /// A plan that waited has its answer: the message takes it, leaves it, or is another one in its place.
    /// From now on the turn alone knows what was taken.
    pub(super) async fn settle_plan(&self, place: Option<&Place>) -> Result<(), AgentError> {
        let Some(asked) = &self.view.plan else { return Ok(()) };
        let said = self.reasoner.as_ref().and_then(|reasoner| reasoner.says_of_plan());
        let answer = said.map(|takes| if takes { YES.into() } else { NO.into() });
        let private = ServerOnly { continuation: self.continuation(Step::Analyzing, place), ..ServerOnly::default() };
        self.record(ServerMessage::QueryResolved { query_id: asked.query_id.clone(), answer }, Some(private)).await
    }

    /// Shows the plan that the reply asks about.
    pub(super) async fn ask_plan(&mut self) {
        if let Some(ask) = self.reasoner.as_mut().and_then(|reasoner| reasoner.asks_plan()) {
            self.means.host.ask_plan(ask).await;
        }
    }

    pub(super) async fn record(&self, message: ServerMessage, private: Option<ServerOnly>) -> Result<(), AgentError> {
        self.means.host.record(self.event(message, private), false).await?;
        Ok(())
    }

    fn event(&self, message: ServerMessage, private: Option<ServerOnly>) -> NewEvent {
        let event = NewEvent::of_turn(self.id(), message);
        match private.filter(|private| *private != ServerOnly::default()) {
            Some(private) => event.with_private(private),
            None => event,
        }
    }

    async fn take_up(&self, step: Step, message: &str, taken: &[UserMessage]) -> Result<(), AgentError> {
        let attached = Attached::to(taken, self.means.host).await?;
        let private = ServerOnly {
            taken: taken.iter().map(|message| message.id.clone()).collect(),
            messages: attached.messages,
            ..ServerOnly::default()
        };
        let event = NewEvent::of_turn(self.id(), thinking_frame(step, message.to_owned(), Thought::default()));
        self.means.host.record(event.with_private(private).with_blobs(attached.blobs), false).await?;
        Ok(())
    }

    /// What the reasoner sees.
    pub(super) fn context(&self) -> TurnContext<'_> {
        TurnContext {
            messages: &self.messages,
            view: &self.view,
            values: self.means.host.values(),
            registry: self.means.registry,
            declared: self.means.declared,
            attempts: &self.attempts,
            inside: !self.means.host.call_chain().agents.is_empty(),
            reply: &self.reply,
        }
    }
}

fn thinking_frame(step: Step, message: String, thought: Thought) -> ServerMessage {
    let found = thought.candidates.as_ref().map(|found| u32::try_from(found.len()).unwrap_or(u32::MAX));
    ServerMessage::AgentThinking {
        step,
        message,
        needs_tools: thought.needs_tools,
        found_tools: found,
        candidates: thought.candidates,
        selected: thought.selected,
        reasoning: thought.reasoning,
    }
}

/// Each of the names once, in order.
pub(super) fn distinct<'t>(names: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut seen = Vec::<String>::new();
    for name in names {
        if !seen.iter().any(|other| other == name) {
            seen.push(name.to_owned());
        }
    }
    seen
}
