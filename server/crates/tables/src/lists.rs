//! Cells that hold several names: `Olsen/Moreau`.

use std::collections::HashSet;

/// The names of a cell that holds several.
pub(crate) fn elements(value: &str) -> Vec<&str> {
    let parts: Vec<&str> = value.split(['/', '&', '+', ';']).map(str::trim).collect();
    let is_name = |part: &&str| (2..=30).contains(&part.len()) && part.chars().any(char::is_alphabetic);
    if parts.len() > 1 && parts.iter().all(is_name) { parts } else { Vec::new() }
}

/// Whether cells hold several names, some of which stand in other cells, too.
pub(crate) fn are_lists(values: &[String]) -> bool {
    let mut seen: HashSet<&str> = HashSet::new();
    let several: Vec<&str> = values.iter().flat_map(|value| elements(value)).collect();
    let alone = |name: &&str| values.iter().any(|value| value == name);
    several.iter().any(alone) || several.iter().any(|name| !seen.insert(name))
}
