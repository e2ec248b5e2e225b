//! What a question has to know of a table: its columns, what they are about, and the values of those with short ones.
//! It is made once a table and kept where the rows are not.

use std::collections::{HashMap, HashSet};

use crate::known::Known;
use crate::lists::elements;
use crate::log::{LINE, TEXT};
use crate::nouns::{nouns, place};
use crate::query::{Measure, Query};
use crate::table::{ColumnKind, Table, TableKind};
use crate::tokens::{key, stems};
use crate::vocabulary::vocabulary;
use switchboard_search::stem;

/// Shorter words of a cell do not stand for it.
const MIN_PIECE: usize = 4;

/// Cells of more words are not looked for.
pub(crate) const MAX_PHRASE: usize = 7;

/// A table without its rows.
#[derive(Debug, Clone)]
pub struct Schema {
    /// Where it was read.
    pub source: String,
    /// What its rows are called.
    pub name: String,
    /// What its rows are.
    pub kind: TableKind,
    /// How many there are.
    pub rows: usize,
    /// Its columns.
    pub columns: Vec<Known>,
    /// One row is the largest by all figures together, and by most of them alone.
    pub(crate) busiest: bool,
    /// The column by which people tell the rows apart.
    pub subject: Option<usize>,
    /// The files that make it together, if it is not that of one.
    pub(crate) files: Vec<String>,
    /// The words of its path, and their stems.
    pub(crate) place: HashSet<String>,
    /// What a row may be called, in lower case.
    pub(crate) nouns: HashSet<String>,
    /// Cells by the stems of their words: the column and the cells.
    pub(crate) cells: HashMap<String, Vec<(usize, Vec<String>)>>,
    /// Names by one of their words.
    pub(crate) parts: HashMap<String, Vec<(usize, Vec<String>)>>,
    /// Other cells by one of theirs.
    pub(crate) pieces: HashMap<String, Vec<(usize, Vec<String>)>>,
}

impl Schema {
    /// What is to be known of a table.
    #[must_use]
    pub fn of(table: &Table) -> Self {
        let mut columns: Vec<Known> = (0..table.columns.len()).map(|at| Known::of(table, at)).collect();
        let subject = subject(&columns, table);
        let mut schema = Self {
            source: table.source.clone(),
            name: table.name.clone(),
            kind: table.kind,
            rows: table.rows.len(),
            files: table.parts().to_vec(),
            place: place(table),
            nouns: nouns(table),
            subject,
            busiest: busiest(&columns, table),
            cells: HashMap::new(),
            parts: HashMap::new(),
            pieces: HashMap::new(),
            columns: Vec::new(),
        };
        for (at, column) in columns.iter_mut().enumerate() {
            if table.kind == TableKind::Log && matches!(column.name.as_str(), LINE | TEXT) {
                column.values.clear();
            }
            schema.index(at, column);
        }
        schema.columns = columns;
        schema
    }

    /// Whether a query asks this table.
    pub(crate) fn is_asked(&self, query: &Query) -> bool {
        self.source == query.source && self.name == query.table
    }

    /// Whether it is a figure of what each row costs a month.
    pub(crate) fn is_monthly(&self, measure: &Measure) -> bool {
        self.about("monthly").into_iter().any(|at| measure.column.as_ref() == Some(&self.columns[at].name))
    }

    /// Whether its rows, or what one of its columns tells of them, are called so.
    #[must_use]
    pub fn calls(&self, word: &str) -> bool {
        let (word, stem) = (word.to_lowercase(), stem(&word.to_lowercase()));
        let named = |known: &Known| known.words.contains(&word) || known.stems.split(' ').any(|part| part == stem);
        self.nouns.contains(&word) || self.nouns.contains(&stem) || self.columns.iter().any(named)
    }

    fn index(&mut self, at: usize, column: &Known) {
        let named = column.kind == ColumnKind::Text && column.is(|concept| concept.person || concept.name == "product");
        for value in &column.values {
            let words = stems(value);
            let count = words.split(' ').count();
            if words.is_empty() || count > MAX_PHRASE {
                continue;
            }
            put(&mut self.cells, words.clone(), at, value);
            if (2..=3).contains(&count) {
                put(&mut self.cells, in_any_order(&words), at, value);
            }
            // Whoever rowed with others rowed.
            for name in column.lists.then(|| elements(value)).into_iter().flatten() {
                put(&mut self.cells, stems(name), at, value);
            }
            // `mar` is March.
            if let Some(month) = vocabulary().month(&key(value)).and_then(|month| usize::try_from(month - 1).ok()) {
                put(&mut self.cells, stems(&vocabulary().months[month]), at, value);
            }
            for spelled in vocabulary().alike(&key(value)) {
                put(&mut self.cells, stems(spelled), at, value);
            }
            if (named || Some(at) == self.subject) && (2..=3).contains(&count) {
                for part in words.split(' ').filter(|part| part.len() > 2) {
                    put(&mut self.parts, part.to_owned(), at, value);
                }
            } else if self.kind == TableKind::Records {
                let pieces = value.split(|c: char| !c.is_alphanumeric()).filter(|piece| piece.len() >= MIN_PIECE);
                pieces.for_each(|piece| put(&mut self.pieces, stem(&piece.to_lowercase()), at, value));
            }
        }
    }

    /// The columns of a concept, the best first.
    pub(crate) fn about(&self, concept: &str) -> Vec<usize> {
        let place = vocabulary().concepts.iter().position(|known| known.name == concept);
        place.map_or_else(Vec::new, |place| self.about_place(place))
    }

    /// The columns of the concept at a place, the best first.
    pub(crate) fn about_place(&self, place: usize) -> Vec<usize> {
        let except = &vocabulary().concepts[place].except;
        if except.iter().any(|noun| self.nouns.contains(noun)) {
            return Vec::new();
        }
        let mut found: Vec<(usize, usize)> =
            self.columns.iter().enumerate().filter_map(|(at, column)| Some((column.rank(place)?, at))).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, at)| at).collect()
    }

    /// Whether a cell stands in a column.
    pub(crate) fn has(&self, column: usize, cell: &str) -> bool {
        self.columns[column].values.iter().any(|value| value == cell)
    }

    /// The column of dates that is meant where none is named: the only one, or the best of those that are about time.
    pub(crate) fn date(&self) -> Option<usize> {
        let dates: Vec<usize> = self.of_kind(|column| column.kind == ColumnKind::Date);
        match dates.as_slice() {
            [] => None,
            [only] => Some(*only),
            _ => {
                // Until when something holds is not when it was.
                let ends = ["expiry", "due"].into_iter().flat_map(|concept| self.about(concept)).collect::<Vec<_>>();
                let dates: Vec<usize> = dates.into_iter().filter(|at| !ends.contains(at)).collect();
                if let [only] = dates[..] {
                    return Some(only);
                }
                // Two columns of dates of equal standing: which is meant is not known.
                let named: Vec<usize> = self.about("date").into_iter().filter(|at| dates.contains(at)).collect();
                named
                    .first()
                    .copied()
                    .filter(|at| self.columns[*at].words.iter().any(|word| word == "date" || word == "time"))
            }
        }
    }

    /// `how much rain`, in a table of rain: its only column of figures.
    pub(crate) fn only_figure(&self) -> Option<usize> {
        match self.of_kind(|known| known.kind.is_number() && !known.is_id())[..] {
            [only] if self.columns[only].is_quantity() => Some(only),
            _ => None,
        }
    }

    pub(crate) fn of_kind(&self, is: impl Fn(&Known) -> bool) -> Vec<usize> {
        self.columns.iter().enumerate().filter(|(_, column)| is(column)).map(|(at, _)| at).collect()
    }

    /// The column that measures where none is named: of amounts, or the only one of numbers.
    pub(crate) fn measure(&self) -> Option<usize> {
        let numbers = self.of_kind(|column| column.kind.is_number() && !column.is_id());
        let amounts: Vec<usize> = self.about("amount").into_iter().filter(|at| numbers.contains(at)).collect();
        let money = self.of_kind(|column| column.kind == ColumnKind::Money);
        let revenue = self.about("revenue");
        match (amounts.first().or(revenue.first()), numbers.as_slice(), money.as_slice()) {
            (Some(amount), ..) => Some(*amount),
            // What a piece costs, beside how many there are, is no amount.
            _ if self.sold().is_some() => None,
            (None, [only], _) | (None, _, [only]) => Some(*only),
            _ => self.about("price").into_iter().find(|at| numbers.contains(at)),
        }
    }

    /// The one column that tells how many were sold or ordered, and what one of them costs.
    pub(crate) fn sold(&self) -> Option<(usize, usize)> {
        let named = |column: &Known| vocabulary().set("sold_columns").contains(&column.words.join("_"));
        let [sold] = self.of_kind(|column| column.kind.is_number() && named(column))[..] else { return None };
        let is_price = |at: &usize| self.columns[*at].kind.is_number() && *at != sold;
        self.about("price").into_iter().find(is_price).map(|price| (sold, price))
    }
}

/// Whether one row is the largest by all figures together, and by most of them alone.
fn busiest(columns: &[Known], table: &Table) -> bool {
    let figures: Vec<usize> = (0..columns.len()).filter(|at| columns[*at].is_figure()).collect();
    let sum = |row: &Vec<String>| {
        figures.iter().map(|at| table.columns[*at].value(&row[*at]).number().unwrap_or(0.0)).sum::<f64>()
    };
    let sums: Vec<f64> = table.rows.iter().map(sum).collect();
    let Some((peak, most)) = sums.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1)) else {
        return false;
    };
    let alone = sums.iter().filter(|sum| *sum == most).count() == 1;
    let agree = figures.iter().filter(|at| columns[**at].peak == Some(peak)).count();
    alone && agree * 2 > figures.len()
}

/// The stems of a cell as they are looked up in whatever order they stand.
pub(crate) fn in_any_order(stems: &str) -> String {
    let mut words: Vec<&str> = stems.split(' ').collect();
    words.sort_unstable();
    format!("~{}", words.join(" "))
}

fn put(index: &mut HashMap<String, Vec<(usize, Vec<String>)>>, words: String, at: usize, value: &str) {
    let entries = index.entry(words).or_default();
    match entries.iter_mut().find(|(column, _)| *column == at) {
        Some((_, values)) if values.iter().any(|known| known == value) => {}
        Some((_, values)) => values.push(value.to_owned()),
        None => entries.push((at, vec![value.to_owned()])),
    }
}

fn subject(columns: &[Known], table: &Table) -> Option<usize> {
    if table.kind == TableKind::Log {
        return columns.iter().position(|column| column.name == LINE);
    }
    let named =
        |name: &str| columns.iter().position(|column| column.words == [name] && column.kind != ColumnKind::Date);
    vocabulary()
        .set("subjects")
        .iter()
        .find_map(|name| named(name))
        .or_else(|| columns.iter().position(|column| column.unique && column.is_id()))
        .or_else(|| columns.iter().position(|column| column.unique && column.kind == ColumnKind::Text))
        .or_else(|| columns.iter().position(|column| column.unique && column.kind == ColumnKind::Date))
        .or_else(|| {
            // Numbers tell rows better apart than a text that many share.
            let text = columns.iter().position(|column| column.kind == ColumnKind::Text);
            let first = columns.first().filter(|first| first.unique && first.kind == ColumnKind::Integer).map(|_| 0);
            text.filter(|at| first.is_none() || 2 * columns[*at].distinct > table.rows.len()).or(first)
        })
}
