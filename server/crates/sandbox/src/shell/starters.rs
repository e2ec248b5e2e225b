//! What only starts another command: `sudo -u root`, `timeout 5`, `A=1`, `then`.

use super::names::base_name;

/// Each with the letters of its options that take the next word as a value, and how many words of its own follow.
const STARTERS: &[(&str, &str, usize)] = &[
    ("!", "", 0),
    ("(", "", 0),
    ("builtin", "", 0),
    ("busybox", "", 0),
    ("command", "", 0),
    ("coproc", "", 0),
    ("do", "", 0),
    ("doas", "uC", 0),
    ("elif", "", 0),
    ("else", "", 0),
    ("env", "uCS", 0),
    ("exec", "a", 0),
    ("if", "", 0),
    ("ionice", "cnpu", 0),
    ("nice", "n", 0),
    ("nohup", "", 0),
    ("setsid", "", 0),
    ("stdbuf", "ioe", 0),
    ("sudo", "ugChprtDRTU", 0),
    ("then", "", 0),
    ("time", "fo", 0),
    ("timeout", "ks", 1),
    ("toybox", "", 0),
    ("unshare", "", 0),
    ("until", "", 0),
    ("while", "", 0),
    ("xargs", "ILnPdsEa", 0),
    ("{", "", 0),
];

/// Options without a value.
const FLAGS: &[&str] = &["foreground", "no-run-if-empty", "null", "preserve-status", "verbose", "wait"];

/// The words of the command that runs in the end.
pub(super) fn without_starters(mut words: Vec<String>) -> Vec<String> {
    loop {
        let Some(first) = words.first() else { return words };
        let taken = if is_assignment(first) {
            1
        } else if let Some((_, valued, own)) = STARTERS.iter().find(|(name, ..)| *name == base_name(first)) {
            1 + options(&words[1..], valued) + own
        } else {
            return words;
        };
        words.drain(..taken.min(words.len()));
    }
}

/// How many of the words behind this starter are its own; `None` if that is not certain.
pub(super) fn options_of(starter: &str, words: &[String]) -> Option<usize> {
    let (_, valued, own) = STARTERS.iter().find(|(name, ..)| *name == starter)?;
    let count = options(words, valued);
    let mut options = words.iter().take(count).filter(|word| word.starts_with('-'));
    options.all(|option| is_read(option, valued)).then_some(count + own)
}

/// Whether it is certain that the next word is not this option's value, or that it is.
fn is_read(option: &str, valued: &str) -> bool {
    match option.strip_prefix("--") {
        Some(name) => name.is_empty() || name.contains('=') || FLAGS.contains(&name),
        // A value may be in the same word as its letter; behind other letters, its value could be the next word.
        None => option[1..].starts_with(|c| valued.contains(c)) || !option[1..].contains(|c| valued.contains(c)),
    }
}

fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// How many of the words are options and their values.
fn options(words: &[String], valued: &str) -> usize {
    let mut count = 0;
    while let Some(word) = words.get(count) {
        match word.strip_prefix('-') {
            None => break,
            Some("-") => return count + 1,
            Some(letter) if letter.len() == 1 && valued.contains(letter) => count += 2,
            Some(_) => count += 1,
        }
    }
    count
}
