//! Columns that a word names by a part of their name, or by a verb of its stem.

use super::meanings::{Meaning, Words};
use crate::known::Known;
use crate::table::ColumnKind;

impl Words<'_> {
    /// What a verb says of a column of its stem: when it was, who did it, or how its condition begins.
    pub(crate) fn verb(&self, at: usize) -> Meaning {
        let known = &self.schema.columns[at];
        match known.kind {
            ColumnKind::Date => Meaning::Hint(vec![at]),
            ColumnKind::Text if known.is(|concept| concept.person) => Meaning::Hint(vec![at]),
            _ => Meaning::Verb(at),
        }
    }

    /// The column that has the word in its name, if it is the only one: `price` is `unit_price`, `supplier` is
    /// `supplier.name`.
    pub(crate) fn part(&self, stem: &str) -> Option<usize> {
        let of = |column: &Known| {
            let parts = || column.stems.split(' ').chain(column.long.split(' '));
            column.words.len() > 1 && parts().any(|part| part == stem)
        };
        let fitting = self.schema.of_kind(|column| of(column) && !column.is_id());
        let named: Vec<usize> = fitting
            .iter()
            .copied()
            .filter(|at| self.schema.columns[*at].words.last().is_some_and(|word| word == "name"))
            .collect();
        match (fitting.as_slice(), named.as_slice()) {
            ([only], _) | (_, [only]) => Some(*only),
            _ => None,
        }
    }
}
