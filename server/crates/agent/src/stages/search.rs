//! Stage 2: which tools could do it? The next action, with the names of the available variables, against the index.

use std::sync::Arc;

use switchboard_protocol::{Candidate, Step};

use crate::continuation::Search;
use crate::error::AgentError;
use crate::reasoner::{CandidateTool, NextAction};
use crate::turn::{Thought, Turn};
use switchboard_search::{Found, Likeness};
use switchboard_tools::Length;

/// How many tools a search shows.
const LIMIT: usize = 10;

/// How many more it shows for each part of an action that asks for several things.
const PART_LIMIT: usize = 4;

/// Tools below this confidence are not shown.
pub(super) const MIN_CONFIDENCE: f64 = 0.3;

/// How many names of variables a query carries, the newest.
const MAX_NAMES: usize = 20;

/// Why a tool is a candidate that the user named.
const ASKED_FOR: &str = "you asked for it";

/// Why a tool is a candidate that no search has found.
const CHOSEN: &str = "the model chose it";

/// How much of an action's text is searched for.
const MAX_QUERY_BYTES: usize = 2000;

/// Finds tools for the search's action, or in the reasoner's own words.
pub(crate) async fn search_for_tools(turn: &mut Turn<'_>, search: &Search) -> Result<Vec<CandidateTool>, AgentError> {
    turn.enter(Step::Searching).await?;
    let found = candidates_for(turn, search).await;
    let text = search.query.as_ref().unwrap_or(&search.action.text);
    let message = match found.len() {
        0 => format!("Found no tool for: {}", short(text)),
        1 => format!("Found 1 tool for: {}", short(text)),
        count => format!("Found {count} tools for: {}", short(text)),
    };
    let thought = Thought { candidates: Some(shown(&found)), ..Thought::default() };
    turn.think(Step::Searching, message, thought).await?;
    Ok(found)
}

/// The tools that a search finds, those that the reasoner has in mind first, and the one that the user asked for.
pub(crate) async fn candidates_for(turn: &Turn<'_>, search: &Search) -> Vec<CandidateTool> {
    let mut found = match search.query.clone() {
        Some(text) => search_with(turn, &NextAction { text, ..NextAction::default() }, MIN_CONFIDENCE).await,
        None => search_with(turn, &search.action, MIN_CONFIDENCE).await,
    };
    if let Some(tool) = turn.bound_to() {
        prefer(turn, &mut found, tool, ASKED_FOR);
        found.truncate(LIMIT);
    }
    found
}

/// The candidates as an `agent-thinking` frame shows them.
pub(crate) fn shown(found: &[CandidateTool]) -> Vec<Candidate> {
    let shown = found.iter().take(LIMIT).map(|tool| Candidate {
        name: tool.definition.name.clone(),
        confidence: (tool.confidence * 100.0).round() / 100.0,
        reasons: tool.reasons.clone(),
    });
    shown.collect()
}

/// The same when these were chosen: a model sees more tools than a search finds.
pub(crate) fn shown_with(found: &[CandidateTool], chosen: &[String]) -> Vec<Candidate> {
    let mut all = shown(found);
    for name in chosen {
        if !all.iter().any(|candidate| candidate.name == *name) {
            let known = found.iter().find(|tool| tool.definition.name == *name).map(std::slice::from_ref);
            let unknown = || vec![Candidate { name: name.clone(), confidence: 0.0, reasons: vec![CHOSEN.to_owned()] }];
            all.extend(known.map_or_else(unknown, shown));
        }
    }
    all
}

/// What the index finds above a threshold, and the tools that the action names.
pub(crate) async fn search_with(turn: &Turn<'_>, action: &NextAction, threshold: f64) -> Vec<CandidateTool> {
    let query = enhanced_query(turn, &action.text);
    let mut found: Vec<CandidateTool> = turn
        .means
        .index
        .find(&query, LIMIT, threshold)
        .await
        .into_iter()
        .filter_map(|found| candidate(turn, found))
        .collect();
    for name in action.tools.iter().rev() {
        prefer(turn, &mut found, name, "made for this kind of request");
    }
    found.truncate(LIMIT);
    for part in &action.parts {
        let led_to = turn.means.index.search(cut(part, MAX_QUERY_BYTES), PART_LIMIT, threshold).into_iter();
        let new = led_to.filter(|tool| !found.iter().any(|known| known.definition.name == tool.name));
        let new = new.filter_map(|tool| Some(CandidateTool { of_part: true, ..candidate(turn, tool)? }));
        let new: Vec<CandidateTool> = new.collect();
        found.extend(new);
    }
    if let Some(name) = &action.fallback
        && !found.iter().any(|known| known.definition.name == *name)
    {
        found.extend(named(turn, name).map(|tool| CandidateTool {
            confidence: MIN_CONFIDENCE,
            reasons: vec!["tried if nothing else fits".to_owned()],
            ..tool
        }));
    }
    found
}

fn candidate(turn: &Turn<'_>, found: Found) -> Option<CandidateTool> {
    let definition = Arc::clone(turn.means.registry.get(&found.name)?.told(Length::Whole).0);
    Some(CandidateTool::found(definition, found))
}

/// Puts a tool that the reasoner has in mind, or the user, before the others.
fn prefer(turn: &Turn<'_>, found: &mut Vec<CandidateTool>, name: &str, reason: &str) {
    let known = found.iter().position(|tool| tool.definition.name == *name).map(|place| found.remove(place));
    let Some(tool) = known.or_else(|| named(turn, name)) else { return };
    let mut reasons = tool.reasons;
    reasons.push(reason.to_owned());
    // How well it fits is for the search to say, if the user has chosen.
    let least = if reason == ASKED_FOR { 0.0 } else { 0.9 };
    found.insert(0, CandidateTool { confidence: tool.confidence.max(least), reasons, ..tool });
}

/// A tool that no search has found.
fn named(turn: &Turn<'_>, name: &str) -> Option<CandidateTool> {
    let definition = Arc::clone(turn.means.registry.get(name)?.told(Length::Whole).0);
    let (likeness, reasons) = (Likeness::default(), Vec::new());
    Some(CandidateTool { definition, confidence: 0.0, likeness, reasons, of_part: false })
}

fn enhanced_query(turn: &Turn<'_>, text: &str) -> String {
    let text = cut(text, MAX_QUERY_BYTES);
    let names = turn.view.context.variables().map(|variable| variable.name.as_str());
    let mut newest: Vec<&str> = names.rev().take(MAX_NAMES).collect();
    newest.reverse();
    match newest.is_empty() {
        true => text.to_owned(),
        false => format!("{text} (available data: {})", newest.join(", ")),
    }
}

fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let start = cut(line, 120);
    if start.len() < text.trim_end().len() { format!("{start}…") } else { start.to_owned() }
}

fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}
