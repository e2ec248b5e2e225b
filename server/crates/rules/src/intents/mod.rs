//! What each clause asks for: an ordered list of small rules, the first that fits decides.
//!
//! A rule looks at words, not at tools: it names a [`Skill`](super::goal::Skill) and puts what it found into roles. What
//! no rule knows is left to the search.

mod again;
mod bare;
mod compute;
mod count;
mod edit;
mod expression;
mod find;
mod json;
mod list;
mod lookup;
mod memory;
mod named_tool;
mod naming;
mod pieces;
mod read;
mod recall;
mod shell;
mod signs;
mod spelling;
mod structure;
mod talk;
mod time;
mod undo;
mod web;
mod write;

pub(super) use expression::THAT;
pub(super) use named_tool::plainly;
pub(super) use pieces::{is_path, number};
pub(super) use shell::is_program;

use super::clause::Clause;
use super::goal::{Act, Goal, Skill};

/// What the rules may know beside the clause.
pub(super) struct Known<'a> {
    /// Whether a variable has this name.
    pub(super) is_variable: &'a dyn Fn(&str) -> bool,
    /// How many variables there are.
    pub(super) variables: usize,
    /// The names of the tools.
    pub(super) tools: &'a [String],
    /// Another clause of the same message went before.
    pub(super) follows: bool,
}

impl Known<'_> {
    pub(super) fn is_variable(&self, name: &str) -> bool {
        (self.is_variable)(name)
    }
}

type Rule = fn(&Clause, &Known<'_>) -> Option<Vec<Goal>>;

/// Asked first: they see the clause whole.
const BEFORE_NAMING: &[Rule] = &[
    talk::talk,
    again::again,
    undo::undo,
    write::replace,
    edit::edit,
    naming::name_only,
    memory::store,
    recall::recall,
];

/// Asked then, in this order; what is said about the result's name is taken off before.
const RULES: &[Rule] = &[
    named_tool::named_tool,
    shell::shell,
    web::fetch,
    web::search,
    time::time,
    json::query,
    json::parse,
    structure::structure,
    count::count,
    write::write,
    compute::compute,
    again::ordinal,
    find::by_name,
    find::by_text,
    list::list,
    read::read,
    lookup::lookup,
    bare::bare_verb,
];

/// What the clause asks for, in order.
pub(super) fn understand(clause: &Clause, known: &Known<'_>) -> Vec<Goal> {
    let found = by_rules(clause, known);
    let found = found.or_else(|| by_rules(&spelling::corrected(clause)?, known));
    found.unwrap_or_else(|| vec![Goal::Act(Act::new(Skill::Other, clause))])
}

fn by_rules(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    if let Some(goals) = BEFORE_NAMING.iter().find_map(|rule| rule(clause, known)) {
        return Some(goals);
    }
    let (clause, output) = naming::take_output(clause);
    let mut goals = RULES.iter().find_map(|rule| rule(&clause, known))?;
    if let (Some(name), Some(Goal::Act(act))) = (output, goals.last_mut()) {
        act.output = Some(name);
    }
    Some(goals)
}

/// A rule's answer when one thing is to be done.
fn act(act: Act) -> Option<Vec<Goal>> {
    Some(vec![Goal::Act(act)])
}

#[cfg(test)]
#[path = "../intents_tests.rs"]
mod tests;
