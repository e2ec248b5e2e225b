//! Places in an order, and on from one to the next: "the second largest", "the day after", "the one before that".

use jiff::ToSpan;
use jiff::civil::Date;

use super::meanings::{Item, Meaning, Words, put};
use super::parts::Step;
use crate::query::{Function, OrderBy, Period, Query, Test};
use crate::tokens::{TokenKind, name_words};
use crate::value::Value;
use crate::vocabulary::{Role, vocabulary};

impl Words<'_> {
    /// "second", "3rd"
    pub(crate) fn nth(&self, at: usize, found: &mut Vec<Item>) {
        let words = vocabulary();
        let lower = self.tokens[at].lower.as_str();
        let spelled = words.set("ordinals").iter().position(|word| word == lower).map(|at| at + 1);
        let digits = lower.trim_end_matches(char::is_alphabetic);
        let written = || digits.parse().ok().filter(|_| words.is_relative("day_endings", &lower[digits.len()..]));
        let place = spelled.or_else(written).and_then(|place| u32::try_from(place).ok());
        if let Some(place) = place.filter(|place| *place > 1) {
            put(found, at, at + 1, Meaning::Nth(place), 0.0);
        }
    }

    /// What is said from here to the end, if it says how far to go on: "the week after", "the one before that".
    pub(crate) fn step(&self, at: usize) -> Option<Step> {
        let words = vocabulary();
        let tokens = &self.tokens[at..];
        let plain = tokens.iter().all(|token| token.kind == TokenKind::Word);
        let tokens = match tokens {
            [before @ .., last] if words.is_relative("step_ends", &last.lower) => before,
            all => all,
        };
        let way = |word: &str| match () {
            () if words.is_relative("steps_on", word) => Some(1),
            () if words.is_relative("steps_back", word) => Some(-1),
            () => None,
        };
        let (unit, by) = match tokens {
            [way_only] => (None, way(&way_only.lower)?),
            [one, other] if way(&other.lower).is_some() => (Some(one), way(&other.lower)?),
            [one, other] if words.is_relative("steps_front", &one.lower) => (Some(other), way(&one.lower)?),
            _ => return None,
        };
        let period = match unit.map(|unit| (unit, words.roles(&unit.lower))) {
            None => None,
            Some((_, roles)) if roles.contains(&Role::Noun) => None,
            Some((_, roles)) => Some(roles.iter().find_map(|role| period(*role))?),
        };
        plain.then_some(Step { period, by })
    }
}

fn period(role: Role) -> Option<Period> {
    Some(match role {
        Role::Hour => Period::Hour,
        Role::Day => Period::Day,
        Role::Week => Period::Week,
        Role::Month => Period::Month,
        Role::Year => Period::Year,
        _ => return None,
    })
}

/// The query at another place of its order, from 1.
pub(crate) fn at_place(mut query: Query, place: u32) -> Option<Query> {
    let limit = query.limit.as_mut().filter(|limit| limit.rows == 1)?;
    limit.skip = place.checked_sub(1)?;
    Some(query)
}

/// The query a step further: the next in its order, or the next time.
pub(crate) fn stepped(mut query: Query, step: Step) -> Option<Query> {
    if let Some(limit) = query.limit.as_mut().filter(|_| step.period.is_none()) {
        // What is before the last one stands further from the end.
        let ties = limit.ties;
        let from_end = query.order.as_ref().is_some_and(|order| order.descending && order.by != OrderBy::Measure);
        let by = match (ties, from_end) {
            // Whatever comes behind the largest is smaller.
            (true, _) => step.by.abs(),
            (false, true) => -step.by,
            (false, false) => step.by,
        };
        let skip = i64::from(limit.skip) + i64::from(by) * i64::from(limit.rows);
        limit.skip = u32::try_from(skip).ok()?;
        return Some(query);
    }
    let moved = query.filter.iter().enumerate().rev().find_map(|(at, condition)| {
        let test = moved(&condition.test, &condition.column, step)?;
        Some((at, test))
    });
    let (at, test) = moved?;
    query.filter[at].test = test;
    Some(query)
}

fn moved(test: &Test, column: &str, step: Step) -> Option<Test> {
    match test {
        Test::During { from: Some(from), until: Some(until) } => {
            let (first, end): (Date, Date) = (from.parse().ok()?, until.parse().ok()?);
            let period = step.period.or_else(|| length(first, end))?;
            let move_on = |date: Date| {
                let span = match period {
                    Period::Day => step.by.days(),
                    Period::Week => step.by.weeks(),
                    Period::Month => step.by.months(),
                    Period::Year => step.by.years(),
                    Period::Hour | Period::Minute => return None,
                };
                Some(date.checked_add(span).ok()?.to_string())
            };
            Some(Test::During { from: Some(move_on(first)?), until: Some(move_on(end)?) })
        }
        Test::Months(months) if matches!(step.period, None | Some(Period::Month)) => {
            let [month] = months[..] else { return None };
            let month = i32::from(month) + step.by;
            i8::try_from(month).ok().filter(|month| (1..=12).contains(month)).map(|month| Test::Months(vec![month]))
        }
        Test::Weekdays(days) if matches!(step.period, None | Some(Period::Day)) => {
            let [day] = days[..] else { return None };
            let day = (i32::from(day) - 1 + step.by).rem_euclid(7) + 1;
            i8::try_from(day).ok().map(|day| Test::Weekdays(vec![day]))
        }
        // A week, a year or a round by its number.
        Test::Is(values) => {
            let [Value::Integer(number)] = values[..] else { return None };
            let named = name_words(column);
            let fits = step.period.is_none_or(|period| named.iter().any(|word| word == period.name()));
            fits.then(|| Test::Is(vec![Value::Integer(number + i64::from(step.by))]))
        }
        _ => None,
    }
}

/// The length of a span, if it is one of those that have a name.
fn length(from: Date, until: Date) -> Option<Period> {
    let is = |end: Result<Date, jiff::Error>| end.is_ok_and(|end| end == until);
    match () {
        () if is(from.checked_add(1.day())) => Some(Period::Day),
        () if is(from.checked_add(1.week())) => Some(Period::Week),
        () if is(from.checked_add(1.month())) => Some(Period::Month),
        () if is(from.checked_add(1.year())) => Some(Period::Year),
        () => None,
    }
}

/// The rows that were counted or taken together, if that is all that the query does.
pub(super) fn counted(query: Query) -> Query {
    let plain = |function| matches!(function, Function::Count | Function::Sum | Function::Average);
    let counts = matches!(query.measures.as_slice(), [only] if plain(only.function));
    match counts && query.group.is_empty() {
        true => Query { measures: Vec::new(), order: None, limit: None, ..query },
        false => query,
    }
}
