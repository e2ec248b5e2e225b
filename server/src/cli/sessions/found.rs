//! What was found, wherever the sessions are stored.

use serde::{Deserialize, Serialize};
use switchboard_events as events;

use super::summary::Summary;

/// What was found, as the API tells it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    pub(super) results: Vec<FoundIn>,
    pub(super) more: bool,
    pub(super) indexing: bool,
}

/// A session in which something was found.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FoundIn {
    pub(super) session: Summary,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<Vec<Piece>>,
    pub(super) places: Vec<Place>,
}

/// A message with what was found.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    pub(super) seq: u64,
    pub(super) by: String,
    pub(super) at: String,
    pub(super) pieces: Vec<Piece>,
}

/// A piece of text.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Piece {
    pub(super) text: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) found: bool,
}

impl From<events::SearchResult> for Found {
    fn from(found: events::SearchResult) -> Self {
        let events::SearchResult { sessions, more, indexing } = found;
        let results = sessions.into_iter().map(|events::FoundSession { row, title, places }| {
            let places = places.into_iter().map(|events::FoundPlace { seq, by, at, pieces }| {
                let by = if by == events::SaidBy::User { "user" } else { "agent" };
                Place { seq, by: by.to_owned(), at, pieces: pieces_of(pieces) }
            });
            FoundIn { session: row.into(), title: title.map(pieces_of), places: places.collect() }
        });
        Self { results: results.collect(), more, indexing }
    }
}

fn pieces_of(pieces: Vec<events::TextPiece>) -> Vec<Piece> {
    pieces.into_iter().map(|events::TextPiece { text, found }| Piece { text, found }).collect()
}
