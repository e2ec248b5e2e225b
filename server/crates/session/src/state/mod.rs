//! What a session's log amounts to: [`SessionState::apply`] is the one function that makes state of events, used live,
//! at load and in tests. It is pure, so the live state is the replayed one at every moment.

mod calls;
mod messages;
mod permissions;
mod shown;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, ErrorType, MessageId, ServerFrame, ServerMessage, SessionId};

use switchboard_agent::{AskedPlan, DoneCall};
use switchboard_context::ContextManager;
use switchboard_conversation::{Summary, ToolAwareChatEngine};
use switchboard_events::{AskedCall, FileSeen, LogError, ServerOnly, SessionLog, StoredEvent};
use switchboard_runtime::Pages;
use switchboard_tools::ToolFailure;

use self::calls::Calls;
pub(super) use self::calls::OpenCall;
pub(super) use self::messages::{Messages, OpenTurn, QueuedMessage, Taken};
use self::permissions::Permissions;
use self::shown::Shown;

/// The state of a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct SessionState {
    /// The last event.
    pub(super) last_seq: u64,
    pub(super) shown: Box<Shown>,
    pub(super) context: ContextManager,
    pub(super) conversation: ToolAwareChatEngine,
    pub(super) messages: Messages,
    pub(super) calls: Calls,
    /// Requests to the user without an answer, in order.
    pub(super) pending: Vec<ServerFrame>,
    /// Of these the approvals, with what makes their calls.
    pub(super) asked: Vec<AskedCall>,
    /// Of these the plan that waits for a yes, with what is needed to carry it out.
    pub(super) plan: Option<Arc<AskedPlan>>,
    pub(super) permissions: Permissions,
    /// Names given by `/save`, with the event up to which the state is meant.
    pub(super) saved: BTreeMap<String, u64>,
    /// Commands and calls of the user by their ids, with the event that answers them now.
    pub(super) answers: HashMap<String, u64>,
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
        let private: Option<ServerOnly> = match &event.private {
            Some(text) => Some(serde_json::from_str(text).map_err(|error| format!("its server-only part: {error}"))?),
            None => None,
        };
        self.apply(&frame, private.as_ref());
        Ok(())
    }

    /// What was open when the log breaks off: nobody knows how it went on, so nothing of it does.
    pub(super) fn let_go_of_open(&mut self) {
        self.pending.clear();
        self.asked.clear();
        self.plan = None;
        self.messages.waiting.clear();
        self.messages.turn = None;
        self.calls.open.clear();
    }

    /// Takes note of an event.
    pub(super) fn apply(&mut self, frame: &ServerFrame, private: Option<&ServerOnly>) {
        let seq = frame.seq.unwrap_or(self.last_seq + 1);
        self.last_seq = seq;
        self.apply_message(frame, private, seq);
        if let Some(private) = private {
            self.apply_private(private, seq);
        }
    }

    /// Whoever it concerns takes note of what the clients get.
    fn apply_message(&mut self, frame: &ServerFrame, private: Option<&ServerOnly>, seq: u64) {
        match &frame.message {
            ServerMessage::UserMessage { .. }
            | ServerMessage::AgentThinking { .. }
            | ServerMessage::AgentResponse { .. }
            | ServerMessage::AgentError { message_ids: Some(_), .. } => {
                self.messages.apply(frame, seq);
                self.shown.apply(&frame.message, frame.turn_id.as_ref());
            }

            ServerMessage::ToolCallStart { call_id, .. } | ServerMessage::ToolCallEnd { call_id, .. } => {
                let ended = self.calls.apply(frame, private, seq);
                self.call_ended(frame, ended, private);
                if frame.turn_id.is_none() {
                    self.answers.insert(call_key(call_id), seq);
                }
            }
            ServerMessage::CommandResponse { .. } | ServerMessage::CommandError { .. } => {
                if let Some(id) = &frame.turn_id {
                    self.answers.insert(command_key(id), seq);
                }
            }

            ServerMessage::ApprovalRequest { .. } => {
                self.pending.push(frame.clone());
                self.asked.extend(private.and_then(|private| private.asked.clone()));
            }
            ServerMessage::UserQuery { query_id, .. } => {
                self.pending.push(frame.clone());
                if let Some(plan) = private.and_then(|private| private.plan.clone()) {
                    self.plan = Some(Arc::new(AskedPlan { query_id: query_id.clone(), plan }));
                }
            }
            ServerMessage::ApprovalResolved { .. } | ServerMessage::QueryResolved { .. } => {
                self.resolve(&frame.message);
            }

            ServerMessage::ContextUpdate { set, removed } => {
                let none = BTreeMap::new();
                self.context.apply(set, removed, private.map_or(&none, |private| &private.values));
            }
            ServerMessage::ContextCleared {} => {
                self.context.clear();
                self.calls.operations = Pages::default();
            }
            ServerMessage::ConversationSummary(said) => {
                let (text, from_seq, to_seq) = (said.text.clone(), said.from_seq, said.to_seq);
                self.conversation.summarized(Summary { text, from_seq, to_seq });
            }

            ServerMessage::SessionUpdate { .. }
            | ServerMessage::DisplayResource(_)
            | ServerMessage::Notification { .. }
            | ServerMessage::CloseWindow { .. } => self.shown.apply(&frame.message, frame.turn_id.as_ref()),

            ServerMessage::SessionReady { .. }
            | ServerMessage::AgentDelta { .. }
            | ServerMessage::ToolOutputChunk { .. }
            | ServerMessage::ContextState { .. }
            | ServerMessage::SessionsUpdate { .. }
            | ServerMessage::AgentError { message_ids: None, .. }
            | ServerMessage::LogDamaged { .. }
            | ServerMessage::Pong {} => {}
        }
    }

    /// A call has ended that its turn, or the specialist that made it, has to remember. Of those that never ran only the
    /// conversation knows the arguments.
    fn call_ended(&mut self, frame: &ServerFrame, ended: Option<OpenCall>, private: Option<&ServerOnly>) {
        let none = ServerOnly::default();
        let private = private.unwrap_or(&none);
        let inside = private.inside.as_deref();
        // What an earlier version wrote of calls inside specialists nobody goes on from.
        if inside.is_none() && ended.as_ref().is_some_and(|call| call.parent.is_some()) {
            return;
        }
        let messages = inside.map_or(&private.messages, |inside| &inside.messages);
        let said = messages.iter().rev().find_map(|said| said.tool_calls.first()).map(|call| call.arguments.clone());
        let Some(arguments) = ended.map(OpenCall::into_arguments).or(said) else { return };
        let Some(mut done) = done_call(frame, arguments, &private.seen) else { return };
        self.messages.got_further(frame.turn_id.as_ref());
        match inside {
            Some(inside) => {
                done.variable = inside.operations.last().and_then(|operation| operation.output_variable.clone());
                self.calls.ended_inside(&inside.call_id, done);
            }
            None => self.messages.call_ended(frame.turn_id.as_ref(), done),
        }
    }

    /// A request to the user has its answer.
    fn resolve(&mut self, answer: &ServerMessage) {
        if let ServerMessage::QueryResolved { query_id, .. } = answer {
            self.plan.take_if(|asked| asked.query_id == *query_id);
        }
        if let ServerMessage::ApprovalResolved { call_id, .. } = answer {
            self.asked.retain(|asked| asked.call.call_id != *call_id);
        }
        self.pending.retain(|asked| match (&asked.message, answer) {
            (
                ServerMessage::ApprovalRequest { call_id: asked, .. },
                ServerMessage::ApprovalResolved { call_id, .. },
            ) => asked != call_id,
            (ServerMessage::UserQuery { query_id: asked, .. }, ServerMessage::QueryResolved { query_id, .. }) => {
                asked != query_id
            }
            _ => true,
        });
    }

    fn apply_private(&mut self, private: &ServerOnly, seq: u64) {
        for id in &private.taken {
            self.messages.join(id);
        }
        if private.resumed {
            self.messages.resumed();
        }
        if let Some(continuation) = &private.continuation {
            self.messages.stands_at(continuation);
        }
        if let Some(inside) = &private.inside {
            self.calls.note(inside);
        }
        if private.new_conversation {
            self.conversation.new_conversation();
            self.messages.last_request = None;
            self.shown.notifications.clear();
        }
        for message in &private.messages {
            self.conversation.add_at(message.clone(), seq);
        }
        if let Some(operation) = &private.operation {
            self.calls.keep(operation.clone());
        }
        self.permissions.apply(private);
        if let Some(fork) = &private.fork {
            self.shown.fork = Some(Arc::new(fork.clone()));
        }
        if let Some(name) = &private.saved_as {
            self.saved.insert(name.clone(), seq);
        }
    }
}

/// What is remembered of a call that has ended.
fn done_call(frame: &ServerFrame, arguments: Map<String, Value>, seen: &[FileSeen]) -> Option<DoneCall> {
    let ServerMessage::ToolCallEnd {
        call_id,
        tool,
        started,
        output_variable: variable,
        error,
        error_type,
        suggestion,
        ..
    } = &frame.message
    else {
        return None;
    };
    let failure = error_type.map(|error_type| ToolFailure {
        error_type,
        message: error.clone(),
        suggestion: suggestion.clone(),
        refused: matches!(error_type, ErrorType::Permission | ErrorType::Security),
    });
    let (call_id, tool, variable) = (call_id.clone(), tool.clone(), variable.clone());
    Some(DoneCall { call_id, tool, arguments, started: *started, failure, variable, seen: seen.to_vec() })
}

/// The key of a slash command in [`SessionState::answers`].
pub(super) fn command_key(id: &MessageId) -> String {
    format!("/{id}")
}

/// The key of a call of the user's own in [`SessionState::answers`].
pub(super) fn call_key(id: &CallId) -> String {
    format!("({id}")
}

/// Why a session is read-only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReadOnly {
    /// Its log is damaged: it can be read up to there.
    Damaged(Damage),
    /// It belongs to this workspace, which no server offers.
    OtherWorkspace(String),
}

/// Where a session's log is damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Damage {
    /// The first event that cannot be read.
    pub(super) from_seq: u64,
    /// What is wrong with it.
    pub(super) detail: String,
}

/// The state that a log amounts to, read page by page up to and with event `upto`.
///
/// # Errors
/// When the log cannot be read or is damaged.
pub(super) async fn load(log: &dyn SessionLog, session: SessionId, upto: u64) -> Result<SessionState, LogError> {
    match load_sound(log, session, upto).await? {
        (state, None) => Ok(state),
        (_, Some(Damage { from_seq: seq, detail })) => Err(LogError::Damaged { session, seq, detail }),
    }
}

/// As [`load`], but of a damaged log what stands in front of the damage.
///
/// # Errors
/// When the log cannot be read.
pub(super) async fn load_sound(
    log: &dyn SessionLog,
    session: SessionId,
    upto: u64,
) -> Result<(SessionState, Option<Damage>), LogError> {
    let mut state = SessionState::default();
    while state.last_seq < upto {
        let page = match log.read(session, state.last_seq, PAGE.min(upto - state.last_seq)).await {
            Ok(page) if page.is_empty() => break,
            Ok(page) => page,
            Err(LogError::Damaged { seq: from_seq, detail, .. }) => {
                return Ok((state, Some(Damage { from_seq, detail })));
            }
            Err(error) => return Err(error),
        };
        for event in &page {
            if let Err(detail) = state.apply_stored(event) {
                return Ok((state, Some(Damage { from_seq: event.seq, detail })));
            }
        }
    }
    Ok((state, None))
}

/// How many events are read at once.
const PAGE: u64 = 512;

#[cfg(test)]
mod tests;
