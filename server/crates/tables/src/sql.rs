//! A query as SQL on a database in memory: values are bound, never spliced, and only columns that the query uses are
//! loaded.

use rusqlite::types::{ToSqlOutput, Value as Sql, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

use crate::date::{Periods, periods};
use crate::derived::with_derived;
use crate::error::TableError;
use crate::query::{Condition, Function, Group, Measure, Order, OrderBy, Period, Query, Test};
use crate::table::{ColumnKind, Table};
use crate::value::Value;

/// What a query found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found {
    /// The places of rows, in their order.
    Rows(Vec<usize>),
    /// A line for each group: its labels, its figures, and how many rows it is of.
    Groups(Vec<Line>),
}

/// A group and its figures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Line {
    pub(crate) labels: Vec<Value>,
    pub(crate) figures: Vec<Value>,
    /// How many of its rows have a cell that was computed with.
    pub(crate) rows: usize,
}

/// Runs a query.
pub(crate) fn run(table: &Table, query: &Query) -> Result<Found, TableError> {
    let (mut statement, database) = Statement::of(table, query)?;
    if query.is_rows() {
        let sql = statement.rows(query)?;
        let mut prepared = database.prepare(&sql)?;
        let read = prepared.query_map(params_from_iter(statement.parameters), |row| row.get::<_, i64>(0))?;
        let places = read.map(|place| place.map(|place| usize::try_from(place).unwrap_or_default()));
        let mut places: Vec<usize> = places.collect::<Result<_, _>>()?;
        cut_rows(table, query, &mut places);
        return Ok(Found::Rows(places));
    }
    let sql = statement.groups(query)?;
    let mut prepared = database.prepare(&sql)?;
    let (labels, figures) = (query.group.len(), query.measures.len());
    let read = prepared.query_map(params_from_iter(statement.parameters), |row| {
        let value = |at: usize| row.get_ref(at).map(value_of);
        Ok(Line {
            labels: (0..labels).map(value).collect::<Result<_, _>>()?,
            figures: (labels..labels + figures).map(value).collect::<Result<_, _>>()?,
            rows: usize::try_from(row.get::<_, i64>(labels + figures)?).unwrap_or_default(),
        })
    })?;
    let mut lines: Vec<Line> = read.collect::<Result<_, _>>()?;
    // Rows of no group that have no figure either say nothing.
    let is_null = |values: &[Value]| values.iter().all(|value| *value == Value::Null);
    lines.retain(|line| line.labels.is_empty() || !is_null(&line.labels) || !is_null(&line.figures));
    if let Some(limit) = query.limit {
        let rows = usize::try_from(limit.rows).unwrap_or(usize::MAX);
        lines.drain(..lines.len().min(limit.skip as usize));
        let last = lines.get(rows.saturating_sub(1)).and_then(|line| line.figures.first().cloned());
        let ties =
            lines.iter().skip(rows).take_while(|line| limit.ties && line.figures.first() == last.as_ref()).count();
        lines.truncate(rows + ties);
    }
    Ok(Found::Groups(lines))
}

/// The places of the rows that a query is about: those that it finds, or those of the groups that it finds.
fn places(table: &Table, query: &Query) -> Result<Vec<usize>, TableError> {
    let derived = with_derived(table, query);
    let table = derived.as_ref().unwrap_or(table);
    let lines = match run(table, query)? {
        Found::Rows(places) => return Ok(places),
        Found::Groups(lines) => lines,
    };
    let (mut statement, database) = Statement::of(table, query)?;
    let labels: String = query
        .group
        .iter()
        .map(|group| Ok(format!(", {}", statement.label(group)?)))
        .collect::<Result<_, TableError>>()?;
    let filter = statement.fitting(&query.filter)?;
    let mut prepared = database.prepare(&format!("SELECT r{labels} FROM t WHERE {filter}"))?;
    let read = prepared.query_map(params_from_iter(statement.parameters), |row| {
        let label = |at: usize| row.get_ref(at).map(value_of);
        Ok((row.get::<_, i64>(0)?, (1..=query.group.len()).map(label).collect::<Result<Vec<_>, _>>()?))
    })?;
    let rows: Vec<(i64, Vec<Value>)> = read.collect::<Result<_, _>>()?;
    let fits = |labels: &Vec<Value>| lines.iter().any(|line| line.labels == *labels);
    Ok(rows.iter().filter(|(_, labels)| fits(labels)).filter_map(|(place, _)| usize::try_from(*place).ok()).collect())
}

/// Cuts to the limit; rows that are like the last of them stay if ties are wanted.
fn cut_rows(table: &Table, query: &Query, places: &mut Vec<usize>) {
    let Some(limit) = query.limit else { return };
    let rows = usize::try_from(limit.rows).unwrap_or(usize::MAX);
    places.drain(..places.len().min(limit.skip as usize));
    let ordered = query.order.as_ref().and_then(|order| match &order.by {
        OrderBy::Column(name) => table.column(name),
        _ => None,
    });
    let value = |place: &usize| ordered.map(|at| table.columns[at].value(table.cell(*place, at)));
    let last = places.get(rows.saturating_sub(1)).map(value);
    let ties = places.iter().skip(rows).take_while(|place| limit.ties && Some(value(place)) == last).count();
    places.truncate(rows + ties);
    // The last ten lines are told as they follow each other.
    let from_end = matches!(&query.order, Some(Order { by: OrderBy::Row, descending: true }));
    if from_end {
        places.reverse();
    }
}

struct Statement<'a> {
    table: &'a Table,
    parameters: Vec<Value>,
    /// The rows that come into question, if not all do.
    among: Option<Vec<usize>>,
}

impl<'a> Statement<'a> {
    /// The statement that a query is to become, and the database that has what it needs of the table.
    fn of(table: &'a Table, query: &Query) -> Result<(Self, Connection), TableError> {
        let among = query.within.as_deref().map(|other| places(table, other)).transpose()?;
        let statement = Self { table, parameters: Vec::new(), among };
        let database = Connection::open_in_memory()?;
        statement.load(&database, query)?;
        Ok((statement, database))
    }

    fn at(&self, name: &str) -> Result<usize, TableError> {
        self.table
            .column(name)
            .ok_or_else(|| TableError::NoColumn { source_name: self.table.source.clone(), column: name.to_owned() })
    }

    fn column(&self, name: &str) -> Result<String, TableError> {
        self.at(name).map(|at| format!("c{at}"))
    }

    fn load(&self, database: &Connection, query: &Query) -> Result<(), TableError> {
        let mut used: Vec<usize> = query.names().map(|name| self.at(name)).collect::<Result<_, _>>()?;
        used.sort_unstable();
        used.dedup();
        let names: String = used.iter().map(|at| format!(", c{at}")).collect();
        let marks = ", ?".repeat(used.len());
        database.execute_batch(&format!("CREATE TABLE t (r INTEGER PRIMARY KEY{names}); BEGIN"))?;
        let mut insert = database.prepare(&format!("INSERT INTO t (r{names}) VALUES (?{marks})"))?;
        for (place, row) in self.table.rows.iter().enumerate() {
            let place = Value::Integer(i64::try_from(place).unwrap_or(i64::MAX));
            let cells = used.iter().map(|at| self.table.columns[*at].value(&row[*at]));
            insert.execute(params_from_iter(std::iter::once(place).chain(cells)))?;
        }
        Ok(())
    }

    /// The rows that fit, in their order.
    fn rows(&mut self, query: &Query) -> Result<String, TableError> {
        let mut filter = self.fitting(&query.filter)?;
        let order = match &query.order {
            Some(Order { by: OrderBy::Column(name), descending }) => {
                let column = self.column(name)?;
                if query.limit.is_some() {
                    filter = format!("{filter} AND {column} IS NOT NULL");
                }
                format!("{column} IS NULL, {column} COLLATE NOCASE{}, r", down(*descending))
            }
            Some(Order { descending, .. }) => format!("r{}", down(*descending)),
            None => "r".to_owned(),
        };
        Ok(format!("SELECT r FROM t WHERE {filter} ORDER BY {order}"))
    }

    /// A line for each group; one line if there are none.
    fn groups(&mut self, query: &Query) -> Result<String, TableError> {
        let labels: Vec<String> = query.group.iter().map(|group| self.label(group)).collect::<Result<_, _>>()?;
        let names: Vec<String> = (0..labels.len()).map(|at| format!("g{at}")).collect();
        let labelled: String = labels.iter().zip(&names).map(|(label, name)| format!(", {label} AS {name}")).collect();
        let mut filter = self.fitting(&query.filter)?;
        if query.limit.is_some() {
            filter.extend(labels.iter().map(|label| format!(" AND {label} IS NOT NULL")));
        }
        let partition = if names.is_empty() { String::new() } else { format!("PARTITION BY {}", names.join(", ")) };
        let mut ranks = String::new();
        let mut figures = Vec::new();
        for (at, measure) in query.measures.iter().enumerate() {
            if measure.function == Function::Median {
                let column = self.column(measure.column.as_deref().unwrap_or_default())?;
                ranks.push_str(&format!(
                    ", ROW_NUMBER() OVER ({partition} ORDER BY {column} IS NULL, {column}) AS k{at}, \
                     COUNT({column}) OVER ({partition}) AS n{at}"
                ));
            }
            figures.push(format!("{} AS m{at}", self.figure(measure, at)?));
        }
        let first = query.measures.first().and_then(|measure| measure.column.as_deref());
        let counted = match first {
            Some(name) => format!("COUNT({})", self.column(name)?),
            None => "COUNT(*)".to_owned(),
        };
        let select = names.iter().cloned().chain(figures).chain([counted]).collect::<Vec<_>>().join(", ");
        let group = if names.is_empty() { String::new() } else { format!(" GROUP BY {}", names.join(", ")) };
        let having = match &query.having {
            Some(having) => format!(" HAVING {}", self.test("m0", &having.test, false)?),
            None => String::new(),
        };
        let order = if names.is_empty() { String::new() } else { format!(" ORDER BY {}", self.order(query)?) };
        Ok(format!(
            "WITH base AS (SELECT *{labelled} FROM t WHERE {filter}), ranked AS (SELECT *{ranks} FROM base) \
             SELECT {select} FROM ranked{group}{having}{order}"
        ))
    }

    fn label(&self, group: &Group) -> Result<String, TableError> {
        let column = self.column(&group.column)?;
        Ok(match group.period {
            None => column,
            Some(Period::Minute) => format!("replace(substr({column}, 1, 16), 'T', ' ')"),
            Some(Period::Hour) => format!("replace(substr({column}, 1, 13), 'T', ' ') || ':00'"),
            Some(Period::Day) => format!("substr({column}, 1, 10)"),
            Some(Period::Week) => format!("date(substr({column}, 1, 10), '-6 days', 'weekday 1')"),
            Some(Period::Month) => format!("substr({column}, 1, 7)"),
            Some(Period::Year) => format!("substr({column}, 1, 4)"),
        })
    }

    fn figure(&mut self, measure: &Measure, at: usize) -> Result<String, TableError> {
        let column = measure.column.as_deref().map(|name| self.column(name)).transpose()?;
        let of = column.clone().unwrap_or_else(|| "1".to_owned());
        Ok(match measure.function {
            Function::Count => "COUNT(*)".to_owned(),
            Function::Distinct => format!("COUNT(DISTINCT {of})"),
            Function::Sum => format!("SUM({of})"),
            Function::Average => format!("AVG({of})"),
            Function::Median => format!("AVG(CASE WHEN k{at} IN ((n{at} + 1) / 2, (n{at} + 2) / 2) THEN {of} END)"),
            Function::Minimum => format!("MIN({of})"),
            Function::Maximum => format!("MAX({of})"),
            Function::Share if measure.part.is_empty() => format!("100.0 * SUM({of}) / (SELECT SUM({of}) FROM base)"),
            Function::Share => {
                let part = self.filter(&measure.part)?;
                format!("100.0 * COALESCE(SUM(CASE WHEN {part} THEN {of} END), 0) / SUM({of})")
            }
        })
    }

    fn order(&self, query: &Query) -> Result<String, TableError> {
        Ok(match &query.order {
            Some(Order { by: OrderBy::Column(name), descending }) => {
                match query.group.iter().position(|group| group.column == *name) {
                    Some(at) => format!("g{at}{}, MIN(r)", down(*descending)),
                    None => format!("m0{}, MIN(r)", down(*descending)),
                }
            }
            Some(Order { descending, .. }) => format!("m0 IS NULL, m0{}, MIN(r)", down(*descending)),
            None => query.group.first().map_or("m0 DESC, MIN(r)", |group| self.natural_order(group)).to_owned(),
        })
    }

    /// Time goes on, numbers count up; else the largest figure comes first.
    fn natural_order(&self, group: &Group) -> &'static str {
        let at = self.table.column(&group.column);
        let kind = at.map(|at| self.table.columns[at].kind);
        if group.period.is_some() || kind.is_some_and(|kind| kind.is_number() || kind == ColumnKind::Date) {
            return "g0 IS NULL, g0, MIN(r)";
        }
        let cells = at.into_iter().flat_map(|at| (0..self.table.rows.len()).map(move |row| self.table.cell(row, at)));
        match periods(cells) {
            Some(Periods::Numbered) => "g0 IS NULL, g0, MIN(r)",
            Some(Periods::Named) => "g0 IS NULL, MIN(r)",
            None => "m0 DESC, MIN(r)",
        }
    }

    /// What the rows must be, and that they are among those that come into question.
    fn fitting(&mut self, conditions: &[Condition]) -> Result<String, TableError> {
        let filter = self.filter(conditions)?;
        let Some(among) = &self.among else { return Ok(filter) };
        let places: Vec<String> = among.iter().map(usize::to_string).collect();
        Ok(format!("{filter} AND r IN ({})", places.join(", ")))
    }

    fn filter(&mut self, conditions: &[Condition]) -> Result<String, TableError> {
        let mut all = vec!["1".to_owned()];
        for condition in conditions {
            let column = self.column(&condition.column)?;
            all.push(self.test(&column, &condition.test, condition.negated)?);
        }
        Ok(all.join(" AND "))
    }

    fn bind(&mut self, value: Value) -> String {
        self.parameters.push(value);
        format!("?{}", self.parameters.len())
    }

    fn text(&mut self, text: &str) -> String {
        self.bind(Value::Text(text.to_owned()))
    }

    #[expect(clippy::unnecessary_wraps, reason = "what calls it names columns, which may fail")]
    fn test(&mut self, column: &str, test: &Test, negated: bool) -> Result<String, TableError> {
        let mut bound = |comparison: &str, value: &Value| format!("{column} {comparison} {}", self.bind(value.clone()));
        let holds = match test {
            Test::More(value) => bound(">", value),
            Test::Less(value) => bound("<", value),
            Test::AtLeast(value) => bound(">=", value),
            Test::AtMost(value) => bound("<=", value),
            Test::Range(from, to) => format!("{} AND {}", bound(">=", from), bound("<=", to)),
            Test::Is(values) => {
                let marks: Vec<String> = values.iter().map(|value| self.bind(value.clone())).collect();
                format!("{column} COLLATE NOCASE IN ({})", marks.join(", "))
            }
            Test::During { from, until } => self.span(column, from.as_deref(), until.as_deref()),
            Test::Times { from, until } => {
                self.span(&format!("substr({column}, 12, 8)"), from.as_deref(), until.as_deref())
            }
            Test::Months(months) => {
                let months: Vec<String> = months.iter().map(|month| format!("'{month:02}'")).collect();
                format!("substr({column}, 6, 2) IN ({})", months.join(", "))
            }
            Test::Weekdays(days) => {
                // SQLite counts from Sunday, which is 0.
                let days: Vec<String> = days.iter().map(|day| format!("'{}'", day % 7)).collect();
                format!("strftime('%w', substr({column}, 1, 10)) IN ({})", days.join(", "))
            }
            Test::Contains(text) => format!("instr(lower({column}), lower({})) > 0", self.text(text)),
            Test::StartsWith(text) => format!("instr(lower({column}), lower({})) = 1", self.text(text)),
            Test::EndsWith(text) => {
                let mark = self.text(text);
                format!("substr(lower({column}), -length({mark})) = lower({mark})")
            }
            Test::Empty => format!("{column} IS NULL"),
        };
        // A cell that is empty is not over 100 and not under it; but it is not Berlin.
        let bounds = matches!(
            test,
            Test::More(_) | Test::Less(_) | Test::AtLeast(_) | Test::AtMost(_) | Test::Range(..) | Test::During { .. }
        );
        Ok(match (negated, bounds) {
            (false, _) => format!("({holds})"),
            (true, true) => format!("NOT ({holds})"),
            (true, false) => format!("(({holds}) IS NOT TRUE)"),
        })
    }

    fn span(&mut self, what: &str, from: Option<&str>, until: Option<&str>) -> String {
        let mut all = Vec::new();
        if let Some(from) = from {
            all.push(format!("{what} >= {}", self.text(from)));
        }
        if let Some(until) = until {
            all.push(format!("{what} < {}", self.text(until)));
        }
        if all.is_empty() { format!("{what} IS NOT NULL") } else { all.join(" AND ") }
    }
}

fn down(descending: bool) -> &'static str {
    if descending { " DESC" } else { "" }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Sql::Null),
            Self::Integer(value) => ToSqlOutput::Owned(Sql::Integer(*value)),
            Self::Real(value) => ToSqlOutput::Owned(Sql::Real(*value)),
            Self::Boolean(value) => ToSqlOutput::Owned(Sql::Integer(i64::from(*value))),
            Self::Date(text) | Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

fn value_of(read: ValueRef<'_>) -> Value {
    match read {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(value) => Value::Integer(value),
        ValueRef::Real(value) => Value::Real(value),
        ValueRef::Text(text) | ValueRef::Blob(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
    }
}
