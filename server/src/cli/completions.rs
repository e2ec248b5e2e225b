//! `switchboard completions SHELL`.

use clap::Command;
use clap_complete::{Shell, generate};

use super::config::print;

/// Prints the completions.
pub(super) fn print_for(shell: Shell, mut command: Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    generate(shell, &mut command, "switchboard", &mut script);
    print(&String::from_utf8(script)?)
}
