//! What a session's log amounts to: [`SessionState::apply`] is the one function that makes state of events, used live,
//! at load and in tests. It is pure, so the live state is the replayed one at every moment.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use switchboard_protocol::{
    CallId, MessageId, Mode, OpenWindow, Operation, ServerFrame, ServerMessage, Step, TokenGauge,
};

use switchboard_agent::UserMessage;
use switchboard_context::ContextManager;
use switchboard_conversation::{Summary, ToolAwareChatEngine};
use switchboard_events::{CallFact, FileHistory, Grant, LogError, Private, RuleFact, StoredEvent};
use switchboard_runtime::Pages;
use switchboard_tools::{Effect, Rule, RuleSet, RuleSource};

/// How many operations the history keeps.
const MAX_OPERATIONS: usize = 1000;

/// The state of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SessionState {
    /// The last event.
    pub(super) last_seq: u64,
    pub(super) title: Option<String>,
    /// How full the clients know the window to be.
    pub(super) context_tokens: Option<TokenGauge>,
    pub(super) context: ContextManager,
    pub(super) conversation: ToolAwareChatEngine,
    pub(super) operations: Pages<Arc<Operation>>,
    /// What calls did to files, for putting it back.
    pub(super) files: FileHistory,
    /// Every message that was ever taken, for those that are sent again.
    pub(super) messages: HashMap<MessageId, Taken>,
    /// What the user said last in this conversation, for `/try`.
    pub(super) last_request: Option<String>,
    /// Messages that no turn has taken up, in the order in which they will run.
    pub(super) waiting: VecDeque<Waiting>,
    /// The turn that runs, or ran when the log ended.
    pub(super) turn: Option<OpenTurn>,
    /// Calls that were started and have no end, in order.
    pub(super) calls: Vec<OpenCall>,
    /// Requests to the user without an answer, in order.
    pub(super) pending: Vec<ServerFrame>,
    /// What was allowed for the session when it was asked, and what that covers in words.
    pub(super) grants: BTreeMap<Grant, String>,
    /// Rules of the session's own, in the order in which they were given.
    pub(super) rules: Vec<RuleFact>,
    pub(super) windows: Vec<OpenWindow>,
    /// Names given by `/save`, with the event up to which the state is meant.
    pub(super) saved: BTreeMap<String, u64>,
    /// Commands and calls of the user by their ids, with the event that answers them now.
    pub(super) answers: HashMap<String, u64>,
}

/// A message that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) seq: u64,
    pub(super) digest: [u8; 32],
    pub(super) mode: Mode,
    /// The tool that the user asked for.
    pub(super) tool: Option<String>,
    pub(super) timestamp: String,
    pub(super) client_timestamp: Option<String>,
}

/// A message that waits for its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) id: MessageId,
    pub(super) text: String,
    pub(super) mode: Mode,
    /// The tool that the user asked for.
    pub(super) tool: Option<String>,
    pub(super) seq: u64,
}

impl Waiting {
    /// The message as its turn sees it. Only the message that begins a turn can ask for its tool.
    pub(super) fn message(&self) -> UserMessage {
        UserMessage { id: self.id.clone(), text: self.text.clone(), tool: self.tool.clone() }
    }
}

/// A turn that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenTurn {
    pub(super) id: MessageId,
    /// All messages that it answers, the first one included.
    pub(super) messages: Vec<MessageId>,
    pub(super) step: Step,
}

/// A call that has not ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OpenCall {
    pub(super) call_id: CallId,
    pub(super) turn: Option<MessageId>,
    pub(super) tool: String,
    pub(super) started_at: String,
    /// The call in full; missing only if the event that started it had nothing private.
    pub(super) fact: Option<CallFact>,
    /// Whether it keeps what its files were, so that it can be undone.
    pub(super) images: bool,
}

impl SessionState {
    /// Takes note of a stored event.
    ///
    /// # Errors
    /// When the event is not the next one or cannot be read: the log is damaged there.
    pub(super) fn apply_stored(&mut self, event: &StoredEvent) -> Result<(), String> {
        if event.seq != self.last_seq + 1 {
            return Err(format!("event {} follows event {}", event.seq, self.last_seq));
        }
        let frame: ServerFrame = serde_json::from_str(&event.frame).map_err(|error| format!("its frame: {error}"))?;
        let private: Option<Private> = match &event.private {
            Some(text) => Some(serde_json::from_str(text).map_err(|error| format!("its private part: {error}"))?),
            None => None,
        };
        self.apply(&frame, private.as_ref());
        Ok(())
    }

    /// Takes note of an event.
    pub(super) fn apply(&mut self, frame: &ServerFrame, private: Option<&Private>) {
        let seq = frame.seq.unwrap_or(self.last_seq + 1);
        self.last_seq = seq;
        self.apply_message(frame, private, seq);
        if let Some(private) = private {
            self.apply_private(private, seq);
        }
    }

    /// The session's own rules, ready for use.
    pub(super) fn rule_set(&self) -> RuleSet {
        let parse = |fact: &RuleFact| {
            let effect = Effect::of(&fact.effect)?;
            Rule::parse(effect, &fact.rule, RuleSource::Session).ok()
        };
        RuleSet::new(self.rules.iter().filter_map(parse).collect())
    }

    /// The texts of a message that is sent again are compared by this.
    pub(super) fn digest(text: &str) -> [u8; 32] {
        Sha256::digest(text).into()
    }

    fn apply_message(&mut self, frame: &ServerFrame, private: Option<&Private>, seq: u64) {
        match &frame.message {
            ServerMessage::UserMessage { message_id, text, mode, client_timestamp, tool, .. } => {
                self.last_request = Some(text.clone());
                self.messages.insert(
                    message_id.clone(),
                    Taken {
                        seq,
                        digest: Self::digest(text),
                        mode: *mode,
                        tool: tool.clone(),
                        timestamp: frame.timestamp.clone(),
                        client_timestamp: client_timestamp.clone(),
                    },
                );
                let (id, text, tool) = (message_id.clone(), text.clone(), tool.clone());
                self.wait(Waiting { id, text, mode: *mode, tool, seq });
            }
            ServerMessage::SessionUpdate { title, context_tokens, .. } => {
                self.title = title.clone().or(self.title.take());
                self.context_tokens = context_tokens.clone().or(self.context_tokens.take());
            }
            ServerMessage::ConversationSummary(said) => {
                let (text, from_seq, to_seq) = (said.text.clone(), said.from_seq, said.to_seq);
                self.conversation.summarized(Summary { text, from_seq, to_seq });
            }
            ServerMessage::AgentThinking { step, .. } => self.enter(frame.turn_id.as_ref(), *step),
            ServerMessage::ToolCallStart { call_id, tool, .. } => {
                // A call that is run again has one end all the same.
                self.calls.retain(|call| call.call_id != *call_id);
                self.calls.push(OpenCall {
                    call_id: call_id.clone(),
                    turn: frame.turn_id.clone(),
                    tool: tool.clone(),
                    started_at: frame.timestamp.clone(),
                    fact: private.and_then(|private| private.call.clone()),
                    images: private.is_some_and(|private| private.images.is_some()),
                });
                if private.is_some_and(|private| private.images.is_some()) {
                    self.files.started(call_id, tool, seq);
                }
                self.note_call(frame, call_id, seq);
            }
            ServerMessage::ToolCallEnd { call_id, undid, .. } => {
                self.files.ended(call_id, private.and_then(|private| private.changes.as_deref()), undid.as_deref().unwrap_or_default());
                self.calls.retain(|call| call.call_id != *call_id);
                self.note_call(frame, call_id, seq);
            }
            ServerMessage::ApprovalRequest { .. } | ServerMessage::UserQuery { .. } => self.pending.push(frame.clone()),
            ServerMessage::ApprovalResolved { call_id, .. } => self.pending.retain(|asked| {
                !matches!(&asked.message, ServerMessage::ApprovalRequest { call_id: asked, .. } if asked == call_id)
            }),
            ServerMessage::QueryResolved { query_id, .. } => self.pending.retain(|asked| {
                !matches!(&asked.message, ServerMessage::UserQuery { query_id: asked, .. } if asked == query_id)
            }),
            ServerMessage::ContextUpdate { set, removed } => {
                let none = BTreeMap::new();
                self.context.apply(set, removed, private.map_or(&none, |private| &private.values));
            }
            ServerMessage::ContextCleared {} => {
                self.context.clear();
                self.operations = Pages::default();
            }
            ServerMessage::DisplayResource(window) => {
                self.windows.retain(|open| open.window_id != window.window_id);
                self.windows.push(window.clone());
            }
            ServerMessage::CloseWindow { window_id } => self.windows.retain(|open| open.window_id != *window_id),
            ServerMessage::AgentResponse { message_ids, .. }
            | ServerMessage::AgentError { message_ids: Some(message_ids), .. } => {
                self.end(frame.turn_id.as_ref(), message_ids);
            }
            ServerMessage::CommandResponse { .. } | ServerMessage::CommandError { .. } => {
                if let Some(id) = &frame.turn_id {
                    self.answers.insert(command_key(id), seq);
                }
            }
            ServerMessage::SessionReady { .. }
            | ServerMessage::AgentDelta { .. }
            | ServerMessage::ToolOutputChunk { .. }
            | ServerMessage::ContextState { .. }
            | ServerMessage::Notification { .. }
            | ServerMessage::AgentError { message_ids: None, .. }
            | ServerMessage::Pong {} => {}
        }
    }

    fn apply_private(&mut self, private: &Private, seq: u64) {
        for id in &private.taken {
            self.join(id);
        }
        if private.new_conversation {
            self.conversation.new_conversation();
            self.last_request = None;
        }
        for message in &private.messages {
            self.conversation.add_at(message.clone(), seq);
        }
        if let Some(operation) = &private.operation {
            self.operations.push(Arc::new(operation.clone()));
            if self.operations.len() > MAX_OPERATIONS {
                self.operations.drop_first();
            }
        }
        self.apply_permissions(private);
        if let Some(name) = &private.saved_as {
            self.saved.insert(name.clone(), seq);
        }
    }

    fn apply_permissions(&mut self, private: &Private) {
        if private.grants_revoked {
            self.grants.clear();
            // Rules that only restrict may stay.
            self.rules.retain(|rule| rule.effect != "allow");
        }
        if let Some(grant) = &private.grant {
            self.grants.insert(grant.clone(), private.grant_covers.clone());
        }
        if let Some(grant) = &private.grant_removed {
            self.grants.remove(grant);
        }
        if let Some(removed) = &private.rule_removed {
            self.rules.retain(|rule| rule != removed);
        }
        self.rules.extend(private.rule.clone());
    }

    /// A message that replaces the running turn runs before all that wait. A turn that has not entered its first stage
    /// still has its message in front.
    fn wait(&mut self, message: Waiting) {
        let place = match (message.mode, &self.turn) {
            (Mode::Interrupt, Some(_)) => 0,
            (Mode::Interrupt, None) => self.waiting.len().min(1),
            (Mode::Queue | Mode::Steer, _) => self.waiting.len(),
        };
        self.waiting.insert(place, message);
    }

    /// A message joins the running turn, unless it has been stopped meanwhile: then it has its end already.
    fn join(&mut self, id: &MessageId) {
        let Some(place) = self.waiting.iter().position(|waiting| waiting.id == *id) else { return };
        self.waiting.remove(place);
        if let Some(turn) = &mut self.turn {
            turn.messages.push(id.clone());
        }
    }

    /// The first stage of a turn takes its message from those that wait.
    fn enter(&mut self, turn_id: Option<&MessageId>, step: Step) {
        let Some(id) = turn_id else { return };
        match &mut self.turn {
            Some(turn) if turn.id == *id => turn.step = step,
            _ => {
                self.waiting.retain(|waiting| waiting.id != *id);
                self.turn = Some(OpenTurn { id: id.clone(), messages: vec![id.clone()], step });
            }
        }
    }

    fn end(&mut self, turn_id: Option<&MessageId>, message_ids: &[MessageId]) {
        self.waiting.retain(|waiting| !message_ids.contains(&waiting.id));
        if self.turn.as_ref().is_some_and(|turn| turn_id == Some(&turn.id)) {
            self.turn = None;
        }
    }

    fn note_call(&mut self, frame: &ServerFrame, call_id: &CallId, seq: u64) {
        if frame.turn_id.is_none() {
            self.answers.insert(call_key(call_id), seq);
        }
    }
}

/// The key of a slash command in [`SessionState::answers`].
pub(super) fn command_key(id: &MessageId) -> String {
    format!("/{id}")
}

/// The key of a call of the user's own in [`SessionState::answers`].
pub(super) fn call_key(id: &CallId) -> String {
    format!("({id}")
}

/// The state that a log amounts to, read page by page up to and with event `upto`.
///
/// # Errors
/// When the log cannot be read or is damaged.
pub(super) async fn load(
    log: &dyn switchboard_events::EventLog,
    session: switchboard_protocol::SessionId,
    upto: u64,
) -> Result<SessionState, LogError> {
    let mut state = SessionState::default();
    while state.last_seq < upto {
        let page = log.read(session, state.last_seq, PAGE.min(upto - state.last_seq)).await?;
        if page.is_empty() {
            break;
        }
        for event in &page {
            state.apply_stored(event).map_err(|detail| LogError::Damaged { session, seq: event.seq, detail })?;
        }
    }
    Ok(state)
}

/// How many events are read at once.
const PAGE: u64 = 512;

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
