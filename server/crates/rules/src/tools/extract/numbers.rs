//! Numbers: digits with their marks, units and factors, and numbers in words.

use serde_json::Value;

use super::mention::Number;
use super::request::Request;
use crate::tools::lexer::Kind;
use crate::tools::numbers::number_word;

/// The number that begins at this place, and where it ends.
pub(super) fn number_at(request: &Request, place: usize) -> Option<(Number, usize)> {
    let token = request.token(place).filter(|token| !token.is_literal())?;
    let (mut number, mut to) = match number_word(&token.lower) {
        Some(value) if token.kind == Kind::Word => (spelled(f64::from(value)), place + 1),
        _ => (digits(&token.text)?, place + 1),
    };
    while let Some(factor) = request.token(to).and_then(|next| factor(&next.lower)) {
        number.value *= factor;
        number.digits = None;
        to += 1;
    }
    if number.unit.is_none()
        && let Some(next) = request.token(to).filter(|next| next.kind != Kind::Mark && !next.is_literal())
    {
        match next.lower.as_str() {
            "percent" | "%" => (number.percent, to) = (true, to + 1),
            "dollars" | "usd" | "euros" | "eur" | "pounds" => number.money = true,
            _ => {}
        }
        number.unit = Some(next.lower.clone());
    }
    Some((number, to))
}

fn spelled(value: f64) -> Number {
    Number { value, digits: None, percent: false, money: false, unit: None, spelled: true, ordinal: false }
}

fn factor(word: &str) -> Option<f64> {
    Some(match word {
        "hundred" => 1e2,
        "thousand" => 1e3,
        "million" => 1e6,
        "billion" => 1e9,
        "trillion" => 1e12,
        _ => return None,
    })
}

/// `1,000`, `$5`, `15%`, `5km`, `3-day`, `2nd`, `10k`, `-3.5`, `1e6`.
fn digits(text: &str) -> Option<Number> {
    let bare = text.trim_start_matches(['(', '[', '#']);
    let money = bare.contains(['$', '€', '£', '¥']);
    let bare = bare.trim_start_matches(['$', '€', '£', '¥', '+', '~', '≈', '<', '>', '=']);
    let signed =
        bare.strip_prefix(['-', '−']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
    let rest = signed.unwrap_or(bare).trim_start_matches(['$', '€', '£']);
    let length = rest.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(rest.len());
    let (figure, ending) = rest.split_at(length);
    let figure = figure.trim_end_matches(['.', ',']);
    if !figure.starts_with(|c: char| c.is_ascii_digit() || c == '.') || figure.len() > 24 {
        return None;
    }
    let (figure, ending) = scientific(rest, figure, ending);
    let plain = figure.replace(',', "");
    let value: f64 = plain.parse().ok().filter(|value: &f64| value.is_finite())?;
    let mut number =
        Number { value, digits: Some(plain), percent: false, money, unit: None, spelled: false, ordinal: false };
    if signed.is_some() {
        number.value = -number.value;
        number.digits = number.digits.map(|digits| format!("-{digits}"));
    }
    finish(number, ending)
}

fn scientific<'t>(rest: &'t str, figure: &'t str, ending: &'t str) -> (&'t str, &'t str) {
    let exponent = ending.strip_prefix(['e', 'E']).map(|after| after.trim_start_matches(['-', '+']));
    let is_exponent = exponent.is_some_and(|after| !after.is_empty() && after.chars().all(|c| c.is_ascii_digit()));
    if is_exponent && rest.parse::<f64>().is_ok() { (rest, "") } else { (figure, ending) }
}

/// What stands directly behind the digits.
fn finish(mut number: Number, ending: &str) -> Option<Number> {
    let lower = ending.to_lowercase();
    match lower.as_str() {
        "" => {}
        "%" => number.percent = true,
        "$" | "€" | "£" => number.money = true,
        "st" | "nd" | "rd" | "th" => number.ordinal = true,
        "k" => (number.value, number.digits) = (number.value * 1e3, None),
        "m" if number.money => (number.value, number.digits) = (number.value * 1e6, None),
        "bn" => (number.value, number.digits) = (number.value * 1e9, None),
        unit => {
            let unit = unit.trim_start_matches(['-', '–']);
            let worded = unit.starts_with(|c: char| c.is_alphabetic() || c == '°');
            let plain = unit.chars().all(|c| c.is_alphabetic() || "°/^²³-".contains(c) || c == '2' || c == '3');
            if !worded || !plain || unit == "x" {
                return None;
            }
            number.unit = Some(unit.to_owned());
        }
    }
    Some(number)
}

/// The number as the schema's type wants it; a share of a hundred as a fraction, if `fraction`.
pub(super) fn value(number: &Number, integer: bool, fraction: bool) -> Option<Value> {
    let amount = if number.percent && fraction { shifted(number) } else { number.value };
    if amount.fract() == 0.0 && amount.abs() < 9e15 {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
        let whole = amount as i64;
        let written_whole = number.digits.as_ref().is_none_or(|digits| !digits.contains('.'));
        return Some(if integer || written_whole { Value::from(whole) } else { Value::from(amount) });
    }
    (!integer).then(|| Value::from(amount))
}

/// A hundredth, exact as written: 7.5 becomes 0.075 and not 0.07500000000000001.
fn shifted(number: &Number) -> f64 {
    let written = number.digits.clone().unwrap_or_else(|| number.value.to_string());
    format!("{written}e-2").parse().unwrap_or(number.value / 100.0)
}
