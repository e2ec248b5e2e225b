//! Names for results: `call it cfg`, `store the result as total`, `… as cfg`, `… into the variable x`.

use super::pieces::is_pronoun;
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Given, Goal, Role, Skill};
use crate::lexer::{Kind, Token};
use crate::words::{ACTIONS, STOP};

/// What may follow `as` without being a name.
const FORMATS: &[&str] = &[
    "json",
    "text",
    "yaml",
    "csv",
    "markdown",
    "table",
    "list",
    "string",
    "number",
    "integer",
    "float",
    "html",
    "xml",
    "toml",
    "well",
    "is",
    "follows",
    "possible",
    "soon",
    "binary",
    "hex",
    "percent",
    "percentage",
    "usual",
    "before",
];

/// A clause that only names the result before it.
pub(super) fn name_only(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    let name = name_in(clause)?;
    if known.follows {
        return Some(vec![Goal::Name(name)]);
    }
    act(Act::new(Skill::Store, clause).with_text(Role::Name, &name).with(Role::Value, Given::That))
}

fn name_in(clause: &Clause) -> Option<String> {
    let (last, before) = clause.tokens.split_last()?;
    let name = variable_name(last)?;
    if let Some(after) = clause.starts("call|name|label") {
        let end = before.len() - usize::from(before.last().is_some_and(|token| token.is(&["as"])));
        return is_pronoun(before.get(after..end)?).then_some(name);
    }
    let after = clause.starts("store|save|remember|keep|put|record|assign|set")?;
    let mut end = before.len();
    while end > after && before[end - 1].is(&["variable", "name", "the", "a"]) {
        end -= 1;
    }
    let end = end.checked_sub(1).filter(|end| *end > after)?;
    let named = before[end].is(&["as", "in", "into", "under"]);
    (named && is_pronoun(&before[after..end])).then_some(name)
}

/// The clause without what it says of its result's name, and that name.
pub(super) fn take_output(clause: &Clause) -> (Clause, Option<String>) {
    match output(clause) {
        Some((end, name)) => (clause.range(0, end), Some(name)),
        None => (clause.clone(), None),
    }
}

/// The name, and where the rest ends.
fn output(clause: &Clause) -> Option<(usize, String)> {
    let (last, before) = clause.tokens.split_last()?;
    let name = variable_name(last)?;
    let mut end = before.len();
    let mut explicit = false;
    while end > 0 && before[end - 1].is(&["variable", "the", "a", "name"]) {
        explicit |= before[end - 1].is(&["variable", "name"]);
        end -= 1;
    }
    let end = end.checked_sub(1).filter(|end| *end > 0)?;
    let word = &before[end];
    let reads = clause.tokens[0].is(&["read", "load", "parse", "fetch"]) && word.is(&["into"]);
    let named = reads || word.is(&["as", "->", "=>", "→"]) || (explicit && word.is(&["in", "into", "to", "under"]));
    (named && (explicit || clause.tokens[0].is(ACTIONS))).then_some((end, name))
}

/// The token as a variable's name, if it can be one.
pub(super) fn variable_name(token: &Token) -> Option<String> {
    let text = match token.kind {
        Kind::Reference => &token.text[1..],
        Kind::Word if !token.is(STOP) && !token.is(FORMATS) => token.text.as_str(),
        Kind::Quoted | Kind::Code if token.text.split_whitespace().count() <= 3 => token.text.as_str(),
        _ => return None,
    };
    let plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_- ".contains(c));
    plain.then(|| switchboard_context::corrected_name(text))
}
