//! Suggestions for misspelled names: which of the known names could have been meant.

/// How like a name must be to be offered; `file_list` and `file_edit` are not.
const NEAR: f64 = 0.85;

/// Up to `count` of `names` that are similar to `wanted`, the most similar first.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>, count: usize) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    let mut scored: Vec<(f64, &str)> = names
        .into_iter()
        .map(|name| (likeness(&wanted, &name.to_lowercase()), name))
        .filter(|(score, _)| *score >= NEAR)
        .collect();
    scored.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(right.1)));
    scored.into_iter().take(count).map(|(_, name)| name).collect()
}

/// From 0 to 1. One slip of the fingers counts as near also in short names, such as `scr` for `src`.
fn likeness(wanted: &str, name: &str) -> f64 {
    let slip = wanted.chars().count() >= 3 && strsim::osa_distance(wanted, name) <= 1;
    let likeness = strsim::jaro_winkler(wanted, name);
    if slip { likeness.max(0.9) } else { likeness }
}
