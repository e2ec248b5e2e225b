//! Questions about what the one before found as a whole: what it comes to, and what share of all it is.

use super::follow_up::Change;
use super::parts::Parts;
use crate::query::{Function, Measure, Query};

impl Change<'_> {
    /// `how much is that in total`
    pub(super) fn total(&self, query: Query) -> Option<Query> {
        // "how much do they cost in total" says itself of what.
        let own = match self.parts.mentions.as_slice() {
            [only] if self.schema.columns[only.column].kind.is_number() => Some(self.name(only.column)),
            _ => None,
        };
        let named = own.is_some();
        let parts = Parts { how_much: false, them: self.parts.them && !named, ..self.parts.clone() };
        let parts = if named { Parts { mentions: Vec::new(), ..parts } } else { parts };
        let column = own.or_else(|| self.figure(&query)).filter(|_| parts.is_bare() && self.parts.total)?;
        Some(match self.is_cut() {
            true => Query {
                source: query.source.clone(),
                table: query.table.clone(),
                measures: vec![Measure::new(Function::Sum, Some(column))],
                within: Some(Box::new(query)),
                ..Query::default()
            },
            false => Query {
                measures: vec![Measure::new(Function::Sum, Some(column))],
                columns: Vec::new(),
                group: Vec::new(),
                order: None,
                distinct: false,
                ..query
            },
        })
    }

    /// `what share is that`: of all rows those that were counted.
    pub(super) fn share(&self, query: Query) -> Option<Query> {
        let bare = Parts { share: false, ..self.parts.clone() }.is_bare();
        let part = self.former.filter.clone();
        let [measure] = self.former.measures.as_slice() else { return None };
        let adds = matches!(measure.function, Function::Count | Function::Sum) && query.group.is_empty();
        if !bare || part.is_empty() || !adds || self.is_cut() {
            return None;
        }
        let share = Measure { function: Function::Share, column: measure.column.clone(), part };
        Some(Query { measures: vec![share], filter: Vec::new(), ..query })
    }
}
