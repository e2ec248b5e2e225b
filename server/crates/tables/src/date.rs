//! Dates in cells as ISO text, whose order is the order of time.

use jiff::civil;
use jiff::fmt::strtime;

use crate::vocabulary::vocabulary;

/// How a column writes its dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// `2024-03-01`, with a time and a zone or without.
    Iso,
    /// One of [`DAYS`], with a time behind it or without.
    Day(&'static str),
}

/// Formats of days, as `strptime` names them. `%d/%m` and `%m/%d` are told apart by the whole column.
const DAYS: &[&str] = &[
    "%Y/%m/%d",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%b %d %Y",
    "%B %d %Y",
    "%d-%b-%Y",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
];

/// What reads as an earlier year is no date.
const FIRST_YEAR: i16 = 1000;

const TIMES: &[&str] = &["", " %H:%M:%S", " %H:%M"];

/// How cells name stretches of time that are no dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Periods {
    /// `2026-01`, `2026-Q1`, `2026-W07`: their texts stand in the order of time.
    Numbered,
    /// Months or weekdays by name: the order of time is that in which people write them down.
    Named,
}

/// What stretches of time these cells name, if all of them do.
pub(crate) fn periods<'a>(cells: impl Iterator<Item = &'a str>) -> Option<Periods> {
    let mut found = None;
    for cell in cells.map(str::trim).filter(|cell| !cell.is_empty()) {
        let word = cell.to_lowercase();
        let named = || vocabulary().month(&word).is_some() || vocabulary().weekday(&word).is_some();
        let is = if is_numbered(&word) { Periods::Numbered } else { Periods::Named };
        if *found.get_or_insert(is) != is || (is == Periods::Named && !named()) {
            return None;
        }
    }
    found
}

/// Four digits of a year, and behind them two of a month, or the number of a quarter, a half or a week.
fn is_numbered(word: &str) -> bool {
    let digits = |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((year, rest)) = word.split_at_checked(4) else { return false };
    let part = rest.strip_prefix(['-', ' ', '/', '.']).unwrap_or(rest);
    let numbered = |signs: [char; 2], length| part.strip_prefix(signs).is_some_and(|number| digits(number, length));
    digits(year, 4) && (digits(part, 2) || numbered(['q', 'h'], 1) || numbered(['w', 'w'], 2))
}

/// The format in which nearly all of the cells are dates, if it is certain.
pub(crate) fn format_of(cells: &[&str]) -> Option<Format> {
    let all = |format: Format| {
        let read = cells.iter().filter(|cell| parse(cell, format).is_some()).count();
        !cells.is_empty() && read * 10 >= cells.len() * 9
    };
    if all(Format::Iso) {
        return Some(Format::Iso);
    }
    let first = cells.iter().find(|cell| cell.chars().any(|c| c.is_ascii_digit()))?;
    if first.len() > 40 || !first.chars().any(|c| matches!(c, '/' | '.' | '-' | ' ')) {
        return None;
    }
    let fitting: Vec<Format> = DAYS.iter().map(|day| Format::Day(day)).filter(|format| all(*format)).collect();
    // 03/04/2024 is two days: with nothing to tell which, it is text.
    let days = |format: Format| cells.iter().map(|cell| parse(cell, format)).collect::<Vec<_>>();
    let first = *fitting.first()?;
    fitting[1..].iter().all(|other| days(*other) == days(first)).then_some(first)
}

/// A cell as ISO text; with a time if it has one that is not midnight to the second.
pub(crate) fn parse(cell: &str, format: Format) -> Option<String> {
    let cell = cell.trim();
    match format {
        Format::Iso => iso(cell),
        Format::Day(day) => TIMES.iter().find_map(|time| {
            let parts = strtime::parse(format!("{day}{time}"), cell).ok()?;
            // `4.1.7` is a version.
            let date = parts.to_date().ok().filter(|date| date.year() >= FIRST_YEAR)?;
            Some(match time.is_empty() {
                true => date.to_string(),
                false => date.to_datetime(parts.to_time().ok()?).to_string(),
            })
        }),
    }
}

/// `2024-03-01`, `2024-03-01T09:12:00Z`, `2024-03-01 09:12:00,123 +0100`: the time as it is written.
fn iso(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let shaped = bytes.len() >= 10
        && bytes[..10].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !shaped {
        return None;
    }
    let day: civil::Date = text[..10].parse().ok()?;
    let rest = &text[10..];
    if rest.is_empty() {
        return Some(day.to_string());
    }
    let time = rest.strip_prefix(['T', ' '])?;
    let digits = time.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b':').count();
    let (clock, rest) = time.split_at(digits);
    let clock = match clock.len() {
        5 => format!("{clock}:00"),
        8 => clock.to_owned(),
        _ => return None,
    };
    clock.parse::<civil::Time>().ok()?;
    let fraction = rest.strip_prefix(['.', ',']).map_or(0, |f| 1 + f.bytes().take_while(u8::is_ascii_digit).count());
    let zone = rest[fraction..].trim();
    let is_zone = zone.is_empty()
        || zone.eq_ignore_ascii_case("z")
        || zone.eq_ignore_ascii_case("utc")
        || zone.strip_prefix(['+', '-']).is_some_and(|offset| {
            matches!(offset.len(), 2 | 4 | 5) && offset.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
        });
    let fraction = rest[..fraction].replace(',', ".");
    is_zone.then(|| format!("{day}T{clock}{fraction}"))
}

/// Whether the cells name different zones, so that the times as they are written cannot be compared.
pub(crate) fn zones_differ(cells: &[&str]) -> bool {
    let zone = |cell: &&str| {
        let time = cell.trim().get(11..).unwrap_or_default();
        time.find(['+', '-', 'Z', 'z']).map_or("", |at| &time[at..]).to_uppercase()
    };
    let mut zones = cells.iter().map(zone);
    let first = zones.next();
    zones.any(|zone| Some(&zone) != first.as_ref())
}
