//! Groups and ends in questions: `by region`, `per month`, `top 3`, `the cheapest`.

use super::likeness::STEM;
use super::meanings::Meaning;
use super::parse::{NoPart, Parser};
use super::parts::{End, Extreme, Mention, Target};
use crate::known::Known;
use crate::query::{Function, Group, Measure, Period};
use crate::table::ColumnKind;
use crate::vocabulary::{Role, vocabulary};

/// What it costs that amounts are taken for those of a month.
const UNDATED: f32 = 0.25;

impl Parser<'_> {
    pub(crate) fn end(&mut self, end: End) -> Result<(), NoPart> {
        let number = self.number.take().or_else(|| {
            let next = self.at + 1;
            let Some(Meaning::Number(number)) = self.meaning(next) else { return None };
            let whole = whole(number)?;
            self.at = next;
            Some(whole)
        });
        if self.parts.limit.is_some() {
            return self.fail();
        }
        self.parts.limit = Some((number.unwrap_or(1), end));
        if self
            .after(self.at + 1)
            .is_some_and(|next| matches!(self.items[next].meaning, Meaning::Role(Role::Extreme(_))))
        {
            // `the top 3 most expensive`; `the first cheapest` nobody says.
            let Some((rows, End::Top)) = self.parts.limit.take() else { return self.fail() };
            self.number = Some(rows);
        }
        self.at += 1;
        Ok(())
    }

    pub(crate) fn extreme(&mut self, at: usize) {
        /// A number behind `most` that is no less is a value.
        const MOST_BEHIND: u32 = 100;
        let known = &vocabulary().extremes[at];
        if self.both_ends(known.down) || self.direction_of(at) {
            return;
        }
        let measures = self.measures(at);
        let mut at_end = self.at;
        let limit = self.number.take().or_else(|| {
            let Some(Meaning::Number(number)) = self.meaning(self.at + 1) else { return None };
            // "the most 500 errors" are not 500 of them.
            let whole = whole(number).filter(|rows| *rows < MOST_BEHIND)?;
            at_end += 1;
            Some(whole)
        });
        if let Some(rows) = limit {
            self.parts.limit = Some((rows, if known.down { End::Top } else { End::Bottom }));
        }
        // Who is oldest is not whose day was the first.
        if self.parts.extreme.is_some() || (known.things && self.parts.who) {
            self.parts.cost += 1.0;
        }
        let (descending, counts, only_counts, sums) = (known.down, known.counts, known.only_counts, known.sums);
        let measured = !known.measures.is_empty();
        let target = only_counts.then_some(Target::Count);
        let item = &self.items[self.at];
        let word = &self.tokens[item.to - 1].lower;
        let word = (item.to == item.from + 1 && !measured && !known.counts).then(|| word.clone());
        self.parts.extreme = Some(Extreme {
            named: known.named,
            word,
            descending,
            counts,
            only_counts,
            sums,
            measures,
            measured,
            target,
            at: at_end,
        });
        self.at = at_end + 1;
    }

    /// The columns that an end is about. Only where dates are meant, dates have one: what is fastest is not what was first.
    fn measures(&self, at: usize) -> Vec<usize> {
        let about = |concept: &String| {
            let dates = vocabulary().concepts.iter().any(|known| known.name == *concept && known.dates);
            let fits = move |at: &usize| {
                let kind = self.schema.columns[*at].kind;
                kind.is_number() || (dates && kind == ColumnKind::Date)
            };
            self.schema.about(concept).into_iter().filter(fits)
        };
        let measures = &vocabulary().extremes[at].measures;
        let found: Vec<usize> = measures.iter().flat_map(about).collect();
        let date = || self.schema.date().filter(|_| measures.iter().any(|concept| concept == "date"));
        if found.is_empty() { date().into_iter().collect() } else { found }
    }

    /// `lowest and highest`: two figures of the column behind them.
    fn both_ends(&mut self, down: bool) -> bool {
        let plain = |at: usize| match self.meaning(at) {
            Some(Meaning::Role(Role::Extreme(at))) => {
                Some(&vocabulary().extremes[*at]).filter(|known| known.measures.is_empty() && !known.counts)
            }
            _ => None,
        };
        let and = self.items.get(self.at + 1).is_some_and(|item| item.is(Role::And));
        let Some(next) = self.after(self.at + 2).filter(|_| and && plain(self.at).is_some()) else { return false };
        if plain(next).is_none_or(|other| other.down == down) {
            return false;
        }
        let ends = [Function::Minimum, Function::Maximum];
        let [first, second] = if down { [ends[1], ends[0]] } else { ends };
        self.at = next;
        self.function(first);
        self.function(second);
        self.at = next + 1;
        true
    }

    /// `shortest first`: an order, at the end of the question.
    fn direction_of(&mut self, at: usize) -> bool {
        let mut next = self.at + 1;
        // `soonest expiry first`
        let named = match self.meaning(next) {
            Some(Meaning::Column(column)) if self.schema.columns[*column].kind != ColumnKind::Text => Some(*column),
            _ => None,
        };
        next += usize::from(named.is_some());
        let first = self.items.get(next).is_some_and(|item| item.is(Role::First));
        let known = &vocabulary().extremes[at];
        if !first || next + 1 < self.items.len() || self.parts.descending.is_some() {
            return false;
        }
        if self.parts.extreme.as_ref().is_some_and(|extreme| extreme.descending != known.down) {
            return false;
        }
        let about = known.measures.iter().flat_map(|concept| self.schema.about(concept));
        let mut about = about.into_iter();
        let column = named.or_else(|| about.find(|at| self.schema.columns[*at].kind != ColumnKind::Text));
        if self.parts.extreme.is_none() && self.parts.by.is_empty() {
            let Some(column) = column else { return false };
            self.parts.by.push(column);
        }
        if self.parts.extreme.is_none() {
            self.parts.descending = Some(known.down);
        }
        self.at = next + 1;
        true
    }

    pub(crate) fn lone_number(&mut self, number: &crate::number::Number) -> Result<(), NoPart> {
        let next = self.after(self.at + 1).filter(|next| *next <= self.at + 2);
        let limits = next.and_then(|next| self.meaning(next)).is_some_and(|meaning| {
            matches!(meaning, Meaning::Role(Role::Extreme(_) | Role::Top | Role::Bottom | Role::First | Role::Last))
        });
        match whole(number).filter(|_| limits) {
            Some(whole) => {
                self.number = Some(whole);
                Ok(())
            }
            None => self.bare_number(number),
        }
    }

    pub(crate) fn by(&mut self) -> Result<(), NoPart> {
        let Some(next) = self.after(self.at + 1) else { return self.fail() };
        match &self.items[next].meaning {
            Meaning::Column(column) => {
                self.at = next + 1;
                self.parts.by.push(*column);
                self.more_groups();
                Ok(())
            }
            Meaning::Hint(columns) => {
                let number = columns.iter().find(|at| self.schema.columns[**at].kind.is_number());
                let Some(column) = number.copied() else { return Ok(()) };
                self.at = next + 1;
                self.parts.by.push(column);
                Ok(())
            }
            // `the orders by Ada` are hers; but tickets created by her are not those assigned to her.
            Meaning::Cell(column, _) => {
                let before =
                    (0..self.at).rev().find(|at| !self.items[*at].is(Role::Fill)).and_then(|at| self.meaning(at));
                match before {
                    Some(Meaning::Hint(columns)) if !columns.contains(column) => self.fail(),
                    Some(Meaning::Cell(..)) if self.at > 0 && self.items[self.at - 1].cost >= STEM => self.fail(),
                    _ => Ok(()),
                }
            }
            // `according to orders.csv`
            Meaning::Source => Ok(()),
            Meaning::Role(Role::Count) => {
                self.parts.by_measure = Some(Measure::new(Function::Count, None));
                self.at = next + 1;
                let behind = self.after(self.at).filter(|at| matches!(self.items[*at].meaning, Meaning::Rows));
                self.at = behind.map_or(self.at, |at| at + 1);
                Ok(())
            }
            Meaning::Role(role) if function_of(*role).is_some() => {
                let function = function_of(*role);
                let column = self.after(next + 1).and_then(|at| match &self.items[at].meaning {
                    Meaning::Column(column) => Some((at, *column)),
                    _ => None,
                });
                match (function, column) {
                    (Some(function), Some((at, column))) if self.schema.columns[column].kind.is_number() => {
                        self.at = at + 1;
                        let name = self.schema.columns[column].name.clone();
                        self.parts.by_measure = Some(Measure::new(function, Some(name)));
                        Ok(())
                    }
                    _ => self.fail(),
                }
            }
            Meaning::Role(role) => self.group_by_role(next, *role),
            _ => self.fail(),
        }
    }

    /// `by region and quarter`
    pub(crate) fn more_groups(&mut self) {
        let and = self.items.get(self.at).is_some_and(|item| item.is(Role::And));
        let column = self.meaning(self.at + 1);
        if let (true, Some(Meaning::Column(column))) = (and, column)
            && !self.schema.columns[*column].kind.is_number()
        {
            self.parts.by.push(*column);
            self.at += 2;
        }
    }

    pub(crate) fn per(&mut self) -> Result<(), NoPart> {
        let Some(next) = self.after(self.at + 1) else { return self.each() };
        match &self.items[next].meaning {
            Meaning::Hint(_) if self.after(next + 1).is_none() => self.each(),
            Meaning::Column(column) => {
                let column = self.schema.columns[*column].name.clone();
                self.parts.groups.push(Group { column, period: None });
                self.at = next + 1;
                Ok(())
            }
            // `did each person collect`
            Meaning::Role(Role::Person) => {
                let persons = self.schema.about("person");
                let Some(column) = persons.into_iter().find(|at| self.schema.columns[*at].kind == ColumnKind::Text)
                else {
                    return self.fail();
                };
                self.parts.groups.push(Group { column: self.schema.columns[column].name.clone(), period: None });
                self.at = next + 1;
                Ok(())
            }
            Meaning::Role(role) => self.group_by_role(next, *role),
            // `the average total per order` is that of all orders.
            Meaning::Rows => {
                self.at = next + 1;
                self.parts.rows = true;
                Ok(())
            }
            _ => self.fail(),
        }
    }

    /// `the customers and the number of orders each placed`: by what is named before.
    fn each(&mut self) -> Result<(), NoPart> {
        let [only] = self.parts.mentions[..] else { return self.fail() };
        let known = &self.schema.columns[only.column];
        if known.kind != ColumnKind::Text || known.unique {
            return self.fail();
        }
        self.parts.groups.push(Group { column: known.name.clone(), period: None });
        self.parts.mentions.clear();
        self.at = self.items.len();
        Ok(())
    }

    /// The group of a period, if the word at this place is one's.
    fn group_by_role(&mut self, at: usize, role: Role) -> Result<(), NoPart> {
        let Some(period) = period(role) else { return self.fail() };
        self.at = at;
        self.group_by(period)
    }

    pub(crate) fn group_by(&mut self, period: Period) -> Result<(), NoPart> {
        // What falls due every month is so much a month, and in a year it is more than stands there.
        let functions = self.parts.functions.iter().filter_map(|(_, column)| *column);
        let mut named = self.parts.mentions.iter().map(|mention| mention.column).chain(functions);
        let is_monthly = |at: usize| {
            self.schema.columns[at].words.iter().any(|word| vocabulary().is_relative("monthly_columns", word))
        };
        let sums = self.pending == Some(Function::Sum)
            || self.parts.functions.iter().any(|(function, _)| *function == Function::Sum);
        if sums && named.any(is_monthly) {
            self.at += 1;
            return if period == Period::Month { Ok(()) } else { self.fail() };
        }
        // `what do they cost per month`, where it stands what each costs a month.
        let asks = sums || self.parts.how_much || self.parts.extreme.is_some();
        if let Some(rate) = self.rate(period).filter(|_| asks) {
            self.at += 1;
            match self.pending.take() {
                Some(function) => self.parts.functions.push((function, Some(rate))),
                None => self.parts.mentions.push(Mention { column: rate, at: self.at - 1 }),
            }
            return Ok(());
        }
        // `hours_per_week` are of a week already.
        let per = format!("per {}", period.name());
        let own = |known: &Known| known.words.windows(2).any(|pair| pair.join(" ") == per);
        if self.schema.columns.iter().any(own) {
            return self.fail();
        }
        // … and in a year it is more than stands there.
        if sums && !self.schema.about("monthly").is_empty() {
            return self.fail();
        }
        // `what do they cost a month`, of what has no days: so much it is.
        let dated = self.schema.columns.iter().any(|known| known.kind == ColumnKind::Date);
        let costs = sums || self.parts.how_much || !self.parts.hints.is_empty();
        if period == Period::Month && !dated && costs {
            self.parts.cost += UNDATED;
            self.at += 1;
            return Ok(());
        }
        let Some(date) = self.schema.date() else { return self.fail() };
        let known = &self.schema.columns[date];
        let timed = known.span.as_ref().is_some_and(|(first, _)| first.contains('T'));
        if matches!(period, Period::Hour | Period::Minute) && !timed {
            return self.fail();
        }
        let column = known.name.clone();
        self.parts.groups.push(Group { column, period: Some(period) });
        self.at += 1;
        Ok(())
    }

    /// The column that tells how much it is in an hour, a month: `hourly`, `per_month`.
    fn rate(&self, period: Period) -> Option<usize> {
        if period == Period::Month {
            return self.schema.about("monthly").first().copied();
        }
        let role = match period {
            Period::Hour => Role::Hourly,
            Period::Day => Role::Daily,
            Period::Week => Role::Weekly,
            _ => Role::Yearly,
        };
        let is = |known: &Known| match known.words.as_slice() {
            [only] => known.kind.is_number() && vocabulary().roles(only).contains(&role),
            _ => false,
        };
        self.schema.of_kind(is).first().copied()
    }

    /// `which month`: what is asked for is a group.
    pub(crate) fn unit(&mut self, role: Role) -> Result<(), NoPart> {
        match period(role).filter(|_| std::mem::take(&mut self.which)) {
            Some(period) => {
                self.parts.asked_group = true;
                self.group_by(period)
            }
            None => self.fail(),
        }
    }
}

fn function_of(role: Role) -> Option<Function> {
    match role {
        Role::Sum => Some(Function::Sum),
        Role::Average => Some(Function::Average),
        Role::Median => Some(Function::Median),
        Role::Minimum => Some(Function::Minimum),
        Role::Maximum => Some(Function::Maximum),
        _ => None,
    }
}

fn period(role: Role) -> Option<Period> {
    match role {
        Role::Minute => Some(Period::Minute),
        Role::Hour => Some(Period::Hour),
        Role::Day => Some(Period::Day),
        Role::Week => Some(Period::Week),
        Role::Month => Some(Period::Month),
        Role::Year => Some(Period::Year),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be whole and small")]
fn whole(number: &crate::number::Number) -> Option<u32> {
    let plain = number.is_whole() && number.unit.is_empty() && number.sign.is_none();
    (plain && (1.0..=100_000.0).contains(&number.value)).then_some(number.value as u32)
}
