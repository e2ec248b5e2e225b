//! A turn goes on that waited for its user when the server stopped: its call is made, which has its answer, and what
//! comes next is decided by whoever can.
//!
//! A model that calls tools itself finds all that it did in the conversation. Others chose the call in stages that are
//! gone; one that would not choose the same again ends the turn, and says what it has done.

use super::error::AgentError;
use super::host::ParkedCall;
use super::reasoner::Reply;
use super::recovery::text_block;
use super::stages::make_again;
use super::turn::Turn;
use super::{native_loop, pipeline};
use switchboard_tools::head_and_tail;

/// How much of a result the reply shows, in bytes.
const MAX_SHOWN_BYTES: usize = 4 * 1024;

/// Runs the turn to its reply.
pub(super) async fn run(turn: &mut Turn<'_>, call: ParkedCall) -> Result<Reply, AgentError> {
    turn.view = turn.means.host.view().await?;
    if turn.calls_tools() {
        make_again(turn, call).await?;
        return native_loop::run(turn).await;
    }
    let knows_on = takes_up(turn, &call).await?;
    let worked = make_again(turn, call).await?;
    if !worked && !turn.failure_is_an_answer() {
        return pipeline::go_on_otherwise(turn).await;
    }
    if knows_on { pipeline::go_on(turn).await } else { Ok(left_off(turn)) }
}

async fn takes_up(turn: &mut Turn<'_>, call: &ParkedCall) -> Result<bool, AgentError> {
    let mut reasoner = turn.reasoner()?;
    let takes_up = reasoner.takes_up(&turn.context(), call).await;
    turn.keep(reasoner);
    Ok(takes_up)
}

/// What was done, and that nothing else is.
fn left_off(turn: &Turn<'_>) -> Reply {
    let mut paragraphs = Vec::new();
    if let Some(attempt) = turn.attempts.last() {
        let view = text_block(&head_and_tail(attempt.outcome.view.trim(), MAX_SHOWN_BYTES));
        paragraphs.push(format!("After the restart of the server I ran `{}`:\n\n{view}", attempt.tool));
    }
    let before = turn.context().tools_before();
    if !before.is_empty() {
        let before: Vec<String> = before.iter().map(|tool| format!("`{tool}`")).collect();
        paragraphs.push(format!("Before it I had run {}.", before.join(", ")));
    }
    paragraphs.push(
        "What I had planned to do next is lost, so I did not continue from there. Tell me if there is more to do."
            .to_owned(),
    );
    Reply { text: paragraphs.join("\n\n"), complete: false }
}
