//! Replies about dates and the clock.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan, Unit, Zoned};
use serde_json::Value;

use super::done::{Done, Reply};
use super::shape::counted;
use super::show::cut_line;
use switchboard_events::ArtifactValue;

/// The replies about dates.
pub(super) const REPLIES: &[(&str, Reply)] = &[
    ("time", time),
    ("date_diff", date_diff),
    ("date_shift", date_shift),
    ("weekday", weekday),
    ("zone_diff", zone_diff),
    ("zone_time", zone_time),
];

fn date(done: &Done<'_>, slot: &str) -> Result<Option<Date>, String> {
    let Some(text) = done.slots.text(slot) else { return Ok(None) };
    text.parse()
        .map(Some)
        .map_err(|_| format!("{} is no date that I can read; write it as 2026-03-14.", cut_line(text)))
}

fn told(date: Date) -> String {
    date.strftime("%A, %-d %B %Y").to_string()
}

/// `time`: what the clock says.
fn time(done: &Done<'_>) -> Result<String, String> {
    let ArtifactValue::Json(json) = done.value()? else { return Ok(done.last()?.view.clone()) };
    let text = |key: &str| json.get(key).and_then(Value::as_str).unwrap_or_default();
    let date: Date = text("date").parse().map_err(|_| done.last().map(|last| last.view.clone()).unwrap_or_default())?;
    let zone = text("timezone").replace('_', " ");
    let minutes = text("time").get(..5).unwrap_or_default().to_owned();
    Ok(match done.slots.text("part") {
        Some("date") => format!("It is **{}** ({zone}).", told(date)),
        Some("weekday") => format!("It is **{}**.", date.strftime("%A")),
        Some("week") => format!("It is week **{}** of {}.", date.iso_week_date().week(), date.iso_week_date().year()),
        Some("month") => format!("It is **{}**.", date.strftime("%B %Y")),
        Some("year") => format!("It is **{}**.", date.year()),
        _ => format!("It is **{minutes}** on {} ({zone}).", told(date)),
    })
}

/// `date_diff`.
fn date_diff(done: &Done<'_>) -> Result<String, String> {
    let today = done.now.date();
    let from = date(done, "from")?.unwrap_or(today);
    let to = date(done, "to")?.or(date(done, "date")?).ok_or("You did not say until which day.")?;
    let days = days_between(from, to);
    let amount = match done.slots.text("unit") {
        Some("weeks") => whole_and_rest(days, 7, "week"),
        Some(unit @ ("months" | "years")) => calendar(from, to, unit)?,
        Some("workdays") => counted(workdays(from, to), "working day"),
        _ => whole_and_rest(days, 1, "day"),
    };
    let weekday = to.strftime("%A, %-d %B %Y");
    Ok(match (from == today, days) {
        (true, 0) => format!("{weekday} is **today**."),
        (true, 1..) => format!("**{amount}** until {weekday}."),
        (true, _) => format!("{weekday} was **{amount} ago**."),
        (false, _) => format!("**{amount}** from {} to {weekday}.", told(from)),
    })
}

fn days_between(from: Date, to: Date) -> i64 {
    i64::from(from.until((Unit::Day, to)).map(|span| span.get_days()).unwrap_or_default())
}

fn whole_and_rest(days: i64, length: u64, unit: &str) -> String {
    let days = days.unsigned_abs();
    let (whole, rest) = (days / length, days % length);
    let of = |count: u64, what: &str| counted(usize::try_from(count).unwrap_or_default(), what);
    if rest == 0 { of(whole, unit) } else { format!("{} and {}", of(whole, unit), of(rest, "day")) }
}

fn calendar(from: Date, to: Date, unit: &str) -> Result<String, String> {
    let (early, late) = (from.min(to), from.max(to));
    let largest = if unit == "years" { Unit::Year } else { Unit::Month };
    let span = early.until((largest, late)).map_err(|error| error.to_string())?;
    let parts = [
        (i64::from(span.get_years()), "year"),
        (i64::from(span.get_months()), "month"),
        (i64::from(span.get_days()), "day"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| counted(usize::try_from(count).unwrap_or_default(), what))
        .collect();
    Ok(if parts.is_empty() { "0 days".to_owned() } else { parts.join(", ") })
}

fn workdays(from: Date, to: Date) -> usize {
    let (early, late) = (from.min(to), from.max(to));
    let open = |day: &Date| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    early.series(1.day()).skip(1).take_while(|day| *day <= late).take(100_000).filter(open).count()
}

/// `date_shift`: a date so much later, or earlier.
fn date_shift(done: &Done<'_>) -> Result<String, String> {
    let from = date(done, "from")?.or(date(done, "date")?);
    let said = done.slots.need("duration")?;
    let span: Span = said.parse().map_err(|_| format!("`{said}` is no length of time that I can read."))?;
    let span = if done.slots.number("sign") == Some(-1.0) { span.negate() } else { span };
    if span.get_hours() != 0 || span.get_minutes() != 0 || span.get_seconds() != 0 {
        let then = done.now.checked_add(span).map_err(|error| error.to_string())?;
        return Ok(format!("It will be **{}**.", then.strftime("%H:%M on %A, %-d %B %Y")));
    }
    let then = from.unwrap_or(done.now.date()).checked_add(span).map_err(|error| error.to_string())?;
    Ok(format!("That is **{}** ({then}).", told(then)))
}

/// `weekday`: what a day is in its week and year.
fn weekday(done: &Done<'_>) -> Result<String, String> {
    let today = done.now.date();
    let part =
        |slot: &str, now: i16| done.slots.whole(slot).and_then(|number| i16::try_from(number).ok()).unwrap_or(now);
    let said = done.slots.get("year").or(done.slots.get("month")).map(|_| {
        let month = i8::try_from(part("month", 1)).unwrap_or(1);
        Date::new(part("year", today.year()), month, 1).map_err(|error| format!("There is no such month: {error}."))
    });
    let day = date(done, "date")?.map_or_else(|| said.unwrap_or(Ok(today)), Ok)?;
    let year = day.year();
    Ok(match done.slots.text("part") {
        Some("week") => format!("{} is in week **{}**.", told(day), day.iso_week_date().week()),
        Some("day of the year") => format!("{} is day **{}** of {year}.", told(day), day.day_of_year()),
        Some("days in month") => format!("{} has **{} days**.", day.strftime("%B %Y"), day.days_in_month()),
        Some("leap year") => match day.in_leap_year() {
            true => format!("Yes, {year} is a leap year."),
            false => format!("No, {year} is no leap year."),
        },
        _ => format!("{day} is a **{}**.", day.strftime("%A")),
    })
}

fn zoned(done: &Done<'_>, slot: &str) -> Result<Zoned, String> {
    match done.slots.text(slot) {
        None => Ok(done.now.clone()),
        Some(zone) => done.now.in_tz(zone).map_err(|_| format!("I do not know the time zone {zone}.")),
    }
}

/// `zone_diff`: the hours between two zones now.
fn zone_diff(done: &Done<'_>) -> Result<String, String> {
    let (there, here) = (zoned(done, "zone")?, zoned(done, "other")?);
    let minutes = (there.offset().seconds() - here.offset().seconds()) / 60;
    let hours = f64::from(minutes.abs()) / 60.0;
    let name = |zone: &Zoned| zone.time_zone().iana_name().unwrap_or("here").replace('_', " ");
    Ok(match minutes {
        0 => format!("{} and {} have the same time.", name(&there), name(&here)),
        1.. => format!("{} is **{hours} hours ahead** of {}.", name(&there), name(&here)),
        _ => format!("{} is **{hours} hours behind** {}.", name(&there), name(&here)),
    })
}

/// `zone_time`: a time of another zone.
fn zone_time(done: &Done<'_>) -> Result<String, String> {
    let said = done.slots.need("time")?;
    let time: jiff::civil::Time = said.parse().map_err(|_| format!("`{said}` is no time that I can read."))?;
    let (to, from) = (zoned(done, "zone")?, zoned(done, "other")?);
    let at = from.date().to_datetime(time).to_zoned(from.time_zone().clone()).map_err(|error| error.to_string())?;
    let there = at.with_time_zone(to.time_zone().clone());
    let name = |zone: &Zoned| zone.time_zone().iana_name().unwrap_or("here").replace('_', " ");
    Ok(format!(
        "{} in {} is **{}** in {}.",
        at.strftime("%H:%M"),
        name(&from),
        there.strftime("%H:%M on %A"),
        name(&there)
    ))
}
