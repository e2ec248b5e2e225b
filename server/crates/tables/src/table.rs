//! A table: named columns with inferred types, and rows that keep each cell's text as its source has it.

use serde::{Deserialize, Serialize};

use crate::date::{self, Format};
use crate::error::TableError;
use crate::number::{Number, Style, style_of};
use crate::value::Value;
use crate::vocabulary::vocabulary;

/// More rows than these are not read.
pub(crate) const MAX_ROWS: usize = 100_000;

/// More columns than these are not read.
pub(crate) const MAX_COLUMNS: usize = 120;

/// Rows of cells under named columns; all rows have a cell for each column.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What the rows are: the key of the array, the file's name without its ending.
    pub name: String,
    /// Where it was read: a path, a variable.
    pub source: String,
    /// What its rows are.
    pub kind: TableKind,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Its rows, each with the exact text of its cells.
    pub rows: Vec<Vec<String>>,
    /// The files that make it together, if it is not that of one.
    pub(crate) files: Vec<String>,
}

/// What the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableKind {
    /// Records.
    Records,
    /// Lines of a log.
    Log,
}

/// A column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name, as the source has it.
    pub name: String,
    /// What its cells are.
    pub kind: ColumnKind,
    /// The sign of its money.
    pub sign: Option<char>,
    /// What follows its numbers, as `GB`.
    pub unit: String,
    /// Digits behind the point, at most.
    pub decimals: usize,
    /// Cells that are not what the others are, and count as empty.
    pub strays: usize,
    style: Style,
    format: Option<Format>,
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Whole numbers.
    Integer,
    /// Numbers.
    Real,
    /// Numbers with a sign of money.
    Money,
    /// Days or moments.
    Date,
    /// Yes or no.
    Boolean,
    /// Anything else.
    Text,
}

impl ColumnKind {
    /// Whether one can add its cells.
    #[must_use]
    pub fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Real | Self::Money)
    }
}

impl Table {
    /// A table of these cells; short rows are filled up with empty ones.
    pub(crate) fn new(
        name: &str,
        source: &str,
        kind: TableKind,
        names: Vec<String>,
        mut rows: Vec<Vec<String>>,
    ) -> Result<Self, TableError> {
        if rows.len() > MAX_ROWS {
            return Err(TableError::TooMany { what: "rows", most: MAX_ROWS });
        }
        if names.len() > MAX_COLUMNS {
            return Err(TableError::TooMany { what: "columns", most: MAX_COLUMNS });
        }
        rows.iter_mut().for_each(|row| row.resize(names.len(), String::new()));
        let columns = distinct(names).into_iter().enumerate().map(|(at, name)| Column::of(name, &rows, at)).collect();
        Ok(Self { name: name.to_owned(), source: source.to_owned(), kind, columns, rows, files: Vec::new() })
    }

    /// Adds a column of numbers.
    pub(crate) fn add(&mut self, name: &str, cells: Vec<String>) {
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.push(cell);
        }
        self.columns.push(Column::of(name.to_owned(), &self.rows, self.columns.len()));
    }

    /// A cell's exact text.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> &str {
        self.rows.get(row).and_then(|cells| cells.get(column)).map_or("", String::as_str)
    }

    /// Where a column of that name stands.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}

impl Column {
    fn of(name: String, rows: &[Vec<String>], at: usize) -> Self {
        let mut column = Self {
            name,
            kind: ColumnKind::Text,
            sign: None,
            unit: String::new(),
            decimals: 0,
            strays: 0,
            style: Style::Point,
            format: None,
        };
        let cells: Vec<&str> =
            rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.trim()).filter(|cell| !is_blank(cell)).collect();
        if !cells.is_empty() {
            let _ = column.infer_boolean(&cells) || column.infer_date(&cells) || column.infer_number(&cells);
        }
        column
    }

    /// The typed value of a cell's text.
    #[must_use]
    pub fn value(&self, cell: &str) -> Value {
        let cell = cell.trim();
        if cell.is_empty() || (self.kind != ColumnKind::Text && is_blank(cell)) {
            return Value::Null;
        }
        match self.kind {
            ColumnKind::Text => Value::Text(cell.to_owned()),
            ColumnKind::Boolean => boolean(cell).map_or(Value::Null, Value::Boolean),
            ColumnKind::Date => {
                self.format.and_then(|format| date::parse(cell, format)).map_or(Value::Null, Value::Date)
            }
            ColumnKind::Integer | ColumnKind::Real | ColumnKind::Money => {
                let read = Number::parse(cell, self.style).filter(|read| self.admits(read));
                read.map_or(Value::Null, |read| match self.kind {
                    #[expect(clippy::cast_possible_truncation, reason = "whole and below 1e15")]
                    ColumnKind::Integer if read.is_whole() => Value::Integer(read.value as i64),
                    _ => Value::Real(read.value),
                })
            }
        }
    }

    fn admits(&self, read: &Number) -> bool {
        read.unit == self.unit && read.sign.is_none_or(|sign| self.sign == Some(sign))
    }

    fn infer_boolean(&mut self, cells: &[&str]) -> bool {
        let all = cells.iter().all(|cell| boolean(cell).is_some());
        let figures = cells.iter().any(|cell| matches!(*cell, "0" | "1"));
        let name = self.name.to_lowercase();
        let asks = vocabulary().set("flags").iter().any(|start| name.starts_with(start));
        let is = all && (!figures || asks);
        if is {
            self.kind = ColumnKind::Boolean;
        }
        is
    }

    fn infer_date(&mut self, cells: &[&str]) -> bool {
        let Some(format) = date::format_of(cells) else { return false };
        if format == Format::Iso && date::zones_differ(cells) {
            return false;
        }
        self.kind = ColumnKind::Date;
        self.strays = cells.iter().filter(|cell| date::parse(cell, format).is_none()).count();
        self.format = Some(format);
        true
    }

    fn infer_number(&mut self, cells: &[&str]) -> bool {
        self.style = style_of(cells.iter().copied());
        let read: Vec<Number> = cells.iter().filter_map(|cell| Number::parse(cell, self.style)).collect();
        // 007 is a name, not a number.
        let leads = cells.iter().any(|cell| cell.len() > 1 && cell.starts_with('0') && !cell.contains(['.', ',']));
        let Some(first) = read.first().filter(|_| !leads) else { return false };
        self.sign = read.iter().find_map(|read| read.sign);
        self.unit.clone_from(&first.unit);
        let fitting: Vec<&Number> = read.iter().filter(|read| self.admits(read)).collect();
        let is = fitting.len() * 10 >= cells.len() * 9;
        if !is {
            (self.sign, self.unit) = (None, String::new());
            return false;
        }
        self.decimals = fitting.iter().map(|read| read.decimals).max().unwrap_or(0);
        self.strays = cells.len() - fitting.len();
        self.kind = match self.sign {
            Some(_) => ColumnKind::Money,
            None if fitting.iter().all(|read| read.is_whole()) => ColumnKind::Integer,
            None => ColumnKind::Real,
        };
        true
    }
}

/// What stands where nothing is known.
fn is_blank(cell: &str) -> bool {
    cell.is_empty() || is_one_of(cell, "blanks")
}

fn boolean(cell: &str) -> Option<bool> {
    match (is_one_of(cell, "true_cells"), is_one_of(cell, "false_cells")) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn is_one_of(cell: &str, set: &str) -> bool {
    // Long cells are none of them, and there are many.
    cell.len() <= 6 && vocabulary().set(set).iter().any(|word| cell.eq_ignore_ascii_case(word))
}

/// Columns of one name are told apart by a number; those without one by their place.
fn distinct(names: Vec<String>) -> Vec<String> {
    let mut known: Vec<String> = Vec::with_capacity(names.len());
    for (at, name) in names.into_iter().enumerate() {
        let name = if name.trim().is_empty() { format!("column {}", at + 1) } else { name.trim().to_owned() };
        let count = known.iter().filter(|other| **other == name).count();
        known.push(if count == 0 { name } else { format!("{name} {}", count + 1) });
    }
    known
}
