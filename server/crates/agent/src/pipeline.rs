//! The five stages in order: need, search, selection, execution, decision; the last four are repeated until the
//! decision is that nothing is left to do.
//!
//! The loop has no counter: [`execute_tool`] ends a turn that has used all its rounds, and every way around the loop
//! goes through it.

use super::error::AgentError;
use super::reasoner::{NextAction, Reply};
use super::recovery::{find_alternative, no_suitable_tool};
use super::stages::{analyze_tool_need, decide_continue_or_complete, execute_tool, search_for_tools, select_best_tool};
use super::turn::Turn;

/// How often in a turn a reasoner may search in its own words.
const MAX_SEARCHES: u32 = 2;

/// Runs the turn to its reply.
pub(super) async fn run(turn: &mut Turn<'_>) -> Result<Reply, AgentError> {
    let need = analyze_tool_need(turn).await?;
    if let Some(answer) = need.answer {
        return Ok(answer);
    }
    let mut action = need.next_action.unwrap_or_default();

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
        while !execute_tool(turn, &selection).await? {
            if turn.failure_is_an_answer() {
                break;
            }
            selection = find_alternative(turn, &action).await?;
        }
        let decision = decide_continue_or_complete(turn).await?;
        match decision.next_action {
            Some(next) => action = next,
            None => {
                let text = decision.user_response.unwrap_or_else(|| turn.done_so_far());
                return Ok(Reply { text, complete: decision.complete });
            }
        }
    }
}

#[cfg(test)]
#[path = "staged_tests.rs"]
mod staged_tests;
