//! Values as people and files write them: numbers with units, versions, days, times, addresses. A new value takes the form of
//! the old one: its unit, decimal sign and places, its way of writing a day. What is of another kind takes no place.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use switchboard_nlu::Engine;

use super::kin::{MONTH_NAMES, month};
use super::told_ways::Ways;

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Number {
        amount: f64,
        unit: String,
    },
    Version,
    Day {
        year: Option<u32>,
        month: Option<u32>,
        day: u32,
    },
    Time,
    Address,
    Mail,
    Url,
    Colour,
    Phone,
    Switch(bool),
    /// A box that is ticked or not.
    Ticked(bool),
    Word,
}

/// A value in a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub(super) span: Range<usize>,
    pub(super) kind: Kind,
}

/// The pair that has a word for yes or no, and which of both it is.
fn opposites(word: &str) -> Option<(&'static (String, String), bool)> {
    let word = word.to_lowercase();
    let pair = Ways::get().opposites.iter().find(|(yes, no)| [yes, no].contains(&&word))?;
    Some((pair, pair.0 == word))
}

/// What a unit measures, and how much of its smallest it is.
pub(super) fn measure(unit: &str) -> Option<(String, f64)> {
    let unit = unit.to_lowercase();
    let single = unit.strip_suffix('s').filter(|single| single.len() > 1).unwrap_or(&unit);
    let of = |table: &str, word: &str| Some((table.to_owned(), Engine::shipped().means(table, word)?.parse().ok()?));
    let known = |word: &str| {
        let own = Ways::get().measures.get(word).cloned();
        own.or_else(|| of("durations", word)).or_else(|| of("sizes", word))
    };
    known(&unit).or_else(|| known(single))
}

fn pattern() -> &'static Regex {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        let each = [
            r"(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)".to_owned(),
            r#"(?P<url>https?://[^\s"'<>)\]]+)"#.to_owned(),
            r"(?P<day>(?P<y1>\d{4})-(?P<m1>\d\d)-(?P<d1>\d\d)".to_owned(),
            format!(r"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?(?P<m2>{MONTH_NAMES})\b(?:,? (?P<y2>\d{{4}})\b)?"),
            format!(r"(?P<m3>{MONTH_NAMES})\.? (?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y3>\d{{4}})\b)?"),
            r"(?P<d4>\d{1,2})\.(?P<m4>\d{1,2})\.(?P<y4>\d{4})|(?P<d5>\d{1,2})(?:st|nd|rd|th)\b)".to_owned(),
            r"(?P<time>\d{1,2}:\d\d(?::\d\d)?)".to_owned(),
            r"(?P<address>\d{1,3}(?:\.\d{1,3}){3})".to_owned(),
            r"(?P<colour>#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3}))".to_owned(),
            r"(?P<version>v?\d+\.\d+\.\d+(?:[.+-]?[a-z0-9]+)*|v\d+(?:\.\d+)+)".to_owned(),
            r"(?P<phone>\+\d[\d ()/-]{6,}\d|0\d{2,}(?:[ /-]\d{2,})+)".to_owned(),
            r"(?P<number>-?\d+(?:[.,]\d+)*)(?P<unit>[a-zµ%°€$£]{1,3})?".to_owned(),
        ];
        Regex::new(&format!("(?i){}", each.join("|"))).unwrap_or_else(|error| panic!("{error}"))
    });
    &PATTERN
}

/// The values in a text. What is a part of a name is none: `KP-02`, `v4l`, `week-47`.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(captures) = pattern().captures_at(text, from) {
        let Some(whole) = captures.get(0) else { break };
        let (mut span, before) = (whole.range(), &text[..whole.start()]);
        let part = |name: &str| captures.name(name).map(|part| part.as_str());
        let number = |names: &[&str]| names.iter().find_map(|name| part(name)).and_then(|text| text.parse().ok());
        let mut unit = part("unit").unwrap_or_default().to_owned();
        let kind = if part("mail").is_some() {
            Kind::Mail
        } else if part("url").is_some() {
            Kind::Url
        } else if part("day").is_some() {
            let named = || ["m2", "m3"].iter().find_map(|name| part(name)).and_then(month);
            Kind::Day {
                year: number(&["y1", "y2", "y3", "y4"]),
                month: number(&["m1", "m4"]).or_else(named),
                day: number(&["d1", "d2", "d3", "d4", "d5"]).unwrap_or_default(),
            }
        } else if part("time").is_some() {
            Kind::Time
        } else if part("address").is_some() {
            Kind::Address
        } else if part("colour").is_some() {
            Kind::Colour
        } else if part("version").is_some() {
            Kind::Version
        } else if part("phone").is_some() {
            Kind::Phone
        } else {
            // A minus behind a word is a hyphen.
            if part("number").is_some_and(|number| number.starts_with('-'))
                && before.ends_with(|c: char| c.is_alphanumeric())
            {
                from = span.start + 1;
                from += text[from..].bytes().take_while(u8::is_ascii_digit).count();
                continue;
            }
            let end = captures.name("number").map_or(span.end, |number| number.end());
            // "5min" has a unit, "5th" and "2nd-hand" have none.
            if !unit.is_empty() && text[span.end..].starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                from = span.end;
                continue;
            }
            if unit.is_empty() {
                span.end = end;
            }
            Kind::Number { amount: amount(part("number").unwrap_or_default()), unit: std::mem::take(&mut unit) }
        };
        from = span.end.max(span.start + 1);
        let joins = |c: char| c.is_alphanumeric() || c == '_';
        let before_it = before.chars().next_back();
        let in_name = before_it.is_some_and(joins)
            || (before_it.is_some_and(|c| matches!(c, '-' | '.')) && before[..before.len() - 1].ends_with(joins));
        let goes_on = text[span.end..].chars().next().is_some_and(joins)
            || (text[span.end..].starts_with('-') && text[span.end + 1..].starts_with(char::is_alphabetic));
        if !in_name && !goes_on {
            found.push(Token { span, kind });
        }
    }
    found
}

/// What a whole text is.
pub(super) fn kind_of(text: &str) -> Kind {
    match (tokens(text).as_slice(), opposites(text)) {
        (_, Some((_, on))) => Kind::Switch(on),
        ([only], None) if only.span == (0..text.len()) => only.kind.clone(),
        _ => Kind::Word,
    }
}

/// `1.240,50`, `1,240.50`, `18,50` and `18.50` as numbers.
fn amount(text: &str) -> f64 {
    let comma = decimal_sign(text) == Some(',');
    let plain: String = match (comma, text.contains(',') && text.contains('.')) {
        (true, _) => text.replace('.', "").replace(',', "."),
        (false, true) => text.replace(',', ""),
        // `1,500` and `1,500,000` are thousands.
        (false, false) => text.replace(',', ""),
    };
    plain.parse().unwrap_or(f64::NAN)
}

/// The sign before a number's decimal places, if it has any.
pub(super) fn decimal_sign(text: &str) -> Option<char> {
    let at = text.rfind([',', '.'])?;
    let sign = text[at..].chars().next()?;
    let places = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
    let thousands = sign == ',' && places == 3 || text.matches(sign).count() > 1;
    (!thousands && places > 0).then_some(sign)
}

/// How a value that is there is written: its text, its kind, its unit by its name or place, the decimal sign about it.
#[derive(Debug)]
pub(super) struct Form<'f> {
    pub(super) text: &'f str,
    pub(super) kind: &'f Kind,
    pub(super) unit: Option<&'f str>,
    pub(super) sign: char,
}

/// A new value in the form of the old one, if it is of the same kind. `certain`: the old one was said as it is, so that both
/// have the same unit.
pub(super) fn in_form(
    new: &str,
    kind: &Kind,
    said_unit: Option<&str>,
    old: &Form<'_>,
    certain: bool,
) -> Option<String> {
    match (kind, old.kind) {
        (Kind::Number { amount, unit }, Kind::Number { unit: own, .. }) => {
            let said = if unit.is_empty() { said_unit } else { Some(unit.as_str()) };
            let number = new.strip_suffix(unit.as_str()).unwrap_or(new);
            let there = if own.is_empty() { old.unit } else { Some(own.as_str()) };
            let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
            let factor = match (said, there) {
                (None, _) => None,
                (Some(said), Some(there)) if same(said, there) => None,
                (Some(said), Some(there)) => match (measure(said), measure(there)) {
                    (Some((what, factor)), Some((other, own))) if what == other => Some(factor / own),
                    // `20m` is 20 megabytes where megabytes are said.
                    (Some((what, factor)), _) => match measure(&format!("{there}b")) {
                        Some((other, own)) if what == other && there.len() == 1 => Some(factor / own),
                        _ => return None,
                    },
                    _ => return None,
                },
                (Some(said), None) if certain || measure(said).is_none() => None,
                (Some(_), None) => return None,
            };
            let written = match factor {
                Some(factor) if (factor - 1.0).abs() > 1e-9 => rounded(amount * factor)?,
                _ => number.to_owned(),
            };
            let like = old.text.strip_suffix(own.as_str()).unwrap_or(old.text).trim_end();
            let gap = &old.text[like.len()..old.text.len() - own.len()];
            Some(format!("{}{gap}{own}", as_number(&written, like, old.sign)?))
        }
        // A version of two parts looks like a number.
        (Kind::Version, Kind::Version | Kind::Number { .. }) => Some(versioned(new, old.text)),
        (Kind::Number { unit, .. }, Kind::Version) if unit.is_empty() && said_unit.is_none() => {
            certain.then(|| versioned(new, old.text))
        }
        (Kind::Day { year, month, day }, Kind::Day { year: own_year, month: own_month, .. }) => {
            day_like(old.text, year.or(*own_year), month.or(*own_month)?, *day)
        }
        (Kind::Time, Kind::Time) => {
            // `8:15` where there is `07:30`.
            let short = new.len() < old.text.len() && new.matches(':').count() == old.text.matches(':').count();
            let padded = if short && old.text.starts_with('0') { format!("0{new}") } else { new.to_owned() };
            (padded.matches(':').count() == old.text.matches(':').count()).then_some(padded)
        }
        (Kind::Switch(on), Kind::Switch(_)) => switched(old.text, *on),
        (Kind::Word, _) => None,
        (one, other) if one == other => Some(new.to_owned()),
        _ => None,
    }
}

/// A switch in the words of the old one.
pub(super) fn switched(old: &str, on: bool) -> Option<String> {
    let ((yes, no), _) = opposites(old)?;
    Some(in_case(if on { yes } else { no }, old))
}

/// A word in the case of another.
pub(super) fn in_case(word: &str, like: &str) -> String {
    let letters = |upper: bool| like.chars().filter(|c| c.is_alphabetic()).all(|c| c.is_uppercase() == upper);
    let mut rest = word.chars();
    match like.chars().next() {
        _ if letters(true) && like.chars().count() > 1 => word.to_uppercase(),
        Some(first) if first.is_uppercase() => {
            rest.next().into_iter().flat_map(char::to_uppercase).collect::<String>() + rest.as_str()
        }
        _ if letters(false) => word.to_lowercase(),
        _ => word.to_owned(),
    }
}

fn versioned(new: &str, old: &str) -> String {
    let bare = new.trim_start_matches(['v', 'V']);
    if old.starts_with('v') { format!("v{bare}") } else { bare.to_owned() }
}

/// A number without a tail that is only an error of reckoning.
fn rounded(number: f64) -> Option<String> {
    let whole = (number * 1e6).round() / 1e6;
    whole.is_finite().then(|| format!("{whole}"))
}

/// A number as the old one is written: with its decimal sign and, of money, its places.
fn as_number(new: &str, old: &str, sign: char) -> Option<String> {
    let own = decimal_sign(new);
    let digits: String = match own {
        Some(own) => {
            let (whole, places) = new.rsplit_once(own)?;
            format!("{}{sign}{places}", whole.replace([',', '.'], ""))
        }
        None => new.replace([',', '.'], ""),
    };
    let places = |text: &str| text.rsplit_once(sign).map_or(0, |(_, places)| places.len());
    let wanted = decimal_sign(old).map_or(0, |own| old.rsplit_once(own).map_or(0, |(_, places)| places.len()));
    Some(match (wanted, places(&digits)) {
        (2, 0) => format!("{digits}{sign}00"),
        (2, 1) => format!("{digits}0"),
        _ => digits,
    })
}

const NAMES: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A day in the way in which another is written.
fn day_like(old: &str, year: Option<u32>, month: u32, day: u32) -> Option<String> {
    let name = NAMES.get(month.checked_sub(1)? as usize)?;
    let captures = pattern().captures(old)?;
    let is = |part: &str| captures.name(part).is_some();
    if is("y1") {
        return Some(format!("{:04}-{month:02}-{day:02}", year?));
    }
    if is("y4") {
        let padded = captures.name("d4").is_some_and(|part| part.as_str().starts_with('0'))
            || captures.name("m4").is_some_and(|part| part.as_str().starts_with('0'));
        let date = if padded { format!("{day:02}.{month:02}") } else { format!("{day}.{month}") };
        return Some(format!("{date}.{}", year?));
    }
    let own = captures.name("m2").or_else(|| captures.name("m3"))?.as_str();
    let short = own.len() < 4 && own.to_lowercase() != "may";
    let named = in_case(if short { &name[..3] } else { name }, own);
    let ends = ["st", "nd", "rd", "th"].iter().any(|end| old.to_lowercase().contains(&format!("{end} ")));
    let end = match (ends, day % 10, day) {
        (false, ..) => "",
        (_, 1, day) if day != 11 => "st",
        (_, 2, day) if day != 12 => "nd",
        (_, 3, day) if day != 13 => "rd",
        _ => "th",
    };
    let tail = match (captures.name("y2").or_else(|| captures.name("y3")), year) {
        (Some(_), Some(year)) if old.contains(", ") => format!(", {year}"),
        (Some(_), Some(year)) => format!(" {year}"),
        _ => String::new(),
    };
    Some(match is("m2") {
        true => format!("{day}{end} {named}{tail}"),
        false => format!("{named} {day}{end}{tail}"),
    })
}

/// Whether a value that is there is the old one that was said; of a day perhaps only a part.
pub(super) fn is_old(said: &str, kind: &Kind, unit: Option<&str>, there: &Form<'_>) -> bool {
    match (kind, there.kind) {
        (Kind::Number { amount, unit: own }, Kind::Number { amount: other, unit: there_own }) => {
            let close = |one: f64, other: f64| (one - other).abs() < 1e-9;
            let said_unit = if own.is_empty() { unit } else { Some(own.as_str()) };
            let there_unit = if there_own.is_empty() { there.unit } else { Some(there_own.as_str()) };
            match (said_unit.and_then(measure), there_unit.and_then(measure)) {
                (Some((what, factor)), Some((other_what, own))) if what == other_what => {
                    close(amount * factor, other * own)
                }
                (Some(_), Some(_)) => false,
                _ => close(*amount, *other),
            }
        }
        (Kind::Day { year, month, day }, Kind::Day { year: own_year, month: own_month, day: own_day }) => {
            day == own_day
                && month.is_none_or(|month| Some(month) == *own_month)
                && year.is_none_or(|year| own_year.is_none_or(|own| own == year))
        }
        _ => said.eq_ignore_ascii_case(there.text),
    }
}

#[cfg(test)]
#[path = "amounts_tests.rs"]
mod tests;
