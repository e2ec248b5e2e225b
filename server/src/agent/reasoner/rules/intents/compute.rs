//! Arithmetic: a clause that is an expression, in signs or in words.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::expression::{Expression, in_signs};
use super::{Known, act};
use crate::agent::reasoner::rules::clause::Clause;
use crate::agent::reasoner::rules::goal::{Act, Given, Goal, Role, Skill};
use crate::agent::reasoner::rules::lexer::Kind;

const EXPLICIT: &[&str] = &[
    "calculate|compute|evaluate|solve|convert|calc what? is?",
    "work out",
    "figure out",
    "do the math on?",
    "what is|are the? result of",
    "what's the? result of",
    "how much|many is|are|does|do|would",
    "how much|many",
];

const ASKING: &[&str] = &["what is|are|do|does|was", "what's|whats", "tell|give|show me", "and"];

/// An expression to be worked out.
pub(super) fn compute(clause: &Clause, known: &Known<'_>) -> Option<Vec<Goal>> {
    let explicit = EXPLICIT.iter().find_map(|phrase| clause.starts(phrase));
    let from = explicit.or_else(|| ASKING.iter().find_map(|phrase| clause.starts(phrase))).unwrap_or(0);
    let rest = clause.tail(from);
    if rest.tokens.is_empty()
        || rest.tokens.iter().any(|token| matches!(token.kind, Kind::Path | Kind::Url | Kind::Json))
    {
        return None;
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
    act(match expression.references {
        references if references.is_empty() => wanted,
        references => wanted.with(Role::Variables, Given::Value(variables(&references))),
    })
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
