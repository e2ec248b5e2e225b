//! The entries of `data/words.toml`: words for ends and comparisons, concepts, conditions, units.

use serde::Deserialize;

/// Words for the largest and the smallest.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Extreme {
    pub(crate) words: Vec<String>,
    /// Words for the larger or the smaller of a few.
    #[serde(default)]
    pub(crate) further: Vec<String>,
    pub(crate) down: bool,
    /// It may be the number of rows that is meant.
    #[serde(default)]
    pub(crate) counts: bool,
    /// It can only be the number of rows.
    #[serde(default)]
    pub(crate) only_counts: bool,
    /// What is measured must be named.
    #[serde(default)]
    pub(crate) named: bool,
    /// What is measured is added up.
    #[serde(default)]
    pub(crate) sums: bool,
    #[serde(default)]
    pub(crate) measures: Vec<String>,
    /// Said of things so, not of people.
    #[serde(default)]
    pub(crate) things: bool,
}

/// Words that compare.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Compare {
    pub(crate) words: Vec<String>,
    pub(crate) is: Comparison,
    #[serde(default)]
    pub(crate) measures: Vec<String>,
    /// Said of things so, not of people.
    #[serde(default)]
    pub(crate) things: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Comparison {
    More,
    Less,
    AtLeast,
    AtMost,
    Equal,
}

/// What columns are about.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Concept {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    pub(crate) words: Vec<String>,
    #[serde(default)]
    pub(crate) verbs: Vec<String>,
    /// Its numbers can be added up.
    #[serde(default)]
    pub(crate) additive: bool,
    /// Who asks for them without saying how asks for their sum.
    #[serde(default)]
    pub(crate) totals: bool,
    /// Rows so called have nothing of the kind: expenses are not revenue.
    #[serde(default)]
    pub(crate) except: Vec<String>,
    /// Its cells are persons.
    #[serde(default)]
    pub(crate) person: bool,
    /// Its cells are numbers.
    #[serde(default)]
    pub(crate) numeric: bool,
    /// Its cells may be dates, which can be the first and the last.
    #[serde(default)]
    pub(crate) dates: bool,
    /// Its verbs say what nothing else does: a question that has one is about its columns.
    #[serde(default)]
    pub(crate) strict: bool,
}

/// A phrase that is a condition of a column.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Phrase {
    pub(crate) words: Vec<String>,
    pub(crate) columns: Vec<String>,
    pub(crate) test: String,
    /// The cells that are meant.
    #[serde(default)]
    pub(crate) cells: Vec<String>,
    /// The columns whose cells are compared with.
    #[serde(default)]
    pub(crate) than: Vec<String>,
    #[serde(default)]
    pub(crate) log: bool,
}

/// Words for what is left of one column where another is taken off: `still to save`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Remainder {
    pub(crate) words: Vec<String>,
    pub(crate) of: Vec<String>,
    pub(crate) less: Vec<String>,
}

/// What people call the rows of tables with such names.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Rows {
    pub(crate) tables: Vec<String>,
    pub(crate) words: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct LogWords {
    pub(crate) nouns: Vec<String>,
    pub(crate) requests: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Money {
    pub(crate) sign: char,
    pub(crate) words: Vec<String>,
}

/// What may stand behind a number.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Unit {
    pub(crate) words: Vec<String>,
    pub(crate) seconds: Option<f64>,
    pub(crate) times: Option<f64>,
}

/// A word in front of a cell, and words in the names of the columns that it tells.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Direction {
    pub(crate) word: String,
    pub(crate) columns: Vec<String>,
}
