//! What the agent can do. [`ToolManager`] is the one way to run a tool; a tool is one file in `builtin/`.

pub mod builtin;
mod delegation;
mod diff;
mod error;
mod files;
mod host;
mod manager;
mod output;
mod permissions;
mod policy;
mod question;
mod registry;
mod repeats;
mod result;
mod schema;
#[cfg(test)]
pub(crate) mod test_host;
#[cfg(test)]
pub(crate) mod test_tools;
mod text;
mod tool;
mod undo;
mod validator;
mod workers;

pub use delegation::Delegation;
pub use error::ToolError;
pub use host::{Approval, ApprovalAsk, CallHost, Lineage};
pub use manager::{CallOutcome, Invocation, ToolManager, ToolManagerConfig};
pub use permissions::{Effect, Rule, RuleSet, RuleSource};
pub use policy::{ApproveMode, Policy, Verdict};
pub use question::{QueryAnswer, QueryAsk, Question, UserLine};
pub use registry::{Absence, RegisteredTool, ToolChange, ToolRegistry, ToolUsage};
pub use result::{SeenFile, ToolFailure, ToolResult};
pub use text::{call_text, head_and_tail, preview_lines};
pub use tool::{OutputSink, Tool, ToolContext, ToolSpec};
pub use undo::{PutBack, UndoTarget};
pub use validator::{Problem, ToolValidator};
pub use workers::enter_worker;
