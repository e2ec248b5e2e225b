//! A turn goes on that the server's end cut off: calls are made again that can be, or that have the user's answer, and what
//! comes next is decided by whoever can.
//!
//! A model that calls tools itself finds all that it did in the conversation. Others chose their calls in stages that are
//! gone; one that would not choose the same again ends the turn, and says what it has done.

use super::error::AgentError;
use super::host::ParkedCall;
use super::reasoner::Reply;
use super::recovery::{left_off, tool_failed};
use super::stages::make_again;
use super::turn::Turn;
use super::{native_loop, pipeline};

/// Runs the turn to its reply, beginning with these calls.
pub(super) async fn run(turn: &mut Turn<'_>, mut calls: Vec<ParkedCall>) -> Result<Reply, AgentError> {
    if !turn.calls_tools() && calls.len() == 1 {
        let call = calls.remove(0);
        // Chosen first once more, it may be an earlier one that is done.
        let is_new = !turn.done.iter().any(|done| done.tool == call.tool);
        let knows_on = is_new && takes_up(turn, &call).await?;
        let worked = make_again(turn, call).await?;
        if !worked && !turn.failure_is_an_answer() {
            // In place of it, something that is done could be chosen once more.
            let is_first = turn.done.is_empty();
            return if is_first { pipeline::go_on_otherwise(turn).await } else { Err(tool_failed(turn)) };
        }
        return if knows_on { pipeline::go_on(turn).await } else { Ok(left_off(turn)) };
    }
    for call in calls {
        make_again(turn, call).await?;
    }
    if turn.calls_tools() { native_loop::run(turn).await } else { Ok(left_off(turn)) }
}

async fn takes_up(turn: &mut Turn<'_>, call: &ParkedCall) -> Result<bool, AgentError> {
    let mut reasoner = turn.reasoner()?;
    let takes_up = reasoner.takes_up(&turn.context(), call).await;
    turn.keep(reasoner);
    Ok(takes_up)
}
