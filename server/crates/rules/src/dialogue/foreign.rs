//! Requests that none of the data's intents fits, for the tools that the search finds.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::meaning::Unknown;
use super::plan::Plan;
use super::roles::Roles;
use crate::tools::{Choice, choose, from_schema, parts};
use switchboard_agent::{CandidateTool, NextAction, TurnContext};

/// A request for tools that the search finds.
#[derive(Debug, Clone, Default)]
pub(super) struct Foreign {
    pub(super) unknown: Unknown,
    pub(super) output: Option<String>,
    pub(super) calls: VecDeque<(String, Map<String, Value>)>,
    pub(super) chosen: bool,
    /// What of it no tool does.
    pub(super) undone: Vec<String>,
    /// The tool that the user has named.
    pub(super) tool: Option<String>,
    /// A search of the workspace's texts, if no tool is made for it.
    pub(super) look_up: Option<Plan>,
}

impl Foreign {
    /// The search for a tool, or the next call.
    pub(super) fn action(&self, next: Option<String>) -> (NextAction, String) {
        let text = self.unknown.request.clone();
        let why = match &next {
            Some(tool) => format!("The request asks for one more call, of {tool}."),
            None => "I look for a tool for this.".to_owned(),
        };
        let parts = if next.is_none() { parts(&text) } else { Vec::new() };
        let fallback = self.look_up.as_ref().filter(|_| next.is_none()).and_then(|plan| plan.steps[0].tool.clone());
        let tools = next.into_iter().chain(self.tool.clone()).collect();
        (NextAction { text, tools, parts, fallback }, why)
    }

    /// Chooses among the tools that were found.
    pub(super) fn choose(&mut self, candidates: &[CandidateTool], scene: &TurnContext<'_>) -> Choice {
        let request = &self.unknown.request;
        let choice = match self.tool.as_deref().or(scene.bound_to()) {
            Some(name) => match candidates.iter().find(|tool| tool.definition.name == name) {
                Some(tool) => from_schema(request, tool),
                None => Choice::None,
            },
            None => {
                let is_open = |tool: &&CandidateTool| Roles::get().is_open(&tool.definition, request);
                let open: Vec<&CandidateTool> = candidates.iter().filter(is_open).collect();
                let (choice, left) = choose(request, &open);
                self.undone = left;
                choice
            }
        };
        self.chosen = true;
        choice
    }
}
