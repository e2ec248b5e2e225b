//! Pieces of a request by what may stand in their place: a file for a file, a number for a number.

use std::ops::Range;

use super::piece::{Mention, Piece};
use super::request::Request;

/// What may stand in each other's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Where something is: a path, an address of the web, a reference to a variable.
    Source,
    Number,
    /// A date or a time.
    Moment,
    /// A name, a quotation, a code.
    Name,
}

impl Request {
    /// Its pieces that do not overlap, in order, with the bytes of its text that they take.
    pub(crate) fn sorted(&self) -> Vec<(Sort, Range<usize>)> {
        let mut pieces: Vec<(Sort, Range<usize>)> = Vec::new();
        for Mention { piece, from, to, .. } in &self.mentions {
            let (Some(sort), Some(first), Some(last)) = (sort(piece), self.token(*from), self.token(*to - 1)) else {
                continue;
            };
            match pieces.last_mut() {
                Some((_, before)) if first.start < before.end => before.end = before.end.max(last.end),
                _ => pieces.push((sort, first.start..last.end)),
            }
        }
        pieces
    }
}

fn sort(piece: &Piece) -> Option<Sort> {
    Some(match piece {
        Piece::Url | Piece::Path | Piece::Reference => Sort::Source,
        Piece::Number(_) => Sort::Number,
        Piece::Date(_) | Piece::Time(_) => Sort::Moment,
        Piece::Quoted | Piece::Email | Piece::Code | Piece::Name | Piece::Place => Sort::Name,
        Piece::Json(_) | Piece::Phrase => return None,
    })
}
