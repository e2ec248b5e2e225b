//! Work for tools that the data does not know by name: the search finds them, their schemas say what they need.

use serde_json::{Map, Value};

use super::account::{Account, account, asks_for_a_change};
use super::divide::{MAX_CLAUSES, clauses};
use super::extract::{EARLIER, Filled, Request, calls_in};
use super::heed::changes;
use super::need::need;
use super::pick::{Picked, bar, pick};
use super::vocabulary::Vocabulary;
use switchboard_agent::CandidateTool;
use switchboard_context::{literal, reference};
use switchboard_protocol::ToolDefinition;

/// A clause of which its tool knows less than this share of the words is not done by it.
const MIN_COVERED: f64 = 0.12;

/// A tool's name and its arguments.
pub(crate) type ToolCall = (String, Map<String, Value>);

/// The choice.
#[derive(Debug)]
pub(crate) enum Choice {
    /// These calls, for this reason.
    Calls { calls: Vec<ToolCall>, why: String },
    /// These calls, if the user says yes: they leave these words without a part.
    Doubtful { calls: Vec<ToolCall>, doubts: Vec<String> },
    /// This tool would do it, but these parameters are missing.
    Missing { name: String, arguments: Map<String, Value>, parameters: Vec<String> },
    /// None of them.
    None,
}

/// The tools that a request asks for, and what of it none of them does. `points`: there is something that `it` may mean.
pub(crate) fn choose(text: &str, candidates: &[&CandidateTool], points: bool) -> (Choice, Vec<String>) {
    let heedful = points || candidates.iter().any(|tool| changes(&tool.definition));
    let request = if heedful { Request::heedful(text) } else { Request::new(text) };
    let picked = pick(&request, candidates);
    let surest = picked.iter().map(|picked| picked.score).fold(0.0, f64::max);
    if surest < bar(need(text), candidates.iter().filter(|tool| !tool.of_part).count()) {
        return (Choice::None, Vec::new());
    }
    let doubts = match accounted(&request, &picked, candidates) {
        Account::Whole => Vec::new(),
        Account::But(words) => words,
        Account::Other => return (Choice::None, Vec::new()),
    };
    let missing = picked.iter().find(|picked| picked.filled.calls.is_empty() && !picked.filled.missing.is_empty());
    let missing = missing.map(|picked| Choice::Missing {
        name: candidates[picked.tool].definition.name.clone(),
        arguments: picked.filled.said.clone(),
        parameters: picked.filled.missing.clone(),
    });
    let undone = not_covered(&request, &picked, candidates);
    let first = picked.iter().find(|picked| !picked.filled.calls.is_empty()).map(|picked| candidates[picked.tool]);
    let Some(first) = first else { return (missing.unwrap_or(Choice::None), Vec::new()) };
    let why = format!("{} fits best: {}.", first.definition.name, first.reasons.join(", "));
    let of = |picked: Picked| {
        let name = &candidates[picked.tool].definition.name;
        picked.filled.calls.into_iter().map(|call| (name.clone(), written(call))).collect::<Vec<_>>()
    };
    let calls = picked.into_iter().flat_map(of).collect();
    (if doubts.is_empty() { Choice::Calls { calls, why } } else { Choice::Doubtful { calls, doubts } }, undone)
}

/// How much of the request the tools account for, if one of them may change something.
fn accounted(request: &Request, picked: &[Picked], candidates: &[&CandidateTool]) -> Account {
    let tools: Vec<(&ToolDefinition, &Filled)> =
        picked.iter().map(|picked| (&*candidates[picked.tool].definition, &picked.filled)).collect();
    match tools.iter().any(|(tool, _)| changes(tool)) {
        true => account(request, &tools),
        // A tool that only reads is nothing for what asks for a change.
        false if candidates.iter().any(|tool| changes(&tool.definition)) => {
            let tools: Vec<&ToolDefinition> = tools.iter().map(|(tool, _)| *tool).collect();
            let others: Vec<&ToolDefinition> = candidates.iter().map(|tool| &*tool.definition).collect();
            if asks_for_a_change(request, &tools, &others) { Account::Other } else { Account::Whole }
        }
        false => Account::Whole,
    }
}

/// How surely one of the tools is meant, as log odds, if a call of it can be made and the request says all that it takes.
pub(crate) fn fitness(text: &str, candidates: &[&CandidateTool]) -> Option<f64> {
    let request = Request::new(text);
    let picked = pick(&request, candidates);
    let called = !picked.is_empty() && picked.iter().all(|picked| !picked.filled.calls.is_empty());
    called.then(|| picked.iter().map(|picked| picked.score).fold(f64::INFINITY, f64::min))
}

/// The parts of a request of which none of the picked tools speaks.
fn not_covered(request: &Request, picked: &[Picked], candidates: &[&CandidateTool]) -> Vec<String> {
    let parts = clauses(request);
    if parts.len() < 2 || parts.len() >= MAX_CLAUSES {
        return Vec::new();
    }
    // A tool that lacks something does nothing.
    let called = picked.iter().filter(|picked| !picked.filled.calls.is_empty());
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
    let heedful = changes(&tool.definition);
    let request = if heedful { Request::heedful(text) } else { Request::new(text) };
    let filled = calls_in(&request, request.whole(), &tool.definition);
    let doubts = match account(&request, &[(&tool.definition, &filled)]) {
        _ if !heedful => Vec::new(),
        Account::Whole => Vec::new(),
        Account::But(words) => words,
        Account::Other => request.plain_words(),
    };
    let Filled { calls, missing, said, .. } = filled;
    if calls.is_empty() && !missing.is_empty() {
        return Choice::Missing { name, arguments: said, parameters: missing };
    }
    let mut calls: Vec<ToolCall> = calls.into_iter().map(|call| (name.clone(), written(call))).collect();
    if calls.is_empty() {
        calls.push((name.clone(), Map::new()));
    }
    match doubts.is_empty() {
        true => Choice::Calls { calls, why: format!("You asked for {name}.") },
        false => Choice::Doubtful { calls, doubts },
    }
}

/// What only looks like a reference stays a text.
fn written(arguments: Map<String, Value>) -> Map<String, Value> {
    fn literally(value: Value) -> Value {
        match value {
            Value::String(text) if reference(&text).is_none() && text != EARLIER => Value::String(literal(&text)),
            Value::Array(items) => Value::Array(items.into_iter().map(literally).collect()),
            Value::Object(fields) => {
                Value::Object(fields.into_iter().map(|(name, value)| (name, literally(value))).collect())
            }
            other => other,
        }
    }
    arguments.into_iter().map(|(name, value)| (name, literally(value))).collect()
}
