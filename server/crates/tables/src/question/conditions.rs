//! Conditions in questions: comparisons, cells, times, texts, and what is not there.

use super::meanings::Meaning;
use super::numbers::plain;
use super::parse::{ELSEWHERE, NoPart, Parser};
use super::parts::{Counted, Placed};
use crate::number::{Number, Style};
use crate::query::{Condition, Group, Test};
use crate::table::{ColumnKind, TableKind};
use crate::value::Value;
use crate::vocabulary::{Role, vocabulary};

impl Parser<'_> {
    /// Adds a condition, turned round if `not` stands before it.
    pub(crate) fn condition(&mut self, mut condition: Condition) {
        if std::mem::take(&mut self.not) != std::mem::take(&mut self.lacking) {
            condition.negated = !condition.negated;
        }
        // What is said twice is one condition.
        if !self.parts.conditions.iter().any(|placed| placed.condition == condition) {
            self.parts.conditions.push(Placed { condition, at: self.at });
        }
    }

    pub(crate) fn test(&mut self, column: usize, test: Test) {
        let column = self.schema.columns[column].name.clone();
        self.condition(Condition { column, test, negated: false });
    }

    pub(crate) fn is_flag(&self, column: usize, value: bool) -> Condition {
        let test = Test::Is(vec![Value::Boolean(value)]);
        Condition { column: self.schema.columns[column].name.clone(), test, negated: false }
    }

    /// `no manager`, `without a rating`, `no stock`
    pub(crate) fn lacks(&mut self, column: usize) -> Result<bool, NoPart> {
        if !self.lacking {
            return Ok(false);
        }
        self.lacking = false;
        let known = &self.schema.columns[column];
        match known.kind {
            // What is not known is not the same as no.
            ColumnKind::Boolean if known.blanks => {
                let condition = self.is_flag(column, false);
                self.condition(condition);
            }
            ColumnKind::Boolean => {
                self.not = !self.not;
                let condition = self.is_flag(column, true);
                self.condition(condition);
            }
            kind if kind.is_number() && known.zeros => {
                // Nothing is 0, or it is not known: not both.
                if known.blanks {
                    return self.fail();
                }
                self.test(column, Test::Is(vec![Value::Integer(0)]));
            }
            _ => self.test(column, Test::Empty),
        }
        Ok(true)
    }

    /// The condition that a column begins: `status is refunded`, `total over 100`, `title contains "x"`.
    pub(crate) fn condition_of(&mut self, column: usize) -> Result<bool, NoPart> {
        let start = self.at;
        let Some(mut next) = self.after(start + 1) else { return Ok(false) };
        let not = matches!(self.meaning(next), Some(Meaning::Role(Role::Not)));
        if not {
            let Some(behind) = self.after(next + 1) else { return Ok(false) };
            next = behind;
        }
        let before = self.not;
        self.not ^= not;
        let found = self.condition_at(column, start, next)?;
        if !found {
            (self.not, self.at) = (before, start);
        }
        Ok(found)
    }

    fn condition_at(&mut self, column: usize, start: usize, next: usize) -> Result<bool, NoPart> {
        let kind = self.schema.columns[column].kind;
        let token = self.tokens[self.items[next].from].lower.as_str();
        let words = vocabulary();
        if kind == ColumnKind::Boolean {
            let said = (words.is_relative("yes", token), words.is_relative("no", token));
            if said.0 || said.1 {
                let condition = self.is_flag(column, said.0);
                self.condition(condition);
                self.at = next + 1;
            }
            return Ok(said.0 || said.1);
        }
        match &self.items[next].meaning {
            Meaning::Role(Role::Compare(at)) => {
                let behind = self.after(next + 1).and_then(|at| self.meaning(at));
                // A year is a number where years are: `born after 2005`.
                if let Some(year) = self.after(next + 1).filter(|at| self.is_year(column, *at)) {
                    let number = Number::parse(&self.tokens[self.items[year].from].text, Style::Point);
                    let Some(number) = number else { return Ok(false) };
                    self.at = next;
                    self.compare_number(&[], words.compares[*at].is, &number, year, Some(column))?;
                    return Ok(true);
                }
                let fits = match behind {
                    Some(Meaning::Number(_) | Meaning::Column(_)) => kind.is_number(),
                    Some(Meaning::When(_)) => kind == ColumnKind::Date,
                    _ => false,
                };
                if fits {
                    self.at = next;
                    self.compare(*at, Some(column))?;
                    self.parts.dated |= kind == ColumnKind::Date;
                }
                Ok(fits)
            }
            Meaning::Cell(of, _) if *of == column => {
                self.at = next;
                self.cells(column)?;
                Ok(true)
            }
            // The weight of two boxes is not a weight of 2.
            Meaning::Number(_) if matches!(self.meaning(next + 1), Some(Meaning::Rows)) => Ok(false),
            Meaning::Number(number) if kind.is_number() && self.is_only_is(start + 1, next) => {
                let Some((value, end)) = self.figure(number, next, column) else { return Ok(false) };
                // `the average price 3 months ago` is not a price of 3.
                self.test(column, Test::Is(vec![value]));
                self.at = end;
                Ok(true)
            }
            Meaning::Quoted(text) if kind == ColumnKind::Text && self.is_only_is(start + 1, next) => {
                self.test(column, Test::Is(vec![Value::Text(text.clone())]));
                self.at = next + 1;
                Ok(true)
            }
            Meaning::Role(Role::Between) if kind.is_number() || kind == ColumnKind::Date => {
                self.at = next;
                self.between(Some(column))?;
                Ok(true)
            }
            Meaning::Role(role @ (Role::Contains | Role::Starts | Role::Ends)) if kind == ColumnKind::Text => {
                self.at = next;
                self.contains(Some(column), *role)?;
                Ok(true)
            }
            Meaning::Role(Role::Empty) => {
                self.test(column, Test::Empty);
                self.at = next + 1;
                Ok(true)
            }
            Meaning::When(when) if kind == ColumnKind::Date => {
                let when = when.clone();
                self.at = next;
                self.when(&when, Some(column), None)?;
                self.parts.dated = true;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Whether nothing but `is` and the like stands there.
    fn is_only_is(&self, from: usize, to: usize) -> bool {
        let words = vocabulary();
        self.items[from..to].iter().all(|item| words.is_relative("is", &self.tokens[item.from].lower))
    }

    /// What it costs that a cell is taken from this column: names are first those of the rows, unless a verb is about
    /// another column that has them, too.
    pub(crate) fn elsewhere(&self, column: usize) -> f32 {
        let Some(Meaning::Cell(_, cells)) = self.meaning(self.at) else { return 0.0 };
        let has = |at: usize| at != column && cells.iter().any(|cell| self.schema.has(at, cell));
        let hinted = |at: usize| self.parts.hints.iter().flatten().any(|hint| *hint == at);
        let nearer = (0..self.schema.columns.len()).any(|at| hinted(at) && has(at));
        let subject = self.schema.subject.is_some_and(has);
        if let Some(told) = self.direction() {
            let columns = (0..self.schema.columns.len())
                .filter(|at| self.schema.columns[*at].words.iter().any(|word| told.contains(word)));
            let mut columns = columns.filter(|at| *at == column || has(*at)).peekable();
            if columns.peek().is_some() {
                return if columns.any(|at| at == column) { 0.0 } else { ELSEWHERE };
            }
        }
        if !hinted(column) && (nearer || subject) { ELSEWHERE } else { 0.0 }
    }

    /// Words of the names of columns that the word in front tells: `from` the origin, `to` the destination.
    fn direction(&self) -> Option<&'static [String]> {
        self.direction_at(self.at)
    }

    /// The same for the phrase at a place.
    fn direction_at(&self, at: usize) -> Option<&'static [String]> {
        let before = self.items.get(at)?.from.checked_sub(1)?;
        let word = &self.tokens[before].lower;
        vocabulary()
            .directions
            .iter()
            .find(|direction| direction.word == *word)
            .map(|direction| direction.columns.as_slice())
    }

    /// Cells of a column, one or several, and the column's name behind them.
    pub(crate) fn cells(&mut self, column: usize) -> Result<(), NoPart> {
        let mut values: Vec<Value> = Vec::new();
        let mut versus = false;
        let mut at = self.at;
        while let Some(Meaning::Cell(of, cells)) = self.meaning(at).filter(|_| at < self.items.len()) {
            if *of != column {
                break;
            }
            values.extend(cells.iter().cloned().map(Value::Text));
            self.at = at + 1;
            let Some(mut joint) = self.meaning(at + 1) else { break };
            // `home games vs away games`
            let named = matches!(joint, Meaning::Rows | Meaning::Role(Role::Noun));
            if named && self.items.get(at + 2).is_some_and(|item| item.is(Role::Versus)) {
                (self.parts.rows, joint) = (true, &Meaning::Role(Role::Versus));
                at += 1;
            }
            let joined = matches!(joint, Meaning::Role(Role::And | Role::Or | Role::Versus));
            let first = self.direction();
            let next = self.after(at + 2).filter(|_| joined);
            // `from Berlin or to Berlin` are two columns.
            let turns = |next: &usize| {
                (at + 2..*next).any(|at| self.direction_at(at + 1).is_some_and(|told| Some(told) != first))
            };
            let next = next.filter(|next| !turns(next));
            match next {
                Some(next) => {
                    versus |= *joint == Meaning::Role(Role::Versus);
                    at = next;
                }
                None => break,
            }
        }
        if versus {
            self.parts.groups.push(Group { column: self.schema.columns[column].name.clone(), period: None });
        }
        if let Some(Meaning::Column(of)) = self.meaning(self.at)
            && *of == column
        {
            self.at += 1;
        }
        let end = self.at;
        self.at = end - 1;
        self.test(column, Test::Is(values));
        self.at = end;
        Ok(())
    }

    /// A number that nothing claims: the code of a request, a year, how many rows there are.
    pub(crate) fn bare_number(&mut self, number: &Number) -> Result<(), NoPart> {
        #[expect(clippy::cast_precision_loss, reason = "rows are few")]
        let all = number.is_whole() && number.unit.is_empty() && number.value == self.schema.rows as f64;
        if all && matches!(self.after(self.at + 1).and_then(|next| self.meaning(next)), Some(Meaning::Rows)) {
            self.parts.whole = true;
            return Ok(());
        }
        if let Some(column) = self.year(number) {
            self.test(column, Test::Is(vec![plain(number.value)]));
            return Ok(());
        }
        let status = self.schema.columns.iter().position(|column| column.name == "status" && column.kind.is_number());
        let code = number.is_whole() && (100.0..600.0).contains(&number.value) && number.unit.is_empty();
        match status.filter(|_| code && self.schema.kind == TableKind::Log) {
            Some(column) => {
                self.test(column, Test::Is(vec![plain(number.value)]));
                Ok(())
            }
            None => self.fail(),
        }
    }

    /// Whether a column of years stands before a year that is read as a time.
    fn is_year(&self, column: usize, at: usize) -> bool {
        let known = &self.schema.columns[column];
        let item = &self.items[at];
        known.kind == ColumnKind::Integer
            && known.words.last().is_some_and(|word| vocabulary().is_relative("years", word))
            && matches!(item.meaning, Meaning::When(_))
            && item.to == item.from + 1
            && self.tokens[item.from].lower.len() == 4
    }

    /// The column of years that a number is one of: `the films from 2026`.
    fn year(&self, number: &Number) -> Option<usize> {
        let before = self.at.checked_sub(1).map(|before| &self.items[before])?;
        let stands = before.is(Role::Fill)
            && vocabulary().is_relative("year_places", &self.tokens[before.to - 1].lower)
            && number.is_whole()
            && number.unit.is_empty()
            && (1800.0..2200.0).contains(&number.value);
        let is = |known: &crate::known::Known| {
            known.kind == ColumnKind::Integer
                && known.words.last().is_some_and(|word| vocabulary().is_relative("years", word))
        };
        let years = self.schema.of_kind(is);
        let named = self.parts.mentions.iter().map(|mention| mention.column).find(|at| years.contains(at));
        let dated = self.schema.columns.iter().any(|known| known.kind == ColumnKind::Date);
        let only = <[usize; 1]>::try_from(years).ok().map(|[only]| only).filter(|_| !dated);
        named.or(only).filter(|_| stands)
    }

    /// `order 1005`: the row that is numbered so.
    pub(crate) fn row_by_id(&mut self) -> Result<bool, NoPart> {
        let Some(Meaning::Number(number)) = self.meaning(self.at + 1) else { return Ok(false) };
        let is = |column: &crate::known::Known| column.is_id() && column.unique && column.kind == ColumnKind::Integer;
        let ids = self.schema.of_kind(is);
        let ([id], true) = (ids.as_slice(), number.is_whole() && self.parts.count != Some(Counted::Something)) else {
            return Ok(false);
        };
        let value = plain(number.value);
        self.at += 2;
        self.test(*id, Test::Is(vec![value]));
        Ok(true)
    }
}
