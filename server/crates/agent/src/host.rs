//! What the agent needs of the session whose turn it runs, and what it hands back.
//!
//! The agent never keeps a session's state: each stage reads a fresh [`TurnView`], and everything that happens is
//! recorded through the host.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use switchboard_protocol::{Attachment, CallId, MessageId, OpenWindow, Operation, QueryId, ServerMessage, Usage};

use switchboard_context::ContextManager;
use switchboard_conversation::ToolAwareChatEngine;
use switchboard_events::{Picture, RecordError};
use switchboard_runtime::Pages;
use switchboard_tools::CallHost;
pub use switchboard_tools::{CutTurn, DoneCall, ParkedCall};

/// A message that a turn answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserMessage {
    /// Its id.
    pub id: MessageId,
    /// Its text.
    pub text: String,
    /// The tool that the user asked for, and no other one.
    pub tool: Option<String>,
    /// The variables that belong to it.
    pub attachments: Vec<Attachment>,
}

impl UserMessage {
    /// The text as a model is given it: with the names of what belongs to it.
    #[must_use]
    pub fn with_attachments(&self) -> Cow<'_, str> {
        if self.attachments.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        let named = self.attachments.iter().map(|Attachment { name, value_type, bytes, .. }| {
            let kind = serde_json::to_value(value_type).unwrap_or_default();
            format!("@{name} ({}, {bytes} bytes)", kind.as_str().unwrap_or("value"))
        });
        Cow::Owned(format!("{}{ATTACHED}{}]", self.text, named.collect::<Vec<_>>().join(", ")))
    }
}

/// What stands in front of the names of what belongs to a message.
const ATTACHED: &str = "\n\n[Attached: ";

/// A message of the user in the conversation without the names of what belongs to it.
#[must_use]
pub fn without_attachments(said: &str) -> &str {
    let text = said.strip_suffix(']').and_then(|said| said.rsplit_once(ATTACHED)).map(|(text, _)| text);
    text.unwrap_or(said)
}

/// A plan that is shown to the user, who has not said yet whether it is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedPlan {
    /// The question about it.
    pub query_id: QueryId,
    /// What the reasoner wrote down, to carry out just that.
    pub plan: Value,
}

/// A plan to be shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanAsk {
    /// The question, which tells the plan.
    pub message: String,
    /// What the reasoner needs to carry it out.
    pub plan: Value,
}

/// What a stage reads of the session: a snapshot, renewed at each stage.
#[derive(Clone, Default)]
pub struct TurnView {
    /// The variables.
    pub context: ContextManager,
    /// The messages; those that the turn has taken up are among them.
    pub conversation: ToolAwareChatEngine,
    /// The runs of tools, oldest first.
    pub operations: Pages<Arc<Operation>>,
    /// The plan that waits for a yes; the message that a turn begins with is the answer, or takes its place.
    pub plan: Option<Arc<AskedPlan>>,
    /// The windows that are open, the one used last at the end.
    pub windows: Vec<OpenWindow>,
    /// The pictures that calls gave.
    pub pictures: Pages<Arc<CallPictures>>,
    /// How many clients show windows.
    pub viewers: usize,
}

/// The pictures that a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallPictures {
    /// The call.
    pub call_id: CallId,
    /// In the order in which its handles count them.
    pub pictures: Vec<Picture>,
}

/// Where a turn runs.
#[async_trait]
pub trait TurnHost: CallHost {
    /// The session as it is now, with everything that this turn has recorded so far.
    async fn view(&self) -> Result<Arc<TurnView>, RecordError>;

    /// Messages that joined the turn since this was last asked, oldest first. The turn records them as taken.
    async fn steered(&self) -> Vec<UserMessage>;

    /// Shows a plan, which waits beyond the turn for what the user says of it. A specialist's plan is not shown.
    async fn ask_plan(&self, _ask: PlanAsk) {}
}

/// How a turn ended.
#[derive(Debug)]
pub struct TurnEnd {
    /// `agent-response` or `agent-error`, whole; its `messageIds` are the messages that the turn took up.
    pub message: ServerMessage,
    /// What its models cost, those of specialists included; also when it failed.
    pub usage: Option<Usage>,
    /// Set when the log refused an event in the middle of the turn: the end frame can probably not be written either.
    pub record_error: Option<RecordError>,
}

#[cfg(test)]
mod tests {
    use switchboard_protocol::ValueType;

    use super::*;

    #[test]
    fn what_belongs_to_a_message_is_named_behind_its_text_and_taken_off_again() {
        let attached = |name: &str, value_type| Attachment { name: name.to_owned(), version: 1, value_type, bytes: 11 };
        for text in ["What is this?", "a list: [1]", "", "[Attached: none]"] {
            let plain = UserMessage { text: text.to_owned(), ..UserMessage::default() };
            let attachments = vec![attached("cat", ValueType::Bytes), attached("notes", ValueType::Text)];
            let with = UserMessage { attachments, ..plain.clone() };

            assert_eq!(plain.with_attachments(), text);
            let said = with.with_attachments();
            assert_eq!(said, format!("{text}\n\n[Attached: @cat (bytes, 11 bytes), @notes (text, 11 bytes)]"));
            assert_eq!((without_attachments(&said), without_attachments(text)), (text, text));
        }
    }
}
