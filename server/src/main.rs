//! The program: a sandbox worker if it is started as one, else the command line.

use std::process::ExitCode;

use switchboard::{cli, tools};

fn main() -> ExitCode {
    tools::enter_worker().unwrap_or_else(cli::run)
}
