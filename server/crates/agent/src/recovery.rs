//! What happens when a tool fails or none fits, or nobody can take up the plan after a restart: another tool is tried, or the
//! user hears what stood in the way and what to do.
//!
//! Every tool is tried at most once as an alternative in a turn, so that recovery ends.

use switchboard_protocol::{ErrorType, Step};

use super::continuation::{Chosen, Place, Search};
use super::error::AgentError;
use super::reasoner::{Attempt, CandidateTool, NextAction, Reply, ToolSelection};
use super::stages::{search_with, select_best_tool};
use super::turn::{Thought, Turn, distinct};
use switchboard_tools::head_and_tail;

/// How much of a result the reply shows, in bytes.
const MAX_SHOWN_BYTES: usize = 4 * 1024;

/// Another tool must be at least this likely to be worth a try.
const ALTERNATIVE_CONFIDENCE: f64 = 0.5;

/// Another tool for the action, above 0.5 and not yet tried in this turn; or the turn ends in `tool-failed`.
pub(super) async fn find_alternative(turn: &mut Turn<'_>, action: &NextAction) -> Result<Box<Chosen>, AgentError> {
    turn.enter(Step::Searching).await?;
    let Some(place) = turn.attempts.len().checked_sub(1) else { return Err(AgentError::Cancelled) };
    if turn.bound_to().is_some() || !may_be_circumvented(turn, place) {
        return Err(tool_failed(turn));
    }
    let alternatives = alternatives_to(turn, action).await;
    let message = match alternatives.len() {
        0 => format!("{} failed, and there is no other tool for this", turn.attempts[place].tool),
        _ => format!("{} failed; looking for another tool", turn.attempts[place].tool),
    };
    turn.think(Step::Searching, message, Thought::default()).await?;
    if alternatives.is_empty() {
        return Err(tool_failed(turn));
    }
    let search = Search { action: action.clone(), query: None };
    match select_best_tool(turn, search, &alternatives, Some(place)).await? {
        Place::Run(chosen) if chosen.selection.selected_tool.is_some() => Ok(chosen),
        Place::Run(_) | Place::Search(_) | Place::Reply(_) => Err(tool_failed(turn)),
    }
}

/// No candidate fits: the reply says so, and why.
pub(super) async fn no_suitable_tool(
    turn: &mut Turn<'_>,
    candidates: &[CandidateTool],
    selection: &ToolSelection,
) -> Result<Reply, AgentError> {
    turn.enter(Step::Responding).await?;
    let mut reasoner = turn.reasoner()?;
    let text = turn.answer(reasoner.explain_tool_limitations(&turn.context(), candidates, selection)).await?;
    turn.keep(reasoner);
    turn.think(Step::Responding, "Explaining what is in the way".to_owned(), Thought::default()).await?;
    Ok(Reply { text, complete: false })
}

/// What the user or the security has refused must not be done another way.
fn may_be_circumvented(turn: &Turn<'_>, place: usize) -> bool {
    let failure = turn.attempts[place].outcome.result.failure.as_ref();
    !failure.is_some_and(|failure| matches!(failure.error_type, ErrorType::Permission | ErrorType::Security))
}

async fn alternatives_to(turn: &Turn<'_>, action: &NextAction) -> Vec<CandidateTool> {
    // What the failed tool suggests is part of the search: of a folder `file_read` says to list it.
    let failure = turn.attempts.last().and_then(|attempt| attempt.outcome.result.failure.as_ref());
    let suggestion = failure.and_then(|failure| failure.suggestion.as_deref()).unwrap_or_default();
    let text = format!("{} {suggestion}", action.text);
    let mut found = search_with(turn, &NextAction { text, ..action.clone() }, ALTERNATIVE_CONFIDENCE).await;
    found.retain(|tool| {
        tool.confidence > ALTERNATIVE_CONFIDENCE
            && !turn.attempts.iter().any(|attempt| attempt.tool == tool.definition.name)
    });
    found
}

/// The end of a turn whose latest call failed.
pub(super) fn tool_failed(turn: &Turn<'_>) -> AgentError {
    let Some(attempt) = turn.attempts.last() else { return AgentError::Cancelled };
    let failure = attempt.outcome.result.failure.as_ref();
    let message = failure.map(|failure| failure.message.clone()).unwrap_or_default();
    let error_type = failure.map_or(ErrorType::System, |failure| failure.error_type);
    let suggestion = failure.and_then(|failure| failure.suggestion.clone());
    AgentError::ToolFailed {
        call_id: attempt.call_id.clone(),
        text: failure_text(turn, attempt, &message, error_type, suggestion.as_deref()),
        message,
        suggestions: suggestion.into_iter().chain(advice(error_type)).collect(),
        retryable: matches!(error_type, ErrorType::System | ErrorType::Timeout),
    }
}

/// What a tool put out, as a block in a reply.
fn text_block(view: &str) -> String {
    format!("~~~text\n{}\n~~~", view.replace("~~~", "~ ~ ~"))
}

/// The reply of a turn whose plan nobody can take up after a restart: what was done, and that nothing else is.
pub(super) fn left_off(turn: &Turn<'_>) -> Reply {
    let lost =
        "What I had planned to do next is lost, so I did not continue from there. Tell me if there is more to do.";
    Reply { text: paragraphs_of_a_cut_turn(turn, lost), complete: false }
}

/// The end of a turn whose plan another version of Switchboard wrote down.
pub(super) fn unread(turn: &Turn<'_>) -> AgentError {
    let unread = "What I had planned to do next was written down by another version of Switchboard, and I cannot read it, \
                  so I did not continue from there. Ask for the rest in a new message.";
    AgentError::Unread { text: paragraphs_of_a_cut_turn(turn, unread) }
}

fn paragraphs_of_a_cut_turn(turn: &Turn<'_>, why_it_ends: &str) -> String {
    let mut paragraphs = Vec::new();
    if let Some((latest, before)) = turn.attempts.split_last() {
        let ran = if latest.outcome.started { "I ran" } else { "I did not run" };
        paragraphs.push(format!(
            "The server stopped while I was working on this. {ran} `{}`:\n\n{}",
            latest.tool,
            shown(&latest.outcome.view)
        ));
        let started = before.iter().filter(|attempt| attempt.outcome.started && attempt.tool != latest.tool);
        let before = distinct(started.map(|attempt| attempt.tool.as_str()));
        if !before.is_empty() {
            let before: Vec<String> = before.iter().map(|tool| format!("`{tool}`")).collect();
            paragraphs.push(format!("Before it I had run {}.", before.join(", ")));
        }
    }
    paragraphs.push(why_it_ends.to_owned());
    paragraphs.join("\n\n")
}

fn shown(view: &str) -> String {
    text_block(&head_and_tail(view.trim(), MAX_SHOWN_BYTES))
}

fn failure_text(
    turn: &Turn<'_>,
    Attempt { tool, outcome, .. }: &Attempt,
    message: &str,
    error_type: ErrorType,
    suggestion: Option<&str>,
) -> String {
    let refused = matches!(error_type, ErrorType::Permission | ErrorType::Security);
    let happened = match refused && !outcome.started {
        true => format!("`{tool}` did not run, because it is not allowed"),
        false => format!("I tried to use `{tool}`, but it failed"),
    };
    let mut paragraphs = vec![format!("{happened}:\n\n> {}", message.replace('\n', "\n> "))];
    let output =
        turn.attempts.last().filter(|attempt| attempt.outcome.started && attempt.outcome.result.value.is_some());
    if let Some(view) = output.map(|attempt| attempt.outcome.view.trim()).filter(|view| !view.is_empty()) {
        paragraphs.push(format!("Its output:\n\n{}", text_block(view)));
    }
    paragraphs.extend(suggestion.map(str::to_owned));
    paragraphs.push(match refused {
        true => "Nothing was tried in its place.".to_owned(),
        false if turn.bound_to().is_some() => {
            "You asked for this tool, so I did not look for another one. To let me choose, send the request without \
             `/try`."
                .to_owned()
        }
        false => match tried(turn) {
            1 => "I found no other tool that could do it.".to_owned(),
            _ => format!("I tried {}, and none of them could do it.", turn.tools_used().join(", ")),
        },
    });
    if turn.attempts.iter().any(|attempt| attempt.outcome.result.is_success()) {
        paragraphs.push(turn.done_so_far());
    }
    paragraphs.join("\n\n")
}

fn tried(turn: &Turn<'_>) -> usize {
    turn.attempts.iter().filter(|attempt| !attempt.outcome.result.is_success()).count()
}

fn advice(error_type: ErrorType) -> Option<String> {
    let text = match error_type {
        ErrorType::Validation => "Ask again with the missing or corrected details",
        ErrorType::User => "To check the names, ask: What files are in the current directory?",
        ErrorType::Permission => {
            "Send the request again and allow the call. If you run this server, you can also start it with --approve \
             auto"
        }
        ErrorType::Security => "Ask for something less harmful",
        ErrorType::Timeout => "Ask for less at once, or give the tool more time",
        ErrorType::System => "Send the message again",
    };
    Some(text.to_owned())
}
