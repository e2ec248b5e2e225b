//! Messages that the server has not acknowledged. They are sent again on the next connection under the same id, and
//! the server knows an id that it has, so a message is neither lost nor taken twice.

use std::collections::{HashSet, VecDeque};

use tokio::sync::OwnedSemaphorePermit;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::{MessageId, ServerFrame, ServerMessage};

/// A message on its way.
#[derive(Debug)]
pub(crate) struct Unacknowledged {
    pub(crate) id: MessageId,
    pub(crate) text: Utf8Bytes,
    /// Its place among those that may wait; given back when it is acknowledged.
    pub(crate) _place: OwnedSemaphorePermit,
}

/// What was sent and not acknowledged, in order.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: VecDeque<Unacknowledged>,
    /// Ids that were sent again on this connection: the answer to the second time is our own affair.
    sent_again: HashSet<MessageId>,
}

impl Outbox {
    pub(crate) fn push(&mut self, message: Unacknowledged) {
        self.waiting.push_back(message);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What has to be sent on a new connection.
    pub(crate) fn again(&mut self) -> Vec<Utf8Bytes> {
        self.sent_again = self.waiting.iter().map(|message| message.id.clone()).collect();
        self.waiting.iter().map(|message| message.text.clone()).collect()
    }

    /// Looks for acknowledgements: of a message itself, of the turn that it began or joined, of the command that it is;
    /// a refusal that names it is one too.
    pub(crate) fn hear(&mut self, frame: &ServerFrame) {
        match &frame.message {
            ServerMessage::UserMessage { message_id, .. } => self.remove(message_id),
            ServerMessage::AgentResponse { message_ids, .. }
            | ServerMessage::AgentError { message_ids: Some(message_ids), .. } => {
                message_ids.iter().for_each(|id| self.remove(id));
            }
            _ => {}
        }
        if let Some(turn) = &frame.turn_id {
            self.remove(turn);
        }
    }

    /// Whether a frame only says that what we sent again had arrived the first time.
    pub(crate) fn is_echo(&mut self, frame: &ServerFrame) -> bool {
        match &frame.message {
            ServerMessage::UserMessage { message_id, repeated: Some(true), .. } => self.sent_again.remove(message_id),
            _ => false,
        }
    }

    fn remove(&mut self, id: &MessageId) {
        self.waiting.retain(|message| message.id != *id);
    }
}
