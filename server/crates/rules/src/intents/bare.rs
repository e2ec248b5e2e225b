//! A verb alone: it says what is wanted, but not with what. The selection then says what is missing.

use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Goal, Skill};

const VERBS: &[(&[&str], Skill)] = &[
    (&["read", "open", "cat", "view", "load"], Skill::Read),
    (&["write", "save", "create", "copy"], Skill::Write),
    (&["grep", "search", "find"], Skill::Grep),
    (&["glob"], Skill::Glob),
    (&["run", "execute", "bash"], Skill::Run),
    (&["calculate", "compute", "evaluate", "convert"], Skill::Compute),
    (&["parse"], Skill::Parse),
    (&["query", "jq"], Skill::Query),
    (&["store", "remember", "memorize", "set"], Skill::Store),
];

/// `remember`, and nothing else.
pub(super) fn bare_verb(clause: &Clause, _: &Known<'_>) -> Option<Vec<Goal>> {
    let [verb] = clause.tokens.as_slice() else { return None };
    let (_, skill) = VERBS.iter().find(|(words, _)| verb.is(words))?;
    act(Act::new(*skill, clause))
}
