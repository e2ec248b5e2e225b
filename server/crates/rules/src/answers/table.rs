//! Tables in what the context holds: JSON arrays of objects, CSV, and Markdown.
//!
//! Everything has a limit; what is larger is not a table here.

use serde_json::{Map, Value};

use super::measure::number;
use crate::source::parsed;
use crate::words::{name_words, stem};
use switchboard_events::ArtifactValue;

/// Larger texts are not read as tables.
pub(super) const MAX_BYTES: usize = 2 * 1024 * 1024;

const MAX_ROWS: usize = 20_000;
const MAX_COLUMNS: usize = 60;
const MAX_TABLES: usize = 8;

/// A heading of a table is not a sentence.
const MAX_HEADING: usize = 60;

/// Rows of cells under named columns; all rows have a cell for each column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    /// What the rows are, in the value's own words: the key of the array.
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Column {
    pub(super) name: String,
    /// The stems of its name's words.
    pub(super) stems: Vec<String>,
    /// Nearly all of its cells are numbers or dates.
    pub(super) measures: bool,
    /// They are dates.
    pub(super) dates: bool,
}

impl Table {
    /// The tables of a value, the outermost first.
    pub(super) fn all_in(value: &ArtifactValue) -> Vec<Self> {
        let mut tables = Vec::new();
        match value {
            ArtifactValue::Text(text) if text.len() > MAX_BYTES => {}
            ArtifactValue::Text(text) => match parsed(value) {
                ArtifactValue::Json(json) if json.is_array() || json.is_object() => from_json(&json, &mut tables),
                _ => tables.extend(from_markdown(text).or_else(|| from_lines(text))),
            },
            ArtifactValue::Json(Value::String(text)) if text.len() <= MAX_BYTES => {
                tables.extend(from_markdown(text).or_else(|| from_lines(text)));
            }
            ArtifactValue::Json(json) => from_json(json, &mut tables),
            ArtifactValue::Bytes(_) => {}
        }
        tables
    }

    fn new(name: &str, names: Vec<String>, rows: Vec<Vec<String>>) -> Option<Self> {
        let fits = !names.is_empty() && names.len() <= MAX_COLUMNS && !rows.is_empty() && rows.len() <= MAX_ROWS;
        if !fits {
            return None;
        }
        let columns = names.into_iter().enumerate().map(|(at, name)| Column::new(name, &rows, at)).collect();
        Some(Self { name: name.to_owned(), columns, rows })
    }

    /// A cell.
    pub(super) fn cell(&self, row: usize, column: usize) -> &str {
        self.rows.get(row).and_then(|cells| cells.get(column)).map_or("", String::as_str)
    }

    /// The column by which people tell the rows apart: a name, else the first that does not measure.
    pub(super) fn subject(&self) -> Option<usize> {
        const NAMES: &[&str] = &["name", "title", "label", "item", "product", "path", "file", "user", "id"];
        let named = NAMES.iter().find_map(|name| self.columns.iter().position(|column| column.stems == [stem(name)]));
        named.or_else(|| self.columns.iter().position(|column| !column.measures))
    }
}

impl Column {
    fn new(name: String, rows: &[Vec<String>], at: usize) -> Self {
        let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.trim()).filter(|cell| !cell.is_empty());
        let (mut all, mut numbers, mut dates) = (0_usize, 0_usize, 0_usize);
        for cell in cells {
            all += 1;
            match number(cell) {
                Some(read) if read.is_date => dates += 1,
                Some(_) => numbers += 1,
                None => {}
            }
        }
        let nearly = |count: usize| all > 0 && count * 10 >= all * 9;
        let stems = name_words(&name).iter().map(|word| stem(word)).collect();
        Self { stems, measures: nearly(numbers) || nearly(dates), dates: nearly(dates), name }
    }
}

fn from_json(json: &Value, tables: &mut Vec<Table>) {
    match json {
        Value::Array(items) => tables.extend(from_array("", items)),
        Value::Object(map) => {
            for (name, inner) in map.iter().take(MAX_COLUMNS) {
                if let Value::Array(items) = inner {
                    tables.extend(from_array(name, items));
                }
                if tables.len() >= MAX_TABLES {
                    return;
                }
            }
            tables.extend(from_map(map));
        }
        _ => {}
    }
}

fn from_array(name: &str, items: &[Value]) -> Option<Table> {
    if items.len() > MAX_ROWS {
        return None;
    }
    if items.iter().all(Value::is_number) {
        return Table::new(name, vec!["value".to_owned()], items.iter().map(|item| vec![item.to_string()]).collect());
    }
    let objects: Vec<&Map<String, Value>> = items.iter().map(Value::as_object).collect::<Option<_>>()?;
    of_objects(name, &objects, None)
}

/// `{"Ada": {"age": 36}, …}`: the keys are the names.
fn from_map(map: &Map<String, Value>) -> Option<Table> {
    if map.len() < 2 || map.len() > MAX_ROWS {
        return None;
    }
    let objects: Vec<&Map<String, Value>> = map.values().map(Value::as_object).collect::<Option<_>>()?;
    let keys: Vec<&str> = map.keys().map(String::as_str).collect();
    of_objects("", &objects, Some(&keys))
}

fn of_objects(name: &str, objects: &[&Map<String, Value>], keys: Option<&[&str]>) -> Option<Table> {
    let mut names: Vec<String> = keys.map(|_| "name".to_owned()).into_iter().collect();
    for key in objects.iter().flat_map(|object| object.keys()) {
        if names.len() <= MAX_COLUMNS && !names.contains(key) {
            names.push(key.clone());
        }
    }
    let rows = objects.iter().enumerate().map(|(at, object)| {
        let cell = |name: &String| match (object.get(name), keys) {
            (None, Some(keys)) if name == "name" => keys[at].to_owned(),
            (found, _) => text_of(found),
        };
        names.iter().map(cell).collect()
    });
    let rows = rows.collect();
    Table::new(name, names, rows)
}

fn text_of(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.chars().take(500).collect(),
        Some(Value::Array(_) | Value::Object(_)) => "…".to_owned(),
        Some(other) => other.to_string(),
    }
}

/// The first table of a Markdown text.
fn from_markdown(text: &str) -> Option<Table> {
    let lines: Vec<&str> = text.lines().take(MAX_ROWS).map(str::trim).collect();
    let rule = |line: &str| line.contains("--") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let at = (1..lines.len()).find(|&at| rule(lines[at]) && lines[at].contains('|') && lines[at - 1].contains('|'))?;
    let cells = |line: &str| -> Vec<String> {
        let inner = line.strip_prefix('|').unwrap_or(line);
        let inner = inner.strip_suffix('|').unwrap_or(inner);
        inner.split('|').map(|cell| cell.trim().trim_matches(['*', '`']).to_owned()).collect()
    };
    let names = cells(lines[at - 1]);
    let rows = lines[at + 1..].iter().take_while(|line| line.contains('|')).map(|line| even(cells(line), names.len()));
    let rows = rows.collect();
    Table::new("", names, rows)
}

/// Lines of cells: the sign that divides all of them alike.
fn from_lines(text: &str) -> Option<Table> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(MAX_ROWS + 1).collect();
    let divides = |sign: &char| {
        let width = cells_of(lines.first()?, *sign).len();
        let alike = lines.iter().filter(|line| cells_of(line, *sign).len() == width).count();
        (width > 1 && lines.len() > 1 && alike * 10 >= lines.len() * 9).then_some(width)
    };
    let sign = [',', '\t', ';', '|'].into_iter().find(|sign| divides(sign).is_some())?;
    let names = cells_of(lines.first()?, sign);
    let heads = |name: &String| !name.is_empty() && name.chars().count() <= MAX_HEADING && number(name).is_none();
    if !names.iter().all(heads) {
        return None;
    }
    let rows = lines[1..].iter().map(|line| even(cells_of(line, sign), names.len())).collect();
    Table::new("", names, rows)
}

/// The cells of a line; one in quotation marks may hold the sign, and two marks are one.
fn cells_of(line: &str, sign: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        let begins = cells.last().is_some_and(|cell| cell.trim().is_empty());
        match letter {
            '"' if quoted || begins => quoted = !quoted,
            _ if letter == sign && !quoted => cells.push(String::new()),
            _ => cells.last_mut().into_iter().for_each(|cell| cell.push(letter)),
        }
        if cells.len() > MAX_COLUMNS {
            break;
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

fn even(mut cells: Vec<String>, width: usize) -> Vec<String> {
    cells.resize(width, String::new());
    cells
}
