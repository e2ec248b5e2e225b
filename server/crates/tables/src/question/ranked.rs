//! Queries for the largest, the first, the top ten.

use super::compose::{Composer, GUESSED};
use super::parts::{End, Extreme, Target};
use crate::known::Known;
use crate::query::{Function, Group, Limit, Measure, Order, OrderBy, Period, Query};
use crate::table::{ColumnKind, TableKind};

impl Composer<'_> {
    pub(crate) fn extreme(&mut self, extreme: &Extreme) -> Option<Query> {
        let parts = self.parts;
        let rows = parts.limit.map_or(1, |(rows, _)| rows);
        let skip = parts.nth.map_or(0, |nth| nth - 1);
        let limit = Some(Limit { rows, skip, ties: rows == 1 });
        let order = |by: OrderBy| Some(Order { by, descending: extreme.descending });
        let mut query = self.base();
        query.limit = limit;
        query.word = extreme.word.clone();
        // `which day had the most rain`, in a table of rain.
        let figure = self.schema.only_figure().filter(|_| extreme.counts && parts.mass);
        let target = match figure {
            Some(figure) => Target::Column(figure),
            None => self.target(extreme)?,
        };
        let function = parts.functions.first().copied();
        let measure = match (function, target) {
            (Some((function, own)), Target::Column(column)) => {
                Some(Measure::new(function, Some(self.name(own.unwrap_or(column)))))
            }
            (Some(_), Target::Count) => return None,
            (None, Target::Count) => Some(Measure::new(Function::Count, None)),
            (None, Target::Column(column)) => self.summed(extreme, column),
        };
        let message = || self.schema.columns.iter().position(|column| column.name == "message");
        let entries = target == Target::Count && self.schema.kind == TableKind::Log;
        let entity = self.entity().or_else(|| message().filter(|_| entries && !parts.conditions.is_empty()));
        let mut groups = self.groups();
        let asked = parts.asked_group || (parts.when && groups.is_empty());
        if let Some(date) = self.schema.date().filter(|_| asked && groups.is_empty() && entity.is_none()) {
            groups.push(Group { column: self.name(date), period: Some(Period::Day) });
        }
        if let (Some(measure), Some(entity)) = (&measure, entity.filter(|_| groups.is_empty())) {
            if self.is_row(entity) && measure.function != Function::Count && function.is_none() {
                return None;
            }
            groups.push(self.group(entity));
        }
        // Where each has one row, their number tells nothing.
        let alone = |group: &Group| {
            let own = self.schema.columns.iter().any(|column| column.name == group.column && column.unique);
            own && matches!(group.period, None | Some(Period::Day))
        };
        if target == Target::Count && self.schema.kind != TableKind::Log && groups.iter().any(alone) {
            return self.busiest(extreme, entity?);
        }
        match (measure, target) {
            (Some(measure), _) => {
                if groups.is_empty() {
                    return None;
                }
                query.measures = vec![measure];
                query.group = groups;
                query.order = order(OrderBy::Measure);
            }
            (None, Target::Column(column)) if groups.is_empty() => {
                query.columns = self.extreme_columns(column);
                query.distinct = entity.is_some_and(|entity| !self.is_row(entity));
                query.order = order(OrderBy::Column(self.name(column)));
            }
            // `the highest salary per department`
            (None, Target::Column(column)) => {
                let function = if extreme.descending { Function::Maximum } else { Function::Minimum };
                query.measures = vec![Measure::new(function, Some(self.name(column)))];
                query.group = groups;
                match asked {
                    true => query.order = order(OrderBy::Measure),
                    false => query.limit = None,
                }
            }
            (None, Target::Count) => return None,
        }
        Some(query)
    }

    /// `the busiest day`, where each has a row: by all figures together.
    fn busiest(&mut self, extreme: &Extreme, entity: usize) -> Option<Query> {
        let parts = self.parts;
        let figures: Vec<String> = self.schema.of_kind(Known::is_figure).into_iter().map(|at| self.name(at)).collect();
        let plain = extreme.only_counts && extreme.descending && parts.limit.is_none() && parts.nth.is_none();
        if !self.schema.busiest || !plain || !parts.conditions.is_empty() || self.named() != [entity] {
            return None;
        }
        self.cost += GUESSED;
        let all = figures.join(" + ");
        let mut query = self.base();
        query.columns = vec![self.name(entity), all.clone()];
        query.order = Some(Order { by: OrderBy::Column(all), descending: true });
        query.limit = Some(Limit { rows: 1, skip: 0, ties: true });
        Some(query)
    }

    pub(crate) fn extreme_columns(&self, column: usize) -> Vec<String> {
        let mut columns = self.named();
        let text = columns.iter().any(|at| !self.kind(*at).is_number());
        if !text {
            let subject = self.schema.subject;
            let own = self.who().filter(|_| self.parts.who).or(subject);
            columns.splice(0..0, own);
        }
        columns.retain(|at| *at != column);
        columns.push(column);
        columns.iter().map(|at| self.name(*at)).collect()
    }

    /// What is the largest.
    pub(crate) fn target(&mut self, extreme: &Extreme) -> Option<Target> {
        if let Some(target) = extreme.target {
            return Some(target);
        }
        if let Some((_, Some(column))) = self.parts.functions.first() {
            return Some(Target::Column(*column));
        }
        // What is cheapest among the products of orders has a price; an order has a total.
        let price = self.schema.about("price").into_iter().find(|at| extreme.measures.contains(at));
        if let Some(price) = price.filter(|_| !self.parts.rows && self.entity().is_some()) {
            return Some(Target::Column(price));
        }
        if let Some(measure) = extreme.measures.first() {
            return Some(Target::Column(*measure));
        }
        // `when did it rain the most`
        let named = self.named().into_iter().find(|at| self.kind(*at).is_number() && !self.schema.columns[*at].is_id());
        if let Some(named) = named.filter(|_| extreme.counts) {
            return Some(Target::Column(named));
        }
        if let Some(hinted) = self.hinted().filter(|_| !extreme.named) {
            return Some(Target::Column(hinted));
        }
        if self.parts.rows && !extreme.counts && !extreme.measured && !extreme.named {
            self.cost += GUESSED;
            return self.schema.measure().map(Target::Column);
        }
        // Of a log it is always entries that are counted.
        (extreme.counts && self.schema.kind == TableKind::Log).then_some(Target::Count)
    }

    /// `spent the most`, `the most revenue`, `which month had the highest revenue`: of all the rows of each.
    pub(crate) fn summed(&self, extreme: &Extreme, column: usize) -> Option<Measure> {
        let known = &self.schema.columns[column];
        let additive = known.is_additive() || (extreme.counts && known.is_quantity());
        let shared = self.entity().is_some_and(|entity| !self.is_row(entity));
        let sums = additive
            && (self.parts.asked_group
                || self.parts.when
                || (shared && (extreme.counts || extreme.sums || extreme.target.is_none())));
        sums.then(|| Measure::new(Function::Sum, Some(self.name(column))))
    }

    pub(crate) fn limited(&mut self, rows: u32, end: End) -> Option<Query> {
        let parts = self.parts;
        if parts.count.is_some() || parts.how_much {
            return None;
        }
        match end {
            End::First | End::Last => self.ends(rows, end == End::Last),
            End::Top | End::Bottom => self.top(rows, end == End::Top),
        }
    }

    pub(crate) fn ends(&mut self, rows: u32, last: bool) -> Option<Query> {
        let parts = self.parts;
        let plain = parts.functions.is_empty() && parts.by.is_empty() && parts.groups.is_empty();
        if let Some(query) = self.earliest(rows, last).filter(|_| plain) {
            return Some(query);
        }
        let said = parts.rows || parts.any_rows || !parts.conditions.is_empty() || parts.source;
        if !plain || !said {
            return None;
        }
        let mut query = self.base();
        let date = self.schema.date().filter(|_| self.schema.kind != TableKind::Log && !parts.any_rows);
        let by = date.map_or(OrderBy::Row, |date| OrderBy::Column(self.name(date)));
        query.order = Some(Order { by, descending: last });
        query.limit = Some(Limit { rows, skip: 0, ties: false });
        query.columns = self.named().into_iter().map(|at| self.name(at)).collect();
        if parts.when {
            query.columns = vec![self.name(self.schema.date()?)];
        }
        Some(query)
    }

    /// `which expires first`, `who joined last`: by the column of dates that is named or that a verb is about.
    fn earliest(&mut self, rows: u32, last: bool) -> Option<Query> {
        let parts = self.parts;
        let named = self.named();
        let date = |at: &usize| self.kind(*at) == ColumnKind::Date;
        let hinted = parts.needed.iter().flatten().copied().find(date);
        let date = named.iter().copied().find(date).or(hinted)?;
        let others = named.iter().any(|at| *at != date);
        if others
            || parts.when
            || !(parts.rows || parts.any_rows || parts.who || parts.which || !parts.needed.is_empty())
        {
            return None;
        }
        let mut query = self.base();
        query.order = Some(Order { by: OrderBy::Column(self.name(date)), descending: last });
        query.limit = Some(Limit { rows, skip: 0, ties: rows == 1 });
        let own = self.who().filter(|_| parts.who).or(self.schema.subject);
        query.columns = own.into_iter().chain([date]).map(|at| self.name(at)).collect();
        Some(query)
    }

    pub(crate) fn top(&mut self, rows: u32, top: bool) -> Option<Query> {
        let parts = self.parts;
        let number =
            parts.by.iter().copied().find(|at| self.kind(*at).is_number() || self.kind(*at) == ColumnKind::Date);
        let function = parts.functions.first().copied();
        let mut named = self.named();
        let own = named.iter().copied().find(|at| self.schema.columns[*at].is_additive());
        named.retain(|at| Some(*at) != own);
        let other = parts.by.iter().any(|at| Some(*at) != number);
        if other || named.len() > 1 || !parts.groups.is_empty() {
            return None;
        }
        let entity = named.first().copied().or_else(|| self.who().filter(|_| parts.who));
        let mut query = self.base();
        query.limit = Some(Limit { rows, skip: 0, ties: rows == 1 });
        let measured = number.or(own).or_else(|| self.hinted());
        if let Some(entity) = entity.filter(|entity| !self.is_row(*entity)) {
            let measure = match (&parts.by_measure, function) {
                (Some(measure), None) => measure.clone(),
                (None, Some((function, column))) => Measure::new(function, Some(self.name(column.or(measured)?))),
                (None, None) => {
                    let column = measured.or_else(|| self.guessed())?;
                    self.schema.columns[column].is_additive().then_some(())?;
                    Measure::new(Function::Sum, Some(self.name(column)))
                }
                _ => return None,
            };
            query.measures = vec![measure];
            query.group = vec![self.group(entity)];
            query.order = Some(Order { by: OrderBy::Measure, descending: top });
            return Some(query);
        }
        if parts.by_measure.is_some() || function.is_some() || !(parts.rows || parts.any_rows || entity.is_some()) {
            return None;
        }
        let column = measured.or_else(|| self.guessed())?;
        query.columns = self.extreme_columns(column);
        query.order = Some(Order { by: OrderBy::Column(self.name(column)), descending: top });
        Some(query)
    }

    /// The amounts, for those who do not say what the top is measured by.
    pub(crate) fn guessed(&mut self) -> Option<usize> {
        self.cost += 2.0 * GUESSED;
        self.schema.about("amount").into_iter().find(|at| self.schema.columns[*at].is_additive())
    }
}
