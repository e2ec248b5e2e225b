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

/// The pieces of a text that do not overlap, in order, with the bytes that they take.
pub(crate) fn sorted(text: &str) -> Vec<(Sort, Range<usize>)> {
    let request = Request::new(text);
    // Of a text that is one quotation the request is what stands inside.
    let shift = text.find(&request.text).unwrap_or_default();
    let mut pieces: Vec<(Sort, Range<usize>)> = Vec::new();
    for Mention { piece, from, to, .. } in &request.mentions {
        let (Some(sort), Some(first), Some(last)) = (sort(piece), request.token(*from), request.token(*to - 1)) else {
            continue;
        };
        let (start, end) = (first.start + shift, last.end + shift);
        match pieces.last_mut() {
            Some((_, before)) if start < before.end => before.end = before.end.max(end),
            _ => pieces.push((sort, start..end)),
        }
    }
    pieces
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
