//! Numbers in digits and words, alone, as shares, with units, as sizes.

use super::context::{Context, Found};
use crate::slots::{SlotType, SlotValue};

pub(super) fn find(context: &Context, at: usize, found: &mut Vec<Found>) {
    money(context, at, found);
    compact(context, at, found);
    if let Some((value, length)) = number(context, at) {
        numbered(context, at, value, length, found);
    } else if let Some(length) = context.listed("one", at) {
        found.push(Found::new(length, &[SlotType::Count], SlotValue::Number { value: 1.0 }).costs(0.02));
    }
    units(context, at, found);
    several(context, at, found);
}

/// "3, 5 and 10": several numbers are a text of their own.
fn several(context: &Context, at: usize, found: &mut Vec<Found>) {
    let Some(mut end) = number(context, at).map(|(_, length)| at + length) else { return };
    let first = end;
    loop {
        let divides =
            |at: usize| context.tokens.get(at).is_some_and(|token| matches!(token.lower.as_str(), "," | "and"));
        let next = (end..).find(|at| !divides(*at)).unwrap_or(end);
        match context.tokens.get(next).and_then(|_| number(context, next)).filter(|_| next > end) {
            Some((_, length)) => end = next + length,
            None => break,
        }
    }
    if end > first {
        let text = context.text[context.tokens[at].span.start..context.tokens[end - 1].span.end].to_owned();
        let value = SlotValue::Text { text, how: crate::slots::Given::Plain };
        found.push(Found::new(end - at, &[SlotType::Phrase, SlotType::Text], value).costs(0.02));
    }
}

/// A number and what follows it.
fn numbered(context: &Context, at: usize, value: f64, length: usize, found: &mut Vec<Found>) {
    let mut kinds = vec![SlotType::Number];
    let whole = value.fract() == 0.0 && value >= 0.0;
    if whole && value < 1e9 {
        kinds.push(SlotType::Count);
    }
    if whole && (1.0..65536.0).contains(&value) {
        kinds.push(SlotType::Port);
    }
    found.push(Found::new(length, &kinds, SlotValue::Number { value }));
    // A version keeps the zero at its end.
    let typed = context.tokens[at].text.as_str();
    let json = match (SlotValue::Number { value }).json() {
        json if length == 1 && typed.parse() == Ok(value) && json.to_string().as_str() != typed => typed.into(),
        json => json,
    };
    let given = crate::slots::Given::Plain;
    found.push(Found::new(length, &[SlotType::Value], SlotValue::Value { value: json, how: given }));
    found.push(Found::new(length, &[SlotType::Percent], SlotValue::Percent { value }).costs(0.15));
    let after = at + length;
    if let Some((_, sign)) = context.means("percent", after) {
        found.push(Found::new(length + sign, &[SlotType::Percent], SlotValue::Percent { value }).strong());
        let share = SlotValue::Value { value: format!("{typed} %").into(), how: given };
        found.push(Found::new(length + sign, &[SlotType::Value], share));
    }
    if let Some((_, words)) = context.means("durations", after).or_else(|| context.means("sizes", after)) {
        let text = context.words(after, words).unwrap_or_default();
        let measured = SlotValue::Value { value: format!("{typed} {text}").into(), how: given };
        found.push(Found::new(length + words, &[SlotType::Value], measured));
    }
    if let Some((_, words)) = context.means("currencies", after) {
        found.push(Found::new(length + words, &[SlotType::Number], SlotValue::Number { value }).costs(0.02));
    }
    if let Some((unit, words)) = context.means("units", after).or_else(|| context.means("currencies", after)) {
        let value = SlotValue::Quantity { value, unit: unit.to_owned() };
        found.push(Found::new(length + words, &[SlotType::Quantity], value).strong());
    }
    if let Some((factor, words)) = context.means("sizes", after) {
        found.extend(size(value, factor).map(|size| Found::new(length + words, &[SlotType::Size], size)));
    }
}

/// `5km`, `10MB`, `15%`: number and unit in one word.
fn compact(context: &Context, at: usize, found: &mut Vec<Found>) {
    let word = context.lower(at);
    let end = word
        .find(|character: char| !(character.is_ascii_digit() || matches!(character, '.' | ',' | '-' | '+')))
        .unwrap_or(0);
    let Some(value) = digits(&word[..end]).filter(|_| end > 0) else { return };
    let rest = &word[end..];
    let lexicon = context.lexicon;
    if lexicon.means("percent", rest).is_some() {
        found.push(Found::new(1, &[SlotType::Percent], SlotValue::Percent { value }).strong());
        let text = crate::slots::Given::Plain;
        found.push(Found::new(1, &[SlotType::Value], SlotValue::Value { value: word.into(), how: text }).costs(0.01));
    } else if lexicon.means("currencies", rest).is_some() {
        found.push(Found::new(1, &[SlotType::Number], SlotValue::Number { value }).costs(0.02));
    }
    if let Some(unit) = lexicon.means("units", rest).or_else(|| lexicon.means("currencies", rest)) {
        let value = SlotValue::Quantity { value, unit: unit.to_owned() };
        found.push(Found::new(1, &[SlotType::Quantity], value).strong());
    }
    if let Some(factor) = lexicon.means("sizes", rest) {
        found.extend(size(value, factor).map(|size| Found::new(1, &[SlotType::Size], size)));
    }
}

/// `$20`, `€5.50`.
fn money(context: &Context, at: usize, found: &mut Vec<Found>) {
    let word = context.lower(at);
    let Some(sign) = word.chars().next().filter(|sign| !sign.is_alphanumeric()) else { return };
    let unit = context.lexicon.means("currencies", &word[..sign.len_utf8()]);
    if let (Some(unit), Some(value)) = (unit, digits(&word[sign.len_utf8()..])) {
        found.push(Found::new(1, &[SlotType::Number], SlotValue::Number { value }).costs(0.02));
        let value = SlotValue::Quantity { value, unit: unit.to_owned() };
        found.push(Found::new(1, &[SlotType::Quantity], value).strong());
    }
}

fn units(context: &Context, at: usize, found: &mut Vec<Found>) {
    if let Some((unit, length)) = context.means("units", at) {
        found.push(Found::new(length, &[SlotType::Unit], SlotValue::Unit { unit: unit.to_owned() }));
    }
    if let Some((unit, length)) = context.means("currencies", at) {
        let value = SlotValue::Unit { unit: unit.to_owned() };
        found.push(Found::new(length, &[SlotType::Currency, SlotType::Unit], value));
    }
}

fn size(value: f64, factor: &str) -> Option<SlotValue> {
    let bytes = value * factor.parse::<f64>().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is checked to be in range")]
    (0.0..1e18).contains(&bytes).then_some(SlotValue::Size { bytes: bytes as u64 })
}

/// The number that begins there, and how many tokens it takes; none that is too large to be one.
pub(super) fn number(context: &Context, at: usize) -> Option<(f64, usize)> {
    any_number(context, at).filter(|(value, _)| value.is_finite())
}

fn any_number(context: &Context, at: usize) -> Option<(f64, usize)> {
    let word = context.lower(at);
    if let Some(value) = digits(word) {
        let scale = context.one_means("scales", at + 1).and_then(|scale| scale.parse::<f64>().ok());
        return Some(scale.map_or((value, 1), |scale| (value * scale, 2)));
    }
    if let Some(value) = word.strip_suffix('k').and_then(digits) {
        return Some((value * 1000.0, 1));
    }
    in_words(context, at)
}

/// `12`, `1,000.5`, `-4`.
pub(super) fn digits(word: &str) -> Option<f64> {
    let unsigned = word.strip_prefix(['-', '+']).unwrap_or(word);
    if !unsigned.starts_with(|first: char| first.is_ascii_digit()) && !unsigned.starts_with('.') {
        return None;
    }
    if !unsigned.chars().all(|character| character.is_ascii_digit() || matches!(character, '.' | ',')) {
        return None;
    }
    let grouped = |text: &str| {
        text.split(',').skip(1).all(|group| group.split('.').next().is_some_and(|digits| digits.len() == 3))
    };
    if unsigned.contains(',') && !grouped(unsigned) {
        return None;
    }
    word.replace(',', "").parse().ok().filter(|value: &f64| value.is_finite())
}

/// "twenty five", "two hundred and one", "a dozen".
fn in_words(context: &Context, at: usize) -> Option<(f64, usize)> {
    const MOST: usize = 8;
    let (mut total, mut current, mut length) = (0.0, None::<f64>, 0);
    let article = context.is_in("one", at) && scale(context, at + 1).is_some();
    if article {
        (current, length) = (Some(1.0), 1);
    }
    while length < MOST {
        let word = context.lower(at + length);
        let joined =
            word == "and" && current.is_some_and(|value| value >= 100.0) && small(context, at + length + 1).is_some();
        if joined {
            length += 1;
        } else if let Some(scale) = scale(context, at + length) {
            let value = current.unwrap_or(1.0) * scale;
            if scale >= 1000.0 {
                total += value;
                current = None;
            } else {
                current = Some(value);
            }
            length += 1;
        } else if let Some(value) = small(context, at + length).filter(|value| fits(current, *value)) {
            current = Some(current.unwrap_or(0.0) + value);
            length += 1;
        } else {
            break;
        }
    }
    (length > 0).then(|| (total + current.unwrap_or(0.0), length))
}

/// Whether a number word can follow what was said: "twenty five", not "five five".
fn fits(current: Option<f64>, value: f64) -> bool {
    match current {
        None => true,
        Some(before) if before >= 100.0 => value < 100.0,
        Some(before) => before >= 20.0 && before % 10.0 == 0.0 && (1.0..10.0).contains(&value),
    }
}

fn small(context: &Context, at: usize) -> Option<f64> {
    let word = context.lower(at);
    if let Some((tens, ones)) = word.split_once('-') {
        let of = |word| context.lexicon.means("numbers", word)?.parse::<f64>().ok();
        return Some(of(tens)? + of(ones)?);
    }
    context.lexicon.known(word)?.means("numbers")?.parse().ok()
}

fn scale(context: &Context, at: usize) -> Option<f64> {
    context.one_means("scales", at)?.parse().ok()
}
