//! Work for tools that the rules do not know by name: the search finds them, their schemas say what they need.

use serde_json::{Map, Value};
use switchboard_protocol::{Risk, ToolDefinition};

use super::choose::{Choice, is_about};
use super::extract::Request;
use super::goal::{Act, Skill};
use super::need::need;
use super::pick::{Picked, bar, pick};
use super::roles::is_reference;
use switchboard_agent::CandidateTool;
use switchboard_context::literal;

/// The modules of the server's own tools.
const OWN: &[&str] = &["agent-tools", "data", "files", "mcp", "memory", "shell", "web"];

/// A tool's name and its arguments.
pub(super) type Call = (String, Map<String, Value>);

/// The tools that an act asks for, which the rules do not know: the first choice, and the calls that are to follow it.
pub(super) fn choose_freely(act: &Act, candidates: &[CandidateTool]) -> (Choice, Vec<Call>) {
    let fits = |tool: &&CandidateTool| !is_own(&tool.definition) || is_made_for(act, &tool.definition);
    let open: Vec<&CandidateTool> = candidates.iter().filter(fits).collect();
    let request = Request::new(&act.clause.text);
    let picked = pick(&request, &open);
    let surest = picked.iter().map(|picked| picked.score).fold(0.0, f64::max);
    if surest < bar(need(&act.clause.text), open.iter().filter(|tool| !tool.of_part).count()) {
        return (Choice::None, Vec::new());
    }
    let missing = picked.iter().find(|picked| picked.calls.is_empty() && !picked.missing.is_empty());
    let missing = missing.map(|picked| Choice::Missing {
        name: open[picked.tool].definition.name.clone(),
        arguments: picked.said.clone(),
        parameters: picked.missing.clone(),
    });
    let mut calls = picked.into_iter().flat_map(|picked| of(picked, &open));
    let Some((tool, arguments)) = calls.next() else {
        return (missing.unwrap_or(Choice::None), Vec::new());
    };
    let name = tool.definition.name.clone();
    let why = format!("{name} fits best ({:.0} %): {}.", tool.confidence * 100.0, tool.reasons.join(", "));
    let rest = calls.map(|(tool, arguments)| (tool.definition.name.clone(), arguments)).collect();
    (Choice::Tool { name, arguments, why }, rest)
}

fn of<'c>(picked: Picked, open: &[&'c CandidateTool]) -> Vec<(&'c CandidateTool, Map<String, Value>)> {
    let tool = open[picked.tool];
    picked.calls.into_iter().map(|call| (tool, written(call))).collect()
}

/// Whether it is one of the server's own; an MCP server may be called like one of their modules.
fn is_own(tool: &ToolDefinition) -> bool {
    let of_server = tool.name.strip_prefix(&tool.module).is_some_and(|rest| rest.starts_with("__"));
    (OWN.contains(&tool.module.as_str()) && !of_server) || Skill::of_tool(&tool.name) != Skill::Other
}

/// One of the server's own tools is known by its intents: when none fitted, a few shared words are not enough, and what
/// executes is never guessed.
fn is_made_for(act: &Act, tool: &ToolDefinition) -> bool {
    tool.risk != Risk::Execute && is_about(act, tool)
}

/// What only looks like a reference stays a text.
pub(super) fn written(arguments: Map<String, Value>) -> Map<String, Value> {
    fn literally(value: Value) -> Value {
        match value {
            Value::String(text) if !is_reference(&text) => Value::String(literal(&text)),
            Value::Array(items) => Value::Array(items.into_iter().map(literally).collect()),
            Value::Object(fields) => {
                Value::Object(fields.into_iter().map(|(name, value)| (name, literally(value))).collect())
            }
            other => other,
        }
    }
    arguments.into_iter().map(|(name, value)| (name, literally(value))).collect()
}
