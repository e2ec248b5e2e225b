//! Answers from tables in a sentence or a short table, each with where it comes from.

use super::group::{figure, groups, values};
use super::measure::{number, written};
use super::query::{Asked, Wanted};
use super::table::Table;
use crate::show::escaped;

/// How many rows and names an answer shows.
pub(super) const MAX_SHOWN: usize = 20;
const MAX_NAMED: usize = 10;
const MAX_COLUMNS: usize = 8;

/// How much of a cell is shown.
const MAX_CELL: usize = 80;

/// The answer; `None` if the rows have no numbers for it.
pub(super) fn told(wanted: &Wanted, table: &Table, label: &str) -> Option<String> {
    let Wanted { asked, by, rows, conditions, noun } = wanted;
    let of = if conditions.is_empty() { String::new() } else { format!(" ({})", plain(&conditions.join(", "))) };
    let noun = noun.as_deref().filter(|noun| !noun.ends_with("who")).unwrap_or("rows");
    if let Some(by) = by {
        return groups(by, asked, table, rows, &format!("{label}{of}"));
    }
    match asked {
        Asked::Count if conditions.is_empty() => Some(format!("{label} has **{}** {noun}.", rows.len())),
        Asked::Count => {
            let named = named(table, rows).map(|names| format!(": {names}")).unwrap_or_default();
            let all = table.rows.len();
            Some(format!("**{}** of the {all} rows in {label}{of}{named}.", rows.len()))
        }
        Asked::Distinct(column) => {
            let mut cells: Vec<&str> =
                rows.iter().map(|row| table.cell(*row, *column)).filter(|cell| !cell.is_empty()).collect();
            cells.sort_unstable();
            cells.dedup();
            let first: Vec<String> = cells.iter().take(MAX_NAMED).map(|cell| plain(cell)).collect();
            let more = if cells.len() > MAX_NAMED { ", …" } else { "" };
            let name = plain(&table.columns[*column].name);
            Some(format!("**{}** different values of {name} in {label}{of}: {}{more}.", cells.len(), first.join(", ")))
        }
        Asked::Extreme { column, most, word } => extreme(table, rows, (*column, *most), word, &format!("{label}{of}")),
        Asked::Sum(column) | Asked::Average(column) | Asked::Median(column) => {
            let what = match asked {
                Asked::Sum(_) => "total",
                Asked::Average(_) => "average",
                _ => "median",
            };
            let value = figure(asked, table, rows)?;
            let name = plain(&table.columns[*column].name);
            let count = match values(table, rows, *column).len() {
                1 => "1 row".to_owned(),
                count => format!("{count} rows"),
            };
            Some(format!("The {what} {name} in {label}{of} is **{}**, over {count}.", written(value)))
        }
        Asked::Values(columns) => found(table, rows, columns, label, &of),
        Asked::Rows if rows.is_empty() => Some(format!("None of the {} rows in {label} fits{of}.", table.rows.len())),
        Asked::Rows => {
            Some(format!("{} of the {} rows in {label}{of}:\n\n{}", rows.len(), table.rows.len(), shown(table, rows)))
        }
        Asked::Sorted { column, down } => {
            let mut rows = rows.clone();
            rows.sort_by(|one, other| {
                let (one, other) = (table.cell(*one, *column), table.cell(*other, *column));
                let order = match (number(one), number(other)) {
                    (Some(one), Some(other)) => one.value.total_cmp(&other.value),
                    _ => one.to_lowercase().cmp(&other.to_lowercase()),
                };
                if *down { order.reverse() } else { order }
            });
            Some(format!("{label} by {}:\n\n{}", plain(&table.columns[*column].name), shown(table, &rows)))
        }
    }
}

fn extreme(table: &Table, rows: &[usize], (column, most): (usize, bool), word: &str, place: &str) -> Option<String> {
    let read = |row: &usize| Some((*row, number(table.cell(*row, column))?.value));
    let all: Vec<(usize, f64)> = rows.iter().filter_map(read).collect();
    let best =
        all.iter().map(|(_, value)| *value).reduce(|one, other| if most { one.max(other) } else { one.min(other) })?;
    #[expect(clippy::float_cmp, reason = "it is one of them")]
    let those: Vec<usize> = all.iter().filter(|(_, value)| *value == best).map(|(row, _)| *row).collect();
    let (name, cell) = (plain(&table.columns[column].name), plain(table.cell(*those.first()?, column)));
    // `The oldest age` is not English.
    let word = match (word, most) {
        ("highest" | "lowest" | "largest" | "smallest" | "longest" | "shortest" | "latest" | "earliest", _) => word,
        (_, true) => "highest",
        (_, false) => "lowest",
    };
    Some(match (named(table, &those), those.len()) {
        (Some(names), 1) => format!("**{names}** has the {word} {name} in {place}: **{cell}**."),
        (Some(names), _) => format!("{names} have the {word} {name} in {place}: **{cell}**."),
        (None, _) => format!("The {word} {name} in {place} is **{cell}** (row {}).", those[0] + 1),
    })
}

fn found(table: &Table, rows: &[usize], columns: &[usize], label: &str, of: &str) -> Option<String> {
    let cells = |row: usize| {
        let told = columns.iter().map(|column| match (table.cell(row, *column), columns.len()) {
            ("", _) => "nothing".to_owned(),
            (cell, 1) => format!("**{}**", plain(cell)),
            (cell, _) => format!("{} **{}**", plain(&table.columns[*column].name), plain(cell)),
        });
        told.collect::<Vec<_>>().join(", ")
    };
    let what: Vec<String> = columns.iter().map(|column| plain(&table.columns[*column].name)).collect();
    let what = what.join(" and ");
    match rows {
        [] => None,
        [row] => Some(format!("The {what} in {label}{of} is {}.", cells(*row))),
        rows => {
            let line = |row: &usize| {
                let name = named(table, &[*row]).unwrap_or_else(|| format!("row {}", row + 1));
                format!("- {name}: {}", cells(*row))
            };
            let lines: Vec<String> = rows.iter().take(MAX_SHOWN).map(line).collect();
            Some(format!("The {what} in {label}{of}:\n\n{}{}", lines.join("\n"), more(rows.len())))
        }
    }
}

/// What the rows are called, if they have names and are few.
fn named(table: &Table, rows: &[usize]) -> Option<String> {
    let subject = table.subject()?;
    let names: Vec<String> =
        rows.iter().map(|row| table.cell(*row, subject)).filter(|name| !name.is_empty()).map(plain).collect();
    (!names.is_empty() && rows.len() <= MAX_NAMED).then(|| names.join(", "))
}

/// The rows as a Markdown table.
fn shown(table: &Table, rows: &[usize]) -> String {
    let width = table.columns.len().min(MAX_COLUMNS);
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let mut lines = vec![line(table.columns[..width].iter().map(|column| plain(&column.name)).collect())];
    lines.push(format!("|{}", " --- |".repeat(width)));
    for row in rows.iter().take(MAX_SHOWN) {
        lines.push(line((0..width).map(|column| plain(table.cell(*row, column))).collect()));
    }
    format!("{}{}", lines.join("\n"), more(rows.len()))
}

pub(super) fn more(all: usize) -> String {
    if all > MAX_SHOWN { format!("\n\n… and {} more.", all - MAX_SHOWN) } else { String::new() }
}

/// A cell as text that Markdown leaves alone.
pub(super) fn plain(cell: &str) -> String {
    let line: String = cell.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(MAX_CELL).collect();
    let end = if cut.len() < line.len() { "…" } else { "" };
    format!("{}{end}", escaped(&cut).replace('|', "\\|").replace('<', "&lt;").replace('`', "'"))
}
