//! A tool that the user names: `look at src with list_directory`, `use grep to find TODO`, `json_query {…}`.

use serde_json::Value;

use super::compute::compute;
use super::naming::variable_name;
use super::pieces::{bare_name, is_path, value_of};
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Goal, Role, Skill};
use crate::lexer::{Kind, Token};

/// The tool that the clause names, with what the other rules make of the rest of the clause.
pub(super) fn named_tool(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    let (place, name) =
        clause.tokens.iter().enumerate().find_map(|(place, token)| Some((place, tool(token, known)?)))?;
    let said = place > 0
        && clause.tokens[place - 1].is(&["use", "using", "with", "via", "call", "invoke", "through", "tool", "by"]);
    let said_so = said || clause.tokens.get(place + 1).is_some_and(|next| next.is(&["tool"]));
    // `grep`, `glob` and `bash` are words, too; a name with an underscore is nothing else.
    let command = place == 0 && clause.tokens.len() > 1 && !matches!(name.as_str(), "grep" | "glob" | "bash");
    if !said_so && !command && !name.contains('_') {
        return None;
    }
    let rest = without(clause, place);
    let skill = Skill::of_tool(&name);
    if let Some(arguments) = arguments(clause, place) {
        return act(Act { tool: Some(name), exactly: Some(arguments), ..Act::new(skill, &rest) });
    }
    let found = if rest.tokens.is_empty() { Vec::new() } else { super::understand(&rest, known) };
    let matching = found.into_iter().rev().find_map(|goal| match goal {
        Goal::Act(found) if found.skill == skill || skill == Skill::Other => Some(found),
        _ => None,
    });
    let base = matching.unwrap_or_else(|| plainly(skill, &rest, known));
    act(Act { skill, tool: Some(name), ..base })
}

/// What follows the tool's name without any words around it: `list_directory docs`, `calculator 4*4`.
pub(crate) fn plainly(skill: Skill, rest: &Clause, known: &Known<'_>) -> Act {
    let plain = Act::new(skill, rest);
    let first = rest.tokens.first();
    match skill {
        Skill::Read | Skill::List => {
            rest.tokens.iter().fold(plain, |act, token| match is_path(token) || bare_name(token).is_some() {
                true => act.with_text(Role::Path, &token.text),
                false => act,
            })
        }
        Skill::Glob => match rest.first(Kind::Glob) {
            Some(glob) => plain.with_text(Role::Glob, &glob.text),
            None => plain,
        },
        Skill::Run => match first.filter(|token| matches!(token.kind, Kind::Code | Kind::Quoted)) {
            Some(code) => plain.with_text(Role::Command, &switchboard_context::literal(&code.text)),
            None => plain,
        },
        Skill::Compute => match compute(rest, known).map(|mut goals| goals.remove(0)) {
            Some(Goal::Act(found)) => found,
            _ => plain,
        },
        Skill::Store => match (first.and_then(variable_name), value_of(rest, 1, rest.tokens.len())) {
            (Some(name), Some(value)) => plain.with_text(Role::Name, &name).with(Role::Value, value),
            _ => plain,
        },
        _ => plain,
    }
}

fn tool(token: &Token, known: &Known<'_>) -> Option<String> {
    let plain = !token.is_literal() || token.kind == Kind::Code;
    known.tools.iter().find(|name| plain && name.eq_ignore_ascii_case(&token.text)).cloned()
}

/// Arguments given as a JSON object after the name.
fn arguments(clause: &Clause, place: usize) -> Option<serde_json::Map<String, Value>> {
    let json = clause.tokens[place + 1..].iter().find(|token| token.kind == Kind::Json)?;
    match serde_json::from_str(&json.text) {
        Ok(Value::Object(arguments)) => Some(arguments),
        _ => None,
    }
}

/// The clause without the tool's name and the words that lead to it.
fn without(clause: &Clause, place: usize) -> Clause {
    let is = |at: usize, words: &[&str]| clause.tokens.get(at).is_some_and(|token| token.is(words));
    let mut from = place;
    while from > 0
        && is(from - 1, &["use", "using", "with", "via", "call", "invoke", "the", "tool", "through", "run", "by"])
    {
        from -= 1;
    }
    let mut to = place + 1;
    while is(to, &["tool", "to", "and", "for", "on", "with", "arguments"]) {
        to += 1;
    }
    if from == 0 {
        clause.tail(to)
    } else if to >= clause.tokens.len() {
        clause.range(0, from)
    } else {
        clause.without(from, to)
    }
}
