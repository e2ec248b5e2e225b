//! Times in conditions: of which column, in which year, before or after.

use super::meanings::Meaning;
use super::parse::{NoPart, Parser};
use super::when::When;
use crate::entries::Comparison;
use crate::query::Test;
use crate::table::ColumnKind;
use crate::vocabulary::vocabulary;

impl Parser<'_> {
    /// A time that rows are of, or before, or after.
    pub(crate) fn when(
        &mut self,
        when: &When,
        column: Option<usize>,
        comparison: Option<Comparison>,
    ) -> Result<(), NoPart> {
        let words = vocabulary();
        let joint = self.items.get(self.at + 1).map(|item| &self.tokens[item.from].lower);
        if comparison.is_none()
            && joint.is_some_and(|joint| words.is_relative("to", joint))
            && let Some(Meaning::When(to)) = self.meaning(self.at + 2)
            && std::mem::discriminant(to) == std::mem::discriminant(when)
        {
            let to = to.clone();
            self.at += 2;
            return self.span(when, &to, column);
        }
        let Some((column, when)) = self.dated(when, column) else { return self.fail() };
        let bounds = |from: String, until: String| match comparison {
            None | Some(Comparison::Equal) => (Some(from), Some(until)),
            Some(Comparison::Less) => (None, Some(from)),
            Some(Comparison::More) => (Some(until), None),
            Some(Comparison::AtLeast) => (Some(from), None),
            Some(Comparison::AtMost) => (None, Some(until)),
        };
        let test = match when {
            When::Span(from, until) => {
                let (from, until) = bounds(from, until);
                Test::During { from, until }
            }
            When::Clock(from, until) => {
                // After 14:30 is what comes behind it, not only behind its minute.
                let until = if comparison == Some(Comparison::More) { from.clone() } else { until };
                let (from, until) = bounds(from, until);
                Test::Times { from, until }
            }
            When::Month(month) if comparison.is_none() => Test::Months(vec![month]),
            When::Weekday(days) if comparison.is_none() => Test::Weekdays(days),
            When::Month(_) | When::Weekday(_) => return self.fail(),
        };
        self.test(column, test);
        self.at += 1;
        Ok(())
    }

    /// From a time to another, which belongs to it.
    pub(crate) fn span(&mut self, from: &When, to: &When, column: Option<usize>) -> Result<(), NoPart> {
        let (Some((column, from)), Some((_, to))) = (self.dated(from, column), self.dated(to, column)) else {
            return self.fail();
        };
        let test = match (from, to) {
            (When::Span(from, _), When::Span(_, until)) => Test::During { from: Some(from), until: Some(until) },
            (When::Clock(from, _), When::Clock(until, _)) => Test::Times { from: Some(from), until: Some(until) },
            (When::Month(from), When::Month(to)) if from <= to => Test::Months((from..=to).collect()),
            _ => return self.fail(),
        };
        self.test(column, test);
        self.at += 1;
        Ok(())
    }

    /// The column of a time, and the time in the year that the table is about.
    pub(crate) fn dated(&self, when: &When, column: Option<usize>) -> Option<(usize, When)> {
        let hinted =
            self.parts.hints.iter().flatten().copied().find(|at| self.schema.columns[*at].kind == ColumnKind::Date);
        let column = column.or(hinted).or_else(|| self.schema.date())?;
        let (first, last) = self.schema.columns[column].span.as_ref()?;
        let year = |date: &str| date.get(..4).and_then(|year| year.parse::<i16>().ok());
        let only = year(first).filter(|first_year| year(last) == Some(*first_year));
        let when = match (when, only) {
            // A system's log names no years.
            (When::Span(from, until), Some(0)) if !from.starts_with("0000") => {
                let (from_year, until_year) = (from.get(..4)?, until.get(..4)?);
                (from_year == until_year)
                    .then(|| When::Span(format!("0000{}", &from[4..]), format!("0000{}", &until[4..])))?
            }
            (when, Some(year)) => when.in_year(year)?,
            (When::Span(from, _), None) if from.starts_with("0000-") => return None,
            (when, None) => when.clone(),
        };
        let timed = first.contains('T');
        if only == Some(0) && matches!(when, When::Weekday(_)) {
            return None;
        }
        (timed || !matches!(when, When::Clock(..))).then_some((column, when))
    }
}
