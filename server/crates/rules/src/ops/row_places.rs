//! Which column of a new row each value belongs to: one that is said with its name, one that the value's form or the cells
//! there tell, and what is left where it has its place in order. What has no certain place is refused.

use std::sync::LazyLock;

use regex::Regex;
use switchboard_nlu::Engine;

use super::amounts::{Form, Kind, decimal_sign, in_form, kind_of, measure, tokens};
use super::edited::Edited;
use super::outline::kin_stems;
use super::records::{Record, certain, column, records, short_shape};
use super::row_ways::{RowWays, names_of, read};
use super::rows::{as_cell, line_end, sign_of};
use super::show::cut_line;
use super::unmade::Unmade;

/// A column of the rows that are there.
struct Column<'r> {
    name: &'r str,
    names: Vec<String>,
    /// What its cells hold, in their order.
    cells: Vec<&'r str>,
}

/// How sure a value's column is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fit {
    /// By its name, its form or a cell that is there, as the column writes it.
    Certain(String),
    /// It may be any words.
    Free(String),
}

impl Fit {
    fn text(&self) -> String {
        let (Self::Certain(text) | Self::Free(text)) = self;
        text.clone()
    }
}

/// The cells of a new row that has these values, or why there is none.
pub(super) fn placed(names: &[&str], rows: &[Record], values: &[String]) -> Result<Vec<String>, String> {
    let columns: Vec<Column<'_>> = names
        .iter()
        .enumerate()
        .map(|(at, name)| Column { name, names: names_of(name), cells: column(rows, at).collect() })
        .collect();
    for value in values {
        let doubtful = value.split_whitespace().any(|word| Engine::shipped().lists("doubtful", &word.to_lowercase()));
        if doubtful {
            return Err(format!("I do not know what `{}` is to be, so I changed nothing.", cut_line(value)));
        }
    }
    let row = in_order(&columns, values).map_or_else(|| by_fit(&columns, values), Ok)?;
    let first = columns.first().filter(|first| first.tells_apart() && first.cells.contains(&row[0].as_str()));
    match first {
        Some(first) => {
            Err(format!("There is a row already whose `{}` is `{}`; I changed nothing.", first.name, row[0]))
        }
        None => Ok(row),
    }
}

/// The text with one more row, unless it is there already.
pub(super) fn with_row(path: &str, text: &str, values: &[String]) -> Result<Edited, Unmade> {
    let rows = records(path, text);
    let sign = sign_of(text);
    let same = |record: &Record| record.fields.iter().map(|field| &field.value).eq(values);
    if rows.iter().any(same) {
        return Err(format!("`{}` is a row of `{path}` already.", cut_line(&values.join(", "))).into());
    }
    let row = values.iter().map(|value| as_cell(value, sign)).collect::<Vec<_>>().join(&sign.to_string());
    let end = line_end(text);
    let gap = if text.ends_with('\n') { "" } else { end };
    let tail = if text.ends_with('\n') { end } else { "" };
    Ok(Edited {
        text: format!("{text}{gap}{row}{tail}"),
        said: format!("I added the row `{}` to `{path}`.", cut_line(&row)),
    })
}

/// One value a column, each at its place.
fn in_order(columns: &[Column<'_>], values: &[String]) -> Option<Vec<String>> {
    if columns.len() != values.len() {
        return None;
    }
    let all = columns.iter().zip(values).map(|(column, value)| {
        let elsewhere = labels(columns, value).iter().any(|(other, _)| columns[*other].name != column.name);
        let fit = column.labelled(value).or_else(|| column.fit(value).map(|fit| fit.text()));
        fit.filter(|_| !elsewhere || column.labelled(value).is_some())
    });
    all.collect()
}

/// The columns that a value names, with what it says of each.
fn labels(columns: &[Column<'_>], value: &str) -> Vec<(usize, String)> {
    columns.iter().enumerate().filter_map(|(at, column)| Some((at, column.labelled(value)?))).collect()
}

/// Each value in the one column that it fits.
fn by_fit(columns: &[Column<'_>], values: &[String]) -> Result<Vec<String>, String> {
    let unplaced =
        |value: &str| format!("I cannot tell which column `{}` belongs to; I changed nothing.", cut_line(value));
    let mut cells: Vec<Option<String>> = vec![None; columns.len()];
    let mut places: Vec<Option<usize>> = vec![None; values.len()];
    for (value, place) in values.iter().zip(&mut places) {
        match labels(columns, value).as_slice() {
            [] => {}
            [(at, cell)] if cells[*at].is_none() => {
                cells[*at] = Some(cell.clone());
                *place = Some(*at);
            }
            _ => return Err(unplaced(value)),
        }
    }
    let mut moved = true;
    while moved {
        moved = false;
        for (value, place) in values.iter().zip(&mut places).filter(|(_, place)| place.is_none()) {
            let free = columns.iter().enumerate().filter(|(at, _)| cells[*at].is_none());
            let fitting = free.filter_map(|(at, column)| match column.fit(value)? {
                Fit::Certain(cell) => Some((at, cell)),
                Fit::Free(_) => None,
            });
            if let [(at, cell)] = fitting.collect::<Vec<_>>().as_slice() {
                cells[*at] = Some(cell.clone());
                *place = Some(*at);
                moved = true;
            }
        }
    }
    let rest: Vec<usize> = (0..values.len()).filter(|at| places[*at].is_none()).collect();
    let is_open = |at: &usize| cells[*at].is_none() && columns[*at].is_words() && !columns[*at].cells.contains(&"");
    let open: Vec<usize> = (0..columns.len()).filter(is_open).collect();
    if let Some(value) = rest.first().filter(|_| rest.len() != open.len()) {
        return Err(unplaced(&values[*value]));
    }
    for (value, at) in rest.iter().zip(&open) {
        match columns[*at].fit(&values[*value]) {
            Some(fit) => (cells[*at], places[*value]) = (Some(fit.text()), Some(*at)),
            None => return Err(unplaced(&values[*value])),
        }
    }
    // Several values that only their order tells apart are certain where all follow it.
    let in_order = places.windows(2).all(|pair| pair[0] < pair[1]);
    if let Some(value) = rest.first().filter(|_| rest.len() > 1 && !in_order) {
        return Err(unplaced(&values[*value]));
    }
    let whole = columns.iter().zip(cells).map(|(column, cell)| {
        let cell = cell.or_else(|| column.cells.contains(&"").then(String::new)).or_else(|| column.next());
        cell.ok_or_else(|| format!("You did not say the `{}` of the new row; I changed nothing.", column.name))
    });
    whole.collect()
}

impl<'r> Column<'r> {
    fn filled(&self) -> impl Iterator<Item = &'r str> + '_ {
        self.cells.iter().copied().filter(|cell| !cell.is_empty())
    }

    /// What all its cells are, if they are of one kind.
    fn kind(&self) -> Option<Kind> {
        let mut kinds = self.filled().map(kind_of);
        let first = kinds.next()?;
        let same = kinds.all(|kind| std::mem::discriminant(&kind) == std::mem::discriminant(&first));
        same.then_some(first).filter(|kind| *kind != Kind::Word)
    }

    /// The one pattern of its cells, if they are codes.
    fn code(&self) -> Option<String> {
        let first = short_shape(self.filled().next()?);
        let all = self.filled().all(|cell| !cell.contains(' ') && short_shape(cell) == first);
        (all && first.contains('9')).then_some(first)
    }

    /// Whether it holds any words.
    fn is_words(&self) -> bool {
        self.kind().is_none() && self.code().is_none()
    }

    /// Whether no cell is there twice.
    fn tells_apart(&self) -> bool {
        let known: std::collections::HashSet<&str> = self.filled().collect();
        known.len() == self.cells.len() && !self.is_words() && !matches!(self.kind(), Some(Kind::Day { .. }))
    }

    /// What the next row has there, if the cells count up by one.
    fn next(&self) -> Option<String> {
        let number = |cell: &str| {
            let at = cell.rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
            Some((cell[..at].to_owned(), cell[at..].parse::<u64>().ok()?, cell.len() - at))
        };
        let all: Vec<(String, u64, usize)> = self.cells.iter().map(|cell| number(cell)).collect::<Option<_>>()?;
        let (prefix, last, width) = all.last().filter(|_| all.len() > 2)?;
        let counts = all.windows(2).all(|pair| pair[0].0 == pair[1].0 && pair[0].1 + 1 == pair[1].1);
        counts.then(|| format!("{prefix}{:0width$}", last + 1))
    }

    fn is_named(&self, word: &str) -> bool {
        let stems = kin_stems(word);
        !stems.is_empty() && stems.iter().all(|stem| self.names.contains(stem))
    }

    /// A value that is said with the column's name: "joined 2025-05-02", "1.9 kilo", "hasn't paid yet".
    fn labelled(&self, value: &str) -> Option<String> {
        let ways = RowWays::get();
        let trim = |word: &'_ str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let words: Vec<&str> = value.split_whitespace().collect();
        let named: Vec<usize> = (0..words.len()).filter(|at| self.is_named(words[*at])).collect();
        let first = (0..words.len()).find(|at| !ways.light.contains(&trim(words[*at])))?;
        let named_at = *named.first()?;
        let rest = words.iter().enumerate().filter(|(at, _)| !named.contains(at)).map(|(_, word)| trim(word));
        let rest: Vec<String> = rest.filter(|word| !ways.light.contains(word)).collect();
        if rest.iter().any(|word| ways.denies.contains(word)) {
            let said = |word: &String| ways.denies.contains(word) || ways.settled.contains(word);
            return rest.iter().all(said).then(|| self.denied()).flatten();
        }
        // "paid already".
        if matches!(self.kind(), Some(Kind::Switch(_))) && rest.iter().all(|word| ways.settled.contains(word)) {
            return self.switched(true);
        }
        let others: Vec<&str> = match (named_at == first, named_at + 1 == words.len()) {
            (true, _) if named.len() == 1 => {
                let behind = &words[named_at + 1..];
                let light = behind.iter().take_while(|word| ways.light.contains(&trim(word))).count();
                behind[light..].to_vec()
            }
            (_, true) => words[first..named_at].to_vec(),
            _ => return None,
        };
        let text = others.join(" ");
        if text.is_empty() {
            return None;
        }
        match self.fit(&text)? {
            Fit::Certain(cell) => Some(cell),
            // Words may begin with a column's name in other rows, too; and no words come before it.
            Fit::Free(cell) => {
                let led = named_at == first
                    && !self
                        .filled()
                        .any(|cell| cell.split(' ').next().is_some_and(|own| own.eq_ignore_ascii_case(words[first])));
                led.then_some(cell)
            }
        }
    }

    /// What stands there for what is not so.
    fn denied(&self) -> Option<String> {
        if let Some(Kind::Switch(_)) = self.kind() {
            return self.switched(false);
        }
        let mut known: Vec<&str> =
            self.filled().filter(|cell| RowWays::get().denied.contains(&cell.to_lowercase())).collect();
        known.sort_unstable();
        known.dedup();
        match known.as_slice() {
            [only] => Some((*only).to_owned()),
            [] => self.cells.contains(&"").then(String::new),
            _ => None,
        }
    }

    fn switched(&self, on: bool) -> Option<String> {
        super::amounts::switched(self.filled().next()?, on)
    }

    /// A value as the column would write it.
    fn fit(&self, value: &str) -> Option<Fit> {
        static LEADS: LazyLock<Regex> = LazyLock::new(|| read(&RowWays::get().leads));
        static TELLS: LazyLock<Regex> = LazyLock::new(|| read(&RowWays::get().tells));
        let bare = LEADS.replace(value, "");
        for text in [value, bare.as_ref()] {
            if let Some(cell) = self.filled().find(|cell| cell.eq_ignore_ascii_case(text)) {
                return Some(Fit::Certain(cell.to_owned()));
            }
        }
        if let Some(kind) = self.kind() {
            return [value, bare.as_ref()].iter().find_map(|text| self.formed(text, &kind)).map(Fit::Certain);
        }
        if let Some(code) = self.code() {
            let text = bare.as_ref();
            let same = short_shape(text) == code && !text.contains(' ');
            return same.then(|| Fit::Certain(text.to_owned()));
        }
        let is_plain = kind_of(value) == Kind::Word && certain(value).is_ok() && !TELLS.is_match(value);
        is_plain.then(|| Fit::Free(value.to_owned()))
    }

    /// A value of a kind in the form of the last one that is there.
    fn formed(&self, text: &str, kind: &Kind) -> Option<String> {
        let ways = RowWays::get();
        let (number, unit) = match tokens(text).as_slice() {
            [only] if only.span.start == 0 && matches!(only.kind, Kind::Number { .. }) => {
                (&text[only.span.clone()], text[only.span.end..].trim())
            }
            _ => (text, ""),
        };
        let paid = |unit: &str| ways.money.iter().any(|sign| sign.eq_ignore_ascii_case(unit));
        let number = number.trim_start_matches(['€', '$', '£']);
        let own = self.names.iter().find(|name| measure(name).is_some());
        let said = (!unit.is_empty() && !self.is_named(unit) && !paid(unit)).then_some(unit);
        let last = self.filled().last()?;
        let cents = self.filled().all(|cell| decimal_sign(cell).is_some());
        // "3 children" are no weight.
        if paid(unit) && !cents || said.is_some_and(|unit| measure(unit).is_none()) {
            return None;
        }
        let sign = self.filled().find_map(decimal_sign).unwrap_or('.');
        let form = Form { text: last, kind, unit: own.map(String::as_str), sign };
        let given = kind_of(number);
        // The year of another row need not be that of this one.
        if matches!(given, Kind::Day { year: None, .. }) {
            return None;
        }
        // A sign of money goes with what has cents.
        let given = match given {
            Kind::Number { amount, unit } if paid(&unit) => {
                return cents
                    .then(|| {
                        in_form(
                            number.trim_end_matches(|c: char| !c.is_ascii_digit()),
                            &Kind::Number { amount, unit: String::new() },
                            None,
                            &form,
                            false,
                        )
                    })
                    .flatten();
            }
            given => given,
        };
        in_form(number, &given, said, &form, false)
    }
}
