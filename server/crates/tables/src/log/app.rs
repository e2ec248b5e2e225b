//! Logs of programs: a stamp, a level, where it comes from, a message, in the orders that are common.

use std::sync::LazyLock;

use jiff::fmt::strtime;
use regex::Regex;

use super::{Format, level, pattern};

pub(super) const FORMAT: Format = Format { columns: &["time", "level", "source", "message"], read };

static STAMP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^[\[(]?(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?",
        r"(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?[\])]?[\s|,:-]*(.*)$",
    ))
});

static APACHE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\[[A-Z][a-z]{2} ([A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d)(?:\.\d+)? (\d{4})\] (.*)$"));

static LEVEL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^(.{0,60}?)(?:^|[\s\[|(:<-])",
        r"(trace|debug|info|information|notice|warn|warning|err|error|severe|crit|critical|fatal|emerg|panic)",
        r"(?:[\]\s:|)>-]+|$)(.*)$",
    ))
});

/// `[db] Connection refused`, `db.pool - Connection refused`, `db.pool: Connection refused`
static SOURCE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:\[([^\]]{1,60})\]|([\w.:/$#-]{1,60}?)(?: +- +|: ))\s*(.*)$"));

/// The level stands first.
static FIRST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^\[?(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\]?(?: *[:|-] *|\s+)(.*)$")
});

fn read(line: &str) -> Option<Vec<String>> {
    if let Some((time, rest)) = stamped(line) {
        let (level, source, message) = parts(&rest);
        return Some(vec![time, level, source, message]);
    }
    let found = FIRST.captures(line)?;
    let (time, rest) = stamped(&found[2]).unwrap_or_else(|| (String::new(), found[2].to_owned()));
    let (source, message) = sourced(&rest);
    Some(vec![time, level(&found[1]), source, message])
}

fn stamped(line: &str) -> Option<(String, String)> {
    if let Some(found) = STAMP.captures(line) {
        let time = format!("{}-{}-{}T{}", &found[1], &found[2], &found[3], &found[4]);
        return time.parse::<jiff::civil::DateTime>().ok().map(|time| (time.to_string(), found[5].to_owned()));
    }
    let found = APACHE.captures(line)?;
    let stamp = format!("{} {}", &found[2], &found[1]);
    let time = strtime::parse("%Y %b %d %H:%M:%S", &stamp).ok()?.to_datetime().ok()?.to_string();
    Some((time, found[3].to_owned()))
}

fn parts(rest: &str) -> (String, String, String) {
    let Some(found) = LEVEL.captures(rest) else {
        let (source, message) = sourced(rest);
        return (String::new(), source, message);
    };
    let before = found[1].trim_matches(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '-' | '|' | ':'));
    if before.contains(char::is_whitespace) {
        // A word such as `error` within a sentence is not a level.
        return (String::new(), String::new(), rest.to_owned());
    }
    match before {
        "" => {
            let (source, message) = sourced(&found[3]);
            (level(&found[2]), source, message)
        }
        source => (level(&found[2]), source.to_owned(), found[3].trim_start_matches(['-', ' ', '|']).to_owned()),
    }
}

fn sourced(rest: &str) -> (String, String) {
    let rest = rest.trim_start_matches(['-', ' ', '|']);
    match SOURCE.captures(rest) {
        Some(found) => {
            let source = found.get(1).or_else(|| found.get(2)).map_or("", |part| part.as_str());
            (source.to_owned(), found[3].to_owned())
        }
        None => (String::new(), rest.to_owned()),
    }
}
