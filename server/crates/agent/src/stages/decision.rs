//! Stage 5: is the request fulfilled, or is there something left to do?

use switchboard_protocol::Step;

use crate::continuation::Place;
use crate::error::AgentError;
use crate::reasoner::{Decision, Reply};
use crate::turn::{Thought, Turn};

/// Asks the reasoner, which sees the original request, the latest result, all variables and the history.
pub(crate) async fn decide_continue_or_complete(turn: &mut Turn<'_>) -> Result<Decision, AgentError> {
    turn.enter(Step::Deciding).await?;
    let mut reasoner = turn.reasoner()?;
    let decision = turn.answer(reasoner.decide_continue_or_complete(&turn.context())).await?;
    turn.keep(reasoner);
    let message = match &decision.next_action {
        Some(next) => format!("Next: {}", next.text),
        None if decision.complete => "The request is finished".to_owned(),
        None => "There is nothing more I can do".to_owned(),
    };
    let thought = Thought { reasoning: Some(decision.reasoning.clone()), ..Thought::default() };
    let said = || Some(Reply { text: decision.user_response.clone()?, complete: decision.complete });
    let place = decision.next_action.clone().map(Place::search).or_else(|| said().map(Place::Reply));
    turn.think_at(Step::Deciding, message, thought, place.as_ref()).await?;
    Ok(decision)
}
