//! A mistyped first word: `raed config.json`, `waht time is it`. Never corrected into a word that runs or removes.

use crate::clause::Clause;
use crate::lexer::Kind;
use crate::words::{ACTIONS, QUESTIONS};

const NEVER: &[&str] = &["run", "execute", "delete", "remove", "move", "rename", "start", "stop", "install"];

/// The clause with its first word corrected, if it is one slip away from a word that begins clauses.
pub(super) fn corrected(clause: &Clause) -> Option<Clause> {
    let first = clause.tokens.first().filter(|token| token.kind == Kind::Word && token.lower.chars().count() >= 4)?;
    if first.is(ACTIONS) || first.is(QUESTIONS) {
        return None;
    }
    let near = |word: &&&str| word.len() >= 4 && strsim::damerau_levenshtein(word, &first.lower) == 1;
    let word = QUESTIONS.iter().chain(ACTIONS).filter(|word| !NEVER.contains(word)).find(near)?;
    let mut corrected = clause.clone();
    (*word).clone_into(&mut corrected.tokens[0].lower);
    Some(corrected)
}
