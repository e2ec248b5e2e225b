//! Requests that none of the data's intents fits, for the tools that the search finds.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::account;
use super::meaning::Unknown;
use super::plan::Plan;
use super::roles::Roles;
use crate::tools::{Choice, EARLIER, choose, from_schema, parts};
use switchboard_agent::{CandidateTool, NextAction, TurnContext};
use switchboard_protocol::Risk;

/// A request for tools that the search finds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
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

    /// Chooses among the tools that were found. `points`: there is something that `it` may mean.
    pub(super) fn choose(&mut self, candidates: &[CandidateTool], scene: &TurnContext<'_>, points: bool) -> Choice {
        let request = &self.unknown.request;
        let candidates: Vec<CandidateTool> = candidates.iter().map(|tool| as_it_says(tool, scene)).collect();
        let choice = match self.tool.as_deref().or(scene.bound_to()) {
            Some(name) => match candidates.iter().find(|tool| tool.definition.name == name) {
                Some(tool) => from_schema(request, tool),
                None => Choice::None,
            },
            None => {
                let is_open = |tool: &&CandidateTool| Roles::get().is_open(&tool.definition, request);
                let open: Vec<&CandidateTool> = candidates.iter().filter(is_open).collect();
                let (choice, left) = choose(request, &open, points);
                self.undone = left;
                choice
            }
        };
        self.chosen = true;
        match choice {
            Choice::Doubtful { calls, .. }
                if self.unknown.agreed.as_ref().is_some_and(|said| said.contains(&told(&calls))) =>
            {
                Choice::Calls { calls, why: "You said yes to it.".to_owned() }
            }
            choice => choice,
        }
    }
}

/// The tool, as one that only reads where it says so: that is believed of what a request says to it, and not of what it may
/// do without being approved. The server's own tools and specialists take any words.
fn as_it_says(tool: &CandidateTool, scene: &TurnContext<'_>) -> CandidateTool {
    let roles = Roles::get();
    let mut tool = tool.clone();
    let registered = scene.registry.get(&tool.definition.name);
    let takes_words = roles.is_own(&tool.definition) || roles.specialists.contains(&tool.definition.module);
    if takes_words || registered.is_some_and(|registered| registered.spec().says_it_reads) {
        Arc::make_mut(&mut tool.definition).risk = Risk::Read;
    }
    tool
}

/// What is said before calls that are shown.
pub(super) const CALLS: &str = "Do you mean the following?";

/// How many characters of a value are shown.
const MAX_SHOWN: usize = 2000;

/// Asks whether these calls are meant, which leave some words without a part.
pub(super) fn doubted(calls: &[(String, Map<String, Value>)], doubts: &[String]) -> String {
    let has = if doubts.len() == 1 { "has" } else { "have" };
    let doubts = account::told(doubts.iter().take(MAX_DOUBTS));
    format!("{CALLS}\n\n{}\n\n{doubts} {has} no place in it. Say yes, and I do it.", told(calls))
}

/// How many words without a part are listed.
const MAX_DOUBTS: usize = 8;

/// The calls, each with all that it is given.
fn told(calls: &[(String, Map<String, Value>)]) -> String {
    let shown = |value: &Value| {
        if value == EARLIER {
            return "what came before".to_owned();
        }
        let text = value.to_string();
        let cut: String = text.chars().take(MAX_SHOWN).collect();
        if cut.len() < text.len() { format!("{cut}…") } else { cut }
    };
    let told = |(tool, arguments): &(String, Map<String, Value>)| {
        let given: Vec<String> =
            arguments.iter().map(|(name, value)| format!("\n  - {name}: {}", shown(value))).collect();
        format!("- `{tool}`{}", given.concat())
    };
    calls.iter().map(told).collect::<Vec<_>>().join("\n")
}

/// A call with what came before in the places that stand for it; the parameters that lack it where nothing did.
pub(super) fn with_earlier(arguments: &mut Map<String, Value>, earlier: Option<&str>) -> Vec<String> {
    fn put(value: &mut Value, earlier: Option<&str>) -> bool {
        match value {
            Value::String(text) if text == EARLIER => {
                *text = earlier.unwrap_or_default().to_owned();
                earlier.is_some()
            }
            Value::Array(items) => items.iter_mut().all(|item| put(item, earlier)),
            Value::Object(fields) => fields.values_mut().all(|field| put(field, earlier)),
            _ => true,
        }
    }
    let mut lacking = Vec::new();
    for (name, value) in arguments.iter_mut() {
        if !put(value, earlier) {
            lacking.push(name.clone());
        }
    }
    arguments.retain(|name, _| !lacking.contains(name));
    lacking
}
