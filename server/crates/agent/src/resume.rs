//! A turn goes on that the server's end cut off: calls are made again that can be, or that have the user's answer, and what
//! comes next is decided by whoever can.
//!
//! All go on from the [`Continuation`] that they wrote down. Without it a model that calls tools itself finds all that it did in
//! the conversation; of one that is asked stage by stage, and of the rules, a turn that has done something ends, and says so.

use super::continuation::{Continuation, Place};
use super::error::AgentError;
use super::host::CutTurn;
use super::reasoner::Reply;
use super::recovery::{left_off, tool_failed, unread};
use super::stages::{make_again, store_error};
use super::turn::Turn;
use super::{native_loop, pipeline};

/// Runs the turn, whose earlier calls it knows, to its reply; nothing of one that has done nothing that anybody remembers, and
/// begins anew.
pub(super) async fn run(turn: &mut Turn<'_>, cut: CutTurn) -> Result<Option<Reply>, AgentError> {
    let written = cut.continuation.as_deref().map(Continuation::read);
    let is_unread = matches!(written, Some(None));
    let mut written = written.flatten();
    let answered = written.as_mut().and_then(|continuation| continuation.answered.take());
    let answered = answered.filter(|_| turn.calls_tools()).and_then(|answered| answered.next(turn.messages.len()));
    let place = match written {
        Some(continuation) => recalled(turn, continuation).await?,
        None => None,
    };
    if let Some(latest) = turn.attempts.last().filter(|latest| latest.error_variable.is_none())
        && let Some(message) = latest.outcome.result.failure.as_ref().map(|failure| failure.message.clone())
    {
        store_error(turn, turn.attempts.len() - 1, &message).await?;
    }
    let worked = make_again(turn, cut.calls).await?;
    match place {
        Some(place) => return pipeline::go_on_at(turn, place).await.map(Some),
        None if answered.is_none() && turn.attempts.is_empty() => return Ok(None),
        None if turn.calls_tools() => return native_loop::run(turn, answered).await.map(Some),
        None if is_unread => return Err(unread(turn)),
        None => {}
    }
    if worked { Ok(Some(left_off(turn))) } else { Err(tool_failed(turn)) }
}

/// Where the turn goes on, if its reasoner is the one that wrote it down and remembers.
async fn recalled(turn: &mut Turn<'_>, continuation: Continuation) -> Result<Option<Place>, AgentError> {
    let Continuation { place: Some(place), searches, mind, .. } = continuation else { return Ok(None) };
    if turn.calls_tools() {
        let calling = turn.native()?;
        let is_own = calling.kept(&mind);
        turn.keep_calling(calling);
        if !is_own {
            return Ok(None);
        }
        turn.go_by_stages()?;
    }
    turn.searches = searches;
    let mut reasoner = turn.reasoner()?;
    let remembers = reasoner.recall(&turn.context(), mind).await;
    turn.keep(reasoner);
    Ok(remembers.then_some(place))
}
