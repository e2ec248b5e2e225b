//! Cells as numbers: with currency signs, percent signs and thousands, and dates in the order of their figures.

/// A number that a cell says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Read {
    pub(super) value: f64,
    pub(super) is_date: bool,
}

/// The number of a cell.
pub(super) fn number(cell: &str) -> Option<Read> {
    let text = cell.trim();
    if text.is_empty() || text.len() > 40 {
        return None;
    }
    if let Some(value) = date(text) {
        return Some(Read { value, is_date: true });
    }
    let bare = text.trim_matches(|c: char| matches!(c, '$' | '€' | '£' | '%' | ' '));
    let bare = if grouped(bare) { bare.replace(',', "") } else { bare.to_owned() };
    let plain = bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E'));
    let begins = bare.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    let value = bare.parse::<f64>().ok().filter(|value| plain && begins && value.is_finite())?;
    Some(Read { value, is_date: false })
}

/// A number as people write it, without digits that say nothing.
pub(super) fn written(value: f64) -> String {
    let rounded = (value * 1e4).round() / 1e4;
    let rounded = if rounded.is_finite() { rounded } else { value };
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// `1,234,567`
fn grouped(text: &str) -> bool {
    let whole = text.trim_start_matches(['-', '+']).split('.').next().unwrap_or_default();
    let mut groups = whole.split(',');
    let first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
    let rest: Vec<&str> = groups.collect();
    first && !rest.is_empty() && rest.iter().all(|group| group.len() == 3)
}

/// `2026-03-02`, with a time behind it or without, as a number that grows with it.
fn date(text: &str) -> Option<f64> {
    let day = text.get(..10)?;
    let shaped = day.char_indices().all(|(at, c)| if matches!(at, 4 | 7) { c == '-' } else { c.is_ascii_digit() });
    let rest = text.get(10..)?;
    let timed = rest.is_empty() || rest.starts_with(['T', ' ']);
    if !shaped || !timed {
        return None;
    }
    let figures: String = text.chars().filter(char::is_ascii_digit).take(14).collect();
    format!("{figures:0<14}").parse().ok()
}
