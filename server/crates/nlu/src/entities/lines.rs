//! Lines of a file: "line 5", "the last line", "lines 3 to 5", "the first ten lines".

use super::context::{Context, Found};
use super::numbers;
use crate::slots::{Line, SlotType, SlotValue};

pub(super) fn find(context: &Context, at: usize, found: &mut Vec<Found>) {
    let noun = is_noun(context, at);
    let begin = at + usize::from(noun);
    if let Some((line, length)) = place(context, begin) {
        let end = begin + length;
        let before = !noun && is_noun(context, end);
        let length = end - at + usize::from(before);
        found.push(one(line, length, if noun || before { 0.0 } else { 0.01 }));
        if before {
            found.push(one(line, length - 1, 0.01));
        }
        range(context, at, begin, end, line, found);
    }
    first_lines(context, at, found);
}

fn one(line: Line, length: usize, cost: f32) -> Found {
    Found::new(length, &[SlotType::Line, SlotType::Lines], SlotValue::Lines { from: line, to: line }).costs(cost)
}

/// "3 to 5", "3-5", "3 and 5", "3 to the end".
fn range(context: &Context, at: usize, begin: usize, end: usize, from: Line, found: &mut Vec<Found>) {
    let word = context.lower(begin);
    if let Some((from, to)) =
        word.split_once(['-', '–']).and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)))
    {
        found.push(Found::new(begin + 1 - at, &[SlotType::Lines], SlotValue::Lines { from, to }));
    }
    if !context.is_in("until", end) {
        return;
    }
    let after = end + 1 + usize::from(context.lower(end + 1) == "the");
    if let Some((to, length)) = place(context, after) {
        found.push(Found::new(after + length - at, &[SlotType::Lines], SlotValue::Lines { from, to }));
    } else if context.lower(after) == "end" {
        found.push(Found::new(after + 1 - at, &[SlotType::Lines], SlotValue::Lines { from, to: -1 }));
    }
}

/// "first 3 lines", "last ten lines", "top 5".
fn first_lines(context: &Context, at: usize, found: &mut Vec<Found>) {
    let Some(place) = ordinal(context, at).filter(|place| place.abs() == 1) else { return };
    let Some((count, length)) = numbers::number(context, at + 1) else { return };
    #[expect(clippy::cast_possible_truncation, reason = "it is checked to be in range")]
    let count = if (1.0..1e9).contains(&count) { count as Line } else { return };
    let (from, to) = if place > 0 { (1, count) } else { (-count, -1) };
    let noun = usize::from(is_noun(context, at + 1 + length));
    found.push(Found::new(1 + length + noun, &[SlotType::Lines], SlotValue::Lines { from, to }));
}

/// A place among lines: "5", "fifth", "last", "the second to last"; with "the" before it if it is an ordinal.
fn place(context: &Context, at: usize) -> Option<(Line, usize)> {
    let word = context.lower(at);
    if let Some((from, to)) = word.split_once(['-', '–'])
        && to.parse::<Line>().is_ok()
        && let Ok(from) = from.parse()
    {
        return Some((from, 1));
    }
    if let Some(place) = ordinal(context, at) {
        return Some((place, 1));
    }
    let (value, length) = numbers::number(context, at)?;
    #[expect(clippy::cast_possible_truncation, reason = "it is checked to be in range")]
    (value.fract() == 0.0 && (1.0..1e9).contains(&value)).then_some((value as Line, length))
}

/// "first", "3rd", "last".
pub(crate) fn ordinal(context: &Context, at: usize) -> Option<Line> {
    let word = context.lower(at);
    let digits = word.trim_end_matches(char::is_alphabetic);
    let ending = &word[digits.len()..];
    if context.lexicon.lists("ordinal_endings", ending) {
        return digits.parse().ok().filter(|place| *place > 0);
    }
    context.lexicon.known(word)?.means("ordinals")?.parse().ok()
}

fn is_noun(context: &Context, at: usize) -> bool {
    context.one_means("nouns", at) == Some("line")
}
