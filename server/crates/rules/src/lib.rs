//! `rules`: a reasoner without a model. It is deterministic, instant, and works offline.
//!
//! A message is cut into tokens and clauses. Small rules say what each clause asks for, the search finds the tool, and
//! the tool's schema says which piece of the clause fills which parameter. All input is limited in size, so that no
//! message takes long.

mod answers;
mod ask;
mod asked;
mod brain;
mod choose;
mod chunk;
mod clause;
mod courtesies;
mod divide;
mod explain;
mod extract;
mod fields;
mod fill;
mod focus;
mod follow_up;
mod foreign;
mod given;
mod goal;
mod intents;
mod lexer;
mod listing;
mod material;
mod memories;
mod need;
mod numbers;
mod pick;
mod plan;
mod reply;
mod roles;
mod shape;
mod show;
mod source;
mod words;
mod words_for;
mod written;
mod zones;

use switchboard_protocol::{ReasonerInfo, ReasonerKind};

use switchboard_agent::{Reasoner, Reasoning};

/// The reasoner that decides by fixed rules; it has no state of its own.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

impl Reasoner for Rules {
    fn info(&self) -> ReasonerInfo {
        ReasonerInfo { kind: ReasonerKind::Rules, model: None, about: Some(words_for::ABOUT.to_owned()) }
    }

    fn begin_turn(&self) -> Reasoning {
        Reasoning::ByStages(Box::new(brain::RulesTurn::default()))
    }
}

#[cfg(test)]
mod asked_tests;
#[cfg(test)]
mod documented_tests;
#[cfg(test)]
mod paraphrase_tests;
#[cfg(test)]
mod recovery_tests;
#[cfg(test)]
mod turn_tests;
