//! What the binary does when the server has started it again as a worker, told by its first argument.

use std::process::ExitCode;

use switchboard_builtin::{json_query, web_fetch};
use switchboard_sandbox as sandbox;

/// Runs as the worker, or the subreaper of an MCP server, that the arguments name; `None` if they name none. The first thing in `main`, while there is no
/// other thread.
#[must_use]
pub fn enter_worker() -> Option<ExitCode> {
    match std::env::args().nth(1)?.as_str() {
        sandbox::WORKER_ARGUMENT => Some(sandbox::run_worker()),
        sandbox::CONFINED_ARGUMENT => Some(sandbox::run_confined()),
        json_query::WORKER_ARGUMENT => Some(json_query::run_worker()),
        web_fetch::WORKER_ARGUMENT => Some(web_fetch::run_worker()),
        _ => switchboard_mcp::enter_subreaper(),
    }
}
