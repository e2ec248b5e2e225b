//! What a client says. Unknown fields are ignored; a missing or wrong one is an error that names its path.

use serde_json::{Map, Value};

use crate::{ApprovalAnswer, CallId, MessageId, QueryId};

words! {
    /// What a message does while a turn runs.
    #[derive(Default)]
    pub enum Mode {
        /// Waits until it ends.
        #[default]
        Queue,
        /// Joins it at its next stage.
        Steer,
        /// Replaces it.
        Interrupt,
    }
}

/// One frame from a client.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub enum ClientFrame {
    /// Starts a turn, or waits for one, joins it or replaces it.
    SendMessage {
        /// The message. `/` and the exact name of a command is a command; `//x` is the text `/x`.
        text: String,
        /// The client's own time, stored as it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timestamp: Option<String>,
        /// A message sent again with the same id is not accepted twice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message_id: Option<MessageId>,
        /// What happens when a turn runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<Mode>,
        /// Names of variables that belong to the message, such as those of uploaded files; at most 16.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        attachments: Option<Vec<String>>,
    },
    /// Stops that message's turn, or the running turn and all waiting messages.
    Cancel {
        /// The message that began the turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message_id: Option<MessageId>,
    },
    /// Answers an `approval-request`.
    ApproveTool {
        /// The call that needs approval.
        call_id: CallId,
        /// `allow-once`, `allow-session` or `deny`.
        decision: ApprovalAnswer,
        /// The arguments to run with instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<Map<String, Value>>,
        /// Why, for the agent to read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Answers a `user-query`.
    AnswerQuery {
        /// The question.
        query_id: QueryId,
        /// The answer; absent means dismissed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        answer: Option<Value>,
    },
    /// The user runs a tool, without an approval.
    CallTool {
        /// An id chosen by the client.
        call_id: CallId,
        /// The tool's name.
        tool: String,
        /// Its arguments.
        arguments: Map<String, Value>,
    },
    /// Asks for `context-state`.
    GetContext {},
    /// Removes all variables and operations.
    ClearContext {},
    /// Sets a variable.
    SetVariable {
        /// Its name.
        name: String,
        /// Its value.
        value: Value,
    },
    /// Renames a variable.
    RenameVariable {
        /// Its name.
        name: String,
        /// Its new name.
        new_name: String,
    },
    /// Deletes a variable.
    DeleteVariable {
        /// Its name.
        name: String,
    },
    /// Names the session.
    SetTitle {
        /// The title; at most 200 characters.
        title: String,
    },
    /// The user closed a window.
    WindowClosed {
        /// The window.
        window_id: String,
    },
    /// Asks for `pong`.
    Ping {},
}
