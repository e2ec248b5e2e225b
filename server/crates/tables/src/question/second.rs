//! The second part of a question: `…, and how much was it?`, `… and on which day?`. It asks for more columns of what the
//! first part finds.

use super::meanings::{Meaning, Words};
use crate::query::{OrderBy, Query};
use crate::schema::Schema;
use crate::table::ColumnKind;
use crate::tokens::Token;
use crate::vocabulary::{Role, vocabulary};

/// The most words of a second part.
const MAX_WORDS: usize = 9;

/// Where the first part ends, and the columns that the second asks for.
pub(crate) fn asked(words: &Words<'_>) -> Option<(usize, Vec<usize>)> {
    let tokens = words.tokens;
    let is = |at: usize, role: Role| vocabulary().roles(&tokens[at].lower).contains(&role);
    let begin = |at: &usize| is(*at, Role::And) || tokens[*at].text == "?";
    let begins = (1..tokens.len()).rev().filter(begin).filter(|at| *at + 1 < tokens.len());
    // The last `and`, or a sign that divides.
    let and = begins.clone().find(|at| tokens[*at].text != ",").filter(|at| tokens[*at].text != "?");
    let signs = begins.filter(|at| matches!(tokens[*at].text.as_str(), "," | "?"));
    and.into_iter().map(|at| (at, false)).chain(signs.map(|at| (at, true))).find_map(|(at, sign)| {
        let first = if matches!(tokens[at - 1].text.as_str(), "," | "?") { at - 1 } else { at };
        let tail: Vec<Token> = tokens[at + 1..].iter().filter(|token| token.text != "?").cloned().collect();
        if tail.is_empty() || tail.len() > MAX_WORDS || first == 0 {
            return None;
        }
        let columns = Words::new(words.schema, &tail, words.now).readings();
        columns.first().and_then(|items| columns_of(words.schema, items, sign)).map(|columns| (first, columns))
    })
}

/// The columns that a second part names. Behind a sign it may be them alone: `the biggest invoice? number and amount`.
fn columns_of(schema: &Schema, items: &[super::meanings::Item], sign: bool) -> Option<Vec<usize>> {
    let mut columns = Vec::new();
    let (mut asks, mut who) = (false, false);
    for item in items {
        match &item.meaning {
            Meaning::Column(column) => columns.push(*column),
            Meaning::Hint(hinted) => columns.extend(hinted.first()),
            Meaning::Role(Role::Fill | Role::Noun) | Meaning::Rows => {}
            Meaning::Role(Role::And) if sign => {}
            Meaning::Role(Role::Which | Role::HowMuch | Role::How | Role::Count) => asks = true,
            Meaning::Role(Role::Who) => (asks, who) = (true, true),
            Meaning::Role(Role::When) => {
                asks = true;
                columns.push(schema.date()?);
            }
            Meaning::Role(Role::Day) => columns.push(schema.date()?),
            _ => return None,
        }
    }
    if who && columns.is_empty() {
        columns.extend(schema.about("person").into_iter().find(|at| schema.columns[*at].kind == ColumnKind::Text));
        (!columns.is_empty()).then_some(())?;
    }
    let several = sign && columns.len() > 1;
    (asks || several).then_some(columns)
}

/// The query with more columns; nothing if they are not of what it finds.
pub(crate) fn with(schema: &Schema, mut query: Query, columns: &[usize]) -> Option<Query> {
    let names = columns.iter().map(|at| schema.columns[*at].name.clone());
    if !query.is_rows() {
        let has = |name: &String| {
            query.group.iter().any(|group| group.column == *name)
                || query.measures.iter().any(|measure| measure.column.as_ref() == Some(name))
        };
        return names.into_iter().all(|name| has(&name)).then_some(query);
    }
    // How much it is, an order by a column tells, and a row that is told whole.
    let ordered = matches!(&query.order, Some(order) if matches!(order.by, OrderBy::Column(_)));
    if columns.is_empty() && !ordered {
        return None;
    }
    if !query.columns.is_empty() {
        let extreme = query.limit.is_some_and(|limit| limit.ties && limit.rows == 1);
        for name in names.filter(|name| !query.columns.contains(name)).collect::<Vec<_>>() {
            let place = query.columns.len() - usize::from(extreme);
            query.columns.insert(place, name);
        }
    }
    Some(query)
}
