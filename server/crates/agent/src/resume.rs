//! A turn goes on that the server's end cut off: calls are made again that can be, or that have the user's answer, and what
//! comes next is decided by whoever can.
//!
//! A model that calls tools itself finds all that it did in the conversation. Others chose their calls in stages that are
//! gone; one that would not choose the same again ends the turn, and says what it has done.

use switchboard_events::ChatRole;

use super::error::AgentError;
use super::host::ParkedCall;
use super::reasoner::Reply;
use super::recovery::text_block;
use super::stages::make_again;
use super::turn::{Turn, distinct};
use super::{native_loop, pipeline};
use switchboard_tools::head_and_tail;

/// How much of a result the reply shows, in bytes.
const MAX_SHOWN_BYTES: usize = 4 * 1024;

/// Runs the turn to its reply, beginning with these calls.
pub(super) async fn run(turn: &mut Turn<'_>, mut calls: Vec<ParkedCall>) -> Result<Reply, AgentError> {
    if !turn.calls_tools() && calls.len() == 1 {
        let call = calls.remove(0);
        // Chosen first once more, it may be an earlier one that is done.
        let is_new = !turn.done.iter().any(|done| done.tool == call.tool);
        let knows_on = is_new && takes_up(turn, &call).await?;
        let worked = make_again(turn, call).await?;
        if !worked && !turn.failure_is_an_answer() {
            return pipeline::go_on_otherwise(turn).await;
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

/// What was done, and that nothing else is.
fn left_off(turn: &Turn<'_>) -> Reply {
    let before = distinct(turn.done.iter().map(|call| call.tool.as_str()));
    let before: Vec<String> = before.iter().map(|tool| format!("`{tool}`")).collect();
    let mut paragraphs = Vec::new();
    match turn.attempts.last() {
        Some(attempt) => {
            paragraphs.push(format!("After the restart I ran `{}`:\n\n{}", attempt.tool, shown(&attempt.outcome.view)));
            if !before.is_empty() {
                paragraphs.push(format!("Before it I had run {}.", before.join(", ")));
            }
        }
        None => {
            let mut results = turn.view.conversation.messages().rev().filter(|message| message.role == ChatRole::Tool);
            let last = results.next().map(|message| shown(message.content.text())).unwrap_or_default();
            paragraphs.push(format!("The server stopped after I had run {}:\n\n{last}", before.join(", ")));
        }
    }
    paragraphs.push(
        "What I had planned to do next is lost, so I did not continue from there. Tell me if there is more to do."
            .to_owned(),
    );
    Reply { text: paragraphs.join("\n\n"), complete: false }
}

fn shown(view: &str) -> String {
    text_block(&head_and_tail(view.trim(), MAX_SHOWN_BYTES))
}
