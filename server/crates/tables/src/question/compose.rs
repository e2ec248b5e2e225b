//! From pieces to a query: what is asked of which rows. Pieces that do not go together are not a question.

use super::parts::{Counted, End, Parts};
use crate::query::{Condition, Function, Group, Having, Measure, Order, OrderBy, Query, Test};
use crate::schema::Schema;
use crate::table::{ColumnKind, TableKind};
use crate::value::Value;

/// What it costs to take a column that nobody named.
pub(crate) const GUESSED: f32 = 0.12;

/// Puts the pieces of a question together.
pub(crate) struct Composer<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) parts: &'a Parts,
    pub(crate) cost: f32,
}

impl<'a> Composer<'a> {
    pub(crate) fn new(schema: &'a Schema, parts: &'a Parts) -> Self {
        Self { schema, parts, cost: parts.cost }
    }

    /// The query that the pieces are; nothing if they are not a whole question.
    pub(crate) fn compose(mut self) -> Option<(Query, f32)> {
        let parts = self.parts;
        if self.contradicts() {
            return None;
        }
        let query = if parts.duplicate {
            self.duplicates()
        } else if parts.share {
            self.share()
        } else if let Some(extreme) = &parts.extreme {
            self.extreme(extreme)
        } else if let Some((rows, end)) = parts.limit {
            self.limited(rows, end)
        } else if let Some(counted) = parts.count {
            self.count(counted)
        } else if !parts.functions.is_empty() {
            self.functions()
        } else if parts.how_much {
            self.how_much()
        } else if parts.when {
            self.when()
        } else {
            self.by_or_rows()
        };
        query.map(|query| (query, self.cost))
    }

    /// Pieces that cannot be true together: a cell that is this and that, or persons that are days.
    fn contradicts(&self) -> bool {
        let filter = self.parts.filter();
        let cells = |condition: &Condition| matches!(condition.test, Test::Is(_)) && !condition.negated;
        let twice = filter.iter().enumerate().any(|(at, condition)| {
            cells(condition) && filter[..at].iter().any(|other| cells(other) && other.column == condition.column)
        });
        let is_date = |column: usize| self.kind(column) == ColumnKind::Date;
        // A place needs an order, and whoever goes on has been somewhere.
        let adrift = self.parts.step.is_some() || (self.parts.nth.is_some() && self.parts.extreme.is_none());
        // What was ordered is not put in order.
        let parts = self.parts;
        let figures = parts.count.is_some() || parts.how_much || parts.extreme.is_some() || !parts.functions.is_empty();
        let unsorted = parts.sort && figures && parts.by.is_empty() && parts.groups.is_empty();
        let ends = self.parts.limit.is_some_and(|(_, end)| matches!(end, End::First | End::Last));
        adrift
            || unsorted
            || twice
            || (self.parts.who && !ends && self.parts.mentions.iter().any(|mention| is_date(mention.column)))
    }

    pub(crate) fn base(&self) -> Query {
        Query {
            source: self.schema.source.clone(),
            table: self.schema.name.clone(),
            filter: self.parts.filter(),
            ..Query::default()
        }
    }

    pub(crate) fn name(&self, column: usize) -> String {
        self.schema.columns[column].name.clone()
    }

    pub(crate) fn kind(&self, column: usize) -> ColumnKind {
        self.schema.columns[column].kind
    }

    pub(crate) fn group(&self, column: usize) -> Group {
        Group { column: self.name(column), period: None }
    }

    /// The columns that are named for themselves, in their order.
    pub(crate) fn named(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = Vec::new();
        for mention in &self.parts.mentions {
            if !columns.contains(&mention.column) {
                columns.push(mention.column);
            }
        }
        columns
    }

    /// The column of the persons that `who` asks for.
    pub(crate) fn who(&self) -> Option<usize> {
        let persons = self.schema.about("person");
        // Who picked them is the picker.
        let hinted = self.parts.hints.iter().filter_map(|hint| <[usize; 1]>::try_from(hint.as_slice()).ok());
        if let Some([own]) = hinted.into_iter().find(|[at]| persons.contains(at) && self.kind(*at) == ColumnKind::Text)
        {
            return Some(own);
        }
        let subject = self.schema.subject.filter(|at| self.schema.nouns.contains("people") || persons.contains(at));
        // Who created a ticket is not who it is assigned to.
        let dated = |hint: &Vec<usize>| hint.iter().all(|at| self.kind(*at) == ColumnKind::Date);
        let other = self.parts.hints.iter().any(dated);
        // Who has not paid may be a flat.
        let bound = !self.parts.conditions.is_empty() && self.parts.extreme.is_none();
        let nobody = persons.is_empty() && self.parts.hints.is_empty() && bound;
        let own = |at: &usize| nobody && self.is_row(*at) && self.kind(*at) == ColumnKind::Text;
        let person = persons.iter().copied().find(|at| self.kind(*at) == ColumnKind::Text && !other);
        subject.or(person).or(self.schema.subject.filter(own))
    }

    /// A numeric column that verbs are about; those that can be added up first.
    pub(crate) fn hinted(&self) -> Option<usize> {
        let mut numbers = self.parts.hints.iter().flatten().copied().filter(|at| self.kind(*at).is_number());
        let all: Vec<usize> = numbers.by_ref().collect();
        all.iter().copied().find(|at| self.schema.columns[*at].is_additive()).or_else(|| all.first().copied())
    }

    /// What rows are put together by: `per`, `by`.
    pub(crate) fn groups(&self) -> Vec<Group> {
        let by = self.parts.by.iter().map(|column| self.group(*column));
        self.parts.groups.iter().cloned().chain(by).collect()
    }

    /// Whose the largest or the most is: what is asked for, if that is not the rows themselves.
    pub(crate) fn entity(&self) -> Option<usize> {
        let named = self.named();
        let text = named.iter().copied().find(|at| !self.kind(*at).is_number());
        text.or_else(|| self.who().filter(|_| self.parts.who))
    }

    pub(crate) fn is_row(&self, column: usize) -> bool {
        self.schema.columns[column].unique
    }

    /// `duplicate rows`, `which emails appear twice`: what the rows are alike in, all columns if none is named.
    fn duplicates(&mut self) -> Option<Query> {
        let parts = self.parts;
        let plain =
            parts.functions.is_empty() && parts.extreme.is_none() && parts.limit.is_none() && parts.by.is_empty();
        // `how many orders were refunded more than once` is not about rows that are alike.
        let counts = parts.count.is_some() && !parts.conditions.is_empty();
        if !plain || counts || !parts.groups.is_empty() || parts.having.is_some() {
            return None;
        }
        let counted = match parts.count {
            Some(Counted::Column(column)) => Some(column),
            _ => None,
        };
        let mut columns: Vec<usize> = self.named().into_iter().chain(counted).collect();
        if columns.is_empty() && (parts.who || parts.person) {
            columns.push(self.who()?);
        } else if columns.is_empty() {
            (parts.rows || parts.any_rows || parts.source).then_some(())?;
            columns = (0..self.schema.columns.len()).collect();
        }
        let mut query = self.base();
        query.group = columns.into_iter().map(|column| self.group(column)).collect();
        query.measures = vec![Measure::new(Function::Count, None)];
        query.having = Some(Having { test: Test::More(Value::Integer(1)) });
        Some(query)
    }

    fn share(&mut self) -> Option<Query> {
        let parts = self.parts;
        let mut query = self.base();
        query.group = self.groups();
        let numbers: Vec<usize> =
            self.named().into_iter().filter(|at| self.schema.columns[*at].is_additive()).collect();
        if self.named().len() > numbers.len() || parts.extreme.is_some() || parts.limit.is_some() {
            return None;
        }
        let column = numbers.first().map(|at| self.name(*at));
        let split = parts.copula.filter(|_| parts.conditions.len() > 1);
        let (part, whole): (Vec<_>, Vec<_>) =
            parts.conditions.iter().partition(|placed| split.is_none_or(|at| placed.at > at));
        // One row is no part of the others that would tell something.
        let filter: Vec<Condition> = part.iter().map(|placed| placed.condition.clone()).collect();
        if self.is_single(&filter) {
            return None;
        }
        let is_clear = parts.conditions.len() < 2 || split.is_some();
        if !is_clear || (part.is_empty() && query.group.is_empty()) {
            return None;
        }
        query.filter = whole.into_iter().map(|placed| placed.condition.clone()).collect();
        let part = part.into_iter().map(|placed| placed.condition.clone()).collect();
        query.measures = vec![Measure { function: Function::Share, column, part }];
        Some(query)
    }

    fn count(&mut self, counted: Counted) -> Option<Query> {
        let parts = self.parts;
        let mut query = self.base();
        query.group = self.groups();
        if !self.named().is_empty() || !parts.functions.is_empty() || parts.having.is_some() || parts.how_much {
            return None;
        }
        let measure = match counted {
            Counted::Column(column) => {
                let known = &self.schema.columns[column];
                let is_figure = known.kind.is_number() && !known.is_id();
                match known.kind {
                    // `how many points has Ada`: what stands in her row.
                    _ if is_figure && query.group.is_empty() && self.is_single(&query.filter) => {
                        query.columns = self.with_subject(&[column], &query.filter);
                        return Some(query);
                    }
                    // `tubes` are counted in the column of that name, of `shelf` the different ones.
                    _ if known.is_additive()
                        || (is_figure && known.is_plural() && known.is(|concept| concept.name == "duration"))
                        || (is_figure && known.is_quantity() && known.is_plural()) =>
                    {
                        Measure::new(Function::Sum, Some(self.name(column)))
                    }
                    _ if self.is_row(column) && !is_figure => Measure::new(Function::Count, None),
                    kind if kind.is_number() && !known.is_id() && self.schema.kind != TableKind::Log => return None,
                    _ => Measure::new(Function::Distinct, Some(self.name(column))),
                }
            }
            Counted::Rows => Measure::new(Function::Count, None),
            Counted::Something if !self.bounds(&query) && query.group.is_empty() && !parts.source => return None,
            // `how many laptops were sold` are not how many orders had some.
            Counted::Something => match self.sold().or_else(|| self.stocked(&mut query.filter)) {
                Some(quantity) => Measure::new(Function::Sum, Some(self.name(quantity))),
                None if self.is_single(&query.filter) => return None,
                None => Measure::new(Function::Count, None),
            },
        };
        query.measures = vec![measure];
        self.ordered(&mut query);
        Some(query)
    }

    /// The column of quantities that a verb is about.
    fn sold(&self) -> Option<usize> {
        let quantities = self.schema.about("quantity");
        self.parts
            .hints
            .iter()
            .flatten()
            .copied()
            .find(|at| quantities.contains(at) && self.schema.columns[*at].is_additive())
    }

    /// `how many keyboards are in stock`: not how many rows, but what stands in the row.
    fn stocked(&self, filter: &mut Vec<Condition>) -> Option<usize> {
        let stock = self.schema.about("stock").into_iter().find(|at| self.schema.columns[*at].is_additive());
        let stock = stock.filter(|_| self.is_single(filter))?;
        let name = self.name(stock);
        filter.retain(|condition| condition.column != name);
        Some(stock)
    }

    pub(crate) fn ordered(&self, query: &mut Query) {
        if let Some(descending) = self.parts.descending.filter(|_| !query.group.is_empty()) {
            query.order = Some(Order { by: OrderBy::Measure, descending });
        }
    }

    fn functions(&mut self) -> Option<Query> {
        let parts = self.parts;
        let mut query = self.base();
        query.group = self.groups();
        let mut named = self.named();
        let own = parts.functions.iter().rev().find_map(|(_, column)| *column);
        let is_number = |at: &usize| self.kind(*at).is_number() && !self.schema.columns[*at].is_id();
        let number = named.iter().copied().find(is_number).filter(|_| own.is_none());
        named.retain(|at| Some(*at) != number);
        let entity = named.first().copied().or_else(|| self.who().filter(|_| parts.who));
        // `the rent of all flats together`: each has one row.
        if let Some(entity) = entity.filter(|at| !(self.is_row(*at) && parts.ask && parts.having.is_none())) {
            // `which customers have more than 2 orders`
            if named.len() > 1 || !query.group.is_empty() || parts.having.is_none() {
                return None;
            }
            query.group.push(self.group(entity));
        }
        query.having = parts.having.clone().map(|test| Having { test });
        if query.having.is_some() && query.group.is_empty() {
            return None;
        }
        let mut measures = Vec::new();
        for (function, column) in &parts.functions {
            if *function == Function::Count {
                measures.push(Measure::new(Function::Count, None));
                continue;
            }
            let column = match column.or(own).or(number).or_else(|| self.hinted()) {
                Some(column) => column,
                None => {
                    self.cost += GUESSED;
                    self.schema.measure()?
                }
            };
            measures.push(Measure::new(*function, Some(self.name(column))));
        }
        query.measures = measures;
        self.ordered(&mut query);
        Some(query)
    }

    fn how_much(&mut self) -> Option<Query> {
        let parts = self.parts;
        let mut query = self.base();
        query.group = self.groups();
        let named = self.named();
        let told = match named.as_slice() {
            [] => self.hinted().or_else(|| self.schema.only_figure().filter(|_| parts.mass)),
            [only] => Some(*only),
            _ => return None,
        };
        let single = self.is_single(&query.filter);
        let column = match told {
            Some(column) if single || !self.schema.columns[column].is_quantity() => {
                let price = self.schema.about("price").into_iter().find(|_| named.is_empty());
                price.filter(|_| single).unwrap_or(column)
            }
            Some(column) => {
                query.measures = vec![Measure::new(Function::Sum, Some(self.name(column)))];
                return Some(query);
            }
            None => match self.schema.about("price").into_iter().find(|at| self.kind(*at) != ColumnKind::Boolean) {
                Some(price) => price,
                // `how much for groceries`, in a table of what was spent
                None if self.bounds(&query) && named.is_empty() => {
                    self.cost += GUESSED;
                    let mut amounts = self.schema.about("amount").into_iter();
                    let amount = amounts.find(|at| self.schema.columns[*at].is_additive())?;
                    query.measures = vec![Measure::new(Function::Sum, Some(self.name(amount)))];
                    return Some(query);
                }
                None => return None,
            },
        };
        if !self.bounds(&query) || !query.group.is_empty() {
            return None;
        }
        query.columns = self.with_subject(&[column], &query.filter);
        Some(query)
    }

    /// Whether it is about some of the rows only.
    pub(crate) fn bounds(&self, query: &Query) -> bool {
        self.parts.bounded || !query.filter.is_empty()
    }

    /// Whether the rows are one: the filter names it.
    pub(crate) fn is_single(&self, filter: &[Condition]) -> bool {
        let named = |condition: &Condition| {
            let unique = self.schema.columns.iter().any(|column| column.name == condition.column && column.unique);
            unique && !condition.negated && matches!(&condition.test, Test::Is(values) if values.len() == 1)
        };
        self.parts.single || filter.iter().any(named)
    }

    /// Columns, with the one that tells rows apart unless the filter says which row it is.
    pub(crate) fn with_subject(&self, columns: &[usize], filter: &[Condition]) -> Vec<String> {
        let subject = self.schema.subject.filter(|at| !columns.contains(at) && !self.is_single(filter));
        subject.into_iter().chain(columns.iter().copied()).map(|at| self.name(at)).collect()
    }
}
