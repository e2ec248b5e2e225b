//! The points of a chart out of a table: typed, added up where several rows stand for one point, and within limits.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::paths::text;
use switchboard_protocol::ErrorType;
use switchboard_tables::{Column, ColumnKind, Table, Value as Cell};
use switchboard_tools::ToolFailure;
use switchboard_tools::text::sanitize_line;

/// More points than these are not drawn.
const MAX_POINTS: usize = 5_000;

/// More series than these cannot be told apart.
const MAX_SERIES: usize = 12;

/// More slices than these cannot be told apart.
const MAX_SLICES: usize = 12;

/// The columns that are drawn.
#[derive(Debug, Clone)]
pub(super) struct Axes {
    pub(super) x: String,
    pub(super) y: String,
    pub(super) series: Option<String>,
}

impl Axes {
    pub(super) fn of(arguments: &Map<String, Value>) -> Self {
        let series = text(arguments, "series");
        let (x, y) = (text(arguments, "x").to_owned(), text(arguments, "y").to_owned());
        Self { x, y, series: (!series.is_empty()).then(|| series.to_owned()) }
    }

    /// What the chart is called if nobody says it.
    pub(super) fn title(&self) -> String {
        let series = self.series.as_ref().map(|series| format!(" and {series}")).unwrap_or_default();
        sanitize_line(&format!("{} by {}{series}", self.y, self.x))
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        [&self.x, &self.y].into_iter().chain(&self.series)
    }

    /// Whether a table has all the columns.
    pub(super) fn are_in(&self, table: &Table) -> bool {
        self.names().all(|name| place(table, name).is_some())
    }
}

/// The points, and what became of the rows.
#[derive(Debug)]
pub(super) struct Points {
    /// The columns as the table calls them.
    pub(super) axes: Axes,
    pub(super) rows: Vec<Point>,
    /// How many rows the points are made of.
    pub(super) added: usize,
    /// How many rows have no number to draw.
    pub(super) left_out: usize,
}

/// One of them.
#[derive(Debug)]
pub(super) struct Point {
    x: Value,
    y: f64,
    series: Option<String>,
}

impl Points {
    pub(super) fn of(table: &Table, wanted: &Axes, kind: &str) -> Result<Self, ToolFailure> {
        let at = |name: &str| place(table, name).ok_or_else(|| no_column(table, name));
        let (x, y) = (at(&wanted.x)?, at(&wanted.y)?);
        let series = wanted.series.as_deref().map(at).transpose()?;
        let name = |at: usize| table.columns[at].name.clone();
        let axes = Axes { x: name(x), y: name(y), series: series.map(name) };
        if !table.columns[y].kind.is_number() {
            return Err(no_numbers(table, &axes.y));
        }
        let mut points = Self { axes, rows: Vec::new(), added: 0, left_out: 0 };
        let mut known: HashMap<(String, Option<String>), usize> = HashMap::new();
        for row in &table.rows {
            let Some(figure) = table.columns[y].value(&row[y]).number() else {
                points.left_out += 1;
                continue;
            };
            let point = Point {
                x: label(&table.columns[x], &row[x]),
                y: figure,
                series: series.map(|at| plain(&label(&table.columns[at], &row[at]))),
            };
            points.added += 1;
            let key = (point.x.to_string(), point.series.clone());
            match known.get(&key).copied().filter(|_| kind != "point") {
                Some(at) => points.rows[at].y += figure,
                None => {
                    known.insert(key, points.rows.len());
                    points.rows.push(point);
                }
            }
        }
        points.checked(kind)?;
        points.finish(&table.columns[x], table.columns[y].decimals, kind);
        Ok(points)
    }

    fn checked(&self, kind: &str) -> Result<(), ToolFailure> {
        let count = self.rows.len();
        let fewer = "Put rows together first, such as a total for each month, or draw fewer of them.";
        if count == 0 {
            return Err(failure(format!("no row has a number in `{}`", self.axes.y)));
        }
        if count > MAX_POINTS {
            let message = format!("the chart would have {count} points, and the limit is {MAX_POINTS}");
            return Err(failure(message).suggesting(fewer));
        }
        let mut names: Vec<&String> = self.rows.iter().filter_map(|point| point.series.as_ref()).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() > MAX_SERIES {
            let message = format!("the chart would have {} series, and the limit is {MAX_SERIES}", names.len());
            return Err(failure(message).suggesting(fewer));
        }
        if kind != "pie" {
            return Ok(());
        }
        if count > MAX_SLICES {
            let message = format!("the pie would have {count} slices, and the limit is {MAX_SLICES}");
            return Err(failure(message).suggesting("Make a bar chart instead, or draw fewer rows."));
        }
        match self.rows.iter().any(|point| point.y < 0.0) || self.rows.iter().all(|point| point.y == 0.0) {
            true => {
                let message = format!("a pie shows shares of a whole, and `{}` has none", self.axes.y);
                Err(failure(message).suggesting("Make a bar chart instead."))
            }
            false => Ok(()),
        }
    }

    /// Sums as they are written, and lines from left to right.
    fn finish(&mut self, x: &Column, decimals: usize, kind: &str) {
        for point in &mut self.rows {
            point.y = Cell::Real(point.y).shown(decimals).parse().unwrap_or(point.y);
        }
        if matches!(kind, "line" | "area") && (x.kind.is_number() || x.kind == ColumnKind::Date) {
            self.rows.sort_by(|one, other| order(&one.x, &other.x));
        }
    }
}

impl Point {
    /// The point as a row of the chart's value.
    pub(super) fn row(&self, axes: &Axes) -> Value {
        let mut row = Map::new();
        row.insert(axes.x.clone(), self.x.clone());
        if let (Some(name), Some(series)) = (&axes.series, &self.series) {
            row.insert(name.clone(), series.as_str().into());
        }
        row.insert(axes.y.clone(), number(self.y));
        Value::Object(row)
    }

    /// The point as people read it.
    pub(super) fn told(&self) -> String {
        let series = self.series.as_ref().map(|series| format!(", {series}")).unwrap_or_default();
        sanitize_line(&format!("{}{series}: {}", plain(&self.x), number(self.y)))
    }
}

/// A refusal that is about what was given.
pub(super) fn failure(message: impl Into<String>) -> ToolFailure {
    ToolFailure::new(ErrorType::User, message)
}

/// Where a column of that name stands: as it is written, or in other letters.
fn place(table: &Table, name: &str) -> Option<usize> {
    let same = |text: &str| text.trim().to_lowercase().replace(['_', '-'], " ");
    let wanted = same(name);
    table.column(name).or_else(|| table.columns.iter().position(|column| same(&column.name) == wanted))
}

fn no_column(table: &Table, name: &str) -> ToolFailure {
    let names: Vec<String> = table.columns.iter().map(|column| format!("`{}`", sanitize_line(&column.name))).collect();
    let message = format!("there is no column `{}` in `data`", sanitize_line(name));
    failure(message).suggesting(format!("Its columns are {}.", names.join(", ")))
}

fn no_numbers(table: &Table, name: &str) -> ToolFailure {
    let numbers = table.columns.iter().filter(|column| column.kind.is_number());
    let names: Vec<String> = numbers.map(|column| format!("`{}`", sanitize_line(&column.name))).collect();
    let message = format!("the cells of `{}` are not numbers, so they cannot be drawn", sanitize_line(name));
    failure(message).suggesting(match names.is_empty() {
        true => "None of the columns holds numbers; count the rows first.".to_owned(),
        false => format!("Columns of numbers are {}.", names.join(", ")),
    })
}

/// What stands at a point: a number where the column is one of numbers, else text.
fn label(column: &Column, cell: &str) -> Value {
    match column.value(cell) {
        Cell::Null => "(empty)".into(),
        Cell::Integer(value) => value.into(),
        Cell::Real(value) => number(value),
        Cell::Boolean(_) => cell.trim().into(),
        Cell::Date(text) | Cell::Text(text) => text.into(),
    }
}

fn plain(label: &Value) -> String {
    label.as_str().map_or_else(|| label.to_string(), str::to_owned)
}

/// Whole numbers are written without a point.
fn number(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "taken only if it is whole and below 1e15")]
    let whole = value as i64;
    if value.fract() == 0.0 && value.abs() < 1e15 { whole.into() } else { json!(value) }
}

/// Numbers by their size, and before what is none; dates are written so that their order is that of text.
fn order(one: &Value, other: &Value) -> Ordering {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (left, right) => right.is_some().cmp(&left.is_some()).then_with(|| one.as_str().cmp(&other.as_str())),
    }
}
