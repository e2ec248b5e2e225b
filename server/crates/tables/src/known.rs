//! What a question has to know of a column: what it is called, what it is about, and what its cells are like.

use std::collections::HashSet;

use crate::entries::Concept;
use crate::lists::are_lists;
use crate::log::LINE;
use crate::table::{ColumnKind, Table};
use crate::tokens::name_words;
use crate::value::Value;
use crate::vocabulary::vocabulary;
use switchboard_search::stem;

/// A column with more different cells than these is not known by its cells.
const MAX_VALUES: usize = 3_000;

/// Longer cells are texts, not names.
const MAX_VALUE: usize = 60;

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
    /// The row of the largest of its numbers, if no other is as large.
    pub(crate) peak: Option<usize>,
    /// The first and the last of its dates.
    pub(crate) span: Option<(String, String)>,
    pub(crate) words: Vec<String>,
    pub(crate) stems: String,
    /// The stems of what its name is short for.
    pub(crate) long: String,
    /// The places of the concepts that it belongs to, and how well it fits.
    pub(crate) concepts: Vec<(usize, usize)>,
    /// Cells that tell it apart; none if there are too many.
    pub values: Vec<String>,
}

impl Known {
    pub(crate) fn of(table: &Table, at: usize) -> Self {
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
            peak: None,
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
            let numbers = || values().map(|value| value.number().unwrap_or(f64::NEG_INFINITY)).enumerate();
            let largest = numbers().max_by(|one, other| one.1.total_cmp(&other.1));
            let alone = |(_, most): &(usize, f64)| numbers().filter(|(_, number)| number == most).count() == 1;
            self.peak = largest.filter(alone).map(|(row, _)| row);
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

    /// Whether it counts or measures something of which there can be much.
    pub(crate) fn is_figure(&self) -> bool {
        self.kind.is_number() && !self.is_id() && self.is_quantity()
    }

    /// Whether it is called by what it has many of.
    pub(crate) fn is_plural(&self) -> bool {
        let stem = self.stems.rsplit(' ').next().unwrap_or_default();
        self.words.last().is_some_and(|word| word.ends_with('s') && !word.ends_with("ss") && word != stem)
    }

    pub(crate) fn rank(&self, place: usize) -> Option<usize> {
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
