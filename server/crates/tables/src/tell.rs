//! What a query found, told: a sentence that says what was computed of which rows, and the cells.

use crate::answer::Answer;
use crate::derived::with_derived;
use crate::error::TableError;
use crate::markdown::{plain, plain_long};
use crate::query::{Condition, Function, Measure, Order, OrderBy, Query, Test};
use crate::sql::{self, Found, Line};
use crate::table::{ColumnKind, Table, TableKind};
use crate::value::Value;

/// How many rows are named in a sentence.
const MAX_NAMED: usize = 10;

/// Answers a query from its table.
///
/// # Errors
///
/// Names a column that the table does not have.
pub fn answer(table: &Table, query: &Query) -> Result<Answer, TableError> {
    let derived = with_derived(table, query);
    let table = derived.as_ref().unwrap_or(table);
    let found = sql::run(table, query)?;
    let teller = Teller { table, query };
    Ok(match found {
        Found::Rows(places) => teller.rows(&places),
        Found::Groups(lines) => teller.groups(&lines),
    })
}

struct Teller<'a> {
    table: &'a Table,
    query: &'a Query,
}

impl Teller<'_> {
    fn place(&self) -> String {
        format!("`{}`", self.table.source.replace('`', "'"))
    }

    fn none_fits(&self) -> String {
        let of = self.table.rows.len();
        let filter = self.filter().replacen(" where ", ": ", 1);
        format!("None of the {of} {} in {} fits{filter}.", self.noun(of), self.place())
    }

    fn noun(&self, count: usize) -> &'static str {
        match (self.table.kind, count) {
            (TableKind::Records, 1) => "row",
            (TableKind::Records, _) => "rows",
            (TableKind::Log, 1) => "entry",
            (TableKind::Log, _) => "entries",
        }
    }

    fn filter(&self) -> String {
        let among = if self.query.within.is_some() { ", among those" } else { "" };
        format!("{}{among}", conditions(&self.query.filter))
    }

    fn answer(&self, sentence: String, columns: Vec<String>, rows: Vec<Vec<String>>, value: Option<Value>) -> Answer {
        let log = self.table.kind == TableKind::Log && self.query.is_rows() && self.query.columns.is_empty();
        Answer { query: self.query.clone(), sentence, columns, rows, value, of: self.table.rows.len(), log }
    }

    fn rows(&self, places: &[usize]) -> Answer {
        let query = self.query;
        let names: Vec<String> = match query.columns.is_empty() {
            true => self.table.columns.iter().map(|column| column.name.clone()).collect(),
            false => query.columns.clone(),
        };
        let at: Vec<usize> = names.iter().filter_map(|name| self.table.column(name)).collect();
        let mut rows: Vec<Vec<String>> = Vec::with_capacity(places.len());
        let mut seen = std::collections::HashSet::new();
        for place in places {
            let row: Vec<String> = at.iter().map(|at| self.table.cell(*place, *at).to_owned()).collect();
            if !query.distinct || (row.iter().any(|cell| !cell.is_empty()) && seen.insert(row.clone())) {
                rows.push(row);
            }
        }
        let sentence = match rows.is_empty() && !places.is_empty() {
            true => format!("There is no {} in {}{}.", plain(&names.join(" and ")), self.place(), self.filter()),
            false => self.tell_rows(&names, &rows),
        };
        let value = match rows.as_slice() {
            [row] if row.len() == 1 => Some(self.table.columns[at[0]].value(&row[0])),
            _ => None,
        };
        self.answer(sentence, names, rows, value)
    }

    fn tell_rows(&self, names: &[String], rows: &[Vec<String>]) -> String {
        let (place, filter, query) = (self.place(), self.filter(), self.query);
        let (count, of) = (rows.len(), self.table.rows.len());
        // A row may fit and its cell be empty.
        if let ([name], true, true) = (names, query.distinct, rows.is_empty()) {
            return format!("{place} has no {}{filter}.", plain(name));
        }
        if rows.is_empty() {
            return self.none_fits();
        }
        if query.distinct && query.limit.is_none() {
            let name = names.iter().map(|name| plain(name)).collect::<Vec<_>>().join(" and ");
            if let ([_], true) = (names, count <= MAX_NAMED) {
                let all = rows.iter().map(|row| plain(&row[0])).collect::<Vec<_>>().join(", ");
                return match count {
                    1 => format!("The {name} in {place}{filter} is **{all}**."),
                    _ => format!("**{count}** different values of {name} in {place}{filter}: {all}."),
                };
            }
            return format!("**{count}** different values of {name} in {place}{filter}:");
        }
        if query.limit.is_some_and(|limit| limit.ties && limit.rows == 1) {
            return self.tell_extreme(names, rows);
        }
        match (rows, names) {
            ([row], [name]) => match row[0].as_str() {
                "" => format!("The {} in {place}{filter} is empty.", plain(name)),
                cell => format!("The {} in {place}{filter} is **{}**.", plain(name), plain(cell)),
            },
            _ if query.limit.is_some() => {
                let order =
                    query.order.as_ref().map(|order| self.ordered(&order.by, order.descending)).unwrap_or_default();
                format!("{count} of the {of} {} in {place}{filter}{order}:", self.noun(of))
            }
            _ if query.filter.is_empty() => {
                let order =
                    query.order.as_ref().map(|order| self.ordered(&order.by, order.descending)).unwrap_or_default();
                format!("The {of} {} in {place}{order}:", self.noun(of))
            }
            _ => format!("**{count}** of the {of} {} in {place}{filter}:", self.noun(of)),
        }
    }

    fn ordered(&self, by: &OrderBy, descending: bool) -> String {
        match by {
            OrderBy::Column(name) => {
                format!(", by {}{}", plain(name), if descending { ", the largest first" } else { "" })
            }
            OrderBy::Measure | OrderBy::Row => String::new(),
        }
    }

    /// `**North** has the largest amount in sales.csv: **150**.`
    fn tell_extreme(&self, names: &[String], rows: &[Vec<String>]) -> String {
        let (place, filter) = (self.place(), self.filter());
        let measured = names.last().map(|name| plain(name)).unwrap_or_default();
        let cell = rows[0].last().map(|cell| plain(cell)).unwrap_or_default();
        let word = self.word();
        // Another column of that row was asked for: "and its ip?"
        if let Some(Order { by: OrderBy::Column(by), .. }) = &self.query.order
            && !names.contains(by)
        {
            let told = |row: &Vec<String>| {
                let cells = names.iter().zip(row).map(|(name, cell)| format!("{} **{}**", plain(name), plain(cell)));
                cells.collect::<Vec<_>>().join(", ")
            };
            let told = rows.iter().take(MAX_NAMED).map(told).collect::<Vec<_>>().join("; ");
            return format!("With the {word} {} in {place}{filter}: {told}.", plain(by));
        }
        if names.len() < 2 {
            return format!("The {word} {measured} in {place}{filter} is **{cell}**.");
        }
        let middle = 1..names.len() - 1;
        let told = |row: &Vec<String>| {
            let others: Vec<String> =
                middle.clone().map(|at| format!("{} {}", plain(&names[at]), plain(&row[at]))).collect();
            let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
            format!("{}{others}", plain(&row[0]))
        };
        let who: Vec<String> = rows.iter().take(MAX_NAMED).map(told).collect();
        let more = rows.len().saturating_sub(MAX_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let has = if rows.len() == 1 { "has" } else { "have" };
        format!("**{}**{more} {has} the {word} {measured} in {place}{filter}: **{cell}**.", who.join(", "))
    }

    fn word(&self) -> String {
        let down = self.query.order.as_ref().is_some_and(|order| order.descending);
        let date = self.query.order.as_ref().is_some_and(|order| match &order.by {
            OrderBy::Column(name) => {
                self.table.column(name).is_some_and(|at| self.table.columns[at].kind == ColumnKind::Date)
            }
            _ => false,
        });
        let told = self.query.word.as_deref();
        let word = match (date, down) {
            (true, true) => "latest",
            (true, false) => "earliest",
            (false, true) => "highest",
            (false, false) => "lowest",
        };
        let places = crate::vocabulary::vocabulary().set("ordinals");
        let skip = self.query.limit.map_or(0, |limit| limit.skip as usize);
        let place = places.get(skip).filter(|_| skip > 0).map(|place| format!("{place} ")).unwrap_or_default();
        format!("{place}{}", told.unwrap_or(word))
    }

    fn groups(&self, lines: &[Line]) -> Answer {
        let query = self.query;
        let names = query.group.iter().map(|group| match group.period {
            Some(period) => period.name().to_owned(),
            None => group.column.clone(),
        });
        let columns: Vec<String> = names.chain(query.measures.iter().map(Measure::name)).collect();
        let rows: Vec<Vec<String>> = lines.iter().map(|line| self.cells(line)).collect();
        match (lines, query.group.is_empty()) {
            ([line], true) => {
                let value = line.figures.first().filter(|_| line.figures.len() == 1).cloned();
                self.answer(self.tell_figures(line, &rows[0]), columns, rows, value)
            }
            _ => self.answer(self.tell_groups(&rows), columns, rows, None),
        }
    }

    fn cells(&self, line: &Line) -> Vec<String> {
        let labels = line.labels.iter().zip(&self.query.group).map(|(label, group)| match label {
            Value::Null => "(empty)".to_owned(),
            label => self.label(label, &group.column).trim_start_matches("0000-").to_owned(),
        });
        let figures =
            line.figures.iter().zip(&self.query.measures).map(|(figure, measure)| figure.shown(self.decimals(measure)));
        labels.chain(figures).collect()
    }

    fn label(&self, label: &Value, column: &str) -> String {
        let boolean = self.table.column(column).is_some_and(|at| self.table.columns[at].kind == ColumnKind::Boolean);
        match label {
            Value::Integer(value) if boolean => Value::Boolean(*value != 0).shown(0),
            label => label.shown(6),
        }
    }

    fn decimals(&self, measure: &Measure) -> usize {
        let own =
            measure.column.as_ref().and_then(|name| self.table.column(name)).map(|at| self.table.columns[at].decimals);
        match measure.function {
            Function::Sum | Function::Minimum | Function::Maximum => own.unwrap_or(0),
            _ => own.unwrap_or(0).max(2),
        }
    }

    fn tell_figures(&self, line: &Line, cells: &[String]) -> String {
        let (place, filter, of) = (self.place(), self.filter(), self.table.rows.len());
        let told = self.query.measures.iter().zip(cells).map(|(measure, cell)| self.tell_figure(measure, cell, line));
        let told: Vec<String> = told.collect();
        match self.query.measures.as_slice() {
            [Measure { function: Function::Count, .. }] if self.query.filter.is_empty() => {
                format!("{place} has **{}** {}.", cells[0], self.noun(line.rows))
            }
            [Measure { function: Function::Count, .. }] => {
                format!("**{}** of the {of} {} in {place}{filter}.", cells[0], self.noun(of))
            }
            _ => {
                let strays = self.strays();
                format!("{}{strays}", told.join(" "))
            }
        }
    }

    fn tell_figure(&self, measure: &Measure, cell: &str, line: &Line) -> String {
        let (place, filter) = (self.place(), self.filter());
        let name = plain(&measure.name());
        match measure.function {
            Function::Share => {
                let what = match &measure.column {
                    Some(_) => format!("the {}", plain(&Measure::new(Function::Sum, measure.column.clone()).name())),
                    None => format!("the {}", self.noun(2)),
                };
                let part = conditions(&measure.part);
                format!("**{cell}%** of {what} in {place}{filter} is that{part}.")
            }
            Function::Distinct => {
                let column = measure.column.as_deref().map(plain).unwrap_or_default();
                format!("**{cell}** different values of {column} in {place}{filter}.")
            }
            Function::Count => format!("**{cell}** {} in {place}{filter}.", self.noun(line.rows)),
            _ if line.rows == 0 => format!("No {} in {place}{filter} has a figure for it.", self.noun(1)),
            _ => {
                let rows = format!("{} {}", line.rows, self.noun(line.rows));
                format!("The {name} in {place}{filter} is **{}{cell}**, over {rows}.", self.sign(measure))
            }
        }
    }

    fn sign(&self, measure: &Measure) -> String {
        let column = measure.column.as_ref().and_then(|name| self.table.column(name));
        column.and_then(|at| self.table.columns[at].sign).map(String::from).unwrap_or_default()
    }

    /// Cells that were left out, which whoever reads a figure must know.
    fn strays(&self) -> String {
        let column = self.query.measures.iter().find_map(|measure| self.table.column(measure.column.as_deref()?));
        match column.map(|at| self.table.columns[at].strays) {
            None | Some(0) => String::new(),
            Some(1) => " One cell that is not a number is left out.".to_owned(),
            Some(count) => format!(" {count} cells that are not numbers are left out."),
        }
    }

    fn tell_groups(&self, rows: &[Vec<String>]) -> String {
        let (place, filter, query) = (self.place(), self.filter(), self.query);
        let measures: Vec<String> = query
            .measures
            .iter()
            .map(|measure| match measure.function {
                Function::Count => format!("number of {}", self.noun(2)),
                _ => plain(&measure.name()),
            })
            .collect();
        let what = measures.join(" and ");
        let by = query.group.iter().map(|group| match group.period {
            Some(period) => period.name().to_owned(),
            None => plain(&group.column),
        });
        let by = by.collect::<Vec<_>>().join(" and ");
        let twice = query.having.as_ref().is_some_and(|having| having.test == Test::More(Value::Integer(1)));
        if twice && query.measures == [Measure::new(Function::Count, None)] {
            let by = if query.group.len() == self.table.columns.len() { "whole row".to_owned() } else { by };
            return match rows.len() {
                0 => format!("No {by} stands more than once in {place}{filter}."),
                1 => format!("One {by} stands more than once in {place}{filter}:"),
                count => format!("**{count}** times a {by} stands more than once in {place}{filter}:"),
            };
        }
        if rows.is_empty() {
            return self.none_fits();
        }
        if query.limit.is_some_and(|limit| limit.ties && limit.rows == 1) {
            let who: Vec<String> = rows.iter().take(MAX_NAMED).map(|row| plain(&row[0])).collect();
            let has = if rows.len() == 1 { "has" } else { "have" };
            let figure = rows[0].last().map(|cell| plain(cell)).unwrap_or_default();
            return format!(
                "**{}** {has} the {} {what} in {place}{filter}: **{figure}**.",
                who.join(", "),
                self.word()
            );
        }
        let having = match &query.having {
            Some(having) => {
                let condition = Condition { column: what.clone(), test: having.test.clone(), negated: false };
                format!(", of those whose {}", condition.told())
            }
            None => String::new(),
        };
        format!("The {what} by {by} in {place}{filter}{having}:")
    }
}

/// ` where status is refunded and total is over 100`
fn conditions(conditions: &[Condition]) -> String {
    match conditions {
        [] => String::new(),
        all => {
            let told: Vec<String> = all.iter().map(|condition| plain_long(&condition.told())).collect();
            format!(" where {}", told.join(" and "))
        }
    }
}
