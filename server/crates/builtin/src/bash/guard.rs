//! The seat belt: plainly destructive commands are refused under every policy, even where there is no sandbox.
//!
//! It reads text, so it can be circumvented on purpose; it is there for accidents, and for a manipulated model.

use switchboard_protocol::ErrorType;

use super::places::{is_device, is_everything, is_root};
use switchboard_sandbox::shell::{ShellCommand, ShellLine, program, read_line};
use switchboard_tools::ToolFailure;

/// Why a command line is refused, if it is.
pub(super) fn refuse(line: &str) -> Option<ToolFailure> {
    let ShellLine { commands, scripts, too_deep } = read_line(line);
    let why = if too_deep {
        Some("it hides what it runs in too many scripts inside scripts".to_owned())
    } else if scripts.iter().any(|script| is_fork_bomb(script)) {
        Some("it is a fork bomb: it starts processes endlessly".to_owned())
    } else {
        commands.iter().find_map(harm)
    };
    why.map(|why| {
        ToolFailure::new(ErrorType::Security, format!("this command is refused: {why}")).suggesting(
            "Name exactly the files in the workspace that are meant. Such a command is never allowed here; if you are \
             sure, run it in your own terminal.",
        )
    })
}

fn harm(command: &ShellCommand) -> Option<String> {
    if let Some(device) = command.writes_to.iter().find(|path| is_device(path)) {
        return Some(overwritten(device));
    }
    let name = program(&command.words);
    let arguments = command.words.get(1..).unwrap_or_default();
    match name {
        "rm" => removed(arguments),
        "chmod" | "chown" | "chgrp" if is_recursive(arguments) => arguments
            .iter()
            .find(|path| is_everything(path))
            .map(|path| format!("`{name} -R {path}` changes everything there")),
        "find" => deleted(arguments),
        "mv" => moved(arguments),
        "cp" | "install" => arguments.last().filter(|path| is_device(path)).map(|device| overwritten(device)),
        "dd" => {
            arguments.iter().find_map(|word| word.strip_prefix("of=").filter(|path| is_device(path))).map(overwritten)
        }
        "tee" | "truncate" => arguments.iter().find(|path| is_device(path)).map(|device| overwritten(device)),
        "wipefs" | "fdisk" | "sfdisk" | "sgdisk" | "parted" | "blkdiscard" | "shred"
            if name == "wipefs" || arguments.iter().any(|word| is_device(word)) =>
        {
            Some(format!("`{name}` destroys what is on a device"))
        }
        "kill" if arguments.len() > 1 && arguments[1..].iter().any(|word| word == "-1") => {
            Some("it kills every process on the machine".to_owned())
        }
        "killall5" => Some("it kills every process on the machine".to_owned()),
        "perl" | "python" | "python3" | "ruby" if forks_without_end(arguments) => {
            Some("it is a fork bomb: it starts processes endlessly".to_owned())
        }
        "shutdown" | "reboot" | "halt" | "poweroff" => Some(format!("`{name}` stops the machine")),
        "init" | "telinit" if arguments.iter().any(|word| matches!(word.as_str(), "0" | "6")) => {
            Some(format!("`{name}` stops the machine"))
        }
        "systemctl" => arguments
            .iter()
            .find(|word| matches!(word.as_str(), "poweroff" | "reboot" | "halt" | "kexec" | "suspend" | "hibernate"))
            .map(|word| format!("`systemctl {word}` stops the machine")),
        _ if name == "mkfs" || name.starts_with("mkfs.") || name == "mke2fs" || name == "mkswap" => {
            Some(format!("`{name}` formats a device"))
        }
        _ => None,
    }
}

fn overwritten(device: &str) -> String {
    format!("it overwrites the device {device}")
}

fn removed(arguments: &[String]) -> Option<String> {
    let is_meant = |path: &&String| {
        *path == "--no-preserve-root" || is_root(path) || is_recursive(arguments) && is_everything(path)
    };
    arguments.iter().find(is_meant).map(|path| format!("`rm -r {path}` deletes everything there"))
}

/// A search that is narrowed down by a name does not delete everything.
fn deleted(arguments: &[String]) -> Option<String> {
    let has = |options: &[&str]| arguments.iter().any(|word| options.contains(&word.as_str()));
    let start = arguments.first().filter(|path| is_everything(path))?;
    let everything = has(&["-delete"]) && !has(&["-name", "-iname", "-path", "-regex"]);
    everything.then(|| format!("it deletes everything under {start}"))
}

fn moved(arguments: &[String]) -> Option<String> {
    let (last, sources) = arguments.split_last()?;
    if is_device(last) {
        return Some(overwritten(last));
    }
    let source = sources.iter().find(|path| is_everything(path))?;
    Some(format!("it moves everything in {source} away"))
}

fn is_recursive(arguments: &[String]) -> bool {
    arguments.iter().any(|word| {
        word == "--recursive" || word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R'])
    })
}

fn forks_without_end(arguments: &[String]) -> bool {
    let dense: String = arguments.concat().chars().filter(|c| !c.is_whitespace()).collect();
    ["forkwhilefork", "forkwhile1", "whileTrue:os.fork()", "while1:os.fork()", "loop{fork}"]
        .iter()
        .any(|bomb| dense.contains(bomb))
}

/// `f() { f | f & }; f` under any name, or a script that starts itself twice.
fn is_fork_bomb(script: &str) -> bool {
    let script = without_quoted(script);
    let dense: String = script.chars().filter(|c| !c.is_whitespace()).collect();
    if ["$0|$0&", "$0&$0"].iter().any(|bomb| dense.contains(bomb)) {
        return true;
    }
    script.match_indices(')').any(|(at, _)| {
        let Some(before) = script[..at].trim_end().strip_suffix('(') else { return false };
        let is_end = |c: char| c.is_whitespace() || ";&|({".contains(c);
        let name = before.trim_end().rsplit(is_end).next().unwrap_or_default();
        let Some(body) = script[at + 1..].trim_start().strip_prefix('{') else { return false };
        let body: String = body.split('}').next().unwrap_or_default().split_whitespace().collect();
        !name.is_empty()
            && [format!("{name}|{name}"), format!("{name}&{name}")].iter().any(|twice| body.contains(twice))
    })
}

/// The script without what is in quotes: that is text, and not run here.
fn without_quoted(script: &str) -> String {
    let mut quote = None;
    script
        .chars()
        .filter(|c| match quote {
            None if matches!(c, '\'' | '"') => {
                quote = Some(*c);
                false
            }
            None => true,
            Some(end) => {
                if *c == end {
                    quote = None;
                }
                false
            }
        })
        .collect()
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
