//! Arithmetic: a clause that is an expression, in signs or in words.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::expression::{Expression, in_signs};
use super::signs::UNITS;
use super::{Known, act};
use crate::clause::Clause;
use crate::goal::{Act, Given, Goal, Role, Skill};
use crate::lexer::Kind;

const EXPLICIT: &[&str] = &[
    "calculate|compute|evaluate|solve|convert|calc what? is?",
    "work out",
    "figure out",
    "do the math on?",
    "what is|are the? result of",
    "how much|many is|are|does|do|would",
    "how much|many",
];

const ASKING: &[&str] = &["what is|are|do|does|was", "tell|give|show me", "and"];

/// An expression to be worked out.
pub(super) fn compute(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    if let Some(expression) = units(clause) {
        return act(Act::new(Skill::Compute, clause).with_text(Role::Expression, &expression));
    }
    let explicit = EXPLICIT.iter().find_map(|phrase| clause.starts(phrase));
    let from = explicit.or_else(|| ASKING.iter().find_map(|phrase| clause.starts(phrase))).unwrap_or(0);
    let rest = clause.tail(from);
    if rest.tokens.is_empty()
        || rest.tokens.iter().any(|token| matches!(token.kind, Kind::Path | Kind::Url | Kind::Json))
    {
        return None;
    }
    if let Some(several) = several(&rest, known) {
        return Some(several);
    }
    let expression = in_signs(&rest, known)?;
    let worth = match explicit {
        Some(_) => expression.numbers > 0 || expression.has_names(),
        None => {
            expression.operators > 0 && (expression.numbers > 0 || expression.has_names()) && expression.unknown == 0
        }
    };
    if !worth || expression.unknown > expression.numbers + 1 {
        return None;
    }
    let wanted = Act::new(Skill::Compute, clause).with_text(Role::Expression, &expression.text);
    act(with_variables(wanted, &expression))
}

/// The clause's value as an expression of its own, if it is nothing else: `6 * 7`, `@x + 1`.
pub(super) fn expression_act(clause: &Clause, from: usize, to: usize, known: &Known<'_>) -> Option<Act> {
    let from = clause.matches_at(from, "the? result|value|sum? of").unwrap_or(from);
    let part = clause.range(from, to);
    let expression = in_signs(&part, known).filter(|found| found.operators > 0 && found.unknown == 0)?;
    let wanted = Act::new(Skill::Compute, clause).with_text(Role::Expression, &expression.text);
    Some(with_variables(wanted, &expression))
}

fn with_variables(wanted: Act, expression: &Expression) -> Act {
    match expression.references.is_empty() {
        true => wanted,
        false => wanted.with(Role::Variables, Given::Value(variables(&expression.references))),
    }
}

/// `2 + 3 and 4 + 5`: two expressions.
fn several(rest: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    let divides: Vec<usize> = (0..rest.tokens.len()).filter(|&place| rest.tokens[place].is(&["and"])).collect();
    if divides.is_empty() {
        return None;
    }
    let starts = std::iter::once(0).chain(divides.iter().map(|place| place + 1));
    let ends = divides.iter().copied().chain([rest.tokens.len()]);
    starts.zip(ends).map(|(from, to)| expression_act(rest, from, to, known).map(Goal::Act)).collect()
}

/// `how many miles is 10 km`, `how many seconds are there in 3 hours`.
fn units(clause: &Clause) -> Option<String> {
    let from = clause.starts("how many|much")?;
    let unit = clause.tokens.get(from).filter(|token| UNITS.contains(&token.lower.as_str()))?;
    let start =
        clause.matches_at(from + 1, "is|are|in|does there? in?").or_else(|| clause.matches_at(from + 1, "in"))?;
    let quantity = clause.from(start);
    let number = clause.tokens.get(start)?;
    let counted = match number.kind {
        Kind::Number => quantity.to_owned(),
        _ if number.is(&["a", "an", "one"]) => format!("1 {}", clause.from(start + 1)),
        _ => return None,
    };
    (clause.tokens.len() - start <= 3).then(|| format!("{counted} to {}", unit.lower))
}

fn variables(references: &BTreeMap<String, String>) -> Value {
    Value::Object(
        references.iter().map(|(name, value)| (name.clone(), Value::from(value.clone()))).collect::<Map<_, _>>(),
    )
}

impl Expression {
    fn has_names(&self) -> bool {
        !self.references.is_empty()
    }
}
