//! Numbers in conditions: comparisons, ranges, units, and the columns that they are of.

use super::meanings::Meaning;
use super::parse::{NoPart, Parser};
use crate::entries::Comparison;
use crate::known::Known;
use crate::number::Number;
use crate::query::{Condition, Function, Test, difference};
use crate::table::TableKind;
use crate::value::Value;
use crate::vocabulary::{Role, vocabulary};

/// Taking the column that amounts are in where none is named.
const GUESSED: f32 = 0.1;

impl Parser<'_> {
    /// A comparison; of a column, or of what the words around it say.
    pub(crate) fn compare(&mut self, at: usize, column: Option<usize>) -> Result<(), NoPart> {
        let words = vocabulary();
        let comparison = words.compares[at].is;
        let Some(next) = self.after(self.at + 1) else { return self.fail() };
        match &self.items[next].meaning {
            Meaning::When(when) => {
                let when = when.clone();
                self.at = next;
                self.when(&when, column, Some(comparison))
            }
            Meaning::Number(number) => {
                let number = number.clone();
                self.compare_number(&words.compares[at].measures, comparison, &number, next, column)
            }
            Meaning::Column(other) => self.compare_columns(comparison, *other, next, column),
            _ => self.fail(),
        }
    }

    /// `spent over budget`: a column with another; which one, if it is not named, only a table of two such can tell.
    fn compare_columns(
        &mut self,
        comparison: Comparison,
        other: usize,
        next: usize,
        column: Option<usize>,
    ) -> Result<(), NoPart> {
        let columns = &self.schema.columns;
        let number = |at: &usize| columns[*at].kind.is_number() && !columns[*at].is_id();
        let mentioned = || {
            let last = self.parts.mentions.last().map(|mention| mention.column);
            last.filter(|at| number(at) && *at != other)
        };
        let only = || {
            let all = (0..columns.len()).filter(|at| number(at) && *at != other).collect::<Vec<_>>();
            <[usize; 1]>::try_from(all).ok().map(|[only]| only)
        };
        // What is below its minimum is how much there is.
        let limited = || {
            let limits = columns[other].words.iter().any(|word| vocabulary().is_relative("limits", word));
            let stock = ["stock", "quantity", "amount"].into_iter().flat_map(|concept| self.schema.about(concept));
            let stock =
                stock.filter(|at| limits && number(at) && *at != other && !self.schema.about("price").contains(at));
            <[usize; 1]>::try_from(stock.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>())
                .ok()
                .map(|[only]| only)
        };
        let one = column
            .or_else(mentioned)
            .or_else(only)
            .or_else(limited)
            .filter(|one| number(one) && number(&other) && *one != other);
        let Some(one) = one else { return self.fail() };
        if column.is_none() {
            self.parts.mentions.retain(|mention| mention.column != one);
        }
        self.at = next;
        let column = difference(&columns[one].name, &columns[other].name);
        let test = compared(comparison, Value::Integer(0));
        self.condition(Condition { column, test, negated: false });
        self.at = next + 1;
        Ok(())
    }

    pub(crate) fn compare_number(
        &mut self,
        measures: &[String],
        comparison: Comparison,
        number: &Number,
        next: usize,
        column: Option<usize>,
    ) -> Result<(), NoPart> {
        if let Some(column) = column {
            let Some((value, end)) = self.figure(number, next, column) else { return self.fail() };
            self.test(column, compared(comparison, value));
            self.at = end;
            return Ok(());
        }
        // `more than 2 orders`: of each group.
        if matches!(self.meaning(next + 1), Some(Meaning::Rows)) && number.is_whole() && number.unit.is_empty() {
            self.parts.having = Some(compared(comparison, Value::Real(number.value)));
            self.parts.functions.push((Function::Count, None));
            self.at = next + 2;
            return Ok(());
        }
        let Some((column, cost)) = self.compared_column(measures, number, next) else { return self.fail() };
        let Some((value, end)) = self.figure(number, next, column) else { return self.fail() };
        self.parts.cost += cost;
        self.test(column, compared(comparison, value));
        let own = |at: &usize| {
            matches!(self.meaning(*at), Some(Meaning::Column(of)) if *of == column)
                || self.in_stock(*at) == Some(column)
        };
        let behind = self.after(end).filter(own);
        self.at = behind.map_or(end, |at| at + 1);
        Ok(())
    }

    /// The column whose numbers are compared, where it does not stand in front.
    pub(crate) fn compared_column(&self, measures: &[String], number: &Number, next: usize) -> Option<(usize, f32)> {
        let numbers = |at: &usize| self.schema.columns[*at].kind.is_number();
        if !measures.is_empty() {
            let about = measures.iter().flat_map(|concept| self.schema.about(concept)).find(numbers);
            return about.map(|column| (column, 0.0));
        }
        let start = if self.is_unit(next + 1) { next + 2 } else { next + 1 };
        if let Some(column) = self.in_stock(start).or_else(|| self.of_unit(number, next)) {
            return Some((column, 0.0));
        }
        if let Some(Meaning::Column(column)) = self.after(start).and_then(|at| self.meaning(at))
            && numbers(column)
            && !self.schema.columns[*column].is_id()
        {
            return Some((*column, 0.0));
        }
        let and = self.at > 0 && matches!(self.meaning(self.at - 1), Some(Meaning::Role(Role::And)));
        if let Some(before) = self.parts.conditions.last().filter(|_| and)
            && let Some(column) = self.schema.columns.iter().position(|column| column.name == before.condition.column)
            && numbers(&column)
        {
            return Some((column, 0.0));
        }
        let asked = self.parts.mentions.last().map(|mention| mention.column).filter(numbers);
        if let Some(column) = asked {
            return Some((column, 0.02));
        }
        let hint = self.parts.hints.iter().flatten().copied().find(|at| numbers(at));
        if let Some(column) = hint {
            return Some((column, 0.04));
        }
        let money =
            number.sign.and_then(|sign| self.schema.columns.iter().position(|column| column.sign == Some(sign)));
        money.or_else(|| self.schema.measure()).map(|column| (column, GUESSED))
    }

    /// `less than 10 in stock`: the column of a condition that says that there is some.
    fn in_stock(&self, at: usize) -> Option<usize> {
        let Some(Meaning::Condition(condition)) = self.meaning(at) else { return None };
        let some = condition.test == Test::More(Value::Integer(0)) && !condition.negated;
        self.schema.columns.iter().position(|column| some && column.name == condition.column)
    }

    /// The only column in whose unit a number is.
    fn of_unit(&self, number: &Number, at: usize) -> Option<usize> {
        let given = !number.unit.is_empty() || self.is_unit(at + 1);
        let timed = |column: &usize| self.figure(number, at, *column).is_some();
        let fitting = self.schema.of_kind(|column| column.kind.is_number() && !column.is_id());
        let fitting: Vec<usize> = fitting.into_iter().filter(|column| given && timed(column)).collect();
        // `over 85 %` is of the column that is called so, if there is one.
        let unit = self.items.get(at + 1).map(|item| self.tokens[item.from].lower.as_str());
        let unit = if number.unit.is_empty() { unit.unwrap_or_default() } else { number.unit.as_str() };
        let entry = vocabulary().units.iter().find(|entry| entry.words.iter().any(|word| word == unit));
        let called = |at: &&usize| {
            entry.is_some_and(|entry| self.schema.columns[**at].words.iter().any(|word| entry.words.contains(word)))
        };
        let called: Vec<&usize> = fitting.iter().filter(called).collect();
        match (called.as_slice(), fitting.as_slice()) {
            ([only], _) => Some(**only),
            (_, [only]) => Some(*only),
            _ => None,
        }
    }

    pub(crate) fn is_unit(&self, at: usize) -> bool {
        let Some(item) = self.items.get(at).filter(|item| item.to == item.from + 1) else { return false };
        let word = &self.tokens[item.from].lower;
        let words = vocabulary();
        words.money(word).is_some() || words.units.iter().any(|unit| unit.words.contains(word))
    }

    /// A number in the unit of a column, and the phrase behind it and its unit; nothing if they do not fit.
    pub(crate) fn figure(&self, number: &Number, at: usize, column: usize) -> Option<(Value, usize)> {
        let words = vocabulary();
        let known = &self.schema.columns[column];
        let (unit, end) = match number.unit.as_str() {
            "" if self.is_unit(at + 1) => (self.tokens[self.items[at + 1].from].lower.clone(), at + 2),
            unit => (unit.to_lowercase(), at + 1),
        };
        let sign = number.sign.or_else(|| words.money(&unit));
        if sign.is_some_and(|sign| known.sign.is_some_and(|own| own != sign)) {
            return None;
        }
        let factor =
            if unit.is_empty() || words.money(&unit).is_some() { Some(1.0) } else { self.factor(&unit, column) };
        let value = number.value * factor?;
        Some((plain(value), end))
    }

    /// How many of the column's unit one of this unit is.
    pub(crate) fn factor(&self, unit: &str, column: usize) -> Option<f64> {
        let known = &self.schema.columns[column];
        let own: Vec<String> = known.words.iter().cloned().chain([known.unit.to_lowercase()]).collect();
        let units = &vocabulary().units;
        let entry = units.iter().find(|entry| entry.words.iter().any(|word| word == unit))?;
        if let Some(times) = entry.times {
            return Some(times);
        }
        if let Some(seconds) = entry.seconds {
            let of_log = self.schema.kind == TableKind::Log && known.name == "duration";
            let own =
                units.iter().find(|entry| entry.seconds.is_some() && entry.words.iter().any(|word| own.contains(word)));
            let own = own.and_then(|own| own.seconds).or(of_log.then_some(1.0))?;
            return Some(seconds / own);
        }
        let percent = unit == "%" || unit == "percent";
        // A unit that no column has in its name is that of the column.
        let has = |known: &Known| known.words.iter().any(|word| entry.words.contains(word));
        let free = !self.schema.columns.iter().any(has);
        (percent || free || entry.words.iter().any(|word| own.contains(word))).then_some(1.0)
    }

    /// `between 100 and 200`, `between March and May`, `between 8:00 and 9:00`
    pub(crate) fn between(&mut self, column: Option<usize>) -> Result<(), NoPart> {
        let words = vocabulary();
        let Some(first) = self.after(self.at + 1) else { return self.fail() };
        let joins =
            |at: usize| self.items.get(at).is_some_and(|item| words.is_relative("to", &self.tokens[item.from].lower));
        let unit = usize::from(self.is_unit(first + 1));
        if !joins(first + 1 + unit) {
            return self.fail();
        }
        let second = first + 2 + unit;
        match (self.meaning(first), self.meaning(second)) {
            (Some(Meaning::When(from)), Some(Meaning::When(to))) => {
                let (from, to) = (from.clone(), to.clone());
                self.at = second;
                self.span(&from, &to, column)
            }
            (Some(Meaning::Number(from)), Some(Meaning::Number(to))) => {
                let (from, to) = (from.clone(), to.clone());
                self.range(&from, &to, (first, second), column)
            }
            _ => self.fail(),
        }
    }

    pub(crate) fn range(
        &mut self,
        from: &Number,
        to: &Number,
        at: (usize, usize),
        column: Option<usize>,
    ) -> Result<(), NoPart> {
        let measure = self.schema.measure();
        let behind = self.compared_column(&[], to, at.1).map(|(column, _)| column);
        let hours = self.schema.kind == TableKind::Log && column.is_none() && to.value <= 24.0 && to.is_whole();
        if hours && self.schema.date().is_some() && !self.is_unit(at.1 + 1) {
            let clock = |hour: f64| format!("{hour:02}:00:00");
            let test = Test::Times { from: Some(clock(from.value)), until: Some(clock(to.value)) };
            let Some(column) = self.schema.date() else { return self.fail() };
            self.test(column, test);
            self.at = at.1 + 1;
            return Ok(());
        }
        if column.is_none() && behind == measure {
            self.parts.cost += GUESSED;
        }
        let is_number = |at: &usize| self.schema.columns[*at].kind.is_number();
        let Some(column) = column.or(behind).filter(is_number) else { return self.fail() };
        match (self.figure(from, at.0, column), self.figure(to, at.1, column)) {
            (Some((from, _)), Some((to, end))) => {
                self.test(column, Test::Range(from, to));
                let again = self
                    .after(end)
                    .filter(|at| matches!(self.meaning(*at), Some(Meaning::Column(of)) if *of == column));
                self.at = again.map_or(end, |at| at + 1);
                Ok(())
            }
            _ => self.fail(),
        }
    }
}

fn compared(comparison: Comparison, value: Value) -> Test {
    match comparison {
        Comparison::More => Test::More(value),
        Comparison::Less => Test::Less(value),
        Comparison::AtLeast => Test::AtLeast(value),
        Comparison::AtMost => Test::AtMost(value),
        Comparison::Equal => Test::Is(vec![value]),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "whole and below 1e15")]
pub(crate) fn plain(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 1e15 {
        true => Value::Integer(value as i64),
        false => Value::Real(value),
    }
}
