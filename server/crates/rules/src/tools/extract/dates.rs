//! Dates and times of day, as people write them, and as a description wants them.

use super::mention::{Date, Time};
use super::request::Request;
use crate::data::MONTHS;

/// The date that begins at this place, and where it ends.
pub(super) fn date_at(request: &Request, place: usize) -> Option<(Date, usize)> {
    let token = request.token(place).filter(|token| !token.is_literal())?;
    if let Some(date) = figures(&token.lower) {
        return Some((date, place + 1));
    }
    worded(request, place)
}

/// `2024-03-22`, `03/22/2024`, `22.03.2024`, `2023.10.1`, `2024/3/22`, `2024-03-22T10:00:00Z`.
fn figures(text: &str) -> Option<Date> {
    let text = text.split_once('t').map_or(text, |(day, time)| if time.contains(':') { day } else { text });
    let parts: Vec<&str> = text.split(['-', '/', '.']).collect();
    let numbers: Vec<u32> = parts.iter().map(|part| small(part)).collect::<Option<_>>()?;
    match (numbers.as_slice(), parts.as_slice()) {
        (&[year, month, day], [written, ..]) if written.len() == 4 => valid(Some(year), month, Some(day), true),
        (&[one, other, year], [.., written]) if written.len() == 4 => {
            let american = valid(Some(year), one, Some(other), false);
            if text.contains('.') { valid(Some(year), other, Some(one), false) } else { american }
                .or_else(|| valid(Some(year), other, Some(one), false))
        }
        (&[year, month], [written, _]) if written.len() == 4 && !text.contains('.') => {
            valid(Some(year), month, None, true)
        }
        _ => None,
    }
}

fn small(part: &str) -> Option<u32> {
    (1..=4).contains(&part.len()).then(|| part.parse().ok()).flatten()
}

fn valid(year: Option<u32>, month: u32, day: Option<u32>, iso: bool) -> Option<Date> {
    let fits = (1..=12).contains(&month) && day.is_none_or(|day| (1..=31).contains(&day));
    let fits = fits && year.is_none_or(|year| (1000..=2999).contains(&year));
    fits.then_some(Date { year, month, day, iso, relative: false })
}

/// `March 22nd, 2024`, `22 March 2024`, `the 22nd of March`, `Mar 2024`.
fn worded(request: &Request, place: usize) -> Option<(Date, usize)> {
    if let Some(month) = month(request, place) {
        if let Some(day) = day(request, place + 1) {
            let (year, to) = year_behind(request, place + 2);
            return valid(year, month, Some(day), false).map(|date| (date, to));
        }
        let (year, to) = year_behind(request, place + 1);
        year?;
        return valid(year, month, None, false).map(|date| (date, to));
    }
    let day = day(request, place)?;
    let at = if request.is(place + 1, &["of"]) { place + 2 } else { place + 1 };
    let month = month(request, at)?;
    let (year, to) = year_behind(request, at + 1);
    valid(year, month, Some(day), false).map(|date| (date, to))
}

fn month(request: &Request, place: usize) -> Option<u32> {
    let token = request.token(place).filter(|token| !token.is_literal())?;
    let capital = token.text.starts_with(char::is_uppercase);
    let fits = |name: &str| {
        *name == token.lower
            || (token.lower.len() >= 3 && capital && name.starts_with(&token.lower) && token.lower.len() <= 4)
    };
    let found = MONTHS.iter().position(|name| fits(name))?;
    u32::try_from(found + 1).ok()
}

fn day(request: &Request, place: usize) -> Option<u32> {
    let token = request.token(place).filter(|token| !token.is_literal())?;
    let bare = token.lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = &token.lower[bare.len()..];
    let day: u32 = bare.parse().ok()?;
    ((1..=31).contains(&day) && bare.len() <= 2 && matches!(ending, "" | "st" | "nd" | "rd" | "th")).then_some(day)
}

fn year_behind(request: &Request, place: usize) -> (Option<u32>, usize) {
    let at = if request.is_mark(place, ",") || request.is(place, &["of", "in"]) { place + 1 } else { place };
    let year = request.token(at).filter(|token| token.lower.len() == 4).and_then(|token| token.lower.parse().ok());
    match year.filter(|year| (1000..=2999).contains(year)) {
        Some(year) => (Some(year), at + 1),
        None => (None, place),
    }
}

/// The time that begins at this place, and where it ends: `10:30`, `5pm`, `5:30 PM`.
pub(super) fn time_at(request: &Request, place: usize) -> Option<(Time, usize)> {
    let token = request.token(place).filter(|token| !token.is_literal())?;
    let (bare, half) = match token.lower.replace("a.m", "am").replace("p.m", "pm") {
        text if text.ends_with("am") => (text[..text.len() - 2].to_owned(), Some(0)),
        text if text.ends_with("pm") => (text[..text.len() - 2].to_owned(), Some(12)),
        text => (text, None),
    };
    let parts: Vec<&str> = bare.split(':').collect();
    let numbers: Vec<u32> = parts.iter().map(|part| small(part).filter(|_| part.len() <= 2)).collect::<Option<_>>()?;
    let next = request.token(place + 1).map(|next| next.lower.replace('.', ""));
    let (half, to) = match (half, next.as_deref()) {
        (None, Some("am")) => (Some(0), place + 2),
        (None, Some("pm")) => (Some(12), place + 2),
        (half, _) => (half, place + 1),
    };
    if parts.len() == 1 && half.is_none() {
        return None;
    }
    let hour = match half {
        Some(half) => numbers[0] % 12 + half,
        None => numbers[0],
    };
    let time = Time { hour, minute: numbers.get(1).copied().unwrap_or(0), second: numbers.get(2).copied() };
    (hour < 24 && time.minute < 60 && numbers.len() <= 3 && numbers[0] <= 24).then_some((time, to))
}

/// The date as the description of a parameter wants it; as it was written when it wants nothing.
pub(super) fn written(date: &Date, time: Option<&Time>, wanted: &str, text: &str) -> String {
    let (Some(year), Some(day)) = (date.year, date.day) else {
        return match (date.year, wanted.contains("yyyy-mm") && !wanted.contains("yyyy-mm-dd")) {
            (Some(year), true) => format!("{year:04}-{:02}", date.month),
            _ => text.to_owned(),
        };
    };
    let month = date.month;
    let (hour, minute, second) = time.map_or((0, 0, 0), |time| (time.hour, time.minute, time.second.unwrap_or(0)));
    if wanted.contains("hh:mm:ssz")
        || wanted.contains("thh:mm")
        || wanted.contains("t00:00:00")
        || wanted.contains("t12:00:00")
    {
        return format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
    }
    if wanted.contains("hh:mm:ss") {
        return format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
    }
    if wanted.contains("hh:mm") && wanted.contains("yyyy-mm-dd") {
        return format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}");
    }
    if wanted.contains("yyyy-mm-dd") || wanted.contains("iso") {
        format!("{year:04}-{month:02}-{day:02}")
    } else if wanted.contains("mm/dd/yyyy") || wanted.contains("mm-dd-yyyy") {
        let mark = if wanted.contains("mm/dd") { '/' } else { '-' };
        format!("{month:02}{mark}{day:02}{mark}{year:04}")
    } else if wanted.contains("dd/mm/yyyy") || wanted.contains("dd-mm-yyyy") {
        let mark = if wanted.contains("dd/mm") { '/' } else { '-' };
        format!("{day:02}{mark}{month:02}{mark}{year:04}")
    } else if wanted.contains("yyyy/mm/dd") {
        format!("{year:04}/{month:02}/{day:02}")
    } else if has_iso_example(wanted)
        || !date.relative && !wanted.contains("format") && !wanted.contains(|c: char| c.is_ascii_digit())
    {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        text.to_owned()
    }
}

/// Whether the description shows a date in figures: `2023-01-01`.
fn has_iso_example(wanted: &str) -> bool {
    wanted.split(|c: char| !(c.is_ascii_digit() || c == '-')).any(|word| figures(word).is_some_and(|date| date.iso))
}

/// The time as the description wants it.
pub(super) fn time_written(time: &Time, wanted: &str, text: &str) -> String {
    let Time { hour, minute, second } = *time;
    if wanted.contains("hh:mm:ss") {
        return format!("{hour:02}:{minute:02}:{:02}", second.unwrap_or(0));
    }
    let shows = wanted.contains("hh:mm") || wanted.contains("24-hour") || wanted.contains("24 hour");
    if shows { format!("{hour:02}:{minute:02}") } else { text.to_owned() }
}
