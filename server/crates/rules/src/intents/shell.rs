//! Commands for the shell. Text is only ever run when it is clearly a command: in code or quotation marks, introduced
//! as a command, or beginning with a program that everybody knows.

use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Goal, Role, Skill};
use crate::lexer::Kind;
use switchboard_context::literal;

/// Programs that a sentence after `run` may begin with.
const PROGRAMS: &[&str] = &[
    "ls",
    "cat",
    "echo",
    "pwd",
    "date",
    "whoami",
    "uname",
    "df",
    "du",
    "ps",
    "top",
    "free",
    "env",
    "printenv",
    "id",
    "git",
    "cargo",
    "rustc",
    "npm",
    "npx",
    "node",
    "yarn",
    "pnpm",
    "python",
    "python3",
    "pip",
    "pip3",
    "ruby",
    "perl",
    "go",
    "java",
    "javac",
    "mvn",
    "gradle",
    "make",
    "cmake",
    "gcc",
    "g++",
    "clang",
    "bash",
    "sh",
    "zsh",
    "grep",
    "rg",
    "sed",
    "awk",
    "sort",
    "uniq",
    "wc",
    "head",
    "tail",
    "find",
    "xargs",
    "cut",
    "tr",
    "tee",
    "diff",
    "file",
    "stat",
    "touch",
    "mkdir",
    "rm",
    "rmdir",
    "cp",
    "mv",
    "ln",
    "chmod",
    "chown",
    "tar",
    "gzip",
    "gunzip",
    "zip",
    "unzip",
    "curl",
    "wget",
    "ping",
    "ssh",
    "scp",
    "rsync",
    "nc",
    "dig",
    "host",
    "hostname",
    "uptime",
    "which",
    "whereis",
    "printf",
    "seq",
    "sleep",
    "true",
    "false",
    "test",
    "expr",
    "bc",
    "jq",
    "sqlite3",
    "psql",
    "docker",
    "podman",
    "kubectl",
    "systemctl",
    "journalctl",
    "kill",
    "killall",
    "nproc",
    "lscpu",
    "lsblk",
    "mount",
    "tree",
    "basename",
    "dirname",
    "realpath",
    "md5sum",
    "sha256sum",
    "base64",
    "xxd",
    "od",
    "strings",
    "cal",
    "yes",
    "for",
    "while",
    "if",
    "cd",
    "export",
    "source",
    "exit",
    "shutdown",
    "reboot",
    "mkfs",
    "dd",
    "sudo",
    "nice",
    "time",
    "timeout",
    "watch",
    "clear",
    "history",
    "alias",
    "type",
    "deno",
    "bun",
    "tsc",
    "pytest",
    "eslint",
    "prettier",
    "terraform",
    "ansible",
];

const ANNOUNCED: &[&str] = &[
    "run|execute the? following? shell|bash|terminal? command|commands",
    "run|execute in|with|using? the? shell|bash|terminal",
    "the? command",
    "shell|bash command?",
    "in the? shell|bash|terminal run?",
    "use bash|shell to run",
];

/// A command to run.
pub(super) fn shell(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    let announced = announced(clause);
    let verb = clause.starts("run|execute|$|exec|invoke");
    let from = announced.or(verb)?;
    let from = from + clause.tokens[from..].iter().take_while(|token| token.is_mark(":") || token.is_mark(",")).count();
    let from = if announced.is_some() { clause.matches_at(from, "run|execute").unwrap_or(from) } else { from };
    let rest = clause.tail(from);
    let first = rest.tokens.first()?;
    if announced.is_none() && known.tools.iter().any(|tool| tool.contains('_') && first.lower == *tool) {
        return None;
    }
    let command = match first.kind {
        Kind::Code | Kind::Quoted if rest.tokens.len() == 1 || only_words_around(&rest) => first.text.as_str(),
        _ if is_json_query(&rest) => return None,
        _ if announced.is_some() || clause.tokens[0].is(&["$"]) => clause.from(from),
        _ if is_command(&rest) => clause.from(from),
        _ => return None,
    };
    let command = command.trim();
    (!command.is_empty()).then(|| act(Act::new(Skill::Run, clause).with_text(Role::Command, &literal(command))))?
}

fn announced(clause: &Clause) -> Option<usize> {
    let end = ANNOUNCED.iter().find_map(|phrase| clause.starts(phrase))?;
    // `the command` must be followed by one; `run in the background` is none of these.
    let said = clause.tokens[..end].iter().any(|token| token.is(&["command", "commands", "shell", "bash", "terminal"]));
    // `bash -c …` is a command as it stands.
    let option = clause.tokens.get(end)?.text.starts_with('-');
    said.then_some(if option { 0 } else { end })
}

/// `run "ls -la" in the shell`.
fn only_words_around(rest: &Clause) -> bool {
    rest.tokens[1..].iter().all(|token| {
        token.is(&[
            "in", "the", "shell", "bash", "terminal", "here", "command", "as", "a", "now", "for", "with", "using",
        ])
    })
}

/// `run jq '.port' on config.json` has a tool of its own.
fn is_json_query(rest: &Clause) -> bool {
    rest.tokens[0].is(&["jq"]) && rest.has(&["on", "over", "against", "to"])
}

/// Whether everybody knows a program of this name.
pub(crate) fn is_program(word: &str) -> bool {
    PROGRAMS.contains(&word)
}

fn is_command(rest: &Clause) -> bool {
    let first = &rest.tokens[0];
    if first.is_literal() {
        return false;
    }
    let here = first.text.starts_with("./") || first.text.starts_with('/');
    let program = is_program(&first.text);
    // `run test on all files` and `run time` are sentences rather than commands.
    let sentence =
        rest.tokens.get(1).is_some_and(|token| token.is(&["the", "a", "an", "all", "my", "it", "on", "for", "this"]));
    here || (program && !sentence)
}
