//! Days, times of the day, lengths of time, zones.

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZoneDatabase;
use jiff::{Span, ToSpan};

use super::context::{Context, Found};
use super::{lines, numbers};
use crate::slots::{SlotType, SlotValue};

pub(super) fn find(context: &Context, at: usize, found: &mut Vec<Found>) {
    let today = context.today;
    let days = [iso(context, at), named(context, at, today), weekday(context, at, today), month(context, at, today)];
    for (date, length) in days.into_iter().flatten().chain(away(context, at, today)) {
        let cost = if length == 1 && context.lower(at).len() < 4 { 0.1 } else { 0.0 };
        found.push(Found::new(length, &[SlotType::Date], SlotValue::Date { date }).costs(cost));
    }
    if let Some((time, length)) = time(context, at) {
        found.push(Found::new(length, &[SlotType::Time], SlotValue::Time { time }));
    }
    if let Some((seconds, text, length)) = duration(context, at) {
        found.push(Found::new(length, &[SlotType::Duration], SlotValue::Duration { seconds, text }));
    }
    zone(context, at, found);
}

/// `2024-03-05`, `5.3.2024`, `3/5/2024` (the month first, unless it is above 12).
fn iso(context: &Context, at: usize) -> Option<(Date, usize)> {
    let word = context.lower(at);
    if let Ok(date) = word.parse::<Date>()
        && word.contains('-')
    {
        return Some((date, 1));
    }
    let parts = |mark: char| -> Option<Vec<i16>> {
        let parts = word.split(mark).map(str::parse).collect::<Result<Vec<_>, _>>().ok()?;
        (parts.len() == 3).then_some(parts)
    };
    let date = |year: i16, month: i16, day: i16| {
        let year = if (0..100).contains(&year) { year + 2000 } else { year };
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    };
    let found = match (parts('.'), parts('/')) {
        (Some(parts), _) => date(parts[2], parts[1], parts[0]),
        (_, Some(parts)) if parts[0] > 31 => date(parts[0], parts[1], parts[2]),
        (_, Some(parts)) if parts[0] > 12 => date(parts[2], parts[1], parts[0]),
        (_, Some(parts)) => date(parts[2], parts[0], parts[1]),
        _ => None,
    };
    found.map(|date| (date, 1))
}

/// "today", "tomorrow", "the day after tomorrow", "christmas", "the end of the year".
fn named(context: &Context, at: usize, today: Date) -> Option<(Date, usize)> {
    let (meaning, length) = context.means("days", at)?;
    if let Ok(days) = meaning.parse::<i64>() {
        return Some((today.checked_add(days.days()).ok()?, length));
    }
    let date = match meaning {
        "end of month" => today.last_of_month(),
        "end of year" => today.last_of_year(),
        "first of next month" => today.last_of_month().tomorrow().ok()?,
        "first of next year" => today.last_of_year().tomorrow().ok()?,
        holiday => {
            let (month, day) = holiday.split_once('-')?;
            next_of(month.parse().ok()?, day.parse().ok()?, today)?
        }
    };
    Some((date, length))
}

/// "friday", "next friday", "last monday".
fn weekday(context: &Context, at: usize, today: Date) -> Option<(Date, usize)> {
    let which = context.one_means("which_day", at);
    let place = at + usize::from(which.is_some());
    let number: i8 = context.one_means("weekdays", place)?.parse().ok()?;
    let weekday = Weekday::from_monday_one_offset(number).ok()?;
    let nth = if which == Some("before") { -1 } else { 1 };
    let date = if which == Some("this") && today.weekday() == weekday {
        today
    } else {
        today.nth_weekday(nth, weekday).ok()?
    };
    Some((date, place + 1 - at))
}

/// "march 5th 2025", "5 march", "the 5th of march".
fn month(context: &Context, at: usize, today: Date) -> Option<(Date, usize)> {
    let month = |at: usize| -> Option<i8> { context.one_means("months", at)?.parse().ok() };
    let day = |at: usize| -> Option<i8> {
        let day = lines::ordinal(context, at).or_else(|| context.lower(at).parse().ok())?;
        i8::try_from(day).ok().filter(|day| (1..=31).contains(day))
    };
    let (month, day, mut length) = if let Some(month) = month(at) {
        let of = usize::from(context.lower(at + 1) == "the");
        (month, day(at + 1 + of)?, 2 + of)
    } else {
        let of = usize::from(context.lower(at + 1) == "of");
        (month(at + 1 + of)?, day(at)?, 2 + of)
    };
    if context.tokens.get(at + length).is_some_and(|token| token.text == ",")
        && year(context, at + length + 1).is_some()
    {
        length += 1;
    }
    match year(context, at + length) {
        Some(year) => Some((Date::new(year, month, day).ok()?, length + 1)),
        None => Some((next_of(month, day, today)?, length)),
    }
}

fn year(context: &Context, at: usize) -> Option<i16> {
    context.lower(at).parse().ok().filter(|year| (1000..=9999).contains(year))
}

/// The next such day, today included.
fn next_of(month: i8, day: i8, today: Date) -> Option<Date> {
    let this = Date::new(today.year(), month, day).ok()?;
    if this >= today { Some(this) } else { Date::new(today.year() + 1, month, day).ok() }
}

/// "in 3 days", "2 weeks ago", "a month from now".
fn away(context: &Context, at: usize, today: Date) -> Option<(Date, usize)> {
    let ahead = usize::from(context.lower(at) == "in");
    let (amount, length) = amount(context, at + ahead)?;
    let (unit, words) = context.means("calendar", at + ahead + length)?;
    let end = at + ahead + length + words;
    #[expect(clippy::cast_possible_truncation, reason = "it is checked to be in range")]
    let amount = if (0.0..1e6).contains(&amount) && amount.fract() == 0.0 { amount as i32 } else { return None };
    let direction = context.means("from_now", end);
    let (sign, after) = match direction {
        Some((direction, after)) => (if direction == "ago" { -1 } else { 1 }, after),
        None if ahead == 1 => (1, 0),
        None => return None,
    };
    let amount = i64::from(amount * sign);
    let span = match unit {
        "day" => Span::new().try_days(amount),
        "week" => Span::new().try_weeks(amount),
        "month" => Span::new().try_months(amount),
        _ => Span::new().try_years(amount),
    };
    Some((today.checked_add(span.ok()?).ok()?, end + after - at))
}

/// A number, or "a" as one.
fn amount(context: &Context, at: usize) -> Option<(f64, usize)> {
    let one = || context.is_in("one", at).then_some((1.0, 1));
    numbers::number(context, at).or_else(one)
}

/// `14:30`, "3pm", "3:15 pm", "noon".
fn time(context: &Context, at: usize) -> Option<(Time, usize)> {
    if let Some((time, length)) = context.means("times", at) {
        return Some((time.parse().ok()?, length));
    }
    let word = context.lower(at);
    let digits = word.trim_end_matches(char::is_alphabetic);
    let (half, length) = match &word[digits.len()..] {
        "" => (context.one_means("halves", at + 1), 2),
        ending => (Some(context.lexicon.means("halves", ending)?), 1),
    };
    let mut parts = digits.splitn(3, ':');
    let mut part = || parts.next().map(str::parse::<i8>);
    let hour = part()?.ok()?;
    let (minute, second) = (part(), part());
    if half.is_none() && minute.is_none() {
        return None;
    }
    let hour = match half {
        Some("pm") if hour < 12 => hour + 12,
        Some("am") if hour == 12 => 0,
        _ => hour,
    };
    let time = Time::new(hour, minute.unwrap_or(Ok(0)).ok()?, second.unwrap_or(Ok(0)).ok()?, 0).ok()?;
    Some((time, if half.is_some() { length } else { 1 }))
}

/// "2 hours", "an hour and 30 minutes", `90s`, `1h30m`: seconds, as it is written, tokens.
fn duration(context: &Context, at: usize) -> Option<(f64, String, usize)> {
    let mut end = at;
    let (mut seconds, mut parts) = (0.0, Vec::new());
    while parts.len() < 4 {
        let joined = usize::from(!parts.is_empty() && matches!(context.lower(end), "and"));
        let Some((value, unit, length)) = one_duration(context, end + joined) else { break };
        seconds += value * unit.parse::<f64>().ok()?;
        parts.push(
            context.tokens[end + joined..end + joined + length]
                .iter()
                .map(|token| token.text.as_str())
                .collect::<Vec<_>>()
                .join(" "),
        );
        end += joined + length;
    }
    (end > at && f64::is_finite(seconds)).then(|| (seconds, parts.join(" "), end - at))
}

fn one_duration<'a>(context: &'a Context, at: usize) -> Option<(f64, &'a str, usize)> {
    if let Some((value, length)) = amount(context, at)
        && let Some((unit, words)) = context.means("durations", at + length)
    {
        return Some((value, unit, length + words));
    }
    let word = context.lower(at);
    let end = word.find(char::is_alphabetic)?;
    let value = numbers::digits(&word[..end])?;
    Some((value, context.lexicon.means("durations", &word[end..])?, 1))
}

/// A zone by its city, its name or a place of `words.toml`.
fn zone(context: &Context, at: usize, found: &mut Vec<Found>) {
    for length in (1..=3).rev() {
        let Some(words) = context.words(at, length) else { continue };
        let zone = context.runs.means("zones", at, length).or_else(|| cities().get(words).map(String::as_str));
        if let Some(zone) = zone {
            let name =
                context.tokens[at..at + length].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
            let value = SlotValue::Zone { zone: zone.to_owned(), name };
            found.push(Found::new(length, &[SlotType::Zone], value));
        }
    }
}

/// The zones by the cities that they are named after, and by their own names.
fn cities() -> &'static HashMap<String, String> {
    static CITIES: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
        let mut cities = HashMap::new();
        for name in TimeZoneDatabase::bundled().available() {
            let zone = name.as_str();
            if let Some((_, city)) = zone.rsplit_once('/').filter(|(area, _)| *area != "Etc") {
                cities.insert(city.replace('_', " ").to_lowercase(), zone.to_owned());
            }
            cities.insert(zone.to_lowercase(), zone.to_owned());
        }
        cities
    });
    &CITIES
}
