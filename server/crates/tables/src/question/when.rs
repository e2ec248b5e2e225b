//! Times in questions: days, months, years, hours, and those that depend on what day it is.

use jiff::civil::{Date, DateTime, time};
use jiff::{ToSpan, Unit};

use crate::tokens::{Token, TokenKind};
use crate::vocabulary::{Role, vocabulary};

/// A time that a question names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum When {
    /// From a moment until before another.
    Span(String, String),
    /// A month of a year that is not said, from 1.
    Month(i8),
    /// A weekday, Monday is 1.
    Weekday(Vec<i8>),
    /// A time of day, and what no longer belongs to it.
    Clock(String, String),
}

/// The time that begins at this token, and how many tokens it takes.
pub(crate) fn when(tokens: &[Token], now: DateTime) -> Option<(When, usize)> {
    let first = tokens.first()?;
    match first.kind {
        TokenKind::Date => return Some((written(&first.text)?, 1)),
        TokenKind::Time => return clock(tokens),
        _ => {}
    }
    half_of_time(tokens, now)
        .or_else(|| quarter(tokens))
        .or_else(|| relative(tokens, now))
        .or_else(|| month(tokens))
        .or_else(|| day_first(tokens))
        .or_else(|| hour(tokens))
        .or_else(|| weekday(first))
        .or_else(|| year(first).map(|year| (years(year), 1)))
}

/// `the first half of april`, `second half of 2025`
fn half_of_time(tokens: &[Token], now: DateTime) -> Option<(When, usize)> {
    let words = vocabulary();
    let lower = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let at = usize::from(lower(0) == "the");
    let second = words.is_relative("second", lower(at));
    if !(second || words.is_relative("first", lower(at))) || !words.is_relative("half", lower(at + 1)) {
        return None;
    }
    let rest = at + 2 + usize::from(lower(at + 2) == "of");
    let (whole, taken) = relative(tokens.get(rest..)?, now)
        .or_else(|| month(&tokens[rest..]))
        .or_else(|| Some((years(tokens.get(rest).and_then(year)?), 1)))?;
    let taken = rest + taken;
    let half = |from: Date, until: Date| {
        // Of a month the first half has fifteen days, of a year six months.
        let month = from.checked_add(1.month()).ok()? >= until;
        let middle = if month { from.checked_add(15.days()) } else { from.checked_add(6.months()) }.ok()?;
        let (from, until) = if second { (middle, until) } else { (from, middle) };
        Some(When::Span(from.to_string(), until.to_string()))
    };
    match whole {
        When::Month(month) => {
            let from = Date::new(0, month, 1).ok()?;
            Some((half(from, from.checked_add(1.month()).ok()?)?, taken))
        }
        When::Span(from, until) => Some((half(from.parse().ok()?, until.parse().ok()?)?, taken)),
        _ => None,
    }
}

/// `q2 2025`, `the second quarter of 2025`
fn quarter(tokens: &[Token]) -> Option<(When, usize)> {
    let words = vocabulary();
    let lower = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let short = lower(0).strip_prefix('q').and_then(|number| number.parse::<i8>().ok());
    let at = usize::from(lower(0) == "the");
    let spelled = || {
        let ordinal = words.set("ordinals").iter().position(|word| word == lower(at))?;
        words.is_relative("quarter", lower(at + 1)).then_some(i8::try_from(ordinal + 1).ok()?)
    };
    let (number, next) = match short {
        Some(number) => (number, 1),
        None => (spelled()?, at + 2),
    };
    let of = next + usize::from(lower(next) == "of");
    let year = tokens.get(of).and_then(year);
    // The year 0 stands for one that is not said; a short name alone is rather a cell.
    let (year, taken) = match year {
        Some(year) => (year, of + 1),
        None => (short.is_none().then_some(0)?, next),
    };
    let from = Date::new(year, 3 * number - 2, 1).ok()?;
    let until = from.checked_add(3.months()).ok()?;
    Some((When::Span(from.to_string(), until.to_string()), taken))
}

fn written(text: &str) -> Option<When> {
    let day: Date = text.get(..10)?.parse().ok()?;
    match text.len() {
        10 => Some(days(day, day)),
        _ => {
            let moment: DateTime = text.replace(' ', "T").parse().ok()?;
            let step = if text.len() > 16 { 1.second() } else { 1.minute() };
            Some(When::Span(moment.to_string(), moment.checked_add(step).ok()?.to_string()))
        }
    }
}

/// `10:30`, `8:05pm`
fn clock(tokens: &[Token]) -> Option<(When, usize)> {
    let text = tokens[0].lower.as_str();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let ending = text[digits.len()..].trim();
    let behind = tokens.get(1).map_or("", |token| token.lower.as_str());
    let (half, taken) = match half(ending) {
        Some(half) => (Some(half), 1),
        None => half_of(behind).map_or((None, 1), |half| (Some(half), 2)),
    };
    let mut parts = digits.split(':').map(|part| part.parse::<i8>().ok());
    let hour = to_24(parts.next()??, half)?;
    let minute = parts.next()??;
    let second = match parts.next() {
        Some(second) => Some(second?),
        None => None,
    };
    let from = jiff::civil::Time::new(hour, minute, second.unwrap_or(0), 0).ok()?;
    let step = if second.is_some() { 1.second() } else { 1.minute() };
    Some((When::Clock(from.to_string(), after(from, step)), taken))
}

/// `10am`, `10 pm`, `noon`
fn hour(tokens: &[Token]) -> Option<(When, usize)> {
    let words = vocabulary();
    let first = &tokens[0];
    if words.is_relative("noon", &first.lower) {
        return Some((When::Clock("12:00:00".to_owned(), "12:01:00".to_owned()), 1));
    }
    if first.kind != TokenKind::Number {
        return None;
    }
    let digits = first.lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = &first.lower[digits.len()..];
    let (half, taken) = match half(ending) {
        Some(half) => (half, 1),
        None if ending.is_empty() => (half_of(&tokens.get(1)?.lower)?, 2),
        None => return None,
    };
    let from = time(to_24(digits.parse().ok()?, Some(half))?, 0, 0, 0);
    Some((When::Clock(from.to_string(), after(from, 1.hour())), taken))
}

/// A time of day, and whether it is the last: nothing of the day is behind it.
fn after(from: jiff::civil::Time, step: jiff::Span) -> String {
    from.checked_add(step).map_or_else(|_| "24".to_owned(), |time| time.to_string())
}

fn half(ending: &str) -> Option<bool> {
    half_of(ending).filter(|_| !ending.is_empty())
}

fn half_of(word: &str) -> Option<bool> {
    let words = vocabulary();
    match (words.is_relative("am", word), words.is_relative("pm", word)) {
        (true, _) => Some(false),
        (_, true) => Some(true),
        _ => None,
    }
}

fn to_24(hour: i8, afternoon: Option<bool>) -> Option<i8> {
    match (hour, afternoon) {
        (12, Some(false)) => Some(0),
        (1..=11, Some(true)) => Some(hour + 12),
        (1..=12, Some(_)) | (0..=23, None) => Some(hour),
        _ => None,
    }
}

/// `march`, `march 2024`, `march 5`, `march 5th, 2024`
fn month(tokens: &[Token]) -> Option<(When, usize)> {
    let first = tokens.first()?;
    let month = vocabulary().month(&first.lower).filter(|_| first.kind == TokenKind::Word)?;
    // `may` is mostly no month, and `sun` and `mar` may be anything.
    let sure = first.lower.len() > 3 || first.text.starts_with(char::is_uppercase);
    let comma = |at: usize| usize::from(tokens.get(at).is_some_and(|token| token.text == ","));
    let at = 1 + usize::from(tokens.get(1).is_some_and(|token| token.lower == "of"));
    if let Some(found) = tokens.get(at).and_then(year) {
        return Some((month_of(found, month)?, at + 1));
    }
    if let Some(day) = tokens.get(1).and_then(day) {
        let at = 2 + comma(2);
        if let Some(year) = tokens.get(at).and_then(year) {
            let day = Date::new(year, month, day).ok()?;
            return Some((days(day, day), at + 1));
        }
        return Some((dated(month, day)?, 2));
    }
    sure.then_some((When::Month(month), 1))
}

/// `5 march`, `5th of march 2024`
fn day_first(tokens: &[Token]) -> Option<(When, usize)> {
    let day = day(tokens.first()?)?;
    let at = 1 + usize::from(tokens.get(1).is_some_and(|token| token.lower == "of"));
    let month = tokens.get(at).filter(|token| token.kind == TokenKind::Word)?;
    let month = vocabulary().month(&month.lower)?;
    match tokens.get(at + 1).and_then(year) {
        Some(year) => {
            let day = Date::new(year, month, day).ok()?;
            Some((days(day, day), at + 2))
        }
        None => Some((dated(month, day)?, at + 1)),
    }
}

/// A day of a year that is not said: the year 0 stands for it until the table tells which.
fn dated(month: i8, day: i8) -> Option<When> {
    let day = Date::new(0, month, day).ok()?;
    Some(days(day, day))
}

fn day(token: &Token) -> Option<i8> {
    let digits = token.lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = &token.lower[digits.len()..];
    let plain = ending.is_empty() || vocabulary().is_relative("day_endings", ending);
    let day: i8 = digits.parse().ok().filter(|_| plain && token.kind == TokenKind::Number)?;
    (1..=31).contains(&day).then_some(day)
}

fn year(token: &Token) -> Option<i16> {
    let year = token.text.parse().ok().filter(|_| token.kind == TokenKind::Number && token.text.len() == 4)?;
    (1900..=2100).contains(&year).then_some(year)
}

fn weekday(token: &Token) -> Option<(When, usize)> {
    let words = vocabulary();
    if words.is_relative("weekend", &token.lower) {
        return Some((When::Weekday(vec![6, 7]), 1));
    }
    let day = words.weekday(&token.lower).filter(|_| token.kind == TokenKind::Word && token.lower.len() > 4)?;
    Some((When::Weekday(vec![day]), 1))
}

/// `today`, `yesterday`, `this month`, `last week`, `the last 7 days`
fn relative(tokens: &[Token], now: DateTime) -> Option<(When, usize)> {
    let words = vocabulary();
    let today = now.date();
    let first = tokens[0].lower.as_str();
    if words.is_relative("today", first) {
        return Some((days(today, today), 1));
    }
    if words.is_relative("yesterday", first) {
        let day = today.yesterday().ok()?;
        return Some((days(day, day), 1));
    }
    // `the biggest invoice of the year`, but not that of the year 2020
    if let [of, the, named, rest @ ..] = tokens
        && of.lower == "of"
        && the.lower == "the"
        && rest.first().is_none_or(|next| next.kind != TokenKind::Number)
        && let Some(unit) = unit(&named.lower)
    {
        return Some((whole(today, now, unit, false)?, 3));
    }
    let at = usize::from(first == "the");
    let word = tokens.get(at)?.lower.as_str();
    let (this, last) = (words.is_relative("this", word), words.is_relative("last", word));
    if !this && !last {
        return None;
    }
    let next = tokens.get(at + 1)?;
    if let Some(unit) = unit(&next.lower) {
        return Some((whole(today, now, unit, last)?, at + 2));
    }
    let count: i64 = next.lower.parse().ok().or_else(|| whole_number(words.number(&next.lower)?))?;
    let unit = tokens.get(at + 2).and_then(|token| unit(&token.lower)).filter(|_| last)?;
    let back = match unit {
        Unit::Minute => count.minutes(),
        Unit::Hour => count.hours(),
        Unit::Day => count.days(),
        Unit::Week => count.weeks(),
        Unit::Month => count.months(),
        _ => count.years(),
    };
    let from = now.checked_sub(back).ok()?;
    let until = today.tomorrow().ok()?.to_string();
    match unit {
        Unit::Minute | Unit::Hour => Some((When::Span(from.to_string(), until), at + 3)),
        _ => Some((When::Span(from.date().tomorrow().ok()?.to_string(), until), at + 3)),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "numbers with names are small")]
/// A number of the vocabulary that is a whole one.
pub(crate) fn whole_number(number: f64) -> Option<i64> {
    (number.fract() == 0.0).then_some(number as i64)
}

/// A calendar unit: this one, or the one before.
fn whole(today: Date, now: DateTime, unit: Unit, last: bool) -> Option<When> {
    let back = i64::from(last);
    match unit {
        Unit::Hour => {
            let from = now.checked_sub(1.hour()).ok()?;
            Some(When::Span(from.to_string(), now.checked_add(1.second()).ok()?.to_string()))
        }
        Unit::Day => {
            let day = today.checked_sub(back.days()).ok()?;
            Some(days(day, day))
        }
        Unit::Week => {
            let offset = i64::from(today.weekday().to_monday_zero_offset());
            let monday = today.checked_sub((offset + 7 * back).days()).ok()?;
            Some(days(monday, monday.checked_add(6.days()).ok()?))
        }
        Unit::Month => {
            let first = today.first_of_month().checked_sub(back.months()).ok()?;
            Some(days(first, first.last_of_month()))
        }
        Unit::Year => Some(years(today.year() - i16::from(last))),
        _ => None,
    }
}

fn unit(word: &str) -> Option<Unit> {
    vocabulary().roles(word).iter().find_map(|role| match role {
        Role::Minute => Some(Unit::Minute),
        Role::Hour => Some(Unit::Hour),
        Role::Day => Some(Unit::Day),
        Role::Week => Some(Unit::Week),
        Role::Month => Some(Unit::Month),
        Role::Year => Some(Unit::Year),
        _ => None,
    })
}

fn month_of(year: i16, month: i8) -> Option<When> {
    let first = Date::new(year, month, 1).ok()?;
    Some(days(first, first.last_of_month()))
}

fn years(year: i16) -> When {
    When::Span(format!("{year:04}-01-01"), format!("{:04}-01-01", year + 1))
}

/// From a day to another, both included.
fn days(from: Date, to: Date) -> When {
    let until = to.tomorrow().unwrap_or(to);
    When::Span(from.to_string(), until.to_string())
}

impl When {
    /// The year, if it is one.
    pub(crate) fn year(&self) -> Option<&str> {
        let Self::Span(from, until) = self else { return None };
        let year = from.strip_suffix("-01-01")?;
        let next = year.parse::<i16>().ok()?.checked_add(1)?;
        (*until == format!("{next:04}-01-01")).then_some(year)
    }

    /// The same in a year: what a table that knows but one year makes of a month or a day.
    pub(crate) fn in_year(&self, year: i16) -> Option<Self> {
        match self {
            Self::Month(month) => month_of(year, *month),
            Self::Span(from, until) if from.starts_with("0000-") => {
                let from: Date = format!("{year:04}{}", &from[4..]).parse().ok()?;
                // What ends with the year ends at the first day of the next.
                let next = year + i16::from(until.starts_with("0001-"));
                let until = format!("{next:04}{}", &until[4..]).parse();
                // The year 0 has a 29th of February, which ends the 28th.
                let until: Date = until.or_else(|_| Date::new(next, 3, 1)).ok()?;
                Some(Self::Span(from.to_string(), until.to_string()))
            }
            other => Some(other.clone()),
        }
    }
}
