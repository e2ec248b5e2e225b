//! `GET /api/sessions/search`: what was said in all conversations.

use axum::Json;
use axum::extract::{Extension, State};
use axum::http::Uri;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ApiState;
use super::error::Problem;
use super::query::Query;
use switchboard_accounts::Principal;
use switchboard_events as events;
use switchboard_protocol::SessionSummary;

/// The longest text to look for, in characters.
pub(super) const MAX_QUERY_CHARS: usize = 200;

/// How many conversations are given at most, and how many if nothing is said.
pub(super) const LIMIT: (u64, u64) = (50, 20);

/// What was found.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchResults {
    /// Those with the words in their title first, then most recently changed first.
    pub(crate) results: Vec<FoundSession>,
    /// There are more; more words find fewer.
    pub(crate) more: bool,
    /// The index is being built, so that conversations may be missing.
    pub(crate) indexing: bool,
}

/// A session in which the words were found.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundSession {
    /// The session.
    pub(crate) session: SessionSummary,
    /// Its title in pieces, if the words stand in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<Vec<TextPiece>>,
    /// The newest places, the newest first, three at most; none if only the title has the words.
    pub(crate) places: Vec<FoundPlace>,
}

/// A message in which the words were found.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FoundPlace {
    /// The event.
    pub(crate) seq: u64,
    /// Who said it.
    pub(crate) by: SaidBy,
    /// When, RFC 3339.
    pub(crate) at: String,
    /// What was found, with some words around it.
    pub(crate) pieces: Vec<TextPiece>,
}

/// Who said something.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SaidBy {
    User,
    Agent,
}

/// A piece of text.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextPiece {
    /// The text.
    pub(crate) text: String,
    /// It is what was looked for; absent for what stands around it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) found: bool,
}

/// Searches.
pub(super) async fn search(
    State(state): State<ApiState>,
    Extension(owner): Extension<Principal>,
    uri: Uri,
) -> Result<Json<SearchResults>, Problem> {
    let parameters = Query::of(&uri, &["query", "limit"])?;
    let limit = parameters.number("limit", 1..=LIMIT.0)?.unwrap_or(LIMIT.1);
    let Some(words) = parameters.text("query") else {
        return Err(Problem::bad_request("query", "there is nothing to look for").suggest("send ?query=WORDS"));
    };
    if words.chars().count() > MAX_QUERY_CHARS {
        let problem = Problem::bad_request("query", format!("the query has more than {MAX_QUERY_CHARS} characters"));
        return Err(problem.suggest("look for fewer words"));
    }
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(Json(state.search.search(&owner, words, limit).await?.into()))
}

impl From<events::SearchResult> for SearchResults {
    fn from(found: events::SearchResult) -> Self {
        let events::SearchResult { sessions, more, indexing } = found;
        Self { results: sessions.into_iter().map(FoundSession::from).collect(), more, indexing }
    }
}

impl From<events::FoundSession> for FoundSession {
    fn from(found: events::FoundSession) -> Self {
        let events::FoundSession { row, title, places } = found;
        let places = places.into_iter().map(|events::FoundPlace { seq, by, at, pieces }| {
            let by = match by {
                events::SaidBy::User => SaidBy::User,
                events::SaidBy::Agent => SaidBy::Agent,
            };
            FoundPlace { seq, by, at, pieces: pieces_of(pieces) }
        });
        Self { session: row.into(), title: title.map(pieces_of), places: places.collect() }
    }
}

fn pieces_of(pieces: Vec<events::TextPiece>) -> Vec<TextPiece> {
    pieces.into_iter().map(|events::TextPiece { text, found }| TextPiece { text, found }).collect()
}
