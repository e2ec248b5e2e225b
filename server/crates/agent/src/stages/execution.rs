//! Stage 4: the tool runs. The `ToolManager` resolves, validates, asks, runs, stores and records; here the call joins
//! the turn, and its error becomes a variable.

use futures_util::future::join_all;
use serde_json::{Map, Value, json};
use switchboard_protocol::{CallId, Origin, Step};

use crate::error::AgentError;
use crate::host::ParkedCall;
use crate::reasoner::{Attempt, ToolSelection, WantedCall};
use crate::turn::{Thought, Turn};
use switchboard_context::{OutputName, corrected_name};
use switchboard_events::{ArtifactValue, CallRecord, FileSeen, ReplyPart};
use switchboard_tools::Invocation;

/// Reads files.
const READER: &str = "file_read";

/// Runs the selected tool as this call; whether it worked. A turn that has used all its rounds ends here.
pub(crate) async fn execute_tool(
    turn: &mut Turn<'_>,
    selection: &ToolSelection,
    id: CallId,
) -> Result<bool, AgentError> {
    let Some(tool) = selection.selected_tool.clone() else { return Ok(false) };
    turn.enter(Step::Executing).await?;
    stop_after_all_rounds(turn)?;
    read_first(turn, &tool, &selection.parameters).await?;
    turn.think(Step::Executing, format!("Running {tool}"), Thought::default()).await?;
    let (arguments, output) = (selection.parameters.clone(), selection.output_variable.clone());
    let failure = call(turn, WantedCall { id, tool, arguments: Ok(arguments.clone()), output }, arguments).await?;
    let Some(message) = failure else { return Ok(true) };
    store_error(turn, turn.attempts.len() - 1, &message).await?;
    Ok(false)
}

/// A file that is there is changed only when somebody has read it. If that failed, the call itself says what to do.
async fn read_first(turn: &mut Turn<'_>, tool: &str, parameters: &Map<String, Value>) -> Result<(), AgentError> {
    if !turn.reads_first() || turn.means.registry.get(READER).is_none() {
        return Ok(());
    }
    let unread = turn.means.tools.unread_files(tool, parameters, &turn.view.context, turn.means.host.values()).await;
    if unread.is_empty() {
        return Ok(());
    }
    let message = format!("Reading {} before changing it", unread.join(", "));
    turn.think(Step::Executing, message, Thought::default()).await?;
    let arguments: Map<String, Value> = [("file_paths".to_owned(), json!(unread))].into_iter().collect();
    let wanted =
        WantedCall { id: CallId::random(), tool: READER.to_owned(), arguments: Ok(arguments.clone()), output: None };
    call(turn, wanted, arguments).await?;
    turn.enter(Step::Executing).await?;
    stop_after_all_rounds(turn)
}

fn stop_after_all_rounds(turn: &Turn<'_>) -> Result<(), AgentError> {
    let rounds = turn.means.max_iterations;
    match turn.attempts.len() < usize::try_from(rounds).unwrap_or(usize::MAX) {
        true => Ok(()),
        false => Err(AgentError::MaxIterations(rounds)),
    }
}

/// Makes a call and takes it into the turn; why it failed, if it did.
async fn call(
    turn: &mut Turn<'_>,
    wanted: WantedCall,
    arguments: Map<String, Value>,
) -> Result<Option<String>, AgentError> {
    let attempt = make(turn, wanted, arguments, None).await?;
    join(turn, attempt)
}

/// Makes the calls with which a turn goes on that was cut off, side by side as they were; whether the last of them worked. What
/// they asked the user has its answer, or waits for it.
pub(crate) async fn make_again(turn: &mut Turn<'_>, parked: Vec<ParkedCall>) -> Result<bool, AgentError> {
    turn.view = turn.means.host.view().await?;
    let calls = parked.iter().map(|ParkedCall { tool, call, files }| {
        let CallRecord { call_id: id, arguments, output, reply, .. } = call.clone();
        let wanted = WantedCall { id, tool: tool.clone(), arguments: Ok(arguments.clone()), output };
        make_with(turn, wanted, arguments, reply, files.as_deref())
    });
    let made = join_all(calls).await;
    let mut worked = true;
    for attempt in made {
        let attempt = attempt?;
        let failure = attempt.outcome.result.failure.as_ref().map(|failure| failure.message.clone());
        turn.attempts.push(attempt);
        worked = failure.is_none();
        if let Some(message) = failure.filter(|_| !turn.means.cancellation.is_cancelled()) {
            store_error(turn, turn.attempts.len() - 1, &message).await?;
        }
    }
    turn.stop_if_cancelled()?;
    Ok(worked)
}

/// Takes a call into the turn; why it failed, if it did.
fn join(turn: &mut Turn<'_>, attempt: Attempt) -> Result<Option<String>, AgentError> {
    let failure = attempt.outcome.result.failure.as_ref().map(|failure| failure.message.clone());
    turn.attempts.push(attempt);
    turn.stop_if_cancelled()?;
    Ok(failure)
}

/// Makes a call.
pub(super) async fn make(
    turn: &Turn<'_>,
    call: WantedCall,
    arguments: Map<String, Value>,
    reply: Option<&ReplyPart>,
) -> Result<Attempt, AgentError> {
    make_with(turn, call, arguments, reply.cloned(), None).await
}

async fn make_with(
    turn: &Turn<'_>,
    call: WantedCall,
    arguments: Map<String, Value>,
    reply: Option<ReplyPart>,
    answered: Option<&[FileSeen]>,
) -> Result<Attempt, AgentError> {
    let WantedCall { id: call_id, tool, output, .. } = call;
    let request = turn.request();
    let invocation = Invocation {
        call_id: call_id.clone(),
        parent: None,
        turn_id: Some(turn.id()),
        tool: &tool,
        within: Some(turn.means.registry),
        arguments: arguments.clone(),
        output,
        reply: reply.as_ref(),
        request: &request,
        by_user: false,
        answered,
        sees_pictures: turn.sees_pictures(),
        context: &turn.view.context,
        cancellation: turn.means.cancellation.child_token(),
    };
    let outcome = turn.means.tools.call(invocation, turn.means.host).await?;
    Ok(Attempt { call_id, tool, arguments, outcome, error_variable: None })
}

/// Keeps the error of a call, an index into the turn's attempts, as `<tool>_error`.
pub(crate) async fn store_error(turn: &mut Turn<'_>, place: usize, message: &str) -> Result<(), AgentError> {
    turn.view = turn.means.host.view().await?;
    let Some(attempt) = turn.attempts.get(place) else { return Ok(()) };
    let name = OutputName::Given(corrected_name(&format!("{}_error", attempt.tool)));
    let origin = Origin {
        call_id: Some(attempt.call_id.clone()),
        tool: attempt.tool.clone(),
        inputs: Vec::new(),
        default_name: None,
    };
    let value = ArtifactValue::Text(message.to_owned());
    let Ok((name, change)) = turn.view.context.plan_set(turn.means.host.values(), &name, value, origin) else {
        return Ok(());
    };
    turn.means.host.record(change.into_event(Some(turn.id())), false).await?;
    if let Some(attempt) = turn.attempts.get_mut(place) {
        attempt.error_variable = Some(name);
    }
    Ok(())
}
