//! What a question has to know of a table: its columns, what they are about, and the values of those with short ones.
//! It is made once a table and kept where the rows are not.

use std::collections::{HashMap, HashSet};

use crate::entries::Concept;
use crate::lists::{are_lists, elements};
use crate::log::{LINE, TEXT};
use crate::nouns::{nouns, place};
use crate::table::{ColumnKind, Table, TableKind};
use crate::tokens::{key, name_words, stems};
use crate::value::Value;
use crate::vocabulary::vocabulary;
use switchboard_search::stem;

/// A column with more different cells than these is not known by its cells.
const MAX_VALUES: usize = 3_000;

/// Longer cells are texts, not names.
const MAX_VALUE: usize = 60;

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
}

/// What is known of a column.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// What its cells are.
    pub kind: ColumnKind,
    /// The sign of its money.
    pub sign: Option<char>,
    /// What follows its numbers.
    pub unit: String,
    /// How many different cells it has; more than 3,000 are not counted on.
    pub distinct: usize,
    /// No cell stands there twice, and none is empty.
    pub unique: bool,
    /// It has cells that are 0, and cells that are empty.
    pub(crate) zeros: bool,
    pub(crate) blanks: bool,
    /// Some of its cells are several names, of which some stand in several cells: `Olsen/Moreau`.
    pub(crate) lists: bool,
    /// The first and the last of its dates.
    pub(crate) span: Option<(String, String)>,
    pub(crate) words: Vec<String>,
    pub(crate) stems: String,
    /// The stems of what its name is short for.
    pub(crate) long: String,
    /// The places of the concepts that it belongs to, and how well it fits.
    concepts: Vec<(usize, usize)>,
    /// Cells that tell it apart; none if there are too many.
    pub values: Vec<String>,
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
            cells: HashMap::new(),
            parts: HashMap::new(),
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
            for spelled in vocabulary().alike(&key(value)) {
                put(&mut self.cells, stems(spelled), at, value);
            }
            if (named || Some(at) == self.subject) && (2..=3).contains(&count) {
                for part in words.split(' ').filter(|part| part.len() > 2) {
                    put(&mut self.parts, part.to_owned(), at, value);
                }
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

impl Known {
    fn of(table: &Table, at: usize) -> Self {
        let column = &table.columns[at];
        let words = name_words(&column.name);
        let bare = bare(&words);
        let names = [words.join("_"), bare.join("_")];
        let concepts = vocabulary().concepts.iter().enumerate();
        let is_date = column.kind == ColumnKind::Date;
        let fits = |concept: &Concept| (!concept.numeric || column.kind.is_number()) && (!concept.strict || is_date);
        let ranks = concepts.filter(|(_, concept)| fits(concept)).filter_map(|(place, concept)| {
            // The whole name before one of its words, and the last word, which is what it is, before the others.
            let whole = concept.columns.iter().position(|known| names.contains(known));
            let last = || concept.columns.iter().position(|known| Some(known) == bare.last()).map(|at| at + 100);
            let any = || concept.columns.iter().position(|known| words.contains(known)).map(|at| at + 200);
            whole.or_else(last).or_else(any).map(|rank| (place, rank))
        });
        let mut known = Self {
            name: column.name.clone(),
            kind: column.kind,
            sign: column.sign,
            unit: column.unit.clone(),
            stems: words.iter().map(|word| stem(word)).collect::<Vec<_>>().join(" "),
            long: words.iter().map(|word| stem(long(word))).collect::<Vec<_>>().join(" "),
            concepts: ranks.collect(),
            words,
            distinct: 0,
            unique: false,
            span: None,
            zeros: false,
            blanks: false,
            lists: false,
            values: Vec::new(),
        };
        known.look_at(table, at);
        known
    }

    /// A column of numbers that is made of this one and others; it is about these concepts.
    pub(crate) fn derived(&self, name: &str, concepts: &[String]) -> Self {
        let all = &vocabulary().concepts;
        let places = concepts.iter().filter_map(|name| all.iter().position(|concept| concept.name == *name));
        Self {
            name: name.to_owned(),
            kind: ColumnKind::Real,
            words: vec![name.to_owned()],
            stems: name.to_owned(),
            long: name.to_owned(),
            concepts: places.map(|place| (place, 0)).collect(),
            unique: false,
            values: Vec::new(),
            ..self.clone()
        }
    }

    fn look_at(&mut self, table: &Table, at: usize) {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut filled = 0;
        for row in &table.rows {
            let cell = row[at].trim();
            if cell.is_empty() {
                self.blanks = true;
                continue;
            }
            filled += 1;
            if seen.insert(cell)
                && matches!(self.kind, ColumnKind::Text)
                && self.values.len() <= MAX_VALUES
                && cell.len() <= MAX_VALUE
            {
                self.values.push(cell.to_owned());
            }
        }
        self.distinct = seen.len();
        self.unique = filled == table.rows.len() && seen.len() == filled;
        if self.values.len() > MAX_VALUES {
            self.values.clear();
        }
        self.lists = are_lists(&self.values);
        if self.kind.is_number() {
            let values = || table.rows.iter().map(|row| table.columns[at].value(&row[at]));
            self.zeros = values().any(|value| value.number() == Some(0.0));
            self.blanks = values().any(|value| value == Value::Null);
        }
        if self.kind == ColumnKind::Date {
            let dates = table.rows.iter().filter_map(|row| match table.columns[at].value(&row[at]) {
                Value::Date(date) => Some(date),
                _ => None,
            });
            self.span = dates.fold(None, |span, date| match span {
                None => Some((date.clone(), date)),
                Some((from, to)) => Some((from.min(date.clone()), to.max(date))),
            });
        }
    }

    /// Whether it belongs to a concept of this kind.
    pub(crate) fn is(&self, kind: impl Fn(&Concept) -> bool) -> bool {
        self.concepts.iter().any(|(place, rank)| *rank < 200 && kind(&vocabulary().concepts[*place]))
    }

    /// Whether its numbers only name rows.
    pub(crate) fn is_id(&self) -> bool {
        self.words.last().is_some_and(|word| vocabulary().set("ids").contains(word)) || self.name == LINE
    }

    /// Whether its numbers can be added up to something.
    pub(crate) fn is_additive(&self) -> bool {
        self.kind.is_number() && !self.is_id() && self.is(|concept| concept.additive)
    }

    /// Whether its numbers are quantities of something, of which the most can be found by adding them up.
    pub(crate) fn is_quantity(&self) -> bool {
        let other = self.is(|concept| !concept.additive);
        self.is_additive() || (self.kind.is_number() && !self.is_id() && !other)
    }

    /// Whether it is called by what it has many of.
    pub(crate) fn is_plural(&self) -> bool {
        let stem = self.stems.rsplit(' ').next().unwrap_or_default();
        self.words.last().is_some_and(|word| word.ends_with('s') && !word.ends_with("ss") && word != stem)
    }

    fn rank(&self, place: usize) -> Option<usize> {
        self.concepts.iter().find(|(known, _)| *known == place).map(|(_, rank)| *rank)
    }
}

/// A name's words without the unit at their end.
fn bare(words: &[String]) -> &[String] {
    let is_unit = |word: &String| vocabulary().is_relative("column_units", word);
    match words.iter().rposition(|word| !is_unit(word)) {
        Some(last) => &words[..=last],
        None => words,
    }
}

fn long(word: &str) -> &str {
    vocabulary().long(word).unwrap_or(word)
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
