//! Questions to groups of rows: `the total amount by region`, `how many orders per status`, `which city has the highest
//! average age`.

use std::collections::HashMap;

use super::measure::{number, written};
use super::query::{Asked, Word};
use super::table::Table;
use super::tell::{MAX_SHOWN, more, plain};
use super::vocabulary::EXTREMES;

/// Words that put many figures into one; an extreme of these is one of groups.
const TOGETHER: &[&str] = &["total", "sum", "average", "mean", "avg", "median"];

/// Rows that have the same in a column are a group.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct By {
    /// The column.
    pub(super) column: usize,
    /// Only the group with the most, or the least, and the word for it.
    best: Option<(bool, &'static str)>,
}

impl By {
    /// Takes the column that the question divides the rows by, if it does. `columns`: those that are named, each with the
    /// place behind its name; `equal`: those whose cells are named.
    pub(super) fn take(words: &mut [Word], table: &Table, columns: &[(usize, usize)], equal: &[usize]) -> Option<Self> {
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.lower.as_str()));
        let together = has(TOGETHER);
        if has(&["sort", "rank", "order", "sorted", "ordered"]) || !(together || has(&["many", "count", "number"])) {
            return None;
        }
        let divides = |(column, end): &(usize, usize)| {
            let start = end - table.columns[*column].stems.len();
            let led = start.checked_sub(1).filter(|&at| matches!(&*words[at].lower, "by" | "per" | "each" | "every"));
            let groups = !table.columns[*column].measures || table.columns[*column].dates || led.is_some();
            (groups && !equal.contains(column) && (together || led.is_some())).then_some((*column, led))
        };
        let found: Vec<_> = columns.iter().filter_map(divides).collect();
        let (column, led) = *found.iter().find(|(_, led)| led.is_some()).or_else(|| found.first())?;
        led.into_iter().for_each(|at| words[at].used = true);
        let extreme = |word: &&mut Word| !word.used && EXTREMES.iter().any(|(extreme, ..)| *extreme == word.lower);
        let best = words.iter_mut().find(extreme).filter(|_| together).and_then(|word| {
            word.used = true;
            EXTREMES.iter().find(|(extreme, ..)| *extreme == word.lower).map(|(extreme, most, _)| (*most, *extreme))
        });
        Some(Self { column, best })
    }
}

/// The figures of the groups, the largest first; days and numbers in their order.
pub(super) fn groups(by: &By, asked: &Asked, table: &Table, rows: &[usize], place: &str) -> Option<String> {
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for &row in rows {
        let cell = table.cell(row, by.column);
        let at = *known.entry(cell).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, own)) => own.push(row),
            None => groups.push((cell, vec![row])),
        }
    }
    let mut figures: Vec<(&str, f64)> =
        groups.iter().filter_map(|(cell, rows)| Some((*cell, figure(asked, table, rows)?))).collect();
    let (what, name) = (what(asked, table)?, plain(&table.columns[by.column].name));
    if let Some((most, word)) = by.best {
        let better = |one: f64, other: f64| if most { one.max(other) } else { one.min(other) };
        let best = figures.iter().map(|(_, figure)| *figure).reduce(better)?;
        #[expect(clippy::float_cmp, reason = "it is one of them")]
        let those: Vec<String> =
            figures.iter().filter(|(_, figure)| *figure == best).map(|(cell, _)| plain(cell)).collect();
        let has = if those.len() == 1 { "has" } else { "have" };
        return Some(format!("**{}** {has} the {word} {what} in {place}: **{}**.", those.join(", "), written(best)));
    }
    match table.columns[by.column].measures {
        true => figures.sort_by(|one, other| {
            let read = |cell: &str| number(cell).map_or(f64::INFINITY, |read| read.value);
            read(one.0).total_cmp(&read(other.0))
        }),
        false => figures.sort_by(|one, other| other.1.total_cmp(&one.1)),
    }
    let line = |(cell, figure): &(&str, f64)| format!("| {} | {} |\n", plain(cell), written(*figure));
    let lines: String = figures.iter().take(MAX_SHOWN).map(line).collect();
    let all = match asked {
        Asked::Sum(_) | Asked::Count => format!("\n\nAltogether **{}**.", written(figure(asked, table, rows)?)),
        _ => String::new(),
    };
    let more = more(figures.len());
    (!figures.is_empty()).then(|| {
        format!(
            "The {what} by {name} in {place}:\n\n| {name} | {what} |\n| --- | --- |\n{}{more}{all}",
            lines.trim_end()
        )
    })
}

fn what(asked: &Asked, table: &Table) -> Option<String> {
    let of = |what: &str, column: usize| Some(format!("{what} {}", plain(&table.columns[column].name)));
    match asked {
        Asked::Count => Some("number of rows".to_owned()),
        Asked::Distinct(column) => of("number of different", *column),
        Asked::Sum(column) => of("total", *column),
        Asked::Average(column) => of("average", *column),
        Asked::Median(column) => of("median", *column),
        Asked::Extreme { .. } | Asked::Values(_) | Asked::Rows | Asked::Sorted { .. } => None,
    }
}

/// What some rows come to in one number, if they have one.
#[expect(clippy::cast_precision_loss, reason = "a table has not so many rows")]
pub(super) fn figure(asked: &Asked, table: &Table, rows: &[usize]) -> Option<f64> {
    let (Asked::Sum(column) | Asked::Average(column) | Asked::Median(column) | Asked::Distinct(column)) = asked else {
        return (*asked == Asked::Count).then_some(rows.len() as f64);
    };
    if matches!(asked, Asked::Distinct(_)) {
        let mut cells: Vec<&str> = rows.iter().map(|row| table.cell(*row, *column)).collect();
        cells.sort_unstable();
        cells.dedup();
        return Some(cells.len() as f64);
    }
    let mut values = values(table, rows, *column);
    if values.is_empty() {
        return None;
    }
    if matches!(asked, Asked::Median(_)) {
        values.sort_by(f64::total_cmp);
        let (lower, upper) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
        return Some(f64::midpoint(lower, upper));
    }
    let sum: f64 = values.iter().sum();
    Some(if matches!(asked, Asked::Sum(_)) { sum } else { sum / values.len() as f64 })
}

/// The numbers of some rows in a column.
pub(super) fn values(table: &Table, rows: &[usize], column: usize) -> Vec<f64> {
    rows.iter().filter_map(|row| Some(number(table.cell(*row, column))?.value)).collect()
}
