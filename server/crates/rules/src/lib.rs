//! The reasoner without a language model: deterministic, instant, offline. What it has not understood it does not do.
//!
//! `nlu` reads what a request means from example sentences in data files; [`dialogue`] takes it for a plan, or asks, or says
//! that it did not understand; [`ops`] are what plans can name; `tools` chooses among tools that the data does not know.
//! The data files of all three are read by `data`.
//! What is looked at has limits everywhere, so that no message takes long.

mod data;
mod dialogue;
mod ops;
mod tools;

use std::sync::Arc;

use switchboard_protocol::{ReasonerInfo, ReasonerKind};

use dialogue::ToolSentences;
pub use dialogue::{NoNames, WorkspaceNames, problem_with};
use switchboard_agent::{Reasoner, Reasoning};

/// What the rules are, for the banner and for `who are you`.
const ABOUT: &str =
    "No language model is in use: requests are read by example sentences. What is not understood is not done.";

/// Decides by rules.
#[derive(Clone)]
pub struct Rules {
    names: Arc<dyn WorkspaceNames>,
    sentences: Arc<ToolSentences>,
}

impl Rules {
    /// The reasoner in a workspace whose names these are.
    #[must_use]
    pub fn new(names: Arc<dyn WorkspaceNames>) -> Self {
        Self { names, sentences: Arc::default() }
    }
}

impl Reasoner for Rules {
    fn info(&self) -> ReasonerInfo {
        ReasonerInfo { kind: ReasonerKind::Rules, model: None, about: Some(ABOUT.to_owned()) }
    }

    fn begin_turn(&self) -> Reasoning {
        Reasoning::ByStages(Box::new(dialogue::RulesTurn::new(Arc::clone(&self.names), Arc::clone(&self.sentences))))
    }
}

#[cfg(test)]
mod dialogue_tests;
#[cfg(test)]
mod going_on_tests;
