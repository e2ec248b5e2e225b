//! Stage 3: which of the found tools, with which parameters, into which variable?

use std::borrow::Cow;

use switchboard_protocol::{CallId, Step};

use super::search::shown_with;
use crate::continuation::{Chosen, Place, Search};
use crate::error::AgentError;
use crate::reasoner::{CandidateTool, ReasonerError};
use crate::turn::{Thought, Turn};

/// How often in a turn a reasoner may search in its own words.
const MAX_SEARCHES: u32 = 2;

/// Asks the reasoner for the best tool, or for what to search in place of the action. After a failure (`failed`, an index into
/// the turn's attempts) the candidates are the alternatives to what failed; else a model may choose any tool that it has room
/// for.
pub(crate) async fn select_best_tool(
    turn: &mut Turn<'_>,
    search: Search,
    candidates: &[CandidateTool],
    failed: Option<usize>,
) -> Result<Place, AgentError> {
    turn.enter(Step::Selecting).await?;
    let mut reasoner = turn.reasoner()?;
    let failed = failed.and_then(|place| turn.attempts.get(place));
    let has_failed = failed.is_some();
    let allowed = turn.allowed(candidates);
    let allowed = match failed.is_none() && turn.bound_to().is_none() {
        true => Cow::Owned(reasoner.offered(&turn.context(), &allowed)),
        false => allowed,
    };
    let mut selection = turn.answer(reasoner.select_best_tool(&turn.context(), &allowed, failed)).await?;
    turn.keep(reasoner);
    if let Some(name) = &selection.selected_tool
        && !allowed.iter().any(|tool| tool.definition.name == *name)
    {
        return Err(ReasonerError::Answer(format!("`{name}` was selected, but it is not a candidate")).into());
    }
    let message = match &selection.selected_tool {
        Some(name) => format!("Using {name}"),
        None => match &selection.lacking {
            Some(lacking) => format!("{} fits, but more details are needed", lacking.tool),
            None => "None of the tools fits".to_owned(),
        },
    };
    let selected: Vec<String> = selection.selected_tool.iter().cloned().collect();
    let thought = Thought {
        candidates: Some(shown_with(candidates, &selected)),
        selected: Some(selected),
        reasoning: Some(selection.reasoning.clone()),
        ..Thought::default()
    };
    let place = match selection.search_for.take().filter(|_| turn.searches < MAX_SEARCHES) {
        query @ Some(_) => {
            turn.searches += 1;
            Place::Search(Search { query, ..search })
        }
        None => Place::Run(Box::new(Chosen { search, selection, call: CallId::random() })),
    };
    // Without an alternative the turn ends for what has failed.
    let is_none = matches!(&place, Place::Run(chosen) if chosen.selection.selected_tool.is_none());
    let written = Some(&place).filter(|_| !(is_none && has_failed));
    turn.think_at(Step::Selecting, message, thought, written).await?;
    Ok(place)
}
