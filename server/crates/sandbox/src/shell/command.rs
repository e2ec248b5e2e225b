//! A command that is known in full, and the placeholder for what is not known yet.

/// Stands in a word for what only the shell will know: the value of a variable, the output of a command.
pub const UNKNOWN: char = '\u{fffc}';

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
