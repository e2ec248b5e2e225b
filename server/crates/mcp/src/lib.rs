//! Tools of MCP servers. [`McpServers`] starts the servers of a file in the background, keeps them running, and offers
//! their tools in the registry while they run. Nothing ever waits for a server to start.

mod adapter;
#[cfg(test)]
mod baseline_tests;
mod caller;
mod catalogue;
mod client;
mod elicit;
mod error;
#[cfg(test)]
mod fake;
mod fault_text;
mod file;
mod form;
mod greeting;
#[cfg(test)]
mod http_tests;
mod lines;
mod names;
mod process;
mod prompts;
mod resources;
mod result;
mod saved;
mod servers;
mod status;
mod subreaper;
mod supervisor;
mod switched_off;
#[cfg(test)]
mod test_support;
mod tool_approvals;
mod transport;
mod watch;

pub use error::McpError;
pub use file::McpConfig;
pub use prompts::{Prompt, PromptArgument};
pub use servers::{DEFINITIONS, McpServers, SWITCHED_OFF};
pub use status::{ChangedTool, ServerState, ServerStatus};
pub use subreaper::enter_subreaper;
