//! What a call comes to, before it is recorded, and how much of it is told.

use std::time::Duration;

use serde_json::{Map, Value};
use switchboard_protocol::CallId;

use crate::checkpoints::CallChanges;
use crate::registry::RegisteredTool;
use crate::result::ToolResult;
use switchboard_events::FileChange;

/// The longest view that the reasoner gets; the variable has the whole.
pub(super) const MAX_VIEW_BYTES: usize = 16 * 1024;

/// The longest result in the history, in characters.
pub(super) const MAX_OUTPUT_CHARS: usize = 200;

/// What a call comes to, before it is recorded.
pub(super) struct Ending<'a> {
    pub(super) tool: Option<&'a RegisteredTool>,
    pub(super) given: &'a Map<String, Value>,
    pub(super) result: ToolResult,
    pub(super) started: bool,
    pub(super) repeated: bool,
    pub(super) took: Duration,
    pub(super) variable: Option<String>,
    /// What it did to files; `None` when that is not kept.
    pub(super) changes: Option<Vec<FileChange>>,
    pub(super) undid: Vec<CallId>,
    /// What a program did, or a restore.
    pub(super) program: Option<CallChanges>,
}
