//! The system's log: `Mar 10 00:01:02 web1 sshd[2310]: …`, which names no year: it is kept as the year 0.

use std::sync::LazyLock;

use jiff::fmt::strtime;
use regex::Regex;

use super::{Format, pattern};

pub(super) const FORMAT: Format = Format { columns: &["time", "host", "program", "pid", "message"], read };

static ENTRY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:<\d+>)?([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d) (\S+) ([^\s:\[]+)(?:\[(\d+)\])?: ?(.*)$")
});

fn read(line: &str) -> Option<Vec<String>> {
    let found = ENTRY.captures(line)?;
    let cell = |at: usize| found.get(at).map_or("", |part| part.as_str());
    let stamp = format!("0000 {} {} {}", cell(1), cell(2), cell(3));
    let time = strtime::parse("%Y %b %d %H:%M:%S", &stamp).ok()?.to_datetime().ok()?.to_string();
    let rest = [4, 5, 6, 7].map(|at| cell(at).to_owned());
    Some(std::iter::once(time).chain(rest).collect())
}
