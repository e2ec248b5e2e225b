//! Replacing text in a file: `replace "80" with "8080" in config.json`.

use serde_json::Value;

use super::pieces::{FILE_WORDS, bare_name, is_path};
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Given, Goal, Role, Skill};
use crate::lexer::Token;
use switchboard_context::literal;

const VERBS: &str = "replace|substitute|change|swap|exchange";

/// What comes before the file.
const PLACES: &[&str] = &["in", "inside", "within", "of", "from"];

/// What says that every place is meant.
const ALL: &[&str] = &["all", "every", "each", "everywhere", "any"];

/// Words around the texts that say nothing.
const AROUND: &[&str] = &[
    "the",
    "text",
    "word",
    "words",
    "string",
    "line",
    "occurrence",
    "occurrences",
    "instance",
    "instances",
    "of",
    "value",
];

/// `replace X with Y in FILE`, `change all X to Y in FILE`, `in FILE replace X by Y`.
pub(super) fn edit(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let (clause, file) = take_file(clause)?;
    let from = clause.starts(VERBS)?;
    let to =
        (from + 1..clause.tokens.len()).find(|&place| clause.tokens[place].is(&["with", "by", "to", "into", "for"]))?;
    let find = piece(&clause, from, to, AROUND)?;
    let replacement = piece(&clause, to + 1, clause.tokens.len(), &[])?;
    let all = clause.has(ALL);
    let editing = Act::new(Skill::Edit, &clause)
        .with(Role::Path, file)
        .with_text(Role::Find, &literal(&find))
        .with_text(Role::Replacement, &literal(&replacement));
    act(if all { editing.with(Role::Everywhere, Given::Value(Value::Bool(true))) } else { editing })
}

/// The file, and the clause without the words that name it.
fn take_file(clause: &Clause) -> Option<(Clause, Given)> {
    for place in (0..clause.tokens.len()).rev() {
        if !clause.tokens[place].is(PLACES) {
            continue;
        }
        let mut at = place + 1;
        while clause.tokens.get(at).is_some_and(|token| token.is(&["the", "my", "our"]) || token.is(FILE_WORDS)) {
            at += 1;
        }
        let named = at > place + 1 && clause.tokens[at - 1].is(FILE_WORDS);
        let file = match clause.tokens.get(at) {
            Some(token) if is_path(token) => Given::text(&token.text),
            Some(token) if named && bare_name(token).is_some() => Given::text(&token.text),
            Some(token) if token.is(&["it", "there"]) && at == place + 1 => Given::ThatFile,
            Some(token)
                if token.is(&["that", "this"]) && clause.tokens.get(at + 1).is_some_and(|next| next.is(FILE_WORDS)) =>
            {
                at += 1;
                Given::ThatFile
            }
            _ => continue,
        };
        let mark = clause.tokens.get(at + 1).is_some_and(|token| token.is_mark(","));
        return Some((clause.without(place, at + 1 + usize::from(mark)), file));
    }
    None
}

/// A text as it was written: a quotation's inside, or the words themselves.
fn piece(clause: &Clause, from: usize, to: usize, around: &[&str]) -> Option<String> {
    let mut tokens: &[Token] = clause.tokens.get(from..to)?;
    let quoted: Vec<&Token> = tokens.iter().filter(|token| token.is_literal()).collect();
    if let [one] = quoted.as_slice() {
        return Some(one.text.clone());
    }
    while tokens.len() > 1 && (tokens[0].is(around) || tokens[0].is(ALL)) {
        tokens = &tokens[1..];
    }
    while tokens.len() > 1 && tokens[tokens.len() - 1].is(&["everywhere"]) {
        tokens = &tokens[..tokens.len() - 1];
    }
    let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
