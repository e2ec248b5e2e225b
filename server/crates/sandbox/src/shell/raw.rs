//! A command as it is in a script, with the keywords around it: `if`, `then`, `{`, `for name in words`.

use super::command::{PlainCommand, is_assignment};

/// A command with its keywords.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) words: Vec<Word>,
    pub(super) assigns: bool,
    pub(super) writes_to: Vec<String>,
    /// Behind how many words the first redirection stands: none of those after it is a keyword.
    pub(super) redirected_at: Option<usize>,
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
    pub(super) fn without_keywords(self) -> Option<Option<PlainCommand>> {
        let Self { mut words, mut assigns, writes_to, redirected_at } = self;
        let (mut began, count) = (false, words.len());
        while let Some(first) = words.first() {
            let keyword = if first.quoted { "" } else { first.text.as_str() };
            let is_late = assigns || redirected_at.is_some_and(|at| at <= count - words.len());
            if is_late && is_keyword(keyword) {
                // A program of that name, which the words after it would not be.
                return None;
            }
            if keyword == "time" && words.len() == 1 {
                // Behind a pipe it is a program, and not a keyword with nothing to time.
                return None;
            } else if LEADING.contains(&keyword) {
                words.remove(0);
                began = true;
            } else if began && is_assignment(&first.text) {
                words.remove(0);
                assigns = true;
            } else if CLOSING.contains(&keyword) {
                return (words.len() == 1).then(|| only_writing(writes_to));
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

fn is_keyword(word: &str) -> bool {
    word == "for" || [LEADING, CLOSING, UNFOLLOWED].iter().any(|words| words.contains(&word))
}

fn only_writing(writes_to: Vec<String>) -> Option<PlainCommand> {
    (!writes_to.is_empty()).then(|| PlainCommand { writes_to, ..PlainCommand::default() })
}

/// `for name in words`; the name could be that of a variable that matters.
fn is_for(words: &[Word]) -> bool {
    let name = words.get(1).is_some_and(|word| word.text.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
    name && (words.len() == 2 || words.get(2).is_some_and(|word| word.text == "in"))
}
