//! Stage 4: the tool runs. The `ToolManager` resolves, validates, asks, runs, stores and records; here the call joins
//! the turn, and its error becomes a variable.

use switchboard_protocol::{CallId, Step};

use crate::agent::error::AgentError;
use crate::agent::reasoner::{Attempt, ToolSelection};
use crate::agent::recovery::store_error;
use crate::agent::turn::{Thought, Turn};
use crate::tools::Invocation;

/// Runs the selected tool; whether it worked. A turn that has used all its rounds ends here.
pub(in crate::agent) async fn execute_tool(turn: &mut Turn<'_>, selection: &ToolSelection) -> Result<bool, AgentError> {
    let Some(tool) = selection.selected_tool.clone() else { return Ok(false) };
    turn.enter(Step::Executing).await?;
    let rounds = turn.agent.max_iterations;
    if turn.attempts.len() >= usize::try_from(rounds).unwrap_or(usize::MAX) {
        return Err(AgentError::MaxIterations(rounds));
    }
    turn.think(Step::Executing, format!("Running {tool}"), Thought::default()).await?;

    let call_id = CallId::random();
    let request = turn.request();
    let invocation = Invocation {
        call_id: call_id.clone(),
        parent: None,
        turn_id: Some(turn.id()),
        tool: &tool,
        arguments: selection.parameters.clone(),
        output: selection.output_variable.clone(),
        request: &request,
        by_user: false,
        context: &turn.view.context,
        cancellation: turn.cancellation.child_token(),
    };
    let outcome = turn.tools.call(invocation, turn.host).await?;
    let failure = outcome.result.failure.as_ref().map(|failure| failure.message.clone());
    let arguments = selection.parameters.clone();
    turn.attempts.push(Attempt { call_id, tool, arguments, outcome, error_variable: None });
    turn.stop_if_cancelled()?;
    let Some(message) = failure else { return Ok(true) };
    store_error(turn, &message).await?;
    Ok(false)
}
