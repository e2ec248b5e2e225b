//! Words into signs: `15 percent of 80`, `42 times 37`, `the square root of 16`, `@answer plus one`.
//!
//! What stands for a variable becomes a name in the expression and a reference beside it; words that are neither
//! arithmetic nor known are kept and counted, so that the caller can tell an expression from a sentence.

use std::collections::BTreeMap;

use super::Known;
use super::signs::{FUNCTION_WORDS, LISTS, SIGNS, UNITS};
use crate::chunk::is_product;
use crate::clause::Clause;
use crate::lexer::{Kind, Token};
use crate::numbers::number_word;
use crate::words::{FUNCTIONS, PRONOUNS, RESULT_NOUNS};

/// The name under which the last result is in an expression; whoever makes the call puts the reference.
pub(crate) const THAT: &str = "that";

/// An expression, and how much of it is arithmetic.
#[derive(Debug, Default)]
pub(super) struct Expression {
    pub(super) text: String,
    /// Name in the expression to reference.
    pub(super) references: BTreeMap<String, String>,
    pub(super) numbers: usize,
    pub(super) operators: usize,
    /// Words that are not arithmetic.
    pub(super) unknown: usize,
}

/// The clause as an expression; `None` when it has no more than words.
pub(super) fn in_signs(clause: &Clause, known: &Known<'_>) -> Option<Expression> {
    let mut out = Expression::default();
    list(clause, known, &mut out).or_else(|| {
        out = Expression::default();
        sequence(clause, known, &mut out);
        Some(())
    })?;
    out.text = tidy(&out.text);
    (!out.text.is_empty() && out.numbers + out.references.len() > 0).then_some(out)
}

/// `the sum of 1, 2 and 3`, `subtract 3 from 10`, `multiply it by 3`.
fn list(clause: &Clause, known: &Known<'_>, out: &mut Expression) -> Option<()> {
    let (from, sign) = LISTS.iter().find_map(|(phrase, sign)| Some((clause.starts(phrase)?, *sign)))?;
    let mut operands: Vec<Clause> = Vec::new();
    let mut start = from;
    let mut turned = false;
    for place in from..=clause.tokens.len() {
        let token = clause.tokens.get(place);
        let divides =
            token.is_none_or(|token| token.is_mark(",") || token.is(&["and", "by", "from", "to", "with", "&"]));
        if divides {
            turned |= token.is_some_and(|token| token.is(&["from"]) || (token.is(&["to"]) && sign == "+"));
            if place > start {
                operands.push(clause.range(start, place));
            }
            start = place + 1;
        }
    }
    if operands.len() < 2 {
        return None;
    }
    if turned {
        operands.reverse();
    }
    let mut parts = Vec::new();
    for operand in &operands {
        let before = out.text.len();
        sequence(operand, known, out);
        let part = tidy(&out.text.split_off(before));
        parts.push(if part.contains(' ') { format!("({part})") } else { part });
    }
    out.operators += 1;
    out.text = match sign {
        "average" => format!("({}) / {}", parts.join(" + "), parts.len()),
        sign => parts.join(&format!(" {sign} ")),
    };
    Some(())
}

/// One operand or sign after the other.
fn sequence(clause: &Clause, known: &Known<'_>, out: &mut Expression) {
    let mut place = 0;
    while place < clause.tokens.len() {
        place = step(clause, place, known, out).max(place + 1);
    }
}

fn step(clause: &Clause, place: usize, known: &Known<'_>, out: &mut Expression) -> usize {
    if let Some((end, name)) = function(clause, place) {
        out.operators += 1;
        let rest = clause.range(end, operand_end(clause, end));
        let before = out.text.len();
        sequence(&rest, known, out);
        let operand = tidy(&out.text.split_off(before));
        push(out, &applied(name, &operand));
        return end + rest.tokens.len();
    }
    let between = place > 0;
    let signs = SIGNS.iter().find_map(|(words, sign)| Some((clause.matches_at(place, words)?, *sign)));
    if let Some((end, sign)) = signs
        && between
    {
        out.operators += usize::from(sign != "of" || out.text.ends_with('%'));
        push(out, sign);
        return end;
    }
    operand(clause, place, known, out)
}

fn operand(clause: &Clause, place: usize, known: &Known<'_>, out: &mut Expression) -> usize {
    let token = &clause.tokens[place];
    match token.kind {
        Kind::Number => {
            out.numbers += 1;
            out.operators += usize::from(token.text.ends_with('%'));
            push(out, &token.text.replace([',', '$', '€', '£', '#'], ""));
        }
        Kind::Operator => {
            out.operators += 1;
            push(out, &in_ascii(&token.text));
        }
        Kind::Math => math(token, out),
        Kind::Reference => {
            let name = reference(&token.text, out);
            push(out, &name);
        }
        Kind::Code | Kind::Quoted => {
            out.numbers += usize::from(token.text.contains(|c: char| c.is_ascii_digit()));
            out.operators += usize::from(token.text.contains(['+', '-', '*', '/', '^']));
            push(out, &token.text);
        }
        _ => return word(clause, place, known, out),
    }
    place + 1
}

fn word(clause: &Clause, place: usize, known: &Known<'_>, out: &mut Expression) -> usize {
    let token = &clause.tokens[place];
    let lower = token.lower.as_str();
    if token.is_mark("()") {
        push(out, lower);
    } else if let Some(number) = number_word(lower) {
        out.numbers += 1;
        push(out, &number.to_string());
    } else if known.is_variable(&token.text) {
        out.references.insert(token.text.clone(), format!("@{}", token.text));
        push(out, &token.text);
    } else if token.is(PRONOUNS) || (token.is(RESULT_NOUNS) && place == 0) {
        out.references.insert(THAT.to_owned(), THAT.to_owned());
        push(out, THAT);
    } else if token
        .is(&["the", "a", "an", "there", "are", "is", "equal", "equals", "by", "answer", "result", "value", "up"])
        || token.kind == Kind::Mark
    {
        // Says nothing.
    } else {
        out.unknown += usize::from(!UNITS.contains(&lower) && !FUNCTIONS.contains(&lower));
        push(out, lower);
    }
    place + 1
}

/// `2+2`, `3ft`, `@answer+1`.
fn math(token: &Token, out: &mut Expression) {
    out.numbers += 1;
    out.operators += 1;
    let mut rest = token.text.as_str();
    let mut text = String::new();
    while let Some(at) = rest.find('@') {
        let length = rest[at + 1..]
            .find(|c: char| !(c.is_ascii_alphanumeric() || "_.[]".contains(c)))
            .map_or(rest.len(), |end| at + 1 + end);
        text.push_str(&rest[..at]);
        text.push_str(&reference(&rest[at..length], out));
        rest = &rest[length..];
    }
    text.push_str(rest);
    let text = text.trim_end_matches('=');
    let text = if is_product(text) { &text.replace(['x', 'X'], " * ") } else { text };
    push(out, &in_ascii(text));
}

/// The name under which a reference is in the expression.
fn reference(text: &str, out: &mut Expression) -> String {
    let last = text.rsplit(['.', '@']).next().unwrap_or(text);
    let name = switchboard_context::corrected_name(last.split('[').next().unwrap_or(last));
    out.references.insert(name.clone(), text.to_owned());
    name
}

fn function(clause: &Clause, place: usize) -> Option<(usize, &'static str)> {
    FUNCTION_WORDS
        .iter()
        .find_map(|(words, name)| Some((clause.matches_at(place, words)?, *name)))
        .filter(|(end, _)| *end < clause.tokens.len())
}

/// An operand with its unit ends before the next sign.
fn operand_end(clause: &Clause, from: usize) -> usize {
    let is_sign = |place: usize| {
        clause.tokens[place].kind == Kind::Operator
            || SIGNS.iter().any(|(words, _)| clause.matches_at(place, words).is_some())
    };
    (from + 1..clause.tokens.len()).find(|&place| is_sign(place)).unwrap_or(clause.tokens.len())
}

fn applied(name: &str, operand: &str) -> String {
    let whole = operand.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.');
    let part = if whole { operand.to_owned() } else { format!("({operand})") };
    match name {
        "square" => format!("{part}^2"),
        "cube" => format!("{part}^3"),
        "half" => format!("{part} / 2"),
        "third" => format!("{part} / 3"),
        "quarter" => format!("{part} / 4"),
        "double" => format!("{part} * 2"),
        "triple" => format!("{part} * 3"),
        "fact" => format!("{part}!"),
        "cbrt" => format!("{part}^(1/3)"),
        name => format!("{name}({operand})"),
    }
}

fn in_ascii(text: &str) -> String {
    text.replace(['×', '·'], "*").replace('÷', "/").replace(['−', '–'], "-").replace("**", "^").replace(',', "")
}

fn push(out: &mut Expression, piece: &str) {
    let tight = matches!(piece, "%" | "!" | ")" | "^2" | "^3" | "% of") || out.text.ends_with('(');
    if !out.text.is_empty() && !tight {
        out.text.push(' ');
    }
    out.text.push_str(piece);
}

fn tidy(text: &str) -> String {
    let text = text.trim().trim_end_matches(['=', '?']).trim();
    text.strip_prefix("to ").or_else(|| text.strip_prefix("of ")).unwrap_or(text).to_owned()
}
