//! How a turn goes on that the server's end cut off: what it had done, which calls it makes first, where it stood; and, of a
//! specialist's turn, what it had taken note of.

use std::sync::Arc;

use serde_json::{Map, Value};
use switchboard_events::{CallRecord, FileSeen, InsideRecord};
use switchboard_protocol::CallId;

use super::result::ToolFailure;

/// A call with which a turn goes on after the server's end cut it off.
#[derive(Debug, Clone, PartialEq)]
pub struct ParkedCall {
    /// The tool.
    pub tool: String,
    /// The call as it was to be made.
    pub call: CallRecord,
    /// What was known of the files that it changes, if the user was asked about it.
    pub files: Option<Vec<FileSeen>>,
}

/// How a turn goes on that the server's end cut off.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CutTurn {
    /// Calls of it that have ended, oldest first.
    pub done: Vec<DoneCall>,
    /// Calls to be made first, side by side as they were: they can be run again, or wait for the user, or the user has
    /// said that they may.
    pub calls: Vec<ParkedCall>,
    /// Where it stood, as it wrote it down.
    pub continuation: Option<Arc<Value>>,
}

/// How a specialist goes on whose turn was cut off.
#[derive(Debug, Clone, PartialEq)]
pub struct CutSpecialist {
    /// What it took note of, in order; never nothing.
    pub records: Vec<Arc<InsideRecord>>,
    /// Its turn, which has its continuation in the records.
    pub turn: CutTurn,
}

/// A call that ended before its turn was cut off. What it gave is in the conversation and the variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoneCall {
    /// The call.
    pub call_id: CallId,
    /// The tool.
    pub tool: String,
    /// The arguments as they were chosen, references unresolved.
    pub arguments: Map<String, Value>,
    /// Whether it ran.
    pub started: bool,
    /// Why it failed, if it did.
    pub failure: Option<ToolFailure>,
    /// The variable that keeps its result.
    pub variable: Option<String>,
    /// The files that it read and wrote, as they were then.
    pub seen: Vec<FileSeen>,
}
