//! The five stages in order: need, search, selection, execution, decision; the last four are repeated until the
//! decision is that nothing is left to do.
//!
//! The loop has no counter: [`execute_tool`] ends a turn that has used all its rounds, and every way around the loop
//! goes through it.

use std::ops::ControlFlow;

use super::error::AgentError;
use super::reasoner::{NextAction, Reply, ToolSelection};
use super::recovery::{find_alternative, no_suitable_tool};
use super::stages::{analyze_tool_need, decide_continue_or_complete, execute_tool, search_for_tools, select_best_tool};
use super::turn::Turn;

/// How often in a turn a reasoner may search in its own words.
const MAX_SEARCHES: u32 = 2;

/// Runs the turn to its reply.
pub(super) async fn run(turn: &mut Turn<'_>) -> Result<Reply, AgentError> {
    let need = analyze_tool_need(turn).await?;
    match need.answer {
        Some(answer) => Ok(answer),
        None => act(turn, need.next_action.unwrap_or_default()).await,
    }
}

/// Goes on to the reply after calls that were made in another way.
pub(super) async fn go_on(turn: &mut Turn<'_>) -> Result<Reply, AgentError> {
    match decide(turn).await? {
        ControlFlow::Break(reply) => Ok(reply),
        ControlFlow::Continue(action) => act(turn, action).await,
    }
}

/// Stages two to five, repeated until nothing is left to do.
async fn act(turn: &mut Turn<'_>, mut action: NextAction) -> Result<Reply, AgentError> {
    let mut searches = 0;
    loop {
        let mut candidates = search_for_tools(turn, &action).await?;
        let mut selection = select_best_tool(turn, &candidates, None).await?;
        while let Some(text) = selection.search_for.take().filter(|_| searches < MAX_SEARCHES) {
            searches += 1;
            candidates = search_for_tools(turn, &NextAction { text, ..NextAction::default() }).await?;
            selection = select_best_tool(turn, &candidates, None).await?;
        }
        if selection.selected_tool.is_none() {
            return no_suitable_tool(turn, &candidates, &selection).await;
        }
        match execute(turn, &action, selection).await? {
            ControlFlow::Break(reply) => return Ok(reply),
            ControlFlow::Continue(next) => action = next,
        }
    }
}

/// Goes on to the reply after a call that failed, with another one in its place.
pub(super) async fn go_on_otherwise(turn: &mut Turn<'_>) -> Result<Reply, AgentError> {
    let action = NextAction { text: turn.request(), ..NextAction::default() };
    let selection = find_alternative(turn, &action).await?;
    match execute(turn, &action, selection).await? {
        ControlFlow::Break(reply) => Ok(reply),
        ControlFlow::Continue(next) => act(turn, next).await,
    }
}

/// The last two stages: the selected tool runs, or one in its place, and it is decided what comes of it.
async fn execute(
    turn: &mut Turn<'_>,
    action: &NextAction,
    mut selection: ToolSelection,
) -> Result<ControlFlow<Reply, NextAction>, AgentError> {
    while !execute_tool(turn, &selection).await? {
        if turn.failure_is_an_answer() {
            break;
        }
        selection = find_alternative(turn, action).await?;
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
