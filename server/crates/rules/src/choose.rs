//! Which of the found tools does it: the one that the user named, the one made for the kind of work, else the one whose
//! description shares the request's words and whose parameters the request can fill.

use serde_json::{Map, Value};
use switchboard_protocol::{Risk, ToolDefinition};

use super::fill::{Unfilled, fill};
use super::goal::{Act, Role, Skill};
use super::words::{STOP, TYPE_WORDS, name_words, stem};
use switchboard_agent::CandidateTool;

/// A tool that no intent asked for must share this much of the request's words.
const MIN_OVERLAP: f64 = 0.34;

/// Two tools this much alike do the same kind of work.
const ALIKE: f64 = 0.4;

/// The choice.
#[derive(Debug)]
pub(super) enum Choice {
    /// This tool, with these arguments.
    Tool { name: String, arguments: Map<String, Value>, why: String },
    /// This tool would do it, but these parameters are missing.
    Missing { name: String, arguments: Map<String, Value>, parameters: Vec<String> },
    /// None of them.
    None,
}

/// Chooses among the candidates.
pub(super) fn choose(act: &Act, given: &[(Role, Value)], candidates: &[CandidateTool]) -> Choice {
    let wanted = act.tool.as_deref().or_else(|| act.skill.tool());
    let mut missing = None;
    if act.tentative
        && let Some(choice) = others(act, given, candidates, wanted, &mut None)
    {
        return choice;
    }
    if let Some(tool) = candidates.iter().find(|tool| Some(tool.definition.name.as_str()) == wanted) {
        match arguments(act, given, &tool.definition, act.tool.is_some()) {
            Ok(arguments) => return chosen(&tool.definition, arguments, reason(act, tool)),
            Err(Unfilled::Missing(parameters)) => missing = Some((tool.definition.name.clone(), parameters)),
            Err(Unfilled::Unfit) => {}
        }
        if act.tool.is_some() {
            return lacking(missing);
        }
    }
    others(act, given, candidates, wanted, &mut missing).unwrap_or_else(|| lacking(missing))
}

/// The first tool but the wanted one that is about the request and can be called.
fn others(
    act: &Act,
    given: &[(Role, Value)],
    candidates: &[CandidateTool],
    wanted: Option<&str>,
    missing: &mut Option<(String, Vec<String>)>,
) -> Option<Choice> {
    let others = candidates.iter().filter(|tool| Some(tool.definition.name.as_str()) != wanted);
    let others =
        others.filter(|tool| !act.skill.is_of_the_web() || Skill::of_tool(&tool.definition.name) == Skill::Other);
    for tool in others.filter(|tool| tool.definition.risk != Risk::Execute && is_about(act, &tool.definition)) {
        match arguments(act, given, &tool.definition, true) {
            Ok(arguments) => return Some(chosen(&tool.definition, arguments, reason(act, tool))),
            Err(Unfilled::Missing(parameters)) if missing.is_none() => {
                *missing = Some((tool.definition.name.clone(), parameters));
            }
            Err(_) => {}
        }
    }
    None
}

/// Another tool that does the same as the one that failed, and can be called with what is known.
pub(super) fn instead(
    act: &Act,
    given: &[(Role, Value)],
    failed: &ToolDefinition,
    message: &str,
    candidates: &[CandidateTool],
) -> Choice {
    for tool in candidates.iter().filter(|tool| tool.definition.risk != Risk::Execute) {
        let folder = failed.name == "file_read" && tool.definition.name == "list_directory" && says_folder(message);
        if !folder && !alike(failed, &tool.definition) {
            continue;
        }
        if let Ok(arguments) = arguments(act, given, &tool.definition, act.skill == Skill::Other) {
            let why = if folder { "It is a folder, so I list it." } else { "It does the same kind of work." };
            return chosen(&tool.definition, arguments, format!("{} failed. {why}", failed.name));
        }
    }
    Choice::None
}

fn says_folder(message: &str) -> bool {
    let message = message.to_lowercase();
    message.contains("directory") || message.contains("folder")
}

fn arguments(
    act: &Act,
    given: &[(Role, Value)],
    tool: &ToolDefinition,
    freely: bool,
) -> Result<Map<String, Value>, Unfilled> {
    match &act.exactly {
        Some(arguments) => Ok(arguments.clone()),
        None => fill(tool, given, &act.clause, freely),
    }
}

fn chosen(tool: &ToolDefinition, arguments: Map<String, Value>, why: String) -> Choice {
    Choice::Tool { name: tool.name.clone(), arguments, why }
}

fn lacking(missing: Option<(String, Vec<String>)>) -> Choice {
    missing.map_or(Choice::None, |(name, parameters)| Choice::Missing { name, arguments: Map::new(), parameters })
}

fn reason(act: &Act, tool: &CandidateTool) -> String {
    let name = &tool.definition.name;
    let confidence = (tool.confidence * 100.0).round();
    match (&act.tool, act.skill) {
        (Some(_), _) if act.planned => format!("The request asks for one more call, of {name}."),
        (Some(_), _) => format!("You asked for {name}."),
        (None, Skill::Other) => format!("{name} fits best ({confidence} %): {}.", tool.reasons.join(", ")),
        (None, skill) => format!("To {} I use {name}.", skill.words()),
    }
}

/// Whether the tool's name and description speak of what is asked for; what fills its parameters does not count.
pub(super) fn is_about(act: &Act, tool: &ToolDefinition) -> bool {
    let told = vocabulary(tool);
    let asked: Vec<String> = act
        .clause
        .tokens
        .iter()
        .filter(|token| token.kind == super::lexer::Kind::Word && !token.is(STOP) && !token.is(TYPE_WORDS))
        .flat_map(|token| name_words(&token.text))
        .chain(act.skill.words().split(' ').filter(|word| !STOP.contains(word)).map(str::to_owned))
        .map(|word| stem(&word))
        .collect();
    if asked.is_empty() {
        return false;
    }
    let shared = asked.iter().filter(|word| told.contains(word)).count();
    #[expect(clippy::cast_precision_loss, reason = "a clause has a few words")]
    let overlap = shared as f64 / asked.len() as f64;
    let built_in = act.skill == Skill::Other && Skill::of_tool(&tool.name) != Skill::Other;
    // A built-in tool is known by its intents: when none fitted, a few shared words are not enough.
    overlap >= if built_in { 0.6 } else { MIN_OVERLAP }
}

fn vocabulary(tool: &ToolDefinition) -> Vec<String> {
    let description: String = tool.description.chars().take(2000).collect();
    let words = name_words(&tool.name).into_iter().chain(description.split_whitespace().flat_map(name_words));
    words.filter(|word| !STOP.contains(&word.as_str())).map(|word| stem(&word)).collect()
}

/// Whether two tools say nearly the same of themselves in their names and first sentences.
fn alike(one: &ToolDefinition, other: &ToolDefinition) -> bool {
    let summary = |tool: &ToolDefinition| {
        let first = tool.description.split(['.', ';', '\n']).next().unwrap_or_default().to_owned();
        vocabulary(&ToolDefinition { description: first, ..tool.clone() })
            .into_iter()
            .collect::<std::collections::BTreeSet<_>>()
    };
    let (one, other) = (summary(one), summary(other));
    let shared = one.intersection(&other).count();
    let smaller = one.len().min(other.len()).max(1);
    #[expect(clippy::cast_precision_loss, reason = "a description has a few words")]
    let share = shared as f64 / smaller as f64;
    share >= ALIKE
}
