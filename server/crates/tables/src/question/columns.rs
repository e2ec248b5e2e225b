//! Which column a phrase names: by its whole name, by what it is about, by a part of its name, or by a verb.

use std::ops::Range;

use super::likeness::{PLURAL, ends_as_verb};
use super::meanings::{CONCEPT, Item, Meaning, PART, Words, put};
use crate::known::Known;
use crate::log::{LINE, TEXT};
use crate::schema::in_any_order;
use crate::table::{ColumnKind, TableKind};
use crate::vocabulary::{Role, vocabulary};

impl Words<'_> {
    pub(crate) fn columns(&self, phrase: &str, stems: &str, from: usize, to: usize, found: &mut Vec<Item>) {
        let words = vocabulary();
        let columns = &self.schema.columns;
        let before = found.len();
        for (at, column) in columns.iter().enumerate() {
            if self.is_own(column) {
                continue;
            }
            let name = column.words.join(" ");
            if name == phrase || column.stems == stems || column.long == stems {
                // What rows are called is also the column of their names, which few mean.
                let rows = if self.is_noun(phrase, stems) { CONCEPT } else { 0.0 };
                let many = if name == phrase { 0.0 } else { PLURAL };
                let other = name != phrase && column.stems == stems && column.kind != ColumnKind::Boolean;
                // What they collect was collected on a day.
                let dated = column.kind == ColumnKind::Date && ends_as_verb(&name, phrase);
                let verb = other && (dated || ends_as_verb(phrase, &name));
                let meaning = if verb { self.verb(at) } else { Meaning::Column(at) };
                // `what` asks before it is a column of that name.
                let asks = words.roles(phrase).iter().any(|role| matches!(role, Role::Which | Role::Who | Role::When));
                let asks = if asks { PART } else { 0.0 };
                put(found, from, to, meaning, rows + many + asks);
            }
        }
        let named = found[before..].iter().any(|item| matches!(item.meaning, Meaning::Column(_)));
        if let Some(at) = self.otherwise(phrase, from..to).filter(|_| !named) {
            return put(found, from, to, Meaning::Column(at), PART);
        }
        let called = words.called(phrase).iter().chain(words.called(stems));
        for place in called.filter(|_| !named) {
            if let Some(best) = self.schema.about_place(*place).first() {
                put(found, from, to, Meaning::Column(*best), CONCEPT);
            }
        }
        let hinted: Vec<usize> = words.verbs(phrase).iter().flat_map(|place| self.schema.about_place(*place)).collect();
        // `orders` are rows before they are what people do, and the last error of a log has not lasted.
        let last = self.schema.kind == TableKind::Log && words.roles(phrase).contains(&Role::Last);
        if !hinted.is_empty() && !self.is_noun(phrase, stems) && !last {
            put(found, from, to, Meaning::Hint(hinted), 0.0);
        }
        let named = found[before..].iter().any(|item| matches!(item.meaning, Meaning::Column(_)));
        if to - from == 1 && !named && words.roles(phrase).is_empty() {
            let noun = if self.is_noun(phrase, stems) { CONCEPT } else { 0.0 };
            let meaning = self.part(stems).map(|at| {
                let verb = ends_as_verb(phrase, &self.schema.columns[at].words.join(" "));
                if verb { self.verb(at) } else { Meaning::Column(at) }
            });
            found.extend(meaning.map(|meaning| Item { meaning, from, to, cost: PART + noun }));
        }
    }

    pub(crate) fn is_noun(&self, phrase: &str, stems: &str) -> bool {
        self.schema.nouns.contains(phrase) || self.schema.nouns.contains(stems)
    }

    /// Whether it is a column that every log has, and whose name is what entries are called.
    pub(crate) fn is_own(&self, column: &Known) -> bool {
        self.schema.kind == TableKind::Log && matches!(column.name.as_str(), LINE | TEXT)
    }

    /// A column whose name is said in another order (`100 free PB`), with a gap (`test 3` is test3), with a word for what it
    /// holds (`parking place`), or by a part of it and what it measures: `lead time` is lead_days.
    fn otherwise(&self, phrase: &str, at: Range<usize>) -> Option<usize> {
        let columns = &self.schema.columns;
        if at.len() < 2 {
            return None;
        }
        let joined = phrase.replace(' ', "");
        let sorted = in_any_order(phrase);
        let is = |known: &Known| {
            (known.words.len() > 1 && in_any_order(&known.words.join(" ")) == sorted) || known.words.concat() == joined
        };
        let named = columns.iter().position(is);
        let measured = || {
            let [name, noun] = &self.tokens[at.clone()] else { return None };
            let words = vocabulary();
            let whole = columns.iter().position(|known| known.words.len() == 1 && known.stems == name.stem);
            let other = |noun: &str| columns.iter().any(|known| known.words.iter().any(|word| word == noun));
            if let Some(column) = whole.filter(|_| words.is_relative("value_nouns", &noun.lower) && !other(&noun.lower))
            {
                return Some(column);
            }
            let column = self.part(&name.stem).filter(|column| columns[*column].kind.is_number())?;
            // What has that word in its name, or is about it, is meant rather than one that has half of it.
            let other =
                !words.called(phrase).is_empty() || columns.iter().any(|known| known.words.contains(&noun.lower));
            (words.is_relative("measure_nouns", &noun.lower) && !other).then_some(column)
        };
        named.or_else(measured)
    }
}
