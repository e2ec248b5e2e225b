//! Typed values of cells and results.

use serde::{Deserialize, Serialize};

/// A value of a cell, a bound of a condition, or a figure of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// An empty cell.
    Null,
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Real(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A day or a moment, as ISO text, so that order of text is order of time.
    Date(String),
    /// Anything else.
    Text(String),
}

impl Value {
    /// The number, if it is one.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "beyond 2^53 the nearest number will do")]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// The value as people read it; numbers with at most so many decimals, without zeros that say nothing.
    #[must_use]
    pub fn shown(&self, decimals: usize) -> String {
        match self {
            Self::Null => String::new(),
            Self::Integer(value) => value.to_string(),
            Self::Real(value) => rounded(*value, decimals),
            Self::Boolean(value) => if *value { "yes" } else { "no" }.to_owned(),
            Self::Date(text) | Self::Text(text) => text.clone(),
        }
    }
}

/// A number with at most so many decimals.
pub(crate) fn rounded(value: f64, decimals: usize) -> String {
    // Halves that binary fractions hide (487.375 is exact, 1.005 is not) are rounded as they are written.
    let nudged = value + value * 4.0 * f64::EPSILON;
    let text = format!("{nudged:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
