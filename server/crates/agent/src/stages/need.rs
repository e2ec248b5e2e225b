//! Stage 1: message, history and variables in; whether tools are needed out.

use switchboard_protocol::Step;

use super::search::{MIN_CONFIDENCE, search_with};
use crate::continuation::Place;
use crate::error::AgentError;
use crate::reasoner::{NeedAnalysis, NextAction, ReasonerError};
use crate::turn::{Thought, Turn};

/// Asks the reasoner whether the request needs tools. What the context already holds needs none.
pub(crate) async fn analyze_tool_need(turn: &mut Turn<'_>) -> Result<NeedAnalysis, AgentError> {
    turn.enter(Step::Analyzing).await?;
    let mut reasoner = turn.reasoner()?;
    let found = match reasoner.sees_tools_first() {
        true => search_with(turn, &NextAction { text: turn.request(), ..NextAction::default() }, MIN_CONFIDENCE).await,
        false => Vec::new(),
    };
    let mut need = turn.answer(reasoner.analyze_tool_need(&turn.context(), &found)).await?;
    turn.keep(reasoner);
    if need.needs_tools {
        need.answer = None;
        need.next_action.get_or_insert_with(|| NextAction { text: turn.request(), ..NextAction::default() });
    } else if need.answer.is_none() {
        return Err(ReasonerError::Answer("no tool is needed, but there is no reply".to_owned()).into());
    }
    let answered = need.answer.clone().map(Place::Reply);
    let place = answered.or_else(|| need.next_action.clone().map(Place::search));
    turn.settle_plan(place.as_ref()).await?;
    let message = match (turn.bound_to(), need.needs_tools) {
        (Some(tool), true) => format!("You asked for {tool}"),
        (None, true) => "A tool is needed".to_owned(),
        (_, false) => "No tool is needed".to_owned(),
    };
    let thought =
        Thought { needs_tools: Some(need.needs_tools), reasoning: Some(need.reasoning.clone()), ..Thought::default() };
    turn.think_at(Step::Analyzing, message, thought, place.as_ref()).await?;
    Ok(need)
}
