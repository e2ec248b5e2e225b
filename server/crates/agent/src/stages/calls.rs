//! Stage 4 for a model that calls tools itself: its calls are made, side by side where that can do no harm. What cannot
//! be made is answered all the same, so that no call is left open in the conversation.

use futures_util::future::join_all;
use serde_json::{Map, Value};
use switchboard_protocol::{CallId, Risk, Step};

use super::execution::{make, store_error};
use super::search::{MIN_CONFIDENCE, search_with, shown};
use crate::error::AgentError;
use crate::reasoner::{CandidateTool, FIND_TOOLS, NextAction, WantedCall, add_candidates};
use crate::turn::{Thought, Turn, distinct};
use switchboard_events::{ChatMessage, ReplyPart, ServerOnly, ToolCall};

/// How many calls of one reply are made.
const MAX_CALLS: u32 = 16;

/// A call, and where in the model's reply it stands.
struct Part {
    call: WantedCall,
    /// None for one of too many: they have answers of their own, which the window can leave out.
    reply: Option<ReplyPart>,
}

/// A call with arguments that can be read.
struct Ready {
    part: Part,
    arguments: Map<String, Value>,
}

/// Makes the calls of a reply that says this beside them, but for those that were made before a restart; how many had arguments that nobody can read.
pub(crate) async fn make_calls(
    turn: &mut Turn<'_>,
    calls: Vec<WantedCall>,
    said: &str,
    offered: &mut Vec<CandidateTool>,
) -> Result<usize, AgentError> {
    turn.enter(Step::Executing).await?;
    let (mut ready, mut unreadable) = (Vec::new(), 0);
    let id = calls.first().map_or_else(CallId::random, |call| call.id.clone());
    for (call, place) in calls.into_iter().zip(0_u32..) {
        if turn.view.conversation.has_call(&call.id) {
            continue;
        }
        let reply = ReplyPart { id: id.clone(), place, said: said.to_owned() };
        let part = Part { call, reply: Some(reply).filter(|_| place < MAX_CALLS) };
        if place >= MAX_CALLS {
            let why =
                format!("too_many_calls: at most {MAX_CALLS} calls can be made at once. This one can be made later.");
            refuse(turn, part, &why).await?;
            continue;
        }
        if let Some(bound) = turn.bound_to().filter(|bound| *bound != part.call.tool) {
            let why = format!(
                "the user asked for `{bound}` in this turn, so no other tool can be called. If that one cannot do it, \
                 the reply should say why."
            );
            refuse(turn, part, &why).await?;
            continue;
        }
        match part.call.arguments.clone() {
            Ok(arguments) if part.call.tool == FIND_TOOLS => find(turn, part, arguments, offered).await?,
            Ok(arguments) => ready.push(Ready { part, arguments }),
            Err(problem) => {
                unreadable += 1;
                let why = format!(
                    "the arguments cannot be read: {problem}. A call takes one JSON object that fits the tool's schema."
                );
                refuse(turn, part, &why).await?;
            }
        }
    }
    if ready.is_empty() {
        return Ok(unreadable);
    }
    let wanted: Vec<WantedCall> = ready.iter().map(|ready| ready.part.call.clone()).collect();
    turn.think(Step::Executing, format!("Running {}", names(&wanted)), Thought::default()).await?;
    if ready.iter().all(|ready| harmless(turn, ready)) {
        side_by_side(turn, ready).await?;
    } else {
        in_order(turn, ready).await?;
    }
    Ok(unreadable)
}

/// The tools of the calls, each once.
pub(crate) fn tools_of(calls: &[WantedCall]) -> Vec<String> {
    distinct(calls.iter().map(|call| call.tool.as_str()))
}

/// The same in one line.
pub(crate) fn names(calls: &[WantedCall]) -> String {
    tools_of(calls).join(", ")
}

/// Whether it makes no difference when, and whether, the call runs beside others.
fn harmless(turn: &Turn<'_>, ready: &Ready) -> bool {
    let Some(tool) = turn.means.registry.get(&ready.part.call.tool) else { return true };
    let reads = tool.tool().risk(&ready.arguments) == Risk::Read;
    tool.tool().repeatable() && (reads || tool.spec().repeatable)
}

/// All at once; one that another of them is already comes behind, and is answered with what that gave.
async fn side_by_side(turn: &mut Turn<'_>, ready: Vec<Ready>) -> Result<(), AgentError> {
    let first = turn.attempts.len();
    let (mut again, mut once): (Vec<Ready>, Vec<Ready>) = (Vec::new(), Vec::new());
    for call in ready {
        let same = |other: &Ready| other.part.call.tool == call.part.call.tool && other.arguments == call.arguments;
        if once.iter().any(same) { again.push(call) } else { once.push(call) }
    }
    let calls = once
        .iter()
        .map(|Ready { part, arguments }| make(turn, part.call.clone(), arguments.clone(), part.reply.as_ref()));
    let made = join_all(calls).await;
    for attempt in made {
        turn.attempts.push(attempt?);
    }
    for place in first..turn.attempts.len() {
        keep_error(turn, place).await?;
    }
    turn.stop_if_cancelled()?;
    in_order(turn, again).await
}

/// One after the other; each sees what those before it have stored.
async fn in_order(turn: &mut Turn<'_>, ready: Vec<Ready>) -> Result<(), AgentError> {
    for Ready { part: Part { call, reply }, arguments } in ready {
        turn.enter(Step::Executing).await?;
        let attempt = make(turn, call, arguments, reply.as_ref()).await?;
        turn.attempts.push(attempt);
        keep_error(turn, turn.attempts.len() - 1).await?;
        turn.stop_if_cancelled()?;
    }
    Ok(())
}

async fn keep_error(turn: &mut Turn<'_>, place: usize) -> Result<(), AgentError> {
    let outcome = &turn.attempts[place].outcome;
    let failure = outcome.result.failure.as_ref().filter(|_| !outcome.repeated);
    match failure.map(|failure| failure.message.clone()) {
        Some(message) => store_error(turn, place, &message).await,
        None => Ok(()),
    }
}

/// Another search, because the model asked for one.
async fn find(
    turn: &mut Turn<'_>,
    part: Part,
    arguments: Map<String, Value>,
    offered: &mut Vec<CandidateTool>,
) -> Result<(), AgentError> {
    let query = arguments.get("query").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
    let query = if query.is_empty() { turn.request() } else { query };
    let found = search_with(turn, &NextAction { text: query.clone(), ..NextAction::default() }, MIN_CONFIDENCE).await;
    let lines = found.iter().map(|tool| format!("- {}: {}", tool.definition.name, tool.definition.description));
    let answer = match found.is_empty() {
        true => "No tool fits. Tell the user what is missing.".to_owned(),
        false => format!("These tools can be called now:\n{}", lines.collect::<Vec<_>>().join("\n")),
    };
    let message = format!(
        "Found {} for: {query}",
        if found.len() == 1 { "1 tool".to_owned() } else { format!("{} tools", found.len()) }
    );
    let thought = Thought { candidates: Some(shown(&found)), ..Thought::default() };
    add_candidates(offered, found);
    turn.think_with(Step::Searching, message, thought, answered(part, arguments, &answer)).await
}

async fn refuse(turn: &mut Turn<'_>, part: Part, why: &str) -> Result<(), AgentError> {
    let message = format!("Not running {}: {why}", switchboard_tools::preview_lines(&part.call.tool, 1).concat());
    let arguments = part.call.arguments.clone().unwrap_or_default();
    let arguments = switchboard_context::said_arguments(&arguments);
    turn.think_with(Step::Executing, message, Thought::default(), answered(part, arguments, &format!("Error: {why}")))
        .await
}

/// A call that no tool answers, and its answer, as they enter the conversation.
fn answered(Part { call, reply }: Part, arguments: Map<String, Value>, answer: &str) -> ServerOnly {
    let result = ChatMessage::result(&call.id, answer);
    let call = ToolCall { id: call.id, name: call.tool, arguments };
    ServerOnly { messages: vec![ChatMessage::calls_in(reply.as_ref(), call), result], ..ServerOnly::default() }
}
