//! Arithmetic in signs and words: `3 * (4 + 5)`, "15% of 80", "twelve times nine", "2 plus it".

use super::context::{Context, Found};
use super::numbers;
use crate::slots::{SlotType, SlotValue};

/// What a part of arithmetic is.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Value,
    Operator,
    /// A sign that stands before a value: a function, an opening bracket.
    Before,
    /// A sign that stands after a value.
    After,
}

/// The longest run of values and operators, and each shorter one that is whole.
pub(super) fn find(context: &Context, at: usize, found: &mut Vec<Found>) {
    const MOST: usize = 48;
    let (mut text, mut end, mut last) = (String::new(), at, Part::Operator);
    let (mut values, mut operators) = (0, 0);
    let mut whole = None;
    let mut open = 0;
    while end < context.tokens.len() && end - at < MOST {
        let Some((part, written, length)) = part(context, end, last) else { break };
        let follows = match part {
            Part::Value | Part::Before => matches!(last, Part::Operator | Part::Before),
            Part::Operator | Part::After => matches!(last, Part::Value | Part::After),
        };
        if !follows {
            break;
        }
        open += i32::from(written == "(") - i32::from(written == ")");
        if open < 0 {
            break;
        }
        values += usize::from(part == Part::Value);
        operators += usize::from(part != Part::Value && !matches!(written.as_str(), "(" | ")"))
            + usize::from(part == Part::Value && has_operator(&written));
        let close = text.is_empty() || text.ends_with('(') || written == ")";
        text.push_str(if close { "" } else { " " });
        text.push_str(&written);
        end += length;
        last = part;
        if matches!(part, Part::Value | Part::After) && values > 0 && operators > 0 && open == 0 {
            whole = Some((text.clone(), end - at));
        }
    }
    if let Some((text, length)) = whole {
        found.push(Found::new(length, &[SlotType::Expression], SlotValue::Expression { text }).strong());
    } else if let Some((value, length)) = numbers::number(context, at) {
        let text = SlotValue::Number { value }.text();
        found.push(Found::new(length, &[SlotType::Expression], SlotValue::Expression { text }).costs(0.1));
    }
}

/// The part that begins there, as the calculator writes it.
fn part(context: &Context, at: usize, last: Part) -> Option<(Part, String, usize)> {
    let wants_value = matches!(last, Part::Operator | Part::Before);
    match (context.tokens[at].text.as_str(), wants_value) {
        ("(", true) => return Some((Part::Before, "(".to_owned(), 1)),
        (")", false) => return Some((Part::After, ")".to_owned(), 1)),
        _ => {}
    }
    if !wants_value && let Some((sign, length)) = context.means("operators", at) {
        let part = if context.lexicon.lists("after_value", sign) { Part::After } else { Part::Operator };
        return Some((part, sign.to_owned(), length));
    }
    if !wants_value {
        return None;
    }
    if let Some((sign, length)) = context.means("functions", at) {
        return Some((Part::Before, sign.to_owned(), length));
    }
    if let Some((value, length)) = numbers::number(context, at) {
        return Some((Part::Value, SlotValue::Number { value }.text(), length));
    }
    let word = context.lower(at);
    let reference = word.starts_with('@') && word.len() > 1 || context.lexicon.means("references", word) == Some("it");
    if reference || written(word) {
        return Some((Part::Value, context.tokens[at].text.clone(), 1));
    }
    None
}

/// Whether a word is arithmetic by its looks: `17*23`, `(3+4)*2`, `sqrt(16)`, `2^10`, `$5`.
fn written(word: &str) -> bool {
    let digit = word.chars().any(|character| character.is_ascii_digit());
    let letters: String = word.chars().filter(|character| character.is_alphabetic()).collect();
    let signs = word.chars().all(|character| character.is_alphanumeric() || "+-*/^%().,!×÷$€£@_".contains(character));
    let dates = word.matches(['-', '/']).count() == 2
        && word.chars().all(|character| character.is_ascii_digit() || matches!(character, '-' | '/'));
    digit
        && signs
        && !dates
        && word.chars().filter(|character| *character == '(').count()
            == word.chars().filter(|character| *character == ')').count()
        && (letters.is_empty() || (word.contains('(') && letters.len() < 12) || word.starts_with('@'))
        && word.chars().any(|character| "+-*/^%()!×÷".contains(character))
}

/// Whether it has an operator in itself, other than a sign before it.
fn has_operator(written: &str) -> bool {
    written.char_indices().any(|(place, character)| place > 0 && "+-*/^%(!×÷".contains(character))
}
