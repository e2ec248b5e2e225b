//! What a question says, piece by piece, before it is put together.

use crate::query::{Condition, Function, Group, Measure, Period, Test};

/// The pieces of a question.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    pub(crate) conditions: Vec<Placed>,
    /// Columns that are named and are not part of anything else.
    pub(crate) mentions: Vec<Mention>,
    /// Columns that verbs are about, by verb.
    pub(crate) hints: Vec<Vec<usize>>,
    /// The same of verbs that say something of their own: the query must be about one of their columns.
    pub(crate) needed: Vec<Vec<usize>>,
    /// A column of dates is named for a time.
    pub(crate) dated: bool,
    /// The unit in which figures are wanted.
    pub(crate) unit: Option<String>,
    /// It is said how many rows there are.
    pub(crate) whole: bool,
    /// `the two boxes`: so many that were spoken of, or all there are.
    pub(crate) few: Option<usize>,
    /// The table's rows are named, or its file.
    pub(crate) rows: bool,
    /// Where they are named first.
    pub(crate) rows_at: Option<usize>,
    /// By a word for one, as what there is much of: `rain`.
    pub(crate) mass: bool,
    pub(crate) source: bool,
    /// Rows are called by a word that fits any table.
    pub(crate) any_rows: bool,
    pub(crate) person: bool,
    pub(crate) which: bool,
    /// `what did`: what is asked for is what somebody did.
    pub(crate) does: bool,
    pub(crate) who: bool,
    pub(crate) when: bool,
    pub(crate) ask: bool,
    pub(crate) how_much: bool,
    /// `how many`, and what stands behind it.
    pub(crate) count: Option<Counted>,
    pub(crate) functions: Vec<(Function, Option<usize>)>,
    pub(crate) extreme: Option<Extreme>,
    pub(crate) groups: Vec<Group>,
    /// `which month`: the group is what is asked for.
    pub(crate) asked_group: bool,
    /// Behind `by`: a group or an order.
    pub(crate) by: Vec<usize>,
    pub(crate) by_measure: Option<Measure>,
    pub(crate) sort: bool,
    pub(crate) descending: Option<bool>,
    /// How many of them, and from which end.
    pub(crate) limit: Option<(u32, End)>,
    pub(crate) distinct: bool,
    /// What stands there more than once.
    pub(crate) duplicate: bool,
    pub(crate) share: bool,
    pub(crate) having: Option<Test>,
    /// Words of a follow-up.
    pub(crate) only: bool,
    pub(crate) about: bool,
    pub(crate) them: bool,
    /// `its`, `her`: of the row that was found before.
    pub(crate) one: bool,
    /// … said beside others: `over its budget`.
    pub(crate) its: bool,
    /// … of a person, whom a file is not.
    pub(crate) whose: bool,
    /// `the critical one`, of those that were found before, if there were some.
    pub(crate) ones: bool,
    /// `where was that`
    pub(crate) place: bool,
    /// `the other way round`
    pub(crate) turn: bool,
    /// `in total`, which says no more than `how much`, but of a question before.
    pub(crate) total: bool,
    /// `the second`, of an order.
    pub(crate) nth: Option<u32>,
    /// `the day after`, `the one before that`
    pub(crate) step: Option<Step>,
    /// The larger of what was found before.
    pub(crate) further: bool,
    /// The rows are those of the question before: some, or one.
    pub(crate) bounded: bool,
    pub(crate) single: bool,
    pub(crate) starts_with_and: bool,
    /// Where `is`, `are`, `were` or the like stands: what is in front of it is the whole of a share.
    pub(crate) copula: Option<usize>,
    pub(crate) cost: f32,
}

/// How far to go on from what was asked before: by a time, or to the next in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) period: Option<Period>,
    pub(crate) by: i32,
}

/// A condition and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) condition: Condition,
    pub(crate) at: usize,
}

/// A column that is named.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mention {
    pub(crate) column: usize,
    pub(crate) at: usize,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Not said.
    Something,
    Rows,
    Column(usize),
}

/// The largest or the smallest.
#[derive(Debug, Clone)]
pub(crate) struct Extreme {
    pub(crate) descending: bool,
    /// What may be counted, must be counted, is added up.
    pub(crate) counts: bool,
    pub(crate) only_counts: bool,
    pub(crate) sums: bool,
    /// Columns that the word is about.
    pub(crate) measures: Vec<usize>,
    /// The word is about columns of its own.
    pub(crate) measured: bool,
    /// What is measured must be named.
    pub(crate) named: bool,
    pub(crate) target: Option<Target>,
    /// The word, if an answer can repeat it: `the largest amount`, but not `the cheapest price`.
    pub(crate) word: Option<String>,
    pub(crate) at: usize,
}

/// What is the largest or the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Column(usize),
    Count,
}

/// Which end of the rows is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Top,
    Bottom,
    First,
    Last,
}

impl Parts {
    pub(crate) fn filter(&self) -> Vec<Condition> {
        let all = || self.conditions.iter().map(|placed| &placed.condition);
        // `assigned to mia` is not also: assigned to anybody.
        let told = |condition: &&Condition| {
            let filled = condition.negated && condition.test == Test::Empty;
            !filled || !all().any(|other| other.column == condition.column && other != *condition)
        };
        all().filter(told).cloned().collect()
    }

    /// Whether the table itself is spoken of: by its rows, a column, a cell, its file. A time may be of any table.
    pub(crate) fn is_anchored(&self) -> bool {
        let timeless = |placed: &Placed| {
            !matches!(
                placed.condition.test,
                Test::During { .. } | Test::Months(_) | Test::Weekdays(_) | Test::Times { .. }
            )
        };
        self.rows
            || self.source
            || self.dated
            || self.conditions.iter().any(timeless)
            || !self.mentions.is_empty()
            || !self.by.is_empty()
            || matches!(self.count, Some(Counted::Column(_)))
            || self.functions.iter().any(|(_, column)| column.is_some())
            || self.extreme.as_ref().is_some_and(|extreme| matches!(extreme.target, Some(Target::Column(_))))
            || self.by_measure.is_some()
            || (!self.hints.is_empty() && (self.extreme.is_some() || self.how_much || !self.functions.is_empty()))
    }

    /// Whether something is asked, so that it is a question of its own.
    pub(crate) fn is_question(&self) -> bool {
        self.count.is_some()
            || !self.functions.is_empty()
            || self.extreme.is_some()
            || self.which
            || self.who
            || self.when
            || self.ask
            || self.how_much
            || self.share
            || self.distinct
            || self.limit.is_some()
    }

    /// Whether it changes the question before, by its words.
    pub(crate) fn is_follow_up(&self) -> bool {
        let turns = self.turn || self.step.is_some() || self.further || (self.nth.is_some() && self.extreme.is_none());
        self.only || self.about || self.starts_with_and || self.ones || self.refers() || turns
    }

    /// Whether it speaks of rows that were found before.
    pub(crate) fn refers(&self) -> bool {
        self.them || self.one || self.further
    }

    /// Whether it says nothing but that it asks.
    pub(crate) fn is_bare(&self) -> bool {
        self.conditions.is_empty()
            && self.mentions.is_empty()
            && self.hints.is_empty()
            && self.functions.is_empty()
            && self.groups.is_empty()
            && self.by.is_empty()
            && self.count.is_none()
            && self.extreme.is_none()
            && self.limit.is_none()
            && !self.how_much
            && !self.share
            && !self.when
    }
}
