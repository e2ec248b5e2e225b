//! What the agent can do. [`ToolManager`] is the one way to run a tool; each tool is one file in the crate `builtin`.

mod checkpoint_diff;
mod checkpoints;
mod cut;
mod deletion;
pub mod diff;
mod domain_policy;
mod error;
mod example;
mod files;
mod host;
mod lengths;
mod manager;
mod network_policy;
mod output;
mod permissions;
mod policy;
mod question;
mod registry;
mod repeats;
mod resource;
mod result;
mod schema;
#[cfg(any(test, feature = "test_support"))]
pub mod test_support;
pub mod text;
mod tool;
mod undo;
mod usage;
mod validator;

pub use checkpoints::{Restore, Restored, SessionCheckpoints};
pub use cut::{CutSpecialist, CutTurn, DoneCall, ParkedCall};
pub use domain_policy::{DomainPolicy, DomainVerdict};
pub use error::ToolError;
pub use example::example_arguments;
pub use host::{Approval, ApprovalAsk, CallChain, CallHost};
pub use lengths::{Length, first_sentence, shortened, size};
pub use manager::{CallOutcome, Delegation, Invocation, ToolManager, ToolManagerConfig};
pub use network_policy::NetworkPolicy;
pub use permissions::{CallTraits, Effect, Rule, RuleSet, RuleSource, Ruling};
pub use policy::{ApproveMode, Policy, Verdict};
pub use question::{AskedQuestion, QueryAnswer, QueryAsk, Question, SessionRule, UserAsks, UserLine};
pub use registry::{Absence, RegisteredTool, ToolChange, ToolRegistry, hex};
pub use resource::{
    DisplayRequest, Displayed, FoundResource, NoWindows, NotAHandle, ResourceHandle, ResourceService, not_found,
};
pub use result::{MAX_PICTURES, SeenFile, ToolFailure, ToolResult, VariableChange};
pub use text::{call_text, head_and_tail, preview_lines};
pub use tool::{OutputSink, Tool, ToolContext, ToolSpec};
pub use undo::{PutBack, UndoTarget, UndoWork};
pub use usage::{ToolUsage, UsageLedger, UsageRecord};
pub use validator::{Problem, ToolValidator};
