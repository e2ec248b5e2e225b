//! Access logs: the common and the combined format of nginx and Apache, with the seconds that a request took behind them if the
//! server was told to write them, and the plain lines of other servers: a time, who asked, what, and what came of it.

use std::sync::LazyLock;

use jiff::fmt::strtime;
use regex::Regex;

use super::{Format, pattern};

pub(super) const FORMAT: Format = Format {
    columns: &["ip", "user", "time", "method", "path", "status", "bytes", "referrer", "agent", "duration"],
    read,
};

pub(super) const PLAIN: Format =
    Format { columns: &["time", "ip", "method", "path", "status", "bytes", "ms"], read: read_plain };

static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"^(\S+) \S+ (\S+) \[([^\]]+)\] "(?:([A-Z]+) ([^\s"]+)[^"]*|[^"]*)" (\d{3}) (\d+|-)"#,
        r#"(?: "([^"]*)" "([^"]*)")?(?: "?(\d+(?:\.\d+)?)"?)?"#,
    ))
});

fn read(line: &str) -> Option<Vec<String>> {
    let found = ENTRY.captures(line)?;
    let cell = |at: usize| found.get(at).map_or("", |part| part.as_str()).to_owned();
    let some = |cell: String| if cell == "-" { String::new() } else { cell };
    let time = strtime::parse("%d/%b/%Y:%H:%M:%S %z", cell(3)).ok()?.to_datetime().ok()?.to_string();
    Some(vec![
        cell(1),
        some(cell(2)),
        time,
        cell(4),
        cell(5),
        cell(6),
        some(cell(7)),
        some(cell(8)),
        some(cell(9)),
        cell(10),
    ])
}

/// `2025-06-05 06:12:44 81.166.20.9 GET /wp-login.php 404 310`, `2025-05-10T09:03:00Z GET /cart 200 341ms`
fn read_plain(line: &str) -> Option<Vec<String>> {
    static PLAIN_ENTRY: LazyLock<Regex> = LazyLock::new(|| {
        pattern(concat!(
            r"^[\[(]?(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?[\])]?",
            r"\s+(?:(\d+(?:\.\d+){3}|[0-9a-fA-F]*:[0-9a-fA-F:]+|-)\s+)?",
            r#""?(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+([^\s"]+)(?:\s+HTTP/[\d.]+)?"?\s+(\d{3})\b(?:\s+(?:(\d+)\b|-))?"#,
            r"(?:\s+(\d+(?:\.\d+)?)\s?ms)?(?:\s.*)?$",
        ))
    });
    let found = PLAIN_ENTRY.captures(line)?;
    let cell = |at: usize| found.get(at).map_or("", |part| part.as_str());
    let some = |at: usize| if cell(at) == "-" { String::new() } else { cell(at).to_owned() };
    let time = format!("{}-{}-{} {}", cell(1), cell(2), cell(3), cell(4));
    Some([vec![time], (5..=10).map(some).collect()].concat())
}
