//! Verbs that mean nothing to the table: `how many hosts run debian 11`. One may be passed over between its subject and its
//! object, where both are the table's; what may be a condition, or turns the question round, may not.

use super::meanings::{Item, Meaning};
use crate::known::Known;
use crate::query::Query;
use crate::schema::Schema;
use crate::table::ColumnKind;
use crate::tokens::{Token, TokenKind};
use crate::vocabulary::{Role, vocabulary};

/// What it costs.
pub(crate) const COST: f32 = 0.15;

/// The token of the verb that may be passed over, if it is all that is not understood.
pub(crate) fn verb(schema: &Schema, items: &[Item], tokens: &[Token]) -> Option<usize> {
    let words = vocabulary();
    let unknown: Vec<usize> =
        (0..items.len()).filter(|at| items[*at].meaning == Meaning::Unknown && items[*at].cost > 1.0).collect();
    let [at] = unknown[..] else { return None };
    let token = &tokens[items[at].from];
    let is_word = token.kind == TokenKind::Word && token.lower.chars().all(char::is_alphabetic);
    if !is_word || words.set("turning").contains(&token.lower) || token.text.chars().any(char::is_uppercase) {
        return None;
    }
    let of = |item: &Item, set: &str| item.is(Role::Fill) && words.is_relative(set, &tokens[item.from].lower);
    // What is stated or wished for is no question: `tomasz and okoye swap roles`.
    if !items.iter().any(|item| is_asking(item) || of(item, "auxiliaries")) {
        return None;
    }
    // What a verb says is no condition if a cell says it, too: who closed a ticket has it not only assigned.
    if schema.cells.contains_key(&token.stem) {
        return None;
    }
    let skipped = |item: &Item| of(item, "auxiliaries") || of(item, "pronouns") || item.is(Role::Not);
    let before = (0..at).rev().find(|at| !skipped(&items[*at]))?;
    let behind = (at + 1..items.len()).find(|at| !of(&items[*at], "determiners") && !items[*at].is(Role::Ask));
    // `which servers sit in eu-west-1`; what crashed there is something else.
    let stands = items[before].meaning == Meaning::Rows
        && !token.lower.ends_with("ed")
        && items.get(at + 1).is_some_and(|item| of(item, "places"))
        && matches!(items.get(at + 2).map(|item| &item.meaning), Some(Meaning::Cell(..)));
    let person = |column: usize| Some(column) == schema.subject || schema.about("person").contains(&column);
    // `how much rain fell in march`: a figure that was asked for has fallen, and nothing else.
    // `how many days have been taken in total`
    let named = |known: &Known| known.kind.is_number() && known.words == [tokens[items[before].from].lower.as_str()];
    let figure = schema.columns.iter().any(named)
        && (at + 1..items.len()).find(|at| !items[*at].is(Role::Fill)).is_none_or(|behind| {
            let item = &items[behind];
            let asked = items[..at].iter().any(|item| of(item, "asking_auxiliaries"));
            let bound = matches!(item.meaning, Meaning::Cell(..) | Meaning::When(_));
            item.is(Role::Sum) || item.is(Role::By) || (bound && asked)
        });
    let falls = figure || items[..at].iter().any(|item| item.is(Role::HowMuch));
    // `how much did I spend on groceries`, where groceries are a column.
    let spends = words.verbs(&token.lower).iter().any(|place| words.concepts[*place].name == "amount");
    let spent = items[at..].iter().any(|item| match item.meaning {
        Meaning::Column(column) => item.cost == 0.0 && schema.columns[column].kind.is_number(),
        _ => false,
    });
    let is_subject = match &items[before].meaning {
        Meaning::Role(Role::HowMuch) => spends && spent,
        Meaning::Rows | Meaning::Role(Role::Person | Role::Who | Role::Noun) => true,
        Meaning::Column(column) => schema.columns[*column].kind == ColumnKind::Text || falls,
        Meaning::Cell(column, _) => person(*column),
        // `paid late`
        Meaning::Hint(_) | Meaning::Verb(_) => false,
        _ => figure,
    };
    // `which races did Olsen win` asks for races, whatever a cell of another table calls like that.
    let asked = (0..at).find(|which| items[*which].is(Role::Which)).and_then(|which| items.get(which + 1));
    if matches!(asked.map(|item| &item.meaning), Some(Meaning::Cell(..) | Meaning::Condition(_))) {
        return None;
    }
    // `how many samples has Ritu done`
    let whose = matches!(items[before].meaning, Meaning::Cell(..));
    let generic = words.is_relative("generic_verbs", &token.lower);
    let asks = match whose {
        true => generic && items[..before].iter().any(|item| of(item, "auxiliaries")),
        false => items[..at].iter().any(|item| of(item, "asking_auxiliaries")),
    };
    let is_object = match behind.map(|behind| &items[behind].meaning) {
        Some(Meaning::Cell(..) | Meaning::Column(_) | Meaning::Condition(_) | Meaning::Rows) => true,
        _ if stands => true,
        Some(Meaning::Role(Role::Extreme(_))) => true,
        Some(Meaning::Role(Role::Fill | Role::Per | Role::Sum) | Meaning::When(_)) | None => asks || falls,
        _ => false,
    };
    (is_subject && is_object).then_some(items[at].from)
}

/// Whether a word asks for something.
fn is_asking(item: &Item) -> bool {
    let Meaning::Role(role) = &item.meaning else { return false };
    matches!(
        role,
        Role::Ask
            | Role::Which
            | Role::Who
            | Role::When
            | Role::Where
            | Role::HowMuch
            | Role::How
            | Role::Count
            | Role::Sum
    )
}

/// Whether the query without the verb says so much that the verb can add nothing: it has conditions, figures or an order.
pub(crate) fn is_certain(schema: &Schema, query: &Query) -> bool {
    // Who trained Ada is not Ada.
    let persons = schema.about("person");
    let at = |name: &String| schema.columns.iter().position(|column| column.name == *name);
    let asked: Vec<usize> = query.columns.iter().filter_map(at).filter(|at| persons.contains(at)).collect();
    let itself = query.filter.iter().any(|condition| at(&condition.column).is_some_and(|at| asked.contains(&at)));
    !itself && (!query.filter.is_empty() || !query.measures.is_empty() || query.limit.is_some())
}
