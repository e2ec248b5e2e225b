//! Putting files back: `undo that`, `undo the last 2 changes`.

use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Given, Goal, Role, Skill};
use crate::numbers::number_word;

const UNDO: &[&str] = &["undo", "revert", "roll back", "rollback", "take that|it back", "put that|it back"];

/// Words that may follow without asking for anything else.
const NOTHING_MORE: &[&str] = &[
    "it", "that", "this", "the", "your", "my", "last", "latest", "previous", "recent", "most", "change", "changes",
    "edit", "edits", "write", "step", "steps", "thing", "things", "one", "what", "you", "did", "just", "to", "file",
    "files", "again", "of",
];

/// `undo`, `revert the last change`, `undo the last three edits`.
pub(super) fn undo(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let end = UNDO.iter().find_map(|phrase| clause.starts(phrase))?;
    let mut count = None;
    for token in &clause.tokens[end..] {
        match token.lower.parse().ok().or_else(|| number_word(&token.lower)) {
            Some(number) if count.is_none() && !token.is(&["one"]) => count = Some(number),
            _ if token.is(NOTHING_MORE) => {}
            _ => return None,
        }
    }
    let undoing = Act::new(Skill::Undo, clause);
    act(match count {
        Some(count) => undoing.with(Role::Limit, Given::Value(count.into())),
        None => undoing,
    })
}
