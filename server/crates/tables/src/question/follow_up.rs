//! Questions that change the one before: another condition, another group, an order, fewer of them.

use super::compose::Composer;
use super::parts::{End, Extreme, Mention, Parts, Target};
use super::steps;
use crate::query::{Condition, Function, Limit, Measure, Order, OrderBy, Query, Test};
use crate::schema::Schema;
use crate::table::ColumnKind;
use crate::value::Value;

/// The former query, changed as the pieces say; nothing if they do not say how.
pub(crate) fn follow_up(schema: &Schema, former: &Query, parts: &Parts) -> Option<(Query, f32)> {
    let change = Change { schema, former, parts };
    let mut query = former.clone();
    query.filter = change.filter();
    change.change(query).map(|query| (query, parts.cost))
}

/// A change of a query.
pub(super) struct Change<'a> {
    pub(super) schema: &'a Schema,
    pub(super) former: &'a Query,
    pub(super) parts: &'a Parts,
}

impl Change<'_> {
    fn change(&self, query: Query) -> Option<Query> {
        let parts = self.parts;
        if let Some(step) = parts.step {
            return steps::stepped(query, step);
        }
        if parts.sort || (parts.descending.is_some() && parts.count.is_none()) {
            return self.sorted(query);
        }
        if let Some(extreme) = &parts.extreme {
            let within = query.within.as_deref().and_then(|within| self.other_end(within, extreme));
            // Among one row, nothing is the highest: "who is the youngest?" after "what is the highest salary?"
            let one = self.former.limit.is_some_and(|limit| limit.rows == 1) && !parts.refers();
            let anew = |query| if one { self.of_all(query) } else { self.anew(query) };
            return self.other_end(&query, extreme).or(within).or_else(|| anew(query));
        }
        if let Some(nth) = parts.nth {
            return steps::at_place(query, nth);
        }
        if parts.count.is_some() || parts.when || parts.having.is_some() {
            return self.anew(query);
        }
        if parts.how_much {
            return self.total(query.clone()).or_else(|| self.anew(query));
        }
        if parts.share {
            return self.share(query);
        }
        if !parts.groups.is_empty() || !parts.by.is_empty() {
            return self.grouped(query);
        }
        if let Some((rows, end)) = parts.limit {
            return self.limited(query, rows, end);
        }
        if !parts.functions.is_empty() {
            return if self.is_cut() && parts.refers() { self.anew(query) } else { self.computed(query) };
        }
        if let Some(flags) = self.flags() {
            let filter = query.filter.into_iter().chain(flags).collect();
            return Some(steps::counted(Query { filter, ..query }));
        }
        if !parts.mentions.is_empty() {
            let of_rows = parts.refers() && !self.former.is_rows();
            return if of_rows { self.anew(query) } else { self.columns(query) };
        }
        if parts.is_bare() {
            return self.found(query);
        }
        if (parts.which || parts.who) && !parts.hints.is_empty() {
            return self.anew(query);
        }
        let asks = parts.which || parts.who || parts.ask;
        if parts.conditions.is_empty() {
            return None;
        }
        match self.is_cut() {
            true if parts.refers() => self.anew(query),
            true if asks => None,
            // "how many are late?", "which of them are mine?": not how many again.
            false if parts.which || parts.who => Some(steps::counted(query)),
            _ => Some(query),
        }
    }

    /// "which of them are trained?": those of which the columns of yes and no that are named say yes.
    fn flags(&self) -> Option<Vec<Condition>> {
        let parts = self.parts;
        let is_flag = |mention: &&Mention| self.schema.columns[mention.column].kind == ColumnKind::Boolean;
        let asks = (parts.which || parts.who) && parts.refers() && !self.is_cut();
        let all = asks && !parts.mentions.is_empty() && parts.mentions.iter().all(|mention| is_flag(&mention));
        let yes = |mention: &Mention| Condition {
            column: self.name(mention.column),
            test: Test::Is(vec![Value::Boolean(true)]),
            negated: false,
        };
        all.then(|| parts.mentions.iter().map(yes).collect())
    }

    /// Whether the former finds but some of the rows that fit.
    pub(super) fn is_cut(&self) -> bool {
        !self.former.is_plain()
    }

    /// The conditions of both; one of a column that the former has, too, takes its place.
    fn filter(&self) -> Vec<Condition> {
        let mut filter = self.former.filter.clone();
        for condition in self.parts.filter() {
            let same = filter.iter().position(|known| {
                known.column == condition.column && !condition.negated && kind(&known.test) == kind(&condition.test)
            });
            // What cannot both hold is rather meant instead: "after 2020?" behind "before 2018".
            let against = || filter.iter().position(|known| excludes(known, &condition));
            match same.or_else(against) {
                _ if filter.contains(&condition) => {}
                Some(at) if !self.parts.refers() => filter[at] = condition,
                _ => filter.push(condition),
            }
        }
        filter
    }

    /// `how many of them`, `what does it cost`: a question of its own about the same rows.
    fn anew(&self, query: Query) -> Option<Query> {
        let single = self.former.is_rows() && self.former.limit.is_some_and(|limit| limit.rows == 1);
        let composer = Composer::new(self.schema, self.parts);
        let single = single || (!self.is_cut() && composer.is_single(&query.filter));
        let parts = Parts { rows: !single, bounded: true, single, ..self.parts.clone() };
        let (found, _) = Composer::new(self.schema, &parts).compose()?;
        Some(match self.is_cut() {
            true => Query { within: Some(Box::new(self.former.clone())), ..found },
            false => Query { filter: query.filter, within: query.within, ..found },
        })
    }

    /// A question of its own about all rows that the former chose from.
    fn of_all(&self, query: Query) -> Option<Query> {
        let parts = Parts { rows: true, bounded: true, ..self.parts.clone() };
        let (found, _) = Composer::new(self.schema, &parts).compose()?;
        Some(Query { filter: query.filter, within: query.within, ..found })
    }

    /// `and the lowest`: the other end of the same order.
    fn other_end(&self, query: &Query, extreme: &Extreme) -> Option<Query> {
        let order = query.order.as_ref().filter(|_| query.is_extreme() && !self.parts.refers())?;
        let own = self.parts.mentions.is_empty() && self.parts.count.is_none() && self.parts.functions.is_empty();
        let same = match &order.by {
            OrderBy::Column(name) => extreme.measures.iter().any(|at| self.name(*at) == *name),
            OrderBy::Measure | OrderBy::Row => false,
        };
        if !own || !(same || extreme.measures.is_empty()) || !matches!(extreme.target, None | Some(Target::Count)) {
            return None;
        }
        let order = Order { by: order.by.clone(), descending: extreme.descending };
        let skip = self.parts.nth.map_or(0, |nth| nth - 1);
        let limit = query.limit.map(|limit| Limit { skip, ..limit });
        // Of one that was asked about since, whose it is is told again.
        let mut query = query.clone();
        if let OrderBy::Column(name) = &order.by
            && !query.columns.contains(name)
        {
            query.columns = self.schema.subject.map(|at| self.name(at)).into_iter().chain([name.clone()]).collect();
        }
        Some(Query { order: Some(order), limit, word: extreme.word.clone(), ..query })
    }

    /// `which ones`, `show them`: the rows that were counted, or found.
    fn found(&self, query: Query) -> Option<Query> {
        let parts = self.parts;
        if !(parts.which || parts.who || parts.ask || parts.them) || !query.group.is_empty() {
            return None;
        }
        let distinct = query.measures.first().filter(|measure| measure.function == Function::Distinct);
        let part = query.measures.iter().flat_map(|measure| measure.part.clone());
        let filter = query.filter.iter().cloned().chain(part).collect();
        let columns = distinct.and_then(|measure| measure.column.clone());
        if query.is_rows() {
            return parts.refers().then_some(query);
        }
        let distinct = columns.is_some();
        Some(Query {
            measures: Vec::new(),
            columns: columns.into_iter().collect(),
            distinct,
            order: None,
            limit: None,
            filter,
            ..query
        })
    }

    fn sorted(&self, mut query: Query) -> Option<Query> {
        let parts = self.parts;
        let mention = parts.by.first().copied().or_else(|| parts.mentions.last().map(|mention| mention.column));
        let others =
            parts.count.is_some() || !parts.functions.is_empty() || parts.extreme.is_some() || parts.limit.is_some();
        if others || parts.mentions.len() + parts.by.len() > 1 {
            return None;
        }
        let by = match (mention, &query.order) {
            (Some(column), _) if query.is_rows() => OrderBy::Column(self.name(column)),
            (Some(column), _) => self.measured(column)?,
            (None, Some(order)) => order.by.clone(),
            (None, None) if !query.group.is_empty() => OrderBy::Measure,
            (None, None) if parts.turn && query.is_rows() => OrderBy::Row,
            (None, None) => return None,
        };
        let turned = query.order.as_ref().is_some_and(|order| !order.descending);
        let descending = match parts.descending.filter(|_| !parts.turn || mention.is_some()) {
            Some(descending) => descending,
            None => mention.is_none() && (turned || (parts.turn && query.order.is_none())),
        };
        query.order = Some(Order { by, descending });
        Some(query)
    }

    /// An order of groups: by what is measured, or by the group.
    fn measured(&self, column: usize) -> Option<OrderBy> {
        let name = self.name(column);
        if self.former.group.iter().any(|group| group.column == name) {
            return Some(OrderBy::Column(name));
        }
        let own = self.former.measures.first().and_then(|measure| measure.column.as_ref()) == Some(&name);
        own.then_some(OrderBy::Measure)
    }

    fn grouped(&self, mut query: Query) -> Option<Query> {
        let parts = self.parts;
        // Rows by a figure or a day are in that order, not so many for each.
        let figure =
            |at: &usize| self.schema.columns[*at].kind.is_number() || self.schema.columns[*at].kind == ColumnKind::Date;
        if query.is_rows() && parts.groups.is_empty() && parts.functions.is_empty() && parts.by.iter().all(figure) {
            return self.sorted(query);
        }
        // What falls due every month is not put together by years.
        let monthly = query.measures.iter().any(|measure| self.schema.is_monthly(measure))
            && parts.groups.iter().any(|group| group.period.is_some());
        if !parts.mentions.is_empty() || parts.limit.is_some() || query.distinct || monthly {
            return None;
        }
        let by = parts.by.iter().map(|at| crate::query::Group { column: self.name(*at), period: None });
        let groups: Vec<_> = parts.groups.iter().cloned().chain(by).collect();
        if query.is_rows() {
            query.columns = Vec::new();
            query.measures = vec![Measure::new(Function::Count, None)];
        }
        if !parts.functions.is_empty() {
            query = self.computed(query)?;
        }
        query.group = groups;
        (query.order, query.limit, query.having) = (None, None, None);
        Some(query)
    }

    fn limited(&self, mut query: Query, rows: u32, end: End) -> Option<Query> {
        if !self.parts.functions.is_empty() || !self.parts.mentions.is_empty() {
            return None;
        }
        let grouped = !query.group.is_empty();
        let order = match (&query.order, end) {
            (_, End::Top) if grouped => Order { by: OrderBy::Measure, descending: true },
            (_, End::Bottom) if grouped => Order { by: OrderBy::Measure, descending: false },
            (Some(order), End::Top | End::First) => order.clone(),
            (Some(order), End::Bottom | End::Last) => Order { by: order.by.clone(), descending: !order.descending },
            (None, End::First | End::Last) if query.is_rows() => {
                Order { by: OrderBy::Row, descending: end == End::Last }
            }
            _ => return None,
        };
        query.order = Some(order);
        query.limit = Some(Limit { rows, skip: 0, ties: false });
        Some(query)
    }

    /// Another figure of the same column and the same groups.
    fn computed(&self, mut query: Query) -> Option<Query> {
        let parts = self.parts;
        let own = parts.functions.iter().rev().find_map(|(_, column)| *column);
        // "how much do they cost in total": the column that is named beside.
        let own = match (own, parts.mentions.as_slice()) {
            (own, []) => own,
            (None, [only]) if self.schema.columns[only.column].kind.is_number() => Some(only.column),
            _ => return None,
        };
        let column = own.map(|at| self.name(at)).or_else(|| self.figure(&query))?;
        let measure = |(function, _): &(Function, Option<usize>)| match function {
            Function::Count => Measure::new(Function::Count, None),
            function => Measure::new(*function, Some(column.clone())),
        };
        query.measures = parts.functions.iter().map(measure).collect();
        query.columns = Vec::new();
        query.distinct = false;
        query.having = None;
        if query.group.is_empty() {
            (query.order, query.limit) = (None, None);
        }
        Some(query)
    }

    /// The column of figures that the former is about.
    pub(super) fn figure(&self, query: &Query) -> Option<String> {
        let former = query.measures.first().and_then(|measure| measure.column.clone());
        let ordered = query.order.as_ref().and_then(|order| match &order.by {
            OrderBy::Column(name) => Some(name.clone()),
            _ => None,
        });
        let is_number = |name: &String| {
            self.schema.columns.iter().any(|column| column.name == *name && column.kind.is_number() && !column.is_id())
        };
        let shown = query.columns.iter().find(|name| is_number(name)).cloned();
        let column = former.or(ordered).or(shown).filter(is_number);
        column.or_else(|| self.schema.measure().map(|at| self.name(at)))
    }

    /// Other columns of the same rows, or another column of the same figure.
    fn columns(&self, mut query: Query) -> Option<Query> {
        let named: Vec<usize> = self.parts.mentions.iter().map(|mention| mention.column).collect();
        if let Some(measure) = query.measures.first_mut() {
            let [only] = named.as_slice() else { return None };
            let name = self.name(*only);
            let fits = self.schema.columns[*only].kind.is_number() && measure.column.as_ref() != Some(&name);
            let figure = !matches!(measure.function, Function::Count | Function::Distinct | Function::Share);
            if !fits || !figure {
                return None;
            }
            measure.column = Some(name);
            return Some(query);
        }
        let exact = self.parts.only || named.len() > 1 || query.limit.is_some_and(|limit| limit.ties);
        query.columns = match exact {
            true => named.iter().map(|at| self.name(*at)).collect(),
            false => Composer::new(self.schema, self.parts).with_subject(&named, &query.filter),
        };
        query.distinct = false;
        Some(query)
    }

    pub(super) fn name(&self, column: usize) -> String {
        self.schema.columns[column].name.clone()
    }
}

/// Whether no number can pass both.
fn excludes(one: &Condition, other: &Condition) -> bool {
    let bounds = |condition: &Condition| {
        let number = |value: &Value| value.number();
        let (least, most) = match &condition.test {
            Test::Is(values) => {
                let numbers: Option<Vec<f64>> = values.iter().map(Value::number).collect();
                let numbers = numbers.filter(|numbers| !numbers.is_empty())?;
                let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                (least, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
            }
            Test::More(value) | Test::AtLeast(value) => (number(value)?, f64::INFINITY),
            Test::Less(value) | Test::AtMost(value) => (f64::NEG_INFINITY, number(value)?),
            Test::Range(from, to) => (number(from)?, number(to)?),
            _ => return None,
        };
        (!condition.negated).then_some((least, most))
    };
    match (bounds(one), bounds(other)) {
        (Some(one_s), Some(other_s)) => one.column == other.column && (one_s.1 < other_s.0 || other_s.1 < one_s.0),
        _ => false,
    }
}

/// Tests of a kind take each other's place: a cell for a cell, a time for a time, a bound for the same bound.
fn kind(test: &Test) -> u8 {
    match test {
        Test::Is(_) | Test::Empty => 0,
        Test::More(_) | Test::AtLeast(_) => 1,
        Test::Less(_) | Test::AtMost(_) => 2,
        Test::Range(..) => 3,
        Test::During { .. } | Test::Months(_) => 4,
        Test::Weekdays(_) => 5,
        Test::Times { .. } => 6,
        Test::Contains(_) | Test::StartsWith(_) | Test::EndsWith(_) => 7,
    }
}
