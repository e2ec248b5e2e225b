//! Pieces that several rules look for: files, folders, pronouns, values.

use serde_json::Value;

use crate::clause::Clause;
use crate::goal::Given;
use crate::lexer::{Kind, Token};
use crate::words::{PRONOUNS, RESULT_NOUNS, STOP};

/// Words for the folder that everything is in.
pub(super) const HERE: &[&str] = &["here", "workspace", "project", "repository", "repo", "cwd", "codebase", "code"];

/// Words for a folder as such.
pub(super) const FOLDER_WORDS: &[&str] = &["folder", "directory", "dir", "folders", "directories"];

/// Names that folders often have.
pub(super) const COMMON_FOLDERS: &[&str] = &[
    "src", "lib", "docs", "doc", "tests", "test", "bin", "app", "notes", "data", "logs", "server", "web", "scripts",
    "examples", "assets", "public", "build", "target", "dist", "config",
];

/// Words that say that something is a file without saying more about it.
pub(super) const FILE_WORDS: &[&str] = &["file", "files", "document", "documents"];

/// Words before a folder's name that say nothing about it.
const BEFORE_FOLDER: &[&str] = &["the", "my", "our", "all", "of", "files", "file", "any", "each", "every", "both"];

/// Whether the token names a file or folder: a path, or a quotation that looks like one.
pub(crate) fn is_path(token: &Token) -> bool {
    let text = token.text.as_str();
    match token.kind {
        Kind::Path => true,
        // `.env` is a file, `.db.host` is not.
        Kind::Filter => !text[1..].contains(['.', '[', '|']),
        Kind::Quoted | Kind::Code => looks_like_path(text),
        _ => false,
    }
}

fn looks_like_path(text: &str) -> bool {
    if text.len() > 255 || text.contains(['\n', '"', '|', ';', '*', '$', '>']) {
        return false;
    }
    let extension = text.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty() && (1..=5).contains(&extension.len()) && extension.chars().all(char::is_alphanumeric)
    });
    extension || (text.contains('/') && !text.contains(' '))
}

/// A name that is not a path but may be one in its place: `the file Makefile`, `read LICENSE`.
pub(super) fn bare_name(token: &Token) -> Option<String> {
    let plain = token.kind == Kind::Word && !token.is(STOP) && !token.is(FILE_WORDS) && !token.is(FOLDER_WORDS);
    let named = token.text.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
    (plain && named && !token.is(RESULT_NOUNS)).then(|| token.text.clone())
}

/// Whether these tokens only point to something said or made before: `it`, `the result`.
pub(super) fn is_pronoun(tokens: &[Token]) -> bool {
    let pointing = ["the", "last", "that", "this", "its", "all", "of", "your", "previous", "these", "those"];
    let rest: Vec<&Token> = tokens.iter().filter(|token| !token.is(&pointing)).collect();
    match rest.as_slice() {
        [] => tokens.iter().any(|token| token.is(PRONOUNS)),
        [one] => one.is(PRONOUNS) || (one.is(RESULT_NOUNS) && tokens.len() <= 3),
        [one, file] => one.is(RESULT_NOUNS) && (file.is(PRONOUNS) || file.is(FILE_WORDS)),
        _ => false,
    }
}

/// The folder that stands at this place, and where it ends: `src`, `the src folder`, `the current directory`, `here`.
pub(super) fn folder_at(clause: &Clause, place: usize) -> Option<(Given, usize)> {
    let mut at = place;
    while clause.tokens.get(at).is_some_and(|token| token.is(BEFORE_FOLDER)) {
        at += 1;
    }
    let Some(token) = clause.tokens.get(at) else {
        // "in all files": everywhere.
        return (at > place).then(|| (Given::text("."), at));
    };
    let next_is = |words: &[&str]| clause.tokens.get(at + 1).is_some_and(|next| next.is(words));
    if token.is(&["current", "this", "working", "root", "same", "top"]) {
        let end = clause.tokens[at..].iter().position(|token| token.is(FOLDER_WORDS) || token.is(HERE));
        return Some((Given::text("."), end.map_or(at + 1, |end| at + end + 1)));
    }
    if token.is(HERE) {
        return Some((Given::text("."), if next_is(FOLDER_WORDS) { at + 2 } else { at + 1 }));
    }
    if token.is(&["them", "those", "these", "it", "there", "that"]) {
        let end = if next_is(FILE_WORDS) || next_is(FOLDER_WORDS) { 2 } else { 1 };
        return Some((Given::ThatFolder, at + end));
    }
    if token.is(FOLDER_WORDS) || token.is(&["in", "called", "named", "under"]) {
        return match clause.tokens.get(at + 1) {
            Some(_) => folder_at(clause, at + 1),
            None => Some((Given::text("."), at + 1)),
        };
    }
    let named = is_path(token) || matches!(token.kind, Kind::Quoted | Kind::Code) || bare_name(token).is_some();
    let end = if next_is(FOLDER_WORDS) { at + 2 } else { at + 1 };
    named.then(|| (Given::text(&token.text), end))
}

/// A value as written: number, truth, quotation, JSON, reference, the last result, or the text itself.
pub(super) fn value_of(clause: &Clause, from: usize, to: usize) -> Option<Given> {
    let tokens = clause.tokens.get(from..to)?;
    let token = match tokens {
        [] => return None,
        [token] => token,
        more if is_pronoun(more) => return Some(Given::That),
        _ => return Some(Given::text(&switchboard_context::literal(clause.part(from, to)))),
    };
    Some(match token.kind {
        Kind::Number => number(&token.text).map_or_else(|| Given::text(&token.text), Given::Value),
        Kind::Json => serde_json::from_str(&token.text).map_or_else(|_| Given::text(&token.text), Given::Value),
        Kind::Reference => Given::text(&token.text),
        Kind::Quoted | Kind::Code => Given::text(&switchboard_context::literal(&token.text)),
        _ if token.is(PRONOUNS) => Given::That,
        _ if token.is(&["true"]) => Given::Value(Value::Bool(true)),
        _ if token.is(&["false"]) => Given::Value(Value::Bool(false)),
        _ => Given::text(&switchboard_context::literal(&token.text)),
    })
}

/// The number that the text is.
pub(crate) fn number(text: &str) -> Option<Value> {
    let plain = text.replace(',', "");
    if plain.starts_with('+') || plain.len() > 40 {
        return None;
    }
    plain.parse::<i64>().ok().map(Value::from).or_else(|| {
        let number = plain.parse::<f64>().ok().filter(|number| number.is_finite())?;
        serde_json::Number::from_f64(number).map(Value::Number)
    })
}
