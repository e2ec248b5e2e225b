//! A command line that is understood in full, or not at all: for rules that allow something.
//!
//! [`read_line`](super::read_line) finds what it can and overlooks the rest, which is right for refusing. To allow
//! something, every command of the line must be known; so whatever this reader does not know for certain makes it give
//! up, and a line that it gave up on is asked about.

use super::command::{MAX_COMMANDS, PlainCommand, UNKNOWN};
use super::scan::scan;
use super::unfold::{Unfolded, unfold};

/// How deep scripts in scripts are read.
const MAX_DEPTH: usize = 8;

/// Every command of the line; `None` if that is not certain.
pub fn plain_commands(line: &str) -> Option<Vec<PlainCommand>> {
    let mut found = Vec::new();
    read(line, 0, &mut found)?;
    (found.len() <= MAX_COMMANDS).then_some(found)
}

/// Reads a script that stands `depth` scripts deep, and those inside it.
fn read(script: &str, depth: usize, found: &mut Vec<PlainCommand>) -> Option<()> {
    if depth > MAX_DEPTH || found.len() > MAX_COMMANDS {
        return None;
    }
    // A blank that is one for some and not for others.
    let unclear = |c: char| c.is_control() || c.is_whitespace() && c != ' ';
    if script.chars().any(|c| c == UNKNOWN || unclear(c) && c != '\n' && c != '\t') {
        return None;
    }
    let (commands, scripts) = scan(script)?;
    let mut inner = Vec::new();
    for script in scripts {
        read(&script, depth + 1, &mut inner)?;
    }
    found.append(&mut inner);
    for raw in commands {
        if let Some(command) = raw.without_keywords()? {
            read_command(command, depth, found)?;
        }
    }
    Some(())
}

/// Puts the command, and those that it starts, into `found`.
fn read_command(command: PlainCommand, depth: usize, found: &mut Vec<PlainCommand>) -> Option<()> {
    for unfolded in unfold(command)? {
        match unfolded {
            Unfolded::Command(command) => found.push(command),
            Unfolded::Script(script) => read(&script, depth + 1, found)?,
        }
    }
    Some(())
}

#[cfg(test)]
#[path = "plain_bash_tests.rs"]
mod bash_tests;
#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
