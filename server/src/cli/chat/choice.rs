//! What the agent chose a tool from: one quiet line under the choice, and how to take another one.

use switchboard_protocol::{Candidate, Step};

use super::sanitize::short;
use super::style::Style;

/// How many of the others are named.
const NAMED: usize = 4;

/// A stage as it is shown; a choice names what else there was.
pub(super) fn thought(
    step: Step,
    message: &str,
    candidates: Option<&[Candidate]>,
    selected: Option<&[String]>,
    style: Style,
) -> Vec<String> {
    let mut lines = vec![style.dim(&format!("  · {}", short(message, 300)))];
    if step == Step::Selecting {
        lines.extend(others(candidates.unwrap_or_default(), selected.unwrap_or_default(), style));
    }
    lines
}

fn others(candidates: &[Candidate], selected: &[String], style: Style) -> Option<String> {
    let others: Vec<&Candidate> = candidates.iter().filter(|tool| !selected.contains(&tool.name)).collect();
    let named: Vec<String> = others
        .iter()
        .take(NAMED)
        .map(|tool| format!("{} {:.0} %", short(&tool.name, 64), tool.confidence.clamp(0.0, 1.0) * 100.0))
        .collect();
    let more = match others.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let what = if selected.is_empty() { "Found" } else { "Others" };
    (!named.is_empty())
        .then(|| style.dim(&format!("    {what}: {}{more}; `/try NAME` takes one of them", named.join(", "))))
}
