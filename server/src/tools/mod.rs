//! What the agent can do. [`ToolManager`] is the one way to run a tool; a tool is one file in `builtin/`.

mod host;
mod result;
pub mod sandbox;
mod tool;

pub use host::{Approval, ApprovalAsk, CallHost};
pub use result::{ToolFailure, ToolResult};
pub use tool::{OutputSink, Tool, ToolContext, ToolSpec};
