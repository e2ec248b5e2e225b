//! Phrases that are conditions: `out of stock`, `server errors`.

use jiff::civil::DateTime;

use crate::entries::Phrase;
use crate::known::Known;
use crate::query::{Condition, Test, difference};
use crate::schema::Schema;
use crate::table::ColumnKind;
use crate::value::Value;

/// A phrase as a condition of one of this table's columns.
pub(crate) fn condition(schema: &Schema, phrase: &Phrase, now: DateTime) -> Option<Condition> {
    let column = phrase.columns.iter().find_map(|name| named(schema, name))?;
    let is_flag = column.kind == ColumnKind::Boolean;
    let number = column.kind.is_number();
    let zero = Value::Integer(0);
    let (test, negated) = match phrase.test.as_str() {
        "zero" if is_flag => (Test::Is(vec![Value::Boolean(false)]), false),
        "positive" if is_flag => (Test::Is(vec![Value::Boolean(true)]), false),
        "zero" if number => (Test::AtMost(zero), false),
        "positive" if number => (Test::More(zero), false),
        "negative" if number => (Test::Less(zero), false),
        "false" if is_flag => (Test::Is(vec![Value::Boolean(false)]), false),
        "true" if is_flag => (Test::Is(vec![Value::Boolean(true)]), false),
        // Who has paid less than was due.
        "less" | "at_most" | "at_least" if number => {
            let than = phrase.than.iter().find_map(|name| named(schema, name)).filter(|than| than.kind.is_number())?;
            let column = difference(&column.name, &than.name);
            let test = match phrase.test.as_str() {
                "less" => Test::Less(zero),
                "at_most" => Test::AtMost(zero),
                _ => Test::AtLeast(zero),
            };
            return Some(Condition { column, test, negated: false });
        }
        "cells" => {
            let said = column.values.iter().filter(|value| phrase.cells.contains(&value.to_lowercase()));
            let said: Vec<Value> = said.cloned().map(Value::Text).collect();
            (!said.is_empty()).then_some((Test::Is(said), false))?
        }
        "empty" => (Test::Empty, false),
        "filled" => (Test::Empty, true),
        "past" if column.kind == ColumnKind::Date => {
            (Test::During { from: None, until: Some(now.date().to_string()) }, false)
        }
        test if number => (figures(test)?, false),
        _ => return None,
    };
    Some(Condition { column: column.name.clone(), test, negated })
}

/// The column of this name, or the only one that has the word in its name.
fn named<'s>(schema: &'s Schema, name: &String) -> Option<&'s Known> {
    let whole = schema.columns.iter().find(|column| column.words.join("_") == *name);
    let having = || {
        let having = schema.of_kind(|column| column.words.contains(name));
        <[usize; 1]>::try_from(having).ok().map(|[only]| &schema.columns[only])
    };
    whole.or_else(having)
}

/// `>= 400`, `= 404`, `500..599`
fn figures(test: &str) -> Option<Test> {
    let number = |text: &str| text.trim().parse().ok().map(Value::Integer);
    if let Some((from, to)) = test.split_once("..") {
        return Some(Test::Range(number(from)?, number(to)?));
    }
    match test.split_once(' ')? {
        (">=", limit) => Some(Test::AtLeast(number(limit)?)),
        ("=", value) => Some(Test::Is(vec![number(value)?])),
        _ => None,
    }
}
