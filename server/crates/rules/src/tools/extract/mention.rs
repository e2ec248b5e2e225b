//! What stands in a request: pieces that could fill a parameter, each with its kind and its place.

use serde_json::Value;

/// Stands in an argument for what was shown before, until that is known. Nobody types it.
pub(crate) const EARLIER: &str = "\u{f0000}earlier";

/// What a piece is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// Between quotation marks or back-quotes.
    Quoted,
    Number(Number),
    Date(Date),
    Time(Time),
    Url,
    Email,
    Path,
    /// `@name`.
    Reference,
    /// `it`, `the result`: what came before.
    Earlier,
    Json(Value),
    /// Letters and digits in one word, or capital letters: a code, an id.
    Code,
    /// A proper name.
    Name,
    /// A place with what it lies in: `Denver, Colorado`.
    Place,
    /// Some words.
    Phrase,
}

/// A piece where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mention {
    pub(super) piece: Piece,
    /// Its tokens.
    pub(super) from: usize,
    pub(super) to: usize,
    /// What it says.
    pub(super) text: String,
}

/// A number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    /// As it was written, when it is plain.
    pub(super) digits: Option<String>,
    pub(super) percent: bool,
    pub(super) money: bool,
    /// What it counts, as it was written beside it: `km`, `years`.
    pub(super) unit: Option<String>,
    /// It was written as a word: `two`.
    pub(super) spelled: bool,
    /// It says a place in an order: `2nd`.
    pub(super) ordinal: bool,
}

/// A date; what was not said is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: Option<u32>,
    pub(super) month: u32,
    pub(super) day: Option<u32>,
    /// It was written as year, month and day in figures.
    pub(super) iso: bool,
    /// It was told from today.
    pub(super) relative: bool,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Time {
    pub(super) hour: u32,
    pub(super) minute: u32,
    pub(super) second: Option<u32>,
}
