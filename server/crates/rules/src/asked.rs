//! A tool that the user has chosen for the whole request, with `/try`: what the rules understand goes to it where that is
//! its kind of work; otherwise its schema says what it needs of the request.

use super::choose::{Choice, choose};
use super::clause::Clause;
use super::extract::{Filled, Request, calls_in};
use super::foreign::{Call, written};
use super::goal::{Act, Goal, Role, Skill, Source};
use super::intents::{Known, plainly, understand};
use super::lexer::lex;
use switchboard_agent::CandidateTool;

/// What the request asks of the tool.
pub(super) fn act_for(tool: &str, text: &str, clauses: &[Clause], known: &Known<'_>) -> Act {
    let skill = Skill::of_tool(tool);
    let whole = Clause::new(text, &lex(text).tokens, text.trim_end().ends_with('?'));
    let understood = clauses.iter().filter(|_| skill != Skill::Other).flat_map(|clause| understand(clause, known));
    let found = understood.into_iter().find_map(|goal| match goal {
        Goal::Act(act) if act.skill == skill => Some(act),
        Goal::Ask(question) if skill == Skill::Read => match question.source {
            Source::File(path) => Some(Act::new(skill, &question.clause).with(Role::Path, path)),
            _ => None,
        },
        _ => None,
    });
    let act = found.unwrap_or_else(|| plainly(skill, &whole, known));
    Act { skill, tool: Some(tool.to_owned()), ..act }
}

/// The calls of the chosen tool: the first one, and those that are to follow it.
pub(super) fn choose_asked(
    act: &Act,
    given: &[(Role, serde_json::Value)],
    candidates: &[CandidateTool],
) -> (Choice, Vec<Call>) {
    let Some(tool) = candidates.first() else { return (Choice::None, Vec::new()) };
    if act.skill == Skill::Other && given.is_empty() && act.exactly.is_none() {
        return from_schema(act, tool);
    }
    match choose(act, given, candidates) {
        // What a search is for is in the request's words; a command or an expression is never guessed.
        Choice::Missing { .. } if matches!(act.skill, Skill::Grep | Skill::Glob | Skill::Search) => {
            from_schema(act, tool)
        }
        choice => (choice, Vec::new()),
    }
}

fn from_schema(act: &Act, tool: &CandidateTool) -> (Choice, Vec<Call>) {
    let request = Request::new(&act.clause.text);
    let Filled { calls, missing, said } = calls_in(&request, request.whole(), &tool.definition);
    let name = tool.definition.name.clone();
    if calls.is_empty() && !missing.is_empty() {
        return (Choice::Missing { name, arguments: said, parameters: missing }, Vec::new());
    }
    let mut calls = calls.into_iter().map(written);
    let arguments = calls.next().unwrap_or_default();
    let rest = calls.map(|arguments| (name.clone(), arguments)).collect();
    let why = format!("You asked for {name}.");
    (Choice::Tool { name, arguments, why }, rest)
}
