//! Paths as they were typed, and as they are.

use std::collections::BTreeSet;

use crate::ops::word_stems;

/// Whether a path is only like what was typed, rather than called that.
pub(super) fn is_guessed(path: &str, said: &str) -> bool {
    let (path, said) = (path.to_lowercase(), said.trim_start_matches("./").trim_end_matches('/').to_lowercase());
    let base = path.rsplit('/').next().unwrap_or_default();
    let stem = base.trim_start_matches('.').split('.').next().unwrap_or_default();
    let parent = path.rsplit('/').nth(1).unwrap_or_default();
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let with_more = [base.to_owned(), stem.to_owned(), format!("{parent}{stem}"), format!("{stem}{parent}")];
    if with_more.iter().any(|name| plain(name).trim_end_matches('s') == plain(&said).trim_end_matches('s')) {
        return false;
    }
    !said.is_empty() && ![path.as_str(), base, stem].contains(&said.as_str()) && !path.ends_with(&format!("/{said}"))
}

/// A path's own name.
pub(super) fn base(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// Whether a path lies in another folder than the one that was typed.
pub(super) fn elsewhere(path: &str, said: &str) -> bool {
    said.trim_start_matches("./").rsplit_once('/').is_some_and(|(folder, _)| !path.starts_with(folder))
}

/// The files in whose names all the words stand that one was called by; none if it was typed as a name.
pub(super) fn called<'p>(said: &str, files: impl Iterator<Item = &'p str>) -> Vec<String> {
    let words = |text: &str| -> BTreeSet<String> { word_stems(&text.replace(['_', '.'], " ")) };
    let said_words = words(said);
    let has_all = |path: &&str| said_words.is_subset(&words(base(path)));
    match said.contains(['.', '/']) || said_words.is_empty() {
        true => Vec::new(),
        false => files.filter(has_all).map(str::to_owned).collect(),
    }
}
