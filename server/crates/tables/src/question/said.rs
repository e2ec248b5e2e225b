//! Phrases that are conditions: `out of stock`, `server errors`.

use jiff::civil::DateTime;

use crate::query::{Condition, Test};
use crate::schema::Schema;
use crate::table::ColumnKind;
use crate::value::Value;
use crate::vocabulary::Phrase;

/// A phrase as a condition of one of this table's columns.
pub(crate) fn condition(schema: &Schema, phrase: &Phrase, now: DateTime) -> Option<Condition> {
    let named = |name: &String| schema.columns.iter().find(|column| column.words.join("_") == *name);
    let column = phrase.columns.iter().find_map(named)?;
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
