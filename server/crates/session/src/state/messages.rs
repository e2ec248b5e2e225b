//! The messages of a session: all that were taken, those that wait, and the turn that answers some.

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroUsize;
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};
use switchboard_protocol::{Attachment, MessageId, Mode, ServerFrame, ServerMessage, Step};

use switchboard_agent::{DoneCall, UserMessage};

/// What became of the messages so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Messages {
    /// Every message that was ever taken, for those that are sent again.
    pub(crate) taken: HashMap<MessageId, Taken>,
    /// What the user said last in this conversation, for `/try`.
    pub(crate) last_request: Option<String>,
    /// Messages that no turn has taken up, in the order in which they will run.
    pub(crate) waiting: VecDeque<QueuedMessage>,
    /// The turn that runs, or ran when the log ended.
    pub(crate) turn: Option<OpenTurn>,
}

/// A message that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) seq: u64,
    pub(crate) digest: [u8; 32],
    pub(crate) mode: Mode,
    /// The tool that the user asked for.
    pub(crate) tool: Option<String>,
    pub(crate) timestamp: String,
    pub(crate) client_timestamp: Option<String>,
    /// The variables that belong to it.
    pub(crate) attachments: Vec<Attachment>,
}

/// A message that waits for its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueuedMessage {
    pub(crate) id: MessageId,
    pub(crate) text: String,
    pub(crate) mode: Mode,
    /// The tool that the user asked for.
    pub(crate) tool: Option<String>,
    /// The variables that belong to it.
    pub(crate) attachments: Vec<Attachment>,
    pub(crate) seq: u64,
}

impl Taken {
    /// Whether the same variables belong to a message that is sent again.
    pub(crate) fn has_attached(&self, names: &[String]) -> bool {
        self.attachments.iter().map(|attachment| &attachment.name).eq(names)
    }

    /// The texts of a message that is sent again are compared by this.
    pub(crate) fn digest(text: &str) -> [u8; 32] {
        Sha256::digest(text).into()
    }
}

impl QueuedMessage {
    /// The message as its turn sees it. Only the message that begins a turn can ask for its tool.
    pub(crate) fn message(&self) -> UserMessage {
        let Self { id, text, tool, attachments, .. } = self.clone();
        UserMessage { id, text, tool, attachments }
    }
}

/// A turn that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenTurn {
    pub(crate) id: MessageId,
    /// All messages that it answers, the first one included.
    pub(crate) messages: Vec<UserMessage>,
    pub(crate) step: Step,
    /// Its calls that have ended, without those inside specialists.
    pub(crate) done: Vec<DoneCall>,
    /// How often it has gone on after a restart since the last of its calls ended.
    pub(crate) resumed: u32,
    /// Where it stands, as it wrote it down last.
    pub(crate) continuation: Option<Arc<Value>>,
}

impl OpenTurn {
    /// The ids of the messages that it answers.
    pub(crate) fn message_ids(&self) -> Vec<MessageId> {
        self.messages.iter().map(|message| message.id.clone()).collect()
    }
}

impl Messages {
    /// The event of the first one of the last so many messages, if there are as many.
    pub(crate) fn nth_last(&self, count: NonZeroUsize) -> Option<u64> {
        let mut events: Vec<u64> = self.taken.values().map(|taken| taken.seq).collect();
        let first = events.len().checked_sub(count.get())?;
        Some(*events.select_nth_unstable(first).1)
    }

    /// Takes note of a frame about messages and their turns.
    pub(super) fn apply(&mut self, frame: &ServerFrame, seq: u64) {
        match &frame.message {
            ServerMessage::UserMessage { message_id, text, mode, client_timestamp, tool, attachments, .. } => {
                let attachments = attachments.clone().unwrap_or_default();
                self.last_request = Some(text.clone());
                self.taken.insert(
                    message_id.clone(),
                    Taken {
                        seq,
                        digest: Taken::digest(text),
                        mode: *mode,
                        tool: tool.clone(),
                        timestamp: frame.timestamp.clone(),
                        client_timestamp: client_timestamp.clone(),
                        attachments: attachments.clone(),
                    },
                );
                let (id, text, tool) = (message_id.clone(), text.clone(), tool.clone());
                self.wait(QueuedMessage { id, text, mode: *mode, tool, attachments, seq });
            }
            ServerMessage::AgentThinking { step, .. } => self.enter(frame.turn_id.as_ref(), *step),
            ServerMessage::AgentResponse { message_ids, .. }
            | ServerMessage::AgentError { message_ids: Some(message_ids), .. } => {
                self.end(frame.turn_id.as_ref(), message_ids);
            }
            _ => {}
        }
    }

    /// A message that replaces the running turn runs before all that wait. A turn that has not entered its first stage
    /// still has its message in front.
    fn wait(&mut self, message: QueuedMessage) {
        let place = match (message.mode, &self.turn) {
            (Mode::Interrupt, Some(_)) => 0,
            (Mode::Interrupt, None) => self.waiting.len().min(1),
            (Mode::Queue | Mode::Steer, _) => self.waiting.len(),
        };
        self.waiting.insert(place, message);
    }

    /// A message joins the running turn, unless it has been stopped meanwhile: then it has its end already.
    pub(super) fn join(&mut self, id: &MessageId) {
        let Some(place) = self.waiting.iter().position(|waiting| waiting.id == *id) else { return };
        let joined = self.waiting.remove(place);
        if let (Some(turn), Some(joined)) = (&mut self.turn, joined) {
            turn.messages.push(joined.message());
        }
    }

    /// A call of the turn has ended that is not one inside a specialist.
    pub(super) fn call_ended(&mut self, turn: Option<&MessageId>, done: DoneCall) {
        if let Some(open) = self.turn.as_mut().filter(|open| turn == Some(&open.id)) {
            open.done.push(done);
        }
    }

    /// The turn has got further.
    pub(super) fn got_further(&mut self, turn: Option<&MessageId>) {
        if let Some(open) = self.turn.as_mut().filter(|open| turn == Some(&open.id)) {
            open.resumed = 0;
        }
    }

    /// The turn has written down where it stands.
    pub(super) fn stands_at(&mut self, continuation: &Value) {
        if let Some(turn) = &mut self.turn {
            turn.continuation = Some(Arc::new(continuation.clone()));
        }
    }

    /// The turn goes on that a restart had cut off.
    pub(super) fn resumed(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.resumed = turn.resumed.saturating_add(1);
        }
    }

    /// The first stage of a turn takes its message from those that wait.
    fn enter(&mut self, turn_id: Option<&MessageId>, step: Step) {
        let Some(id) = turn_id else { return };
        match &mut self.turn {
            Some(turn) if turn.id == *id => turn.step = step,
            _ => {
                let place = self.waiting.iter().position(|waiting| waiting.id == *id);
                let message = place.and_then(|place| self.waiting.remove(place)).map(|waiting| waiting.message());
                let message = message.unwrap_or_else(|| UserMessage { id: id.clone(), ..UserMessage::default() });
                let (messages, done) = (vec![message], Vec::new());
                self.turn = Some(OpenTurn { id: id.clone(), messages, step, done, resumed: 0, continuation: None });
            }
        }
    }

    fn end(&mut self, turn_id: Option<&MessageId>, message_ids: &[MessageId]) {
        self.waiting.retain(|waiting| !message_ids.contains(&waiting.id));
        if self.turn.as_ref().is_some_and(|turn| turn_id == Some(&turn.id)) {
            self.turn = None;
        }
    }
}
