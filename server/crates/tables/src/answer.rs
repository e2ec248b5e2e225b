//! Answers: what a query found as cells, as a sentence that says what was computed, and as markdown.

use crate::log::TEXT;
use crate::markdown::plain;
use crate::query::{Function, Query};
use crate::value::{Value, rounded};

/// How many rows an answer shows, and how many columns of tables that nobody asked columns of.
const MAX_SHOWN: usize = 20;
const MAX_COLUMNS: usize = 8;

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What was asked.
    pub query: Query,
    /// What was computed, and the figure or the names, in markdown.
    pub sentence: String,
    /// Headings of the cells.
    pub columns: Vec<String>,
    /// All cells found, as text: those of rows as their source has them.
    pub rows: Vec<Vec<String>>,
    /// The figure, if the answer is one.
    pub value: Option<Value>,
    /// How many rows of the table there are.
    pub of: usize,
    /// The rows are entries of a log, which are shown as its lines.
    pub(crate) log: bool,
}

impl Answer {
    /// The sentence, and the cells below it where it does not say them.
    #[must_use]
    pub fn markdown(&self) -> String {
        let tells_all = self.value.is_some() || self.rows.is_empty() || self.sentence.ends_with('.');
        if tells_all {
            return self.sentence.clone();
        }
        let cells = if self.log { self.lines() } else { self.table(MAX_SHOWN) };
        let more = self.rows.len().saturating_sub(MAX_SHOWN);
        let more = if more > 0 { format!("\n\n… and {more} more.") } else { String::new() };
        let sum = self.altogether().map(|sum| format!("\n\nAltogether **{sum}**.")).unwrap_or_default();
        format!("{}\n\n{cells}{more}{sum}", self.sentence)
    }

    /// The cells as a markdown table of at most so many rows.
    #[must_use]
    pub fn table(&self, most: usize) -> String {
        let width = if self.query.columns.is_empty() && self.query.is_rows() { MAX_COLUMNS } else { usize::MAX };
        let line = |cells: &[String]| {
            let shown: Vec<String> = cells.iter().take(width).map(|cell| plain(cell)).collect();
            format!("| {} |", shown.join(" | "))
        };
        let mut lines = vec![line(&self.columns)];
        lines.push(format!("|{}", " --- |".repeat(self.columns.len().min(width))));
        lines.extend(self.rows.iter().take(most).map(|row| line(row)));
        lines.join("\n")
    }

    fn lines(&self) -> String {
        let Some(at) = self.columns.iter().position(|column| column == TEXT) else { return self.table(MAX_SHOWN) };
        let lines: Vec<&str> = self.rows.iter().take(MAX_SHOWN).map(|row| row[at].as_str()).collect();
        let text = lines.join("\n").replace("```", "'''");
        format!("```\n{text}\n```")
    }

    /// What the groups come to.
    fn altogether(&self) -> Option<String> {
        let [measure] = self.query.measures.as_slice() else { return None };
        let adds = matches!(measure.function, Function::Sum | Function::Count);
        if !adds || self.query.limit.is_some() || self.query.having.is_some() || self.rows.len() < 2 {
            return None;
        }
        let cells = || self.rows.iter().filter_map(|row| row.last());
        let decimals = cells().filter_map(|cell| Some(cell.split_once('.')?.1.len())).max().unwrap_or(0);
        Some(rounded(cells().filter_map(|cell| cell.parse::<f64>().ok()).sum(), decimals))
    }
}
