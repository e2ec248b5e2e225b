//! Tables of a markdown text, each called after the heading above it.

use super::base_name;
use crate::error::TableError;
use crate::table::{Table, TableKind};

const MAX_TABLES: usize = 8;

/// The tables of the text.
pub(super) fn tables(source: &str, text: &str) -> Result<Vec<Table>, TableError> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut tables = Vec::new();
    let mut at = 1;
    while at < lines.len() && tables.len() < MAX_TABLES {
        if !is_rule(lines[at]) || !lines[at - 1].contains('|') {
            at += 1;
            continue;
        }
        let names = cells(lines[at - 1]);
        let body: Vec<_> =
            lines[at + 1..].iter().take_while(|line| line.contains('|')).map(|line| cells(line)).collect();
        let end = at + 1 + body.len();
        let heading = lines[..at - 1].iter().rev().find_map(|line| line.strip_prefix('#'));
        let name = heading.map_or_else(|| base_name(source), |line| line.trim_matches(['#', ' ']).to_owned());
        if !body.is_empty() && body.iter().all(|row| row.len() <= names.len()) {
            tables.push(Table::new(&name, source, TableKind::Records, names, body)?);
        }
        at = end.max(at + 1);
    }
    Ok(tables)
}

/// `|---|:---:|`
fn is_rule(line: &str) -> bool {
    line.contains("--") && line.contains('|') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').filter(|rest| !rest.ends_with('\\')).unwrap_or(inner);
    let inner = inner.replace("\\|", "\u{0}");
    inner.split('|').map(|cell| cell.replace('\u{0}', "|").trim().trim_matches(['*', '`']).to_owned()).collect()
}
