//! One cell of a table changed in its place: the row is found by what stands in it, the column by its name or by the value
//! that it is to get.

use std::ops::Range;

use serde_json::Value;

use super::edits::{Edit, Edited};
use super::keys::put;
use super::rows::fields;
use super::settings::{Settings, plain};
use super::show::cut_line;
use super::slots::{Slots, as_text};
use switchboard_tables::divider;

/// The edits of cells, by name.
pub(super) const EDITS: &[(&str, Edit)] = &[("set_cell", set_cell)];

/// `set_cell`: row, value, and the column if it is said.
fn set_cell(path: &str, text: &str, slots: &Slots<'_>) -> Result<Edited, String> {
    let wanted = Wanted { row: slots.need("row")?, column: slots.told("column") };
    let value = slots.get("value").ok_or("You did not say what the value is to be.")?;
    match divider(text).filter(|_| path.ends_with(".csv") || path.ends_with(".tsv")) {
        Some(sign) => in_lines(path, text, char::from(sign), &wanted, value),
        None => in_objects(path, text, &wanted, value),
    }
}

/// What is to be changed.
struct Wanted {
    row: String,
    column: Option<String>,
}

impl Wanted {
    /// The one row that has this in a cell, all of it or without the words that only say what kind of thing it is.
    fn row(&self, path: &str, rows: &[Vec<String>]) -> Result<usize, String> {
        let words: Vec<&str> = self.row.split_whitespace().collect();
        for from in 0..words.len() {
            let key = plain(&words[from..].concat());
            let has = |row: &&Vec<String>| !key.is_empty() && row.iter().any(|cell| plain(cell) == key);
            let found: Vec<usize> = rows.iter().enumerate().filter(|(_, row)| has(row)).map(|(at, _)| at).collect();
            match found.as_slice() {
                [] => {}
                [only] => return Ok(*only),
                several => {
                    let row = cut_line(&self.row);
                    return Err(format!("{} rows of `{path}` have `{row}`. Say which one.", several.len()));
                }
            }
        }
        Err(format!("There is no row with `{}` in `{path}`.", cut_line(&self.row)))
    }

    /// The column of that name; without a name, the one in which the value stands elsewhere.
    fn column(&self, path: &str, names: &[String], rows: &[Vec<String>], value: &Value) -> Result<usize, String> {
        let only = |found: Vec<usize>| match found.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        let those = |fits: &dyn Fn(usize) -> bool| only((0..names.len()).filter(|at| fits(*at)).collect());
        let Some(column) = &self.column else {
            let value = plain(&as_text(value));
            let holds = |at: usize| rows.iter().any(|row| row.get(at).is_some_and(|cell| plain(cell) == value));
            return those(&holds).ok_or_else(|| format!("There is no column in `{path}` that this value belongs to."));
        };
        let column = plain(column);
        let found =
            those(&|at| plain(&names[at]) == column).or_else(|| those(&|at| plain(&names[at]).contains(&column)));
        found.ok_or_else(|| {
            format!("There is no column `{}` in `{path}`.", cut_line(self.column.as_deref().unwrap_or("")))
        })
    }
}

/// A table with a row to each line, the first with the names of the columns.
fn in_lines(path: &str, text: &str, divider: char, wanted: &Wanted, value: &Value) -> Result<Edited, String> {
    let mut starts = 0;
    let mut lines: Vec<(usize, Vec<Range<usize>>)> = Vec::new();
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            lines.push((starts, fields(line.trim_end_matches(['\n', '\r']), divider)));
        }
        starts += line.len();
    }
    let unquoted = |cell: &str| match cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) => inner.replace("\"\"", "\""),
        None => cell.to_owned(),
    };
    let cells = |(start, fields): &(usize, Vec<Range<usize>>)| {
        fields.iter().map(|field| unquoted(&text[start + field.start..start + field.end])).collect::<Vec<String>>()
    };
    let rows: Vec<Vec<String>> = lines.iter().map(cells).collect();
    let Some((names, rows)) = rows.split_first() else { return Err(format!("There is no row in `{path}`.")) };
    let at = wanted.row(path, rows)?;
    let column = wanted.column(path, names, rows, value)?;
    let (start, fields) = &lines[at + 1];
    let field = fields.get(column).ok_or_else(|| format!("There is no cell for `{}` in that row.", names[column]))?;
    let (old, new) = (&rows[at][column], as_text(value));
    if *old == new {
        return Err(format!("`{}` of that row of `{path}` is `{new}` already.", names[column]));
    }
    let written = match new.contains([divider, '"', '\n']) {
        true => format!("\"{}\"", new.replace('"', "\"\"")),
        false => new.clone(),
    };
    let changed = format!("{}{written}{}", &text[..start + field.start], &text[start + field.end..]);
    let row = cut_line(&wanted.row);
    let said = format!("I changed `{}` of `{row}` in `{path}` from `{}` to `{new}`.", names[column], cut_line(old));
    Ok(Edited { text: changed, said })
}

/// A table whose rows are objects: JSON, YAML.
fn in_objects(path: &str, text: &str, wanted: &Wanted, value: &Value) -> Result<Edited, String> {
    let settings = Settings::of(path, text).map_err(|_| format!("There is no table in `{path}`."))?;
    let mut groups: Vec<(&[String], Vec<usize>)> = Vec::new();
    for (at, entry) in settings.entries.iter().enumerate().filter(|(_, entry)| !entry.group) {
        let Some((_, parent)) = entry.path.split_last() else { continue };
        match groups.iter_mut().find(|(known, _)| *known == parent) {
            Some((_, members)) => members.push(at),
            None => groups.push((parent, vec![at])),
        }
    }
    let cell = |at: &usize| as_text(&settings.value(&settings.entries[*at]));
    let rows: Vec<Vec<String>> = groups.iter().map(|(_, members)| members.iter().map(cell).collect()).collect();
    let row = wanted.row(path, &rows)?;
    let members = &groups[row].1;
    let name = |at: &usize| settings.entries[*at].path.last().cloned().unwrap_or_default();
    let names: Vec<String> = members.iter().map(name).collect();
    let column = wanted.column(path, &names, &rows[row..=row], value)?;
    let entry = &settings.entries[members[column]];
    put(&settings, entry, &settings.value(entry), value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn set(path: &str, text: &str, values: &Value) -> Result<String, String> {
        let values = values.as_object().cloned().unwrap_or_default();
        set_cell(path, text, &Slots(&values)).map(|edited| edited.text)
    }

    #[test]
    fn a_cell_is_found_by_its_row_and_its_column() {
        let csv = "id,name,status\n1,\"Mug, blue\",open\n2,Pen,closed\n";
        let json = "{\"items\": [{\"sku\": \"A\", \"price\": 3.5}, {\"sku\": \"B\", \"price\": 4}]}\n";
        for (path, text, values, expected) in [
            (
                "a.csv",
                csv,
                json!({"row": "Mug, blue", "column": "status", "value": "closed"}),
                "id,name,status\n1,\"Mug, blue\",closed\n2,Pen,closed\n",
            ),
            (
                "a.csv",
                csv,
                json!({"row": "ticket 1", "value": "closed"}),
                "id,name,status\n1,\"Mug, blue\",closed\n2,Pen,closed\n",
            ),
            (
                "a.csv",
                csv,
                json!({"row": "2", "column": "name", "value": "Ink, red"}),
                "id,name,status\n1,\"Mug, blue\",open\n2,\"Ink, red\",closed\n",
            ),
            (
                "a.json",
                json,
                json!({"row": "B", "column": "price", "value": 5}),
                "{\"items\": [{\"sku\": \"A\", \"price\": 3.5}, {\"sku\": \"B\", \"price\": 5}]}\n",
            ),
        ] {
            assert_eq!(set(path, text, &values).as_deref(), Ok(expected), "{values}");
        }
    }

    #[test]
    fn what_is_not_there_or_not_sure_is_said() {
        let csv = "id,name,status\n1,Pen,open\n2,Pen,open\n";
        for (values, says) in [
            (json!({"row": "Ink", "column": "status", "value": "x"}), "There is no row with `Ink`"),
            (json!({"row": "1", "column": "price", "value": "x"}), "There is no column `price`"),
            (json!({"row": "Pen", "column": "status", "value": "x"}), "2 rows of `a.csv` have `Pen`"),
            (json!({"row": "1", "value": "unheard of"}), "There is no column in `a.csv` that this value belongs to"),
            (json!({"row": "1", "column": "status", "value": "open"}), "is `open` already"),
        ] {
            let why = set("a.csv", csv, &values).expect_err("nothing is changed");
            assert!(why.contains(says), "{values}: {why}");
        }
    }
}
