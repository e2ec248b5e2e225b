//! The calls of a session: those that run, what the others came to, and what they did to files.

use std::sync::Arc;

use switchboard_protocol::{CallId, MessageId, Operation, ServerFrame, ServerMessage};

use switchboard_events::{CallRecord, FileHistory, ServerOnly};
use switchboard_runtime::Pages;

/// How many operations the history keeps.
const MAX_OPERATIONS: usize = 1000;

/// What became of the calls so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Calls {
    /// Calls that were started and have no end, in order.
    pub(crate) open: Vec<OpenCall>,
    pub(crate) operations: Pages<Arc<Operation>>,
    /// What calls did to files, for putting it back.
    pub(crate) files: FileHistory,
}

/// A call that has not ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OpenCall {
    pub(crate) call_id: CallId,
    pub(crate) turn: Option<MessageId>,
    pub(crate) tool: String,
    pub(crate) started_at: String,
    /// The call in full; missing only if the event that started it had nothing private.
    pub(crate) fact: Option<CallRecord>,
    /// Whether it keeps what its files were, so that it can be undone.
    pub(crate) images: bool,
}

impl Calls {
    /// Takes note of a frame about a call.
    pub(super) fn apply(&mut self, frame: &ServerFrame, private: Option<&ServerOnly>, seq: u64) {
        match &frame.message {
            ServerMessage::ToolCallStart { call_id, tool, .. } => self.start(frame, call_id, tool, private, seq),
            ServerMessage::ToolCallEnd { call_id, undid, .. } => {
                let changes = private.and_then(|private| private.changes.as_deref());
                self.files.ended(call_id, changes, undid.as_deref().unwrap_or_default());
                self.open.retain(|call| call.call_id != *call_id);
            }
            _ => {}
        }
    }

    /// Keeps what a call came to; the history forgets the oldest ones.
    pub(super) fn keep(&mut self, operation: Operation) {
        self.operations.push(Arc::new(operation));
        if self.operations.len() > MAX_OPERATIONS {
            self.operations.drop_first();
        }
    }

    /// A call that is run again has one end all the same.
    fn start(&mut self, frame: &ServerFrame, call_id: &CallId, tool: &str, private: Option<&ServerOnly>, seq: u64) {
        let images = private.is_some_and(|private| private.images.is_some());
        self.open.retain(|call| call.call_id != *call_id);
        self.open.push(OpenCall {
            call_id: call_id.clone(),
            turn: frame.turn_id.clone(),
            tool: tool.to_owned(),
            started_at: frame.timestamp.clone(),
            fact: private.and_then(|private| private.call.clone()),
            images,
        });
        if images {
            self.files.started(call_id, tool, seq);
        }
    }
}
