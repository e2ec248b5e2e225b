//! Commands that run another command: each is taken apart until what runs in the end stands alone.

use super::command::{PlainCommand, UNKNOWN, is_assignment};
use super::names::{SHELLS, program};
use super::starters::options_of;

/// What takes names of variables, and runs the commands in a name's subscript: `printf -v 'a[$(command)]'`.
const NAMING: &[&str] = &[
    "printf",
    "test",
    "[",
    "read",
    "unset",
    "let",
    "declare",
    "typeset",
    "local",
    "export",
    "readonly",
    "mapfile",
    "readarray",
    "wait",
    "getopts",
];

/// What a command comes to.
pub(super) enum Unfolded {
    /// A command that stands alone.
    Command(PlainCommand),
    /// A script that is still to be read.
    Script(String),
}

/// The command and those that it starts, in order; `None` if it is not certain what it starts.
pub(super) fn unfold(command: PlainCommand) -> Option<Vec<Unfolded>> {
    let mut found = Vec::new();
    unfold_into(command, &mut found)?;
    Some(found)
}

fn unfold_into(command: PlainCommand, found: &mut Vec<Unfolded>) -> Option<()> {
    let Some(first) = command.words.first() else {
        found.push(Unfolded::Command(command));
        return Some(());
    };
    // A program with a blank in its name would look like another one with arguments.
    if first.contains([UNKNOWN, '*', '?', '[', '{', '~', ' ', '\t', '\n']) && first != "[" {
        return None;
    }
    if NAMING.contains(&first.as_str()) && command.words.iter().any(|word| word.contains("$(") || word.contains('`')) {
        return None;
    }
    match first.as_str() {
        "eval" | "trap" => None,
        "env" | "command" | "exec" | "builtin" | "nohup" | "setsid" | "nice" | "ionice" | "stdbuf" | "timeout"
        | "xargs" | "time" => started(command, found),
        "find" | "fd" | "fdfind" => searched(command, found),
        shell if SHELLS.contains(&program(&command.words)) && (shell == program(&command.words) || given(&command)) => {
            script(&command, found)
        }
        _ => {
            found.push(Unfolded::Command(command));
            Some(())
        }
    }
}

/// Whether the command is given a script by an option.
fn given(command: &PlainCommand) -> bool {
    command.words[1..].iter().any(|word| word.starts_with('-'))
}

/// What `timeout 5` and its like start.
fn started(mut command: PlainCommand, found: &mut Vec<Unfolded>) -> Option<()> {
    let starter = command.words[0].clone();
    let own = 1 + options_of(&starter, &command.words[1..])?;
    // What could become several words, or none, could bring a command of its own.
    if command.words.iter().take(own).any(|word| word.contains([UNKNOWN, '*', '?', '['])) {
        return None;
    }
    if own >= command.words.len() && starter != "xargs" {
        return None;
    }
    let strict = matches!(starter.as_str(), "env" | "command" | "exec" | "builtin");
    if strict && command.words[1].starts_with('-') {
        return None;
    }
    command.words.drain(..own.min(command.words.len()));
    while starter == "env" && command.words.first().is_some_and(|word| is_assignment(word)) {
        command.words.remove(0);
        command.assigns = true;
    }
    if starter == "xargs" {
        if command.words.is_empty() {
            command.words.push("echo".to_owned());
        }
        found_words(&mut command.words);
        command.words.push(UNKNOWN.to_string());
    }
    if command.words.is_empty() {
        return None;
    }
    unfold_into(command, found)
}

/// What a search runs for each thing it finds, and the search itself.
fn searched(command: PlainCommand, found: &mut Vec<Unfolded>) -> Option<()> {
    let runs = ["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];
    let mut rest = command.words.as_slice();
    while let Some(at) = rest.iter().position(|word| runs.contains(&word.as_str())) {
        let behind = &rest[at + 1..];
        let end = behind.iter().position(|word| word == ";" || word == "+").unwrap_or(behind.len());
        let mut words = behind[..end].to_vec();
        if words.is_empty() {
            return None;
        }
        found_words(&mut words);
        words.push(UNKNOWN.to_string());
        unfold_into(PlainCommand { words, ..PlainCommand::default() }, found)?;
        rest = &behind[end..];
    }
    // What is not known could be an option that runs something; `fd -Hx` is one.
    let short = |word: &String| word.starts_with('-') && !word.starts_with("--") && word.contains(['x', 'X']);
    let grouped = command.words[0] != "find" && rest.iter().any(short);
    if grouped || rest.iter().any(|word| word.contains(UNKNOWN) || word.starts_with("--exec")) {
        return None;
    }
    found.push(Unfolded::Command(command));
    Some(())
}

/// `{}` is what was found.
fn found_words(words: &mut [String]) {
    for word in words {
        *word = word.replace("{}", &UNKNOWN.to_string());
    }
}

/// What a shell is given to run: exactly `sh -c script`, or a file.
fn script(command: &PlainCommand, found: &mut Vec<Unfolded>) -> Option<()> {
    if command.assigns || !command.writes_to.is_empty() {
        // They hold for all of the script.
        found.push(Unfolded::Command(PlainCommand { words: Vec::new(), ..command.clone() }));
    }
    match command.words.get(1).map(String::as_str) {
        Some("-c") => {
            let script = command.words.get(2).filter(|script| !script.starts_with(['-', '+']))?;
            found.push(Unfolded::Script(script.clone()));
            Some(())
        }
        Some(file) if !file.starts_with(['-', '+']) && !file.contains(UNKNOWN) => {
            found.push(Unfolded::Command(command.clone()));
            Some(())
        }
        _ => None,
    }
}
