//! `make_chart`: rows become a chart. Its value says what is drawn, `{type, title, x, y, series?, rows}`, and no more: whoever
//! shows it draws it, so that it follows the theme, reads as a table too, and a later call can go on with its rows.

mod points;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use switchboard_protocol::{Risk, ToolDefinition};

use super::blocking::on_thread;
use super::paths::{rename, text};
use super::schema;
use points::{Axes, Points, failure};
use switchboard_events::ArtifactValue;
use switchboard_tables::Table;
use switchboard_tools::text::{counted, sanitize_line};
use switchboard_tools::{Tool, ToolContext, ToolFailure, ToolResult, ToolSpec};

/// The kinds of charts.
pub(super) const TYPES: &[&str] = &["bar", "line", "area", "point", "pie"];

/// Other names that people and models give them.
const OTHER_TYPES: &[(&str, &str)] = &[
    ("bars", "bar"),
    ("bar chart", "bar"),
    ("barchart", "bar"),
    ("column", "bar"),
    ("histogram", "bar"),
    ("lines", "line"),
    ("line chart", "line"),
    ("area chart", "area"),
    ("points", "point"),
    ("scatter", "point"),
    ("scatterplot", "point"),
    ("scatter plot", "point"),
    ("dot", "point"),
    ("pie chart", "pie"),
    ("donut", "pie"),
    ("doughnut", "pie"),
];

/// How many points the view lists.
const LISTED: usize = 10;

/// Makes charts.
pub(super) struct MakeChart {
    spec: ToolSpec,
}

impl MakeChart {
    pub(super) fn new() -> Self {
        let mut spec = ToolSpec::new(definition());
        spec.for_viewers = true;
        spec.default_variable = Some("chart");
        Self { spec }
    }
}

fn definition() -> ToolDefinition {
    let column = |what: &str| json!({"type": "string", "minLength": 1, "maxLength": 200, "description": what});
    ToolDefinition {
        name: "make_chart".to_owned(),
        description: "Make a chart of rows of data, which the user sees in the reply: a bar, line, area, point or pie \
                      chart. Plot, draw or visualize the figures of a table as a graph or diagram."
            .to_owned(),
        module: "data".to_owned(),
        parameters: schema::arguments(
            &["data", "type", "x", "y"],
            json!({
                "data": {
                    "type": ["array", "object", "string"],
                    "description": "The rows: a list of objects, CSV or JSON; usually a reference such as @file_content.",
                },
                "type": {"type": "string", "enum": TYPES, "description": "The kind of chart."},
                "x": column("The column along the axis; of a pie, the slices."),
                "y": column("The column of numbers; those with the same x are added up."),
                "series": column("A column that tells several lines apart."),
                "title": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "The title above it.",
                },
            }),
        ),
        output: Some(schema::object(json!({
            "type": {"type": "string"},
            "title": {"type": "string"},
            "x": {"type": "string"},
            "y": {"type": "string"},
            "series": {"type": "string"},
            "rows": schema::list(json!({"type": "object"})),
        }))),
        example: json!({
            "data": [{"region": "north", "amount": 120}, {"region": "south", "amount": 45}],
            "type": "bar",
            "x": "region",
            "y": "amount",
            "title": "Amount by region",
        }),
        risk: Risk::Read,
        examples: Vec::new(),
    }
}

/// The title above the chart.
fn title(arguments: &Map<String, Value>, axes: &Axes) -> String {
    match text(arguments, "title").trim() {
        "" => axes.title(),
        title => sanitize_line(title),
    }
}

#[async_trait]
impl Tool for MakeChart {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn normalise(&self, arguments: &mut Map<String, Value>) {
        rename(arguments, &["rows", "table"], "data");
        rename(arguments, &["chart_type", "chartType", "kind"], "type");
        rename(arguments, &["x_axis", "xAxis", "labels"], "x");
        rename(arguments, &["y_axis", "yAxis", "values"], "y");
        rename(arguments, &["color", "group"], "series");
        arguments.retain(|_, value| !value.is_null());
        if let Some(Value::String(kind)) = arguments.get_mut("type") {
            let lower = kind.trim().to_lowercase();
            let known = OTHER_TYPES.iter().find(|(other, _)| *other == lower).map(|(_, known)| (*known).to_owned());
            *kind = known.unwrap_or(lower);
        }
    }

    fn title(&self, arguments: &Map<String, Value>) -> Option<String> {
        Some(format!("Make a {} chart: {}", text(arguments, "type"), title(arguments, &Axes::of(arguments))))
    }

    async fn execute(&self, _context: &ToolContext, arguments: &Map<String, Value>) -> ToolResult {
        let (axes, kind) = (Axes::of(arguments), text(arguments, "type").to_owned());
        let title = title(arguments, &axes);
        let data = arguments.get("data").cloned().unwrap_or_default();
        on_thread("make_chart", move || {
            let table = table(&data, &axes)?;
            Ok(chart(&kind, &title, &Points::of(&table, &axes, &kind)?))
        })
        .await
        .into()
    }
}

/// The table in the data that has the columns; if none has, the first, so that the refusal can name its columns.
fn table(data: &Value, axes: &Axes) -> Result<Table, ToolFailure> {
    let (name, written) = match data {
        Value::String(text) if text.trim_start().starts_with(['[', '{']) => ("data.json", text.clone()),
        Value::String(text) if text.trim_start().starts_with('|') => ("data.md", text.clone()),
        Value::String(text) => ("data.csv", text.clone()),
        data => ("data.json", data.to_string()),
    };
    let read = |name: &str| Table::read(name, &written).map_err(|error| failure(error.to_string()));
    let mut tables = read(name)?;
    if tables.is_empty() && name == "data.json" {
        tables = read("data.jsonl")?;
    }
    tables.retain(|table| !table.rows.is_empty());
    let at = tables.iter().position(|table| axes.are_in(table)).unwrap_or_default();
    if tables.is_empty() {
        let next = "Give a list of objects, or a reference to the text of a CSV or JSON file that was read, such as \
                    @file_content.";
        return Err(failure("there are no rows in `data`").suggesting(next));
    }
    Ok(tables.swap_remove(at))
}

fn chart(kind: &str, title: &str, points: &Points) -> ToolResult {
    let Axes { x, y, series } = &points.axes;
    let rows: Vec<Value> = points.rows.iter().map(|point| point.row(&points.axes)).collect();
    let count = rows.len();
    let mut spec = json!({"type": kind, "title": title, "x": x, "y": y});
    if let Some(series) = series {
        spec["series"] = series.as_str().into();
    }
    spec["rows"] = rows.into();
    let mut view = format!("Made a {kind} chart, {title}: {}.", counted(count as u64, "point"));
    if points.added > count {
        view.push_str(&format!(" {} rows were added up, because several have the same {x}.", points.added));
    }
    if points.left_out > 0 {
        let rows = counted(points.left_out as u64, "row");
        view.push_str(&format!(" {rows} without a number in {y} left out."));
    }
    for point in points.rows.iter().take(LISTED) {
        view.push_str(&format!("\n{}", point.told()));
    }
    if count > LISTED {
        view.push_str(&format!("\n… and {} more", count - LISTED));
    }
    let result = ToolResult::success(ArtifactValue::Json(spec)).with_view(view);
    result.with_field("viewer", "chart").with_field("points", count)
}

#[cfg(test)]
#[path = "../make_chart_tests.rs"]
mod tests;
