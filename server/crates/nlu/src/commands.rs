//! Command lines: those that were typed, and the making of new ones.

use crate::lexicon::Lexicon;
use crate::text::{Kind, Token, is_stop_word};
use crate::world::World;

/// A text that begins with a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedCommand {
    /// As it was typed.
    pub line: String,
    /// Whether it can be nothing else: it has a flag or a pipe, or its program is no word of ours.
    pub sure: bool,
}

/// A program whose name is a word, too, may have this many words behind it.
const MAX_BARE: usize = 1;

/// The text as a command line, if its first word is a program and the rest is no plain English: it has a flag, a pipe or a
/// path, it is short, or it names a task of the project (`make docs`).
#[must_use]
pub(crate) fn typed(text: &str, tokens: &[Token], world: &dyn World, lexicon: &Lexicon) -> Option<TypedCommand> {
    let line = text.trim();
    let (first, rest) = tokens.split_first()?;
    let path = first.text.starts_with("./") && first.text.len() > 2;
    if first.kind != Kind::Word || line.contains('\n') || !(path || world.is_program(&first.text)) {
        return None;
    }
    let shell = rest
        .iter()
        .any(|token| is_flag(&token.text) || matches!(token.text.as_str(), "|" | "||" | "&&" | ">" | ">>" | "<"));
    let talk = rest.iter().any(|token| token.kind == Kind::Word && is_stop_word(&token.lower))
        || rest.iter().any(|token| token.kind == Kind::Mark && matches!(token.text.as_str(), "," | "?" | ":"));
    let own = path || !lexicon.lists("programs_and_words", &first.lower);
    let tasks = lexicon.means("task_files", &first.lower).is_some_and(|file| world.paths().named(file).is_some());
    let task = tasks && rest.len() == 1 && rest[0].kind == Kind::Word && !rest[0].text.contains(['.', '/']);
    let sure = shell || (!talk && (own || task));
    let operands = rest.iter().any(|token| world.paths().named(&token.text).is_some());
    let bare = !talk && (rest.len() <= MAX_BARE || operands);
    (sure || bare).then(|| TypedCommand { line: line.to_owned(), sure })
}

/// `-l`, `--all`, `-5`.
fn is_flag(word: &str) -> bool {
    let name = word.trim_start_matches('-');
    word.starts_with('-')
        && name.chars().next().is_some_and(|first| first.is_ascii_alphanumeric())
        && word.len() - name.len() <= 2
}

/// An argv as one line that a POSIX shell divides into the same elements.
#[must_use]
pub fn quoted(argv: &[impl AsRef<str>]) -> String {
    argv.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// One element, quoted if it needs to be.
fn quote(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "_-./:=,@%+".contains(character);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_whole() {
        assert_eq!(quoted(&["git", "log", "--grep", "it's $HOME"]), r"git log --grep 'it'\''s $HOME'");
        assert_eq!(quoted(&["touch", ""]), "touch ''");
    }
}
