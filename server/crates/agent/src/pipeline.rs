//! The five stages in order: need, search, selection, execution, decision; the last four are repeated until the
//! decision is that nothing is left to do.
//!
//! The loop has no counter: [`execute_tool`] ends a turn that has used all its rounds, and every way around the loop
//! goes through it.

use std::ops::ControlFlow;

use super::continuation::{Chosen, Place};
use super::error::AgentError;
use super::reasoner::{NextAction, Reply};
use super::recovery::{find_alternative, no_suitable_tool};
use super::stages::{
    analyze_tool_need, candidates_for, decide_continue_or_complete, execute_tool, search_for_tools, select_best_tool,
};
use super::turn::Turn;

/// Runs the turn to its reply.
pub(super) async fn run(turn: &mut Turn<'_>) -> Result<Reply, AgentError> {
    let need = analyze_tool_need(turn).await?;
    match need.answer {
        Some(answer) => Ok(answer),
        None => act(turn, Place::search(need.next_action.unwrap_or_default())).await,
    }
}

/// Goes on to the reply after calls that were made in another way.
pub(super) async fn go_on(turn: &mut Turn<'_>) -> Result<Reply, AgentError> {
    match decide(turn).await? {
        ControlFlow::Break(reply) => Ok(reply),
        ControlFlow::Continue(next) => act(turn, Place::search(next)).await,
    }
}

/// Goes on to the reply from where the turn stood before a restart. The call of a tool that was chosen may have been made.
pub(super) async fn go_on_at(turn: &mut Turn<'_>, place: Place) -> Result<Reply, AgentError> {
    let Place::Run(chosen) = &place else { return act(turn, place).await };
    let Some(made) = turn.attempts.iter_mut().rfind(|attempt| attempt.call_id == chosen.call) else {
        return act(turn, place).await;
    };
    // The log has them as they were made: in the tool's own words, and as the user has changed them.
    made.arguments.clone_from(&chosen.selection.parameters);
    let worked = made.outcome.result.is_success();
    match after_call(turn, &chosen.search.action, worked).await? {
        ControlFlow::Break(reply) => Ok(reply),
        ControlFlow::Continue(next) => act(turn, Place::search(next)).await,
    }
}

/// Stages two to five, repeated until nothing is left to do.
async fn act(turn: &mut Turn<'_>, mut place: Place) -> Result<Reply, AgentError> {
    let mut candidates = None;
    loop {
        place = match place {
            Place::Search(search) => {
                let found = search_for_tools(turn, &search).await?;
                let next = select_best_tool(turn, search, &found, None).await?;
                candidates = Some(found);
                next
            }
            Place::Reply(reply) => return Ok(reply),
            Place::Run(chosen) => {
                let Chosen { search, selection, call } = *chosen;
                if selection.selected_tool.is_none() {
                    let found = match candidates {
                        Some(found) => found,
                        None => candidates_for(turn, &search).await,
                    };
                    return no_suitable_tool(turn, &found, &selection).await;
                }
                let worked = execute_tool(turn, &selection, call).await?;
                match after_call(turn, &search.action, worked).await? {
                    ControlFlow::Break(reply) => return Ok(reply),
                    ControlFlow::Continue(next) => Place::search(next),
                }
            }
        }
    }
}

/// The last stage after a call for the action, or after one in place of a call that failed.
async fn after_call(
    turn: &mut Turn<'_>,
    action: &NextAction,
    mut worked: bool,
) -> Result<ControlFlow<Reply, NextAction>, AgentError> {
    while !worked && !turn.failure_is_an_answer() {
        let Chosen { selection, call, .. } = *find_alternative(turn, action).await?;
        worked = execute_tool(turn, &selection, call).await?;
    }
    decide(turn).await
}

/// The last stage: the reply, or else what is to be done next.
async fn decide(turn: &mut Turn<'_>) -> Result<ControlFlow<Reply, NextAction>, AgentError> {
    let decision = decide_continue_or_complete(turn).await?;
    if let Some(next) = decision.next_action {
        return Ok(ControlFlow::Continue(next));
    }
    let text = decision.user_response.unwrap_or_else(|| turn.done_so_far());
    Ok(ControlFlow::Break(Reply { text, complete: decision.complete }))
}

#[cfg(test)]
#[path = "staged_tests.rs"]
mod staged_tests;
