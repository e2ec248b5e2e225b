//! A command line that is understood in full, or not at all: for rules that allow something.
//!
//! [`read_line`](super::read_line) finds what it can and overlooks the rest, which is right for refusing. To allow
//! something, every command of the line must be known; so whatever this reader does not know for certain makes it give
//! up, and a line that it gave up on is asked about.

use super::scan::scan;
use super::unfold::unfold;

/// Stands in a word for what only the shell will know: the value of a variable, the output of a command.
pub const UNKNOWN: char = '\u{fffc}';

/// How deep scripts in scripts are read.
const MAX_DEPTH: usize = 8;

/// How many commands one line may have.
pub(super) const MAX_COMMANDS: usize = 256;

/// A command that is known in full.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlainCommand {
    /// Its words without quotes; [`UNKNOWN`] stands for what is not known yet.
    pub words: Vec<String>,
    /// Whether it sets variables before it runs, which can change what a program does.
    pub assigns: bool,
    /// Files that its output goes to.
    pub writes_to: Vec<String>,
}

/// Every command of the line; `None` if that is not certain.
pub fn plain_commands(line: &str) -> Option<Vec<PlainCommand>> {
    let mut found = Vec::new();
    read(line, 0, &mut found)?;
    (found.len() <= MAX_COMMANDS).then_some(found)
}

/// Reads a script that stands `depth` scripts deep.
pub(super) fn read(script: &str, depth: usize, found: &mut Vec<PlainCommand>) -> Option<()> {
    if depth > MAX_DEPTH || found.len() > MAX_COMMANDS {
        return None;
    }
    // A blank that is one for some and not for others.
    let unclear = |c: char| c.is_control() || c.is_whitespace() && c != ' ';
    if script.chars().any(|c| c == UNKNOWN || unclear(c) && c != '\n' && c != '\t') {
        return None;
    }
    let (commands, mut inner) = scan(script, depth)?;
    found.append(&mut inner);
    for raw in commands {
        if let Some(command) = raw.without_keywords()? {
            unfold(command, depth, found)?;
        }
    }
    Some(())
}

/// A command with its keywords.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) words: Vec<Word>,
    pub(super) assigns: bool,
    pub(super) writes_to: Vec<String>,
}

#[derive(Default, Clone)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// Words before a command that do not change what it is.
pub(super) const LEADING: &[&str] = &["!", "{", "if", "then", "elif", "else", "while", "until", "do", "time"];
/// Words that stand alone.
const CLOSING: &[&str] = &["}", "fi", "done"];
/// Words that begin what is not followed here.
const UNFOLLOWED: &[&str] = &["case", "esac", "function", "select", "coproc", "[[", "]]", "in"];

impl Raw {
    /// The command alone; `Some(None)` if there is none.
    fn without_keywords(self) -> Option<Option<PlainCommand>> {
        let Self { mut words, mut assigns, writes_to } = self;
        let mut began = false;
        while let Some(first) = words.first() {
            let keyword = if first.quoted { "" } else { first.text.as_str() };
            if LEADING.contains(&keyword) && !assigns {
                words.remove(0);
                began = true;
            } else if began && is_assignment(&first.text) {
                words.remove(0);
                assigns = true;
            } else if CLOSING.contains(&keyword) {
                return (words.len() == 1 && !assigns).then(|| only_writing(writes_to));
            } else if keyword == "for" {
                return is_for(&words).then_some(None);
            } else if UNFOLLOWED.contains(&keyword) {
                return None;
            } else {
                break;
            }
        }
        if words.is_empty() && !assigns {
            return Some(only_writing(writes_to));
        }
        let words = words.into_iter().map(|word| word.text).collect();
        Some(Some(PlainCommand { words, assigns, writes_to }))
    }
}

fn only_writing(writes_to: Vec<String>) -> Option<PlainCommand> {
    (!writes_to.is_empty()).then(|| PlainCommand { writes_to, ..PlainCommand::default() })
}

/// `for name in words`; the name could be that of a variable that matters.
fn is_for(words: &[Word]) -> bool {
    let name = words.get(1).is_some_and(|word| word.text.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
    name && (words.len() == 2 || words.get(2).is_some_and(|word| word.text == "in"))
}

pub(super) fn is_name_sign(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// `NAME=value`, `NAME+=value`, `NAME[0]=value`.
pub(super) fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    let name = name.split_once('[').map_or(name, |(name, _)| name);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(is_name_sign)
}

#[cfg(test)]
#[path = "plain_bash_tests.rs"]
mod bash_tests;
#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
