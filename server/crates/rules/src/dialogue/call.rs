//! A call that a step makes, before its references are resolved.

use serde_json::{Map, Value};

/// A call that a step makes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) tool: String,
    pub(super) arguments: Map<String, Value>,
    pub(super) output: Option<String>,
}
