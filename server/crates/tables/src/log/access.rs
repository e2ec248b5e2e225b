//! Access logs of nginx and Apache: the common and the combined format, with the seconds that a request took behind them
//! if the server was told to write them.

use std::sync::LazyLock;

use jiff::fmt::strtime;
use regex::Regex;

use super::{Format, pattern};

pub(super) const FORMAT: Format = Format {
    columns: &["ip", "user", "time", "method", "path", "status", "bytes", "referrer", "agent", "duration"],
    read,
};

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
