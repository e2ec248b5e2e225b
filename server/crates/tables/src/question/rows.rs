//! Queries for rows, their values and their order.

use super::compose::Composer;
use crate::query::{Condition, Function, Measure, Order, OrderBy, Query, Test};
use crate::table::{ColumnKind, TableKind};

/// Numbers of fewer kinds than these are codes.
const MAX_CODES: usize = 40;

impl Composer<'_> {
    pub(crate) fn when(&mut self) -> Option<Query> {
        let hinted = self.parts.hints.iter().flatten().copied().find(|at| self.kind(*at) == ColumnKind::Date);
        let date = hinted.or_else(|| self.schema.date())?;
        let mut query = self.base();
        if !self.bounds(&query) || !self.named().is_empty() {
            return None;
        }
        query.columns = self.with_subject(&[date], &query.filter);
        Some(query)
    }

    pub(crate) fn by_or_rows(&mut self) -> Option<Query> {
        let parts = self.parts;
        if parts.sort {
            return self.sorted();
        }
        let groups = self.groups();
        if groups.is_empty() {
            return self.rows();
        }
        let mut query = self.base();
        let named = self.named();
        if let ([column], true) = (parts.by.as_slice(), parts.groups.is_empty())
            && (self.kind(*column).is_number() || self.kind(*column) == ColumnKind::Date)
            && (parts.rows || parts.any_rows || parts.ask)
        {
            // `products by price` are in its order.
            query.order =
                Some(Order { by: OrderBy::Column(self.name(*column)), descending: parts.descending == Some(true) });
            query.columns = named.iter().map(|at| self.name(*at)).collect();
            return Some(query);
        }
        query.group = groups;
        query.measures = match named.as_slice() {
            [] if parts.rows || parts.any_rows || !query.filter.is_empty() => {
                self.cost += 0.03;
                vec![Measure::new(Function::Count, None)]
            }
            [only] if self.schema.columns[*only].is_additive() => {
                vec![Measure::new(Function::Sum, Some(self.name(*only)))]
            }
            _ => return None,
        };
        self.ordered(&mut query);
        Some(query)
    }

    pub(crate) fn sorted(&mut self) -> Option<Query> {
        let parts = self.parts;
        let mut named = self.named();
        let column = parts.by.first().copied().or_else(|| named.pop())?;
        if !(parts.rows || parts.any_rows || parts.source || parts.ask) || parts.by.len() > 1 {
            return None;
        }
        let mut query = self.base();
        query.order =
            Some(Order { by: OrderBy::Column(self.name(column)), descending: parts.descending == Some(true) });
        query.columns = named.iter().map(|at| self.name(*at)).collect();
        Some(query)
    }

    pub(crate) fn rows(&mut self) -> Option<Query> {
        let parts = self.parts;
        let mut query = self.base();
        if let Some(descending) = parts.descending {
            // An order of nothing.
            let [column] = self.named()[..] else { return None };
            query.order = Some(Order { by: OrderBy::Column(self.name(column)), descending });
            return (parts.rows || parts.ask).then_some(query);
        }
        let mut named = self.named();
        let filtered = self.bounds(&query);
        // `who has yet to pay the dues`: what these are is said.
        let said = |at: &usize| {
            let told = |condition: &Condition| {
                condition.column == self.schema.columns[*at].name && matches!(condition.test, Test::Is(_))
            };
            self.kind(*at) == ColumnKind::Text && query.filter.iter().any(told)
        };
        if let ([only], true) = (named.as_slice(), parts.rows || parts.who)
            && said(only)
        {
            named.clear();
        }
        match named.as_slice() {
            [] => self.unnamed(query, filtered),
            [only] => {
                let known = &self.schema.columns[*only];
                let asked = parts.which || parts.ask || parts.distinct || filtered || parts.who;
                let few = known.kind == ColumnKind::Integer && known.distinct <= MAX_CODES && !known.unique;
                let code = self.schema.kind == TableKind::Log && few;
                let lists = known.kind == ColumnKind::Text || code || parts.distinct;
                let alone = lists && !parts.rows;
                if !asked && !alone {
                    return None;
                }
                // What time it is, no table tells.
                let all = parts.rows || parts.any_rows || parts.source || parts.ask;
                if !filtered && !all && !lists {
                    return None;
                }
                let totals = known.is_additive() && (parts.total || known.is(|concept| concept.totals));
                let first = parts.rows_at.is_none_or(|rows| parts.mentions[0].at < rows);
                if totals && !parts.ask && first && !parts.who && !self.is_single(&query.filter) {
                    // `what was the revenue in March` is the sum of it.
                    query.measures = vec![Measure::new(Function::Sum, Some(self.name(*only)))];
                    return Some(query);
                }
                let of = |who: &usize| query.filter.iter().any(|condition| condition.column == self.name(*who));
                let who = self.who().filter(|who| parts.who && who != only && !of(who));
                if let Some(who) = who {
                    query.columns = vec![self.name(who), self.name(*only)];
                    return Some(query);
                }
                let tells = self.is_single(&query.filter) || !lists || Some(*only) == self.schema.subject;
                query.distinct = parts.distinct || (!tells && !known.unique);
                query.columns = match query.distinct {
                    true => vec![self.name(*only)],
                    false => self.with_subject(&[*only], &query.filter),
                };
                Some(query)
            }
            several => {
                if !(parts.which || parts.ask || filtered || parts.rows) {
                    return None;
                }
                query.columns = several.iter().map(|at| self.name(*at)).collect();
                Some(query)
            }
        }
    }

    /// Rows, of which no column is named.
    pub(crate) fn unnamed(&mut self, mut query: Query, filtered: bool) -> Option<Query> {
        let parts = self.parts;
        let said = parts.rows || parts.any_rows || parts.source;
        if parts.who {
            let who = self.who()?;
            let name = self.name(who);
            // Who hired Alan is not Alan.
            if !parts.hints.is_empty() && query.filter.iter().any(|condition| condition.column == name) {
                return None;
            }
            if Some(who) != self.schema.subject {
                query.columns = vec![self.name(who)];
                query.distinct = true;
            }
            return filtered.then_some(query);
        }
        if parts.which && filtered && !said {
            // `what did I spend on travel`
            let totals = |at: &usize| {
                let known = &self.schema.columns[*at];
                known.is_additive() && known.is(|concept| concept.totals)
            };
            let spent = parts.hints.iter().flatten().copied().find(totals);
            if let Some(spent) = spent.filter(|_| parts.does && !self.is_single(&query.filter)) {
                query.measures = vec![Measure::new(Function::Sum, Some(self.name(spent)))];
                return Some(query);
            }
            // `what does the mug cost`
            let texts = |at: &usize| {
                (self.kind(*at) == ColumnKind::Text || (self.kind(*at).is_number() && self.is_single(&query.filter)))
                    && !query.filter.iter().any(|condition| condition.column == self.schema.columns[*at].name)
            };
            if let Some(hinted) = parts.hints.iter().flatten().copied().find(texts) {
                query.columns = vec![self.name(hinted)];
                query.distinct = true;
                return Some(query);
            }
        }
        let searched = query.filter.iter().find(|condition| matches!(condition.test, Test::Contains(_)));
        if let (Some(condition), false, TableKind::Records) = (searched, said || parts.ask, self.schema.kind) {
            query.columns = vec![condition.column.clone()];
            return Some(query);
        }
        let several = query.filter.len() > 1 || self.schema.kind == TableKind::Log;
        match (filtered, said, parts.ask || parts.which) {
            (true, true, _) | (true, _, true) => Some(query),
            (true, false, false) if several => {
                self.cost += 0.02;
                Some(query)
            }
            (false, true, _) if parts.ask => Some(query),
            _ => None,
        }
    }
}
