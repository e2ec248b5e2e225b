//! A question as a value: what is wanted of which rows. It names columns, so that it can be written down, read back, and
//! put to the table again, or to one that has changed.

use serde::{Deserialize, Serialize};

use crate::value::Value;
use crate::vocabulary::vocabulary;

/// What is asked of a table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Query {
    /// Where the table was read.
    pub source: String,
    /// What its rows are called.
    pub table: String,
    /// What is computed; rows are wanted if nothing is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
    /// The columns wanted, all of them if none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// Rows that are alike in these columns are told once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
    /// What all rows must be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filter: Vec<Condition>,
    /// Rows are put together by these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group: Vec<Group>,
    /// What the first measure of a group must be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub having: Option<Having>,
    /// The order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// How many rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The user's word for the largest or the smallest, which the answer repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<String>,
    /// The rows are among those that another question finds: "how many of them".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Box<Query>>,
}

/// What is computed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// How.
    pub function: Function,
    /// Of which column; of the rows if of none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// For a share: which rows are the part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub part: Vec<Condition>,
}

/// How something is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    /// How many rows.
    Count,
    /// How many different cells.
    Distinct,
    /// The sum.
    Sum,
    /// The arithmetic mean.
    Average,
    /// The middle one, or the mean of the two in the middle.
    Median,
    /// The smallest.
    Minimum,
    /// The largest.
    Maximum,
    /// How many of a hundred rows, or how much of a hundred of a column, the part is.
    Share,
}

/// What a row must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// The column.
    pub column: String,
    /// What its cell must be.
    pub test: Test,
    /// Rows that pass the test are those that are not wanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub negated: bool,
}

/// What a cell must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// One of these.
    Is(Vec<Value>),
    /// Larger.
    More(Value),
    /// Smaller.
    Less(Value),
    /// As large, or larger.
    AtLeast(Value),
    /// As small, or smaller.
    AtMost(Value),
    /// From the first to the second, both included.
    Range(Value, Value),
    /// From a day or a moment until before another, as ISO text.
    During {
        /// The first that fits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// The first behind that does not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<String>,
    },
    /// In one of these months of any year, from 1.
    Months(Vec<i8>),
    /// On one of these weekdays, Monday is 1.
    Weekdays(Vec<i8>),
    /// At these times of any day, `HH:MM`, the last one's whole minute not included.
    Times {
        /// The first that fits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
        /// The first behind that does not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<String>,
    },
    /// It contains the text, in any case.
    Contains(String),
    /// It starts with the text, in any case.
    StartsWith(String),
    /// It ends with the text, in any case.
    EndsWith(String),
    /// Nothing stands there.
    Empty,
}

/// How rows are put together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// By the cells of this column.
    pub column: String,
    /// By this part of its dates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<Period>,
}

/// A part of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// 60 seconds.
    Minute,
    /// An hour of a day.
    Hour,
    /// A day.
    Day,
    /// From a Monday.
    Week,
    /// A month of a year.
    Month,
    /// A year.
    Year,
}

/// What the first measure of a group must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Having {
    /// One of the comparisons.
    pub test: Test,
}

/// The order of rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// By what.
    pub by: OrderBy,
    /// The largest first.
    pub descending: bool,
}

/// What rows are ordered by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderBy {
    /// A column.
    Column(String),
    /// The first measure.
    Measure,
    /// As the source has them.
    Row,
}

/// How many rows are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    /// So many.
    pub rows: u32,
    /// … behind so many others: the second largest is behind one.
    #[serde(default, skip_serializing_if = "is_none")]
    pub skip: u32,
    /// And those that are like the last of them.
    pub ties: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_none(count: &u32) -> bool {
    *count == 0
}

impl Query {
    /// The columns that it speaks of.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        let conditions = self.filter.iter().chain(self.measures.iter().flat_map(|measure| &measure.part));
        let ordered = self.order.iter().filter_map(|order| match &order.by {
            OrderBy::Column(name) => Some(name),
            OrderBy::Measure | OrderBy::Row => None,
        });
        conditions
            .map(|condition| &condition.column)
            .chain(self.measures.iter().filter_map(|measure| measure.column.as_ref()))
            .chain(self.group.iter().map(|group| &group.column))
            .chain(&self.columns)
            .chain(ordered)
    }

    /// Whether rows are wanted, not figures.
    #[must_use]
    pub fn is_rows(&self) -> bool {
        self.measures.is_empty()
    }

    /// Whether its conditions alone say which rows it is about.
    pub(crate) fn is_plain(&self) -> bool {
        self.limit.is_none() && self.having.is_none()
    }

    /// Whether it asks for the largest or the smallest.
    pub(crate) fn is_extreme(&self) -> bool {
        self.limit.is_some_and(|limit| limit.ties && limit.rows == 1)
    }
}

impl Measure {
    /// Without a part.
    #[must_use]
    pub fn new(function: Function, column: Option<String>) -> Self {
        Self { function, column, part: Vec::new() }
    }

    /// Its name as a heading: `total amount`, `rows`.
    #[must_use]
    pub fn name(&self) -> String {
        let word = match self.function {
            Function::Count => return "rows".to_owned(),
            Function::Distinct => "different",
            Function::Sum => "total",
            Function::Average => "average",
            Function::Median => "median",
            Function::Minimum => "lowest",
            Function::Maximum => "highest",
            Function::Share => "share of",
        };
        match &self.column {
            // A column that is called total has no total total.
            Some(column) if column.eq_ignore_ascii_case(word) => word.to_owned(),
            Some(column) => format!("{word} {column}"),
            None => format!("{word} rows"),
        }
    }
}

impl Period {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }
}

impl Condition {
    /// In words: `status is refunded`, `total is over 500`.
    #[must_use]
    pub fn told(&self) -> String {
        let column = self.column.as_str();
        let not = if self.negated { " not" } else { "" };
        let is = |what: String| format!("{column} is{not} {what}");
        if let Some(told) = self.compared(not) {
            return told;
        }
        match &self.test {
            Test::Is(values) => {
                let shown: Vec<String> = values.iter().map(|value| value.shown(6)).collect();
                is(shown.join(" or "))
            }
            Test::More(value) => is(format!("over {}", value.shown(6))),
            Test::Less(value) => is(format!("under {}", value.shown(6))),
            Test::AtLeast(value) => is(format!("at least {}", value.shown(6))),
            Test::AtMost(value) => is(format!("at most {}", value.shown(6))),
            Test::Range(from, to) => is(format!("between {} and {}", from.shown(6), to.shown(6))),
            Test::During { from, until } | Test::Times { from, until } => {
                is(told_span(from.as_deref(), until.as_deref()))
            }
            Test::Months(months) => is(format!("in {} of any year", any_of(&vocabulary().months, months))),
            Test::Weekdays(days) => is(format!("on a {}", any_of(&vocabulary().weekdays, days))),
            Test::Contains(text) => match self.negated {
                true => format!("{column} does not contain “{text}”"),
                false => format!("{column} contains “{text}”"),
            },
            Test::StartsWith(text) => is(format!("something that starts with “{text}”")),
            Test::EndsWith(text) => is(format!("something that ends with “{text}”")),
            Test::Empty => is("empty".to_owned()),
        }
    }
}

/// The names of months or weekdays, which are counted from 1: `March or May`.
fn any_of(names: &[String], numbers: &[i8]) -> String {
    let named = numbers.iter().filter_map(|number| names.get(usize::try_from(*number - 1).ok()?));
    named.map(|name| capital(name)).collect::<Vec<_>>().join(" or ")
}

/// The name of one column less another.
pub(crate) fn difference(one: &str, other: &str) -> String {
    format!("{one} − {other}")
}

/// The two columns of a difference.
pub(crate) fn of_difference(name: &str) -> Option<(&str, &str)> {
    name.split_once(" − ")
}

impl Condition {
    /// In words, if it compares two columns: `spent is over budget`.
    fn compared(&self, not: &str) -> Option<String> {
        let (one, other) = of_difference(&self.column)?;
        let (word, value) = match &self.test {
            Test::More(value) => ("over", value),
            Test::Less(value) => ("under", value),
            Test::AtLeast(value) => ("at least", value),
            Test::AtMost(value) => ("at most", value),
            Test::Is(values) => ("the same as", values.first()?),
            _ => return None,
        };
        (*value == Value::Integer(0)).then(|| format!("{one} is{not} {word} {other}"))
    }
}

fn told_span(from: Option<&str>, until: Option<&str>) -> String {
    let plain = |text: &str| text.trim_start_matches("0000-").replace('T', " ");
    match (from, until) {
        (Some(from), Some(until)) => format!("from {} until before {}", plain(from), plain(until)),
        (Some(from), None) => format!("{} or later", plain(from)),
        (None, Some(until)) => format!("before {}", plain(until)),
        (None, None) => "at any time".to_owned(),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
