//! What of an answer a chart shows: which column goes along, which is drawn, which tells the series apart.

use crate::answer::Answer;
use crate::known::Known;
use crate::schema::Schema;
use crate::table::{ColumnKind, Table, TableKind};

/// The columns of an answer that a chart shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axes {
    /// Along the horizontal axis.
    pub x: String,
    /// The figures.
    pub y: String,
    /// Tells several lines or stacks apart.
    pub series: Option<String>,
    /// The horizontal axis is one of time.
    pub over_time: bool,
}

impl Answer {
    /// What of the answer a chart shows; nothing of a single figure, or of rows that have no numbers or no names.
    #[must_use]
    pub fn axes(&self) -> Option<Axes> {
        let table = Table::new("answer", "answer", TableKind::Records, self.columns.clone(), self.rows.clone()).ok()?;
        let name = |at: usize| table.columns.get(at).map(|column| column.name.clone());
        let is_date = |at: usize| table.columns[at].kind == ColumnKind::Date;
        if self.query.is_rows() {
            let schema = Schema::of(&table);
            let y = drawn(&schema)?;
            let x = along(&schema, y)?;
            return Some(Axes { x: name(x)?, y: name(y)?, series: None, over_time: is_date(x) });
        }
        let groups = &self.query.group;
        let is_time = |at: usize| groups[at].period.is_some() || is_date(at);
        let (x, series) = match groups.len() {
            1 => (0, None),
            // Time goes from left to right.
            2 if is_time(1) && !is_time(0) => (1, Some(0)),
            2 => (0, Some(1)),
            _ => return None,
        };
        let series = series.and_then(name);
        Some(Axes { x: name(x)?, y: name(groups.len())?, series, over_time: is_time(x) })
    }
}

/// The column of rows that is drawn: the one that measures, or the first of numbers.
fn drawn(schema: &Schema) -> Option<usize> {
    let is_figure = |known: &Known| known.kind.is_number() && !known.is_id();
    schema.measure().or_else(|| schema.columns.iter().position(is_figure))
}

/// The column of rows along which that is drawn: of dates, else what the rows are called, else what comes first.
fn along(schema: &Schema, drawn: usize) -> Option<usize> {
    let text = || schema.of_kind(|known| known.kind == ColumnKind::Text).first().copied();
    let other = || (0..schema.columns.len()).find(|at| *at != drawn);
    schema.date().or_else(text).or(schema.subject).filter(|at| *at != drawn).or_else(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Outcome, ask};
    use crate::question::Asking;

    const SALES: &str = "id,date,region,product,amount\n1,2026-01-03,north,tea,10\n2,2026-01-09,south,tea,20\n\
                         3,2026-02-01,north,milk,30\n4,2026-02-02,south,milk,5\n";

    fn axes(question: &str) -> Option<(String, String, Option<String>, bool)> {
        let tables = Table::read("sales.csv", SALES).expect("it is a table");
        let asking = Asking { now: jiff::civil::date(2026, 3, 1).at(9, 0, 0, 0), previous: None, given: true };
        match ask(&tables, question, asking).expect("it runs") {
            Outcome::Understood(answer) => {
                answer.axes().map(|Axes { x, y, series, over_time }| (x, y, series, over_time))
            }
            other => panic!("{question}: {other:?}"),
        }
    }

    fn named(
        x: &str,
        y: &str,
        series: Option<&str>,
        over_time: bool,
    ) -> Option<(String, String, Option<String>, bool)> {
        Some((x.to_owned(), y.to_owned(), series.map(str::to_owned), over_time))
    }

    #[test]
    fn groups_go_along_and_their_figure_is_drawn() {
        assert_eq!(axes("the total amount by region"), named("region", "total amount", None, false));
        assert_eq!(axes("the total amount by month"), named("month", "total amount", None, true));
        assert_eq!(axes("the number of rows per product"), named("product", "rows", None, false));
    }

    #[test]
    fn rows_are_drawn_by_what_they_measure() {
        assert_eq!(axes("show all rows"), named("date", "amount", None, true));
    }

    #[test]
    fn a_single_figure_is_no_chart() {
        assert_eq!(axes("the total amount"), None);
    }
}
