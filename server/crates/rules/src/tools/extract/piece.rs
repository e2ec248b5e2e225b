//! Finds the pieces of a request that could fill a parameter.

use super::dates::{date_at, time_at};
use super::mention::{Mention, Piece};
use super::names::name_at;
use super::numbers::number_at;
use super::relative::{relative_at, weekday_at};
use super::request::Request;
use crate::tools::lexer::Kind;
use switchboard_nlu::Engine;

impl Request {
    /// A request and its pieces.
    pub(crate) fn new(text: &str) -> Self {
        with_mentions(Self::of(text, None))
    }

    /// A request that may have something changed: what it marks as text is text, and `it` is what came before.
    pub(crate) fn heedful(text: &str) -> Self {
        with_mentions(Self::of_marked(text))
    }

    /// A request of that day.
    #[cfg(test)]
    pub(super) fn on(text: &str, today: jiff::civil::Date) -> Self {
        with_mentions(Self::of(text, Some(today)))
    }
}

fn with_mentions(mut request: Request) -> Request {
    request.mentions = mentions(&request);
    request
}

/// All pieces, in order.
fn mentions(request: &Request) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut place = 0;
    while place < request.tokens.len() {
        let before = found.len();
        at(request, place, &mut found);
        let end = found[before..].iter().map(|mention| mention.to).max();
        place = end.unwrap_or(place + 1).max(place + 1);
    }
    found
}

/// What begins at this place; where several readings are possible, all of them.
fn at(request: &Request, place: usize, found: &mut Vec<Mention>) {
    let token = &request.tokens[place];
    let mut add = |piece: Piece, to: usize, text: &str| {
        found.push(Mention { piece, from: place, to, text: text.to_owned() });
    };
    match token.kind {
        Kind::Quoted | Kind::Code => return add(Piece::Quoted, place + 1, &token.text),
        Kind::Url => return add(Piece::Url, place + 1, &token.text),
        Kind::Email => return add(Piece::Email, place + 1, &token.text),
        Kind::Reference => return add(Piece::Reference, place + 1, &token.text),
        Kind::Json => {
            let value = serde_json::from_str(&token.text).unwrap_or_default();
            return add(Piece::Json(value), place + 1, &token.text);
        }
        Kind::Mark | Kind::Operator => return,
        _ => {}
    }
    if let Some(to) = request.points.then(|| earlier_at(request, place)).flatten() {
        return add(Piece::Earlier, to, request.written(place, to));
    }
    if let Some((date, to)) = date_at(request, place) {
        // `Today is March 1st` tells when it is said, and asks for nothing.
        let told = place >= 2 && request.is(place - 2, &["today"]) && request.is(place - 1, &["is"]);
        if !told {
            add(Piece::Date(date), to, request.written(place, to));
        }
        return;
    }
    if let Some((date, to)) = relative_at(request, place).or_else(|| weekday_at(request, place)) {
        return add(Piece::Date(date), to, request.written(place, to));
    }
    if let Some((time, to)) = time_at(request, place) {
        return add(Piece::Time(time), to, request.written(place, to));
    }
    if let Some((number, to)) = number_at(request, place) {
        return add(Piece::Number(number), to, request.written(place, to));
    }
    if let Some((name, place_to)) = name_at(request, place) {
        if let Some(to) = place_to {
            add(Piece::Place, to, request.written(place, to));
        }
        return add(Piece::Name, name, request.written(place, name));
    }
    if matches!(token.kind, Kind::Path | Kind::Glob | Kind::Filter) {
        return add(Piece::Path, place + 1, &token.text);
    }
    let digits = token.text.contains(|c: char| c.is_ascii_digit());
    // Nobody writes a word as `nLeHtozup`.
    let mixed = token.text.starts_with(char::is_lowercase) && token.text.contains(char::is_uppercase);
    if digits || mixed || token.text.contains('_') || matches!(token.kind, Kind::Math) {
        add(Piece::Code, place + 1, &token.text);
    }
}

/// Where words end that stand for what came before: `it`, `that` with no noun behind it, `the result`.
fn earlier_at(request: &Request, place: usize) -> Option<usize> {
    let engine = Engine::shipped();
    let lower =
        |at: usize| request.token(at).filter(|token| token.kind == Kind::Word).map(|token| token.lower.as_str());
    let word = lower(place)?;
    let has = |table: &str, word: &str| engine.means(table, word).is_some();
    if engine.lists("determiners", word) && lower(place + 1).is_some_and(|next| has("results", next)) {
        return Some(place + 2);
    }
    let stands_alone = || lower(place + 1).is_none_or(|next| engine.lists("joining", next) || next == "via");
    let pronoun = engine.lists("pointing", word) && !engine.lists("owning", word) && has("references", word);
    (pronoun && (!engine.lists("determiners", word) || stands_alone())).then_some(place + 1)
}
