//! Columns in a reading: what each that is named, or that a verb is about, is there for.

use super::meanings::{Item, Meaning};
use super::parse::{ELSEWHERE, NoPart, Parser};
use super::parts::{Counted, Mention, Target};
use crate::query::Function;
use crate::table::ColumnKind;
use crate::vocabulary::{Role, vocabulary};

impl Parser<'_> {
    /// The columns that are named.
    pub(crate) fn column(&mut self, column: usize) -> Result<(), NoPart> {
        // `size in TB` is that of size_tb.
        let summed = self.parts.functions.iter().any(|(_, own)| *own == Some(column));
        let unit = self.is_unit(self.at) && (summed || self.schema.columns[column].words.len() > 1);
        if unit && self.wanted_unit().is_ok() {
            return Ok(());
        }
        let asked = std::mem::take(&mut self.which);
        let start = self.at;
        // `the total value, quantity times price`: the same once more.
        if self.parts.count == Some(Counted::Column(column)) {
            return Ok(());
        }
        let measured = self.parts.functions.iter().any(|(_, own)| *own == Some(column))
            || self.parts.extreme.as_ref().is_some_and(|extreme| extreme.target == Some(Target::Column(column)))
            || self.parts.mentions.iter().any(|mention| mention.column == column);
        let again =
            |before: usize| self.items[before].is(Role::And) || self.items[before].meaning == Meaning::Column(column);
        if measured && start.checked_sub(1).is_some_and(again) {
            return Ok(());
        }
        if self.lacks(column)? || self.condition_of(column)? {
            return Ok(());
        }
        let kind = self.schema.columns[column].kind;
        if kind == ColumnKind::Boolean && self.is_said_again(column) {
            return Ok(());
        }
        if self.not {
            return if kind == ColumnKind::Boolean { self.flag(column) } else { self.undone(column) };
        }
        if let Some(function) =
            self.pending.filter(|function| *function == Function::Count || kind.is_number() || kind == ColumnKind::Date)
        {
            self.pending = None;
            return self.measure(function, column);
        }
        if let Some(function) = self.same_function(column) {
            return self.measure(function, column);
        }
        // `what is in the fragile boxes`
        let described = matches!(self.after(start + 1).and_then(|next| self.meaning(next)), Some(Meaning::Rows));
        if kind == ColumnKind::Boolean && (!asked || described) {
            return self.flag(column);
        }
        if self.parts.count == Some(Counted::Something) && self.stands_behind_its_count() {
            self.parts.count = Some(Counted::Column(column));
            return Ok(());
        }
        if let Some(extreme) = self.parts.extreme.as_mut().filter(|extreme| extreme.target.is_none())
            && (kind.is_number() || kind == ColumnKind::Date)
            && !extreme.only_counts
            && !self.schema.columns[column].is_id()
        {
            extreme.target = Some(Target::Column(column));
            return Ok(());
        }
        self.parts.mentions.push(Mention { column, at: start });
        // `the manager Nora Diaz` is said of that column, if the name stands there, too.
        if let Some(Meaning::Cell(of, cells)) = self.after(start + 1).and_then(|next| self.meaning(next))
            && *of != column
            && cells.iter().any(|cell| self.schema.has(column, cell))
        {
            self.parts.cost += ELSEWHERE;
        }
        Ok(())
    }

    /// Whether it is what is counted: `how many months`, and not `how often was it downloaded, all months together`.
    fn stands_behind_its_count(&self) -> bool {
        let between = |item: &&Item| {
            let plain = [Role::Fill, Role::Distinct, Role::Ask, Role::Not, Role::Only];
            !plain.iter().any(|role| item.is(*role)) && matches!(item.meaning, Meaning::Role(_))
        };
        let before = self.items[..self.at].iter().rev().find(between);
        before.is_some_and(|item| item.is(Role::Count))
    }

    /// `the average math and physics`: a second column of the function before.
    fn same_function(&self, column: usize) -> Option<Function> {
        let and = self.at.checked_sub(1).filter(|at| self.items[*at].is(Role::And))?;
        let before = and.checked_sub(1).and_then(|at| self.meaning(at))?;
        let (function, own) = self.parts.functions.last()?;
        let same = matches!((before, own), (Meaning::Column(before), Some(own)) if before == own);
        (same && Some(column) != *own && self.schema.columns[column].kind.is_number()).then_some(*function)
    }

    fn measure(&mut self, function: Function, column: usize) -> Result<(), NoPart> {
        let number = self.schema.columns[column].kind.is_number();
        let ordered = matches!(function, Function::Minimum | Function::Maximum);
        if (!number && !ordered) || self.schema.columns[column].is_id() {
            return self.fail();
        }
        self.parts.functions.push((function, Some(column)));
        Ok(())
    }

    /// A column of yes and no is said like a word for those that are.
    fn flag(&mut self, column: usize) -> Result<(), NoPart> {
        let condition = self.is_flag(column, true);
        self.condition(condition);
        Ok(())
    }

    pub(crate) fn hint(&mut self, columns: &[usize]) -> Result<(), NoPart> {
        // `price minus cost` leaves nothing out.
        if self.at.checked_sub(1).is_some_and(|before| self.items[before].is(Role::Except)) {
            return self.fail();
        }
        let dates = columns.iter().find(|at| self.schema.columns[**at].kind == ColumnKind::Date);
        let numbers = columns.iter().find(|at| self.schema.columns[**at].kind.is_number());
        // `hired after 2020`, `earning more than 4000`
        for column in dates.into_iter().chain(numbers) {
            if self.condition_of(*column)? {
                return Ok(());
            }
        }
        // `the registered users` are not all of them: such a word is not only around the others.
        let before = (0..self.at).rev().find(|at| !self.items[*at].is(Role::Fill)).map(|at| &self.items[at].meaning);
        let opens = matches!(before, None | Some(Meaning::Role(Role::Ask | Role::Count | Role::Distinct)));
        let rows = self.after(self.at + 1).is_some_and(|next| self.items[next].meaning == Meaning::Rows);
        if opens && rows {
            return self.fail();
        }
        // `who never logged in`
        if let [only] = columns
            && self.lacking
        {
            return self.lacks(*only).map(drop);
        }
        if self.is_strict() {
            self.parts.needed.push(columns.to_vec());
        }
        self.parts.hints.push(columns.to_vec());
        Ok(())
    }

    /// Whether the verb here says what nothing else does.
    fn is_strict(&self) -> bool {
        let item = &self.items[self.at];
        let words: Vec<&str> = self.tokens[item.from..item.to].iter().map(|token| token.lower.as_str()).collect();
        let words = words.join(" ");
        let all = &vocabulary().concepts;
        let mut places = vocabulary().verbs(&words).iter().filter(|place| !self.schema.about_place(**place).is_empty());
        let says = places.clone().next().is_some() && places.all(|place| all[*place].strict);
        // `how long` asks.
        says || vocabulary().roles(&words).contains(&Role::How)
    }

    /// `has not paid the fee`, where fee_paid is one column.
    fn is_said_again(&self, column: usize) -> bool {
        let name = &self.schema.columns[column].name;
        let before = (0..self.at).rev().find(|at| !self.items[*at].is(Role::Fill));
        let last = self.parts.conditions.last().filter(|last| before == Some(last.at));
        !self.not && !self.lacking && last.is_some_and(|last| last.condition.column == *name)
    }

    /// `who has not paid`, where it stands how much each has.
    fn undone(&mut self, column: usize) -> Result<(), NoPart> {
        let known = &self.schema.columns[column];
        let done =
            known.kind.is_number() && known.words.last().is_some_and(|word| vocabulary().is_relative("done", word));
        if !done {
            return self.fail();
        }
        self.not = false;
        self.lacking = true;
        self.lacks(column).map(drop)
    }

    /// `over all hosts`: what is named there is all of it.
    pub(crate) fn whole(&mut self) {
        let Some(next) = self.after(self.at + 1) else { return };
        let named = match &self.items[next].meaning {
            Meaning::Rows => {
                self.parts.rows = true;
                true
            }
            Meaning::Role(Role::Noun | Role::Day | Role::Week | Role::Month | Role::Year) => true,
            Meaning::Column(column) => {
                let known = &self.schema.columns[*column];
                known.kind == ColumnKind::Text || known.unique
            }
            _ => false,
        };
        if named {
            self.at = next + 1;
        }
    }
}
