//! The program: a sandbox worker or the subreaper of an MCP server if it is started as one, else the command line.

use std::process::ExitCode;

use switchboard::{cli, enter_worker};

fn main() -> ExitCode {
    enter_worker().unwrap_or_else(cli::run)
}
