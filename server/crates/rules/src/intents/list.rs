//! What is in a folder.

use super::pieces::{COMMON_FOLDERS, FILE_WORDS, FOLDER_WORDS, HERE, folder_at, is_path};
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Given, Goal, Role, Skill};
use crate::lexer::Kind;

const PLACES: &str = "in|of|under|inside|from|at|within|for";

/// `ls src`, `list the files here`, `what files are in the current directory?`, `what's in the src folder`.
pub(super) fn list(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let folder = command(clause).or_else(|| in_words(clause)).or_else(|| contents_of_folder(clause))?;
    act(Act::new(Skill::List, clause).with(Role::Folder, folder))
}

/// `ls`, `ls -la src`, `dir`, `tree`.
fn command(clause: &Clause) -> Option<Given> {
    let from = clause.starts("ls|dir|ll|tree")?;
    let rest: Vec<_> = clause.tokens[from..].iter().filter(|token| !token.text.starts_with('-')).collect();
    match rest.as_slice() {
        [] => Some(Given::text(".")),
        [one] if one.kind != Kind::Glob => Some(Given::text(&one.text)),
        _ => folder_at(clause, clause.starts("ls|dir|ll|tree in|of?")?).map(|(folder, _)| folder),
    }
}

fn in_words(clause: &Clause) -> Option<Given> {
    let asks = clause.starts("list|show|display|print|give|enumerate|see|what|which|are|get|tell|view|look");
    let nouns: Vec<&str> =
        [FILE_WORDS, FOLDER_WORDS, &["contents", "content", "subfolders", "subdirectories", "everything", "entries"]]
            .concat();
    asks?;
    let noun = clause.tokens.iter().position(|token| token.is(&nouns) || token.is(&["structure"]))?;
    // A file's contents are read, not listed.
    let named_file = clause.tokens.iter().any(|token| is_path(token) && !is_folder(&token.text));
    let other = clause.has(&[
        "containing",
        "contain",
        "named",
        "called",
        "variables",
        "first",
        "second",
        "tools",
        "version",
        "say",
        "says",
    ]);
    let contents = clause.tokens[noun].is(&["contents", "content", "everything", "entries", "structure"]);
    if named_file || other || (contents && !clause.has(FOLDER_WORDS) && !clause.has(&["here"])) {
        return None;
    }
    let place = (0..clause.tokens.len()).find_map(|place| clause.matches_at(place, PLACES));
    let folder = match place {
        Some(end) => folder_at(clause, end)?.0,
        None if clause.tokens[noun].is(FOLDER_WORDS) => beside(clause, noun),
        None => clause
            .tokens
            .iter()
            .find(|token| is_path(token))
            .map_or_else(|| Given::text("."), |token| Given::text(&token.text)),
    };
    let words = clause.tokens.iter().filter(|token| token.kind == Kind::Word).count();
    (words <= 14).then_some(folder)
}

/// The folder named before or after the word for it: `the src folder`, `folder src`, `the current directory`.
fn beside(clause: &Clause, noun: usize) -> Given {
    let here = || Given::text(".");
    if noun > 0 && clause.tokens[noun - 1].is(&["current", "this", "working", "the", "root", "my", "a"]) {
        return clause
            .tokens
            .get(noun + 1)
            .filter(|next| is_path(next))
            .map_or_else(here, |next| Given::text(&next.text));
    }
    let from = if noun > 0 { noun - 1 } else { noun };
    folder_at(clause, from).map_or_else(here, |(folder, _)| folder)
}

/// `what's in src/`, `what is in the src folder`, `show me what's in src`, `list src`, `what's here?`.
fn contents_of_folder(clause: &Clause) -> Option<Given> {
    const LEADS: &[&str] = &[
        "what is|are in|inside",
        "what is|are there in",
        "look in|into|inside|at",
        "look",
        "peek into|inside|at",
        "list|enumerate the? contents|content|entries of|in",
        "list|enumerate",
        "directory|folder listing of|for",
        "open|read|view the? folder|directory",
    ];
    let everything = clause.starts("list|show|enumerate me? everything|all").is_some();
    if (everything && clause.tokens.len() <= 3) || clause.starts("what is here") == Some(clause.tokens.len()) {
        return Some(Given::text("."));
    }
    let from = (0..clause.tokens.len().min(3))
        .find_map(|place| LEADS.iter().find_map(|lead| clause.matches_at(place, lead)))?;
    let (folder, end) = folder_at(clause, from.saturating_sub(usize::from(clause.tokens[from - 1].is(FOLDER_WORDS))))?;
    if end < clause.tokens.len() || matches!(folder, Given::ThatFolder) {
        return None;
    }
    let said = clause.tokens[from - 1..].iter().any(|token| token.is(FOLDER_WORDS) || token.is(HERE));
    let path = match &folder {
        Given::Value(serde_json::Value::String(text)) => text.as_str(),
        _ => "",
    };
    let slash = path.contains('/') && is_folder(path);
    let listing = clause.starts("list|enumerate|directory|folder").is_some();
    let contents = listing && clause.has(&["contents", "content", "listing", "entries"]) && is_folder(path);
    (said || slash || contents || COMMON_FOLDERS.contains(&path)).then_some(folder)
}

/// Whether the path is written as a folder's.
fn is_folder(path: &str) -> bool {
    path.ends_with('/') || path == "." || path == ".." || !path.rsplit('/').next().unwrap_or(path).contains('.')
}
