//! The turn of a model that calls tools itself: search, then rounds of asking it and making its calls.
//!
//! Stages 1, 3 and 5 are one question to the model; each still shows as a stage, and every call goes through the
//! `ToolManager`.

use switchboard_protocol::Step;

use super::continuation::Search;
use super::error::AgentError;
use super::loop_guard::LoopGuard;
use super::pipeline;
use super::reasoner::{CandidateTool, Move, NextAction, Reply, add_candidates};
use super::stages::{make_calls, names, search_for_tools, shown_with, tools_of};
use super::turn::{Thought, Turn};

/// Runs the turn to its reply, from what its model answered before a restart on. Of the calls in that, those are made that have
/// no result.
pub(super) async fn run(turn: &mut Turn<'_>, mut answered: Option<Move>) -> Result<Reply, AgentError> {
    // A call that was made before a restart was the first round.
    let first = u32::from(answered.is_none() && !turn.attempts.is_empty());
    let mut offered = Vec::new();
    let mut heard = 0;
    let mut loop_guard = LoopGuard::after(&turn.attempts);
    for round in first..=turn.means.max_iterations {
        if heard < turn.messages.len() {
            // What the user has said since is searched for too.
            turn.view = turn.means.host.view().await?;
            let text = turn.messages[heard..].iter().map(|message| message.text.as_str()).collect::<Vec<_>>();
            let text = text.join("\n");
            let reasoner = turn.native()?;
            let parts = reasoner.searches_for(&turn.context());
            turn.keep_calling(reasoner);
            let action = NextAction { text, parts, ..NextAction::default() };
            heard = turn.messages.len();
            let found = search_for_tools(turn, &Search { action, query: None }).await?;
            add_candidates(&mut offered, found);
            if round == 0 {
                turn.settle_plan(None).await?;
            }
        }
        let next = match answered.take() {
            Some(next) => next,
            None => next_move(turn, &offered, round).await?,
        };
        match next {
            Move::Reply(_) if joined(turn).await? => {}
            Move::Reply(reply) => return Ok(reply),
            Move::ByStages => {
                turn.go_by_stages()?;
                return if turn.attempts.is_empty() { pipeline::run(turn).await } else { pipeline::go_on(turn).await };
            }
            Move::Calls { .. } if round == turn.means.max_iterations => break,
            Move::Calls { calls, said } => {
                let unreadable = make_calls(turn, calls, &said, &mut offered).await?;
                loop_guard.after_calls(turn, unreadable)?;
            }
        }
    }
    Err(AgentError::MaxIterations(turn.means.max_iterations))
}

/// Whether the user has said more while the reply was written: then it answers that too.
async fn joined(turn: &mut Turn<'_>) -> Result<bool, AgentError> {
    let before = turn.messages.len();
    turn.enter(Step::Responding).await?;
    Ok(turn.messages.len() > before)
}

async fn next_move(turn: &mut Turn<'_>, offered: &[CandidateTool], round: u32) -> Result<Move, AgentError> {
    let step = if round == 0 { Step::Analyzing } else { Step::Deciding };
    turn.enter(step).await?;
    let mut reasoner = turn.native()?;
    let next = turn.answer(reasoner.next_move(&turn.context(), &turn.allowed(offered))).await;
    turn.keep_calling(reasoner);
    let next = next?;
    say(turn, step, &next, offered).await?;
    Ok(next)
}

/// Shows what one answer of the model decided, as the stages that it stands for.
async fn say(turn: &mut Turn<'_>, step: Step, next: &Move, offered: &[CandidateTool]) -> Result<(), AgentError> {
    let first = step == Step::Analyzing;
    let (calls, said) = match next {
        Move::ByStages => {
            let why = match turn.attempts.is_empty() {
                true => "says that it uses a tool, and uses none",
                false => "writes its calls as text",
            };
            let message = format!("The model {why}: asking it step by step");
            return turn.think_after(step, message, Thought::default(), next).await;
        }
        Move::Reply(_) => (&[][..], ""),
        Move::Calls { calls, said } => (calls.as_slice(), said.as_str()),
    };
    let message = match (first, calls.is_empty()) {
        (true, true) => "No tool is needed".to_owned(),
        (true, false) => "A tool is needed".to_owned(),
        (false, true) => "The request is finished".to_owned(),
        (false, false) => format!("Next: {}", names(calls)),
    };
    let thought = Thought { needs_tools: first.then_some(!calls.is_empty()), ..Thought::default() };
    turn.think_after(step, message, thought, next).await?;
    if calls.is_empty() {
        return Ok(());
    }
    let reasoning = Some(said.to_owned()).filter(|said| !said.is_empty());
    let selected = tools_of(calls);
    let there: Vec<String> = selected.iter().filter(|name| turn.means.registry.get(name).is_some()).cloned().collect();
    let candidates = Some(shown_with(offered, &there));
    let thought = Thought { candidates, selected: Some(selected), reasoning, ..Thought::default() };
    turn.think(Step::Selecting, format!("Using {}", names(calls)), thought).await
}

#[cfg(test)]
#[path = "native_tests.rs"]
mod tests;
