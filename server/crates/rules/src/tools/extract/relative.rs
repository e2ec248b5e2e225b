//! Dates that are told from today: `tomorrow`, `in three days`, `next Friday`. Today is what the request says it is, else
//! what the clock says, where the server runs.

use jiff::civil::{self, Weekday};
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan};

use super::dates::date_at;
use super::mention::Date;
use super::numbers::number_at;
use super::request::Request;
use switchboard_runtime::now;

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// The date that begins at this place, and where it ends.
pub(super) fn relative_at(request: &Request, place: usize) -> Option<(Date, usize)> {
    let (away, to) = days(request, place).or_else(|| counted(request, place))?;
    let date = today(request)?.checked_add(away).ok()?;
    Some((told(date), to))
}

/// A day of the week, the first one after today; behind `last` the last one before it.
pub(super) fn weekday_at(request: &Request, place: usize) -> Option<(Date, usize)> {
    let forward = request.is(place, &["next", "this", "coming"]);
    let backward = request.is(place, &["last", "past"]);
    let at = place + usize::from(forward || backward);
    let led =
        || place.checked_sub(1).is_some_and(|before| request.is(before, &["on", "by", "until", "before", "from"]));
    if !(forward || backward || led()) {
        return None;
    }
    let day = weekday(request, at)?;
    let today = today(request)?;
    let date = today.nth_weekday(if backward { -1 } else { 1 }, day).ok()?;
    Some((told(date), at + 1))
}

fn weekday(request: &Request, place: usize) -> Option<Weekday> {
    WEEKDAYS.iter().find(|(name, _)| request.is(place, &[name])).map(|(_, day)| *day)
}

/// A day by its own word.
fn days(request: &Request, place: usize) -> Option<(Span, usize)> {
    let after = |words: &[&[&str]]| {
        words.iter().enumerate().all(|(at, words)| request.is(place + at, words)).then_some(place + words.len())
    };
    if let Some(to) = after(&[&["day"], &["after"], &["tomorrow"]]) {
        return Some((2.days(), to));
    }
    if let Some(to) = after(&[&["day"], &["before"], &["yesterday"]]) {
        return Some(((-2).days(), to));
    }
    let away = match () {
        () if request.is(place, &["today", "tonight"]) && !request.is(place + 1, &["is"]) => 0,
        () if request.is(place, &["tomorrow"]) => 1,
        () if request.is(place, &["yesterday"]) => -1,
        () => return None,
    };
    Some((away.days(), place + 1))
}

/// `in three days`, `2 weeks ago`, `a month from now`.
fn counted(request: &Request, place: usize) -> Option<(Span, usize)> {
    let ahead = request.is(place, &["in"]);
    let at = place + usize::from(ahead);
    let (count, to) = match number_at(request, at) {
        Some((number, to)) if number.value.fract() == 0.0 && (1.0..=1000.0).contains(&number.value) => {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 1000")]
            let count = number.value as i64;
            (count, to)
        }
        None if request.is(at, &["a", "an"]) => (1, at + 1),
        _ => return None,
    };
    let unit = |names: &[&str]| request.is(to, names);
    let span = match () {
        () if unit(&["day", "days"]) => count.days(),
        () if unit(&["week", "weeks"]) => count.weeks(),
        () if unit(&["month", "months"]) => count.months(),
        () if unit(&["year", "years"]) => count.years(),
        () => return None,
    };
    match () {
        () if ahead => Some((span, to + 1)),
        () if request.is(to + 1, &["ago"]) => Some((-span, to + 2)),
        () if request.is(to + 1, &["from"]) && request.is(to + 2, &["now", "today"]) => Some((span, to + 3)),
        () => None,
    }
}

/// What day it is: as the request says (`today is March 1st, 2024`), else by the clock.
fn today(request: &Request) -> Option<civil::Date> {
    let said = |place: usize| {
        let is = request.is(place, &["today", "today's"]) && request.is(place + 1, &["is", "date"]);
        let mut dates = (place + 2..place + 5).filter(|_| is).filter_map(|at| date_at(request, at));
        dates.next().and_then(|(date, _)| day_of(&date))
    };
    let stated = (0..request.tokens.len()).find_map(said);
    stated.or(request.today).or_else(|| Some(now().to_zoned(TimeZone::system()).date()))
}

fn day_of(date: &Date) -> Option<civil::Date> {
    let (year, month, day) = (date.year?, date.month, date.day?);
    civil::Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

fn told(date: civil::Date) -> Date {
    let of = |part: i8| u32::from(part.unsigned_abs());
    let year = u32::from(date.year().unsigned_abs());
    Date { year: Some(year), month: of(date.month()), day: Some(of(date.day())), iso: false, relative: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a Wednesday's request comes to.
    fn check(text: &str, wanted: Option<&str>) {
        let request = Request::on(text, civil::date(2024, 2, 28));
        let found = (0..request.tokens.len())
            .find_map(|place| relative_at(&request, place).or_else(|| weekday_at(&request, place)));
        let written = found
            .map(|(date, _)| format!("{:04}-{:02}-{:02}", date.year.unwrap_or(0), date.month, date.day.unwrap_or(0)));
        assert_eq!(written.as_deref(), wanted, "{text}");
    }

    #[test]
    fn dates_are_told_from_today() {
        check("Remind me tomorrow", Some("2024-02-29"));
        check("Meet the day after tomorrow", Some("2024-03-01"));
        check("What did I do yesterday?", Some("2024-02-27"));
        check("Book it in three days", Some("2024-03-02"));
        check("What was sold 2 weeks ago?", Some("2024-02-14"));
        check("A month from now", Some("2024-03-28"));
        check("Call her on Friday", Some("2024-03-01"));
        check("Call her next Wednesday", Some("2024-03-06"));
        check("Since last Monday", Some("2024-02-26"));
    }

    #[test]
    fn what_the_request_says_of_today_goes_before_the_clock() {
        check("Today is March 1st, 2023. Book it for tomorrow.", Some("2023-03-02"));
    }

    #[test]
    fn what_only_has_such_words_is_no_date() {
        for text in ["a plan for 3 days", "in the morning", "Friday", "in 5 km", "in 99999999 days"] {
            check(text, None);
        }
    }
}
