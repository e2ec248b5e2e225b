//! Work for tools that the data does not know by name: the search finds them, their schemas say what they need.

use serde_json::{Map, Value};

use super::divide::{MAX_CLAUSES, clauses};
use super::extract::{Filled, Request, calls_in};
use super::need::need;
use super::pick::{Picked, bar, pick};
use super::vocabulary::Vocabulary;
use switchboard_agent::CandidateTool;
use switchboard_context::{literal, reference};

/// A clause of which its tool knows less than this share of the words is not done by it.
const MIN_COVERED: f64 = 0.12;

/// A tool's name and its arguments.
pub(crate) type ToolCall = (String, Map<String, Value>);

/// The choice.
#[derive(Debug)]
pub(crate) enum Choice {
    /// These calls, for this reason.
    Calls { calls: Vec<ToolCall>, why: String },
    /// This tool would do it, but these parameters are missing.
    Missing { name: String, arguments: Map<String, Value>, parameters: Vec<String> },
    /// None of them.
    None,
}

/// The tools that a request asks for, and what of it none of them does.
pub(crate) fn choose(text: &str, candidates: &[&CandidateTool]) -> (Choice, Vec<String>) {
    let request = Request::new(text);
    let picked = pick(&request, candidates);
    let surest = picked.iter().map(|picked| picked.score).fold(0.0, f64::max);
    if surest < bar(need(text), candidates.iter().filter(|tool| !tool.of_part).count()) {
        return (Choice::None, Vec::new());
    }
    let missing = picked.iter().find(|picked| picked.calls.is_empty() && !picked.missing.is_empty());
    let missing = missing.map(|picked| Choice::Missing {
        name: candidates[picked.tool].definition.name.clone(),
        arguments: picked.said.clone(),
        parameters: picked.missing.clone(),
    });
    let undone = not_covered(&request, &picked, candidates);
    let first = picked.iter().find(|picked| !picked.calls.is_empty()).map(|picked| candidates[picked.tool]);
    let Some(first) = first else { return (missing.unwrap_or(Choice::None), Vec::new()) };
    let why = format!("{} fits best: {}.", first.definition.name, first.reasons.join(", "));
    let of = |picked: Picked| {
        let name = &candidates[picked.tool].definition.name;
        picked.calls.into_iter().map(|call| (name.clone(), written(call))).collect::<Vec<_>>()
    };
    (Choice::Calls { calls: picked.into_iter().flat_map(of).collect(), why }, undone)
}

/// How surely one of the tools is meant, as log odds, if a call of it can be made and the request says all that it takes.
pub(crate) fn fitness(text: &str, candidates: &[&CandidateTool]) -> Option<f64> {
    let request = Request::new(text);
    let picked = pick(&request, candidates);
    let called = !picked.is_empty() && picked.iter().all(|picked| !picked.calls.is_empty());
    called.then(|| picked.iter().map(|picked| picked.score).fold(f64::INFINITY, f64::min))
}

/// The parts of a request of which none of the picked tools speaks.
fn not_covered(request: &Request, picked: &[Picked], candidates: &[&CandidateTool]) -> Vec<String> {
    let parts = clauses(request);
    if parts.len() < 2 || parts.len() >= MAX_CLAUSES {
        return Vec::new();
    }
    // A tool that lacks something does nothing.
    let called = picked.iter().filter(|picked| !picked.calls.is_empty());
    let tools: Vec<Vocabulary> = called.map(|picked| Vocabulary::of(&candidates[picked.tool].definition)).collect();
    let uncovered = |part: &&std::ops::Range<usize>| {
        let words = request.words(part);
        tools.iter().all(|tool| tool.features(&words)[0] < MIN_COVERED)
    };
    parts.iter().filter(uncovered).map(|part| request.span(part).trim().to_owned()).collect()
}

/// The calls of a tool that the user has chosen.
pub(crate) fn from_schema(text: &str, tool: &CandidateTool) -> Choice {
    let name = tool.definition.name.clone();
    if let Ok(given) = serde_json::from_str::<Map<String, Value>>(text) {
        return Choice::Calls { why: format!("You asked for {name}."), calls: vec![(name, given)] };
    }
    let request = Request::new(text);
    let Filled { calls, missing, said } = calls_in(&request, request.whole(), &tool.definition);
    if calls.is_empty() && !missing.is_empty() {
        return Choice::Missing { name, arguments: said, parameters: missing };
    }
    let mut calls: Vec<ToolCall> = calls.into_iter().map(|call| (name.clone(), written(call))).collect();
    if calls.is_empty() {
        calls.push((name.clone(), Map::new()));
    }
    Choice::Calls { calls, why: format!("You asked for {name}.") }
}

/// What only looks like a reference stays a text.
fn written(arguments: Map<String, Value>) -> Map<String, Value> {
    fn literally(value: Value) -> Value {
        match value {
            Value::String(text) if reference(&text).is_none() => Value::String(literal(&text)),
            Value::Array(items) => Value::Array(items.into_iter().map(literally).collect()),
            Value::Object(fields) => {
                Value::Object(fields.into_iter().map(|(name, value)| (name, literally(value))).collect())
            }
            other => other,
        }
    }
    arguments.into_iter().map(|(name, value)| (name, literally(value))).collect()
}
