//! Which of several changes is meant, where a request wants one.

use super::recent::Recent;
use super::tabular::is_code;
use crate::ops::{Change, Slots, cut_line, is_aside};

/// The changes that are meant of those that would be possible, each with how it is told; several only if the request speaks
/// of many. Else what must be said.
pub(super) fn singled(
    changes: Vec<Change>,
    said: Vec<String>,
    slots: &Slots<'_>,
    request: &str,
    recent: &Recent,
) -> Result<(Vec<Change>, Vec<String>), String> {
    let mut found: Vec<(Change, String)> = changes.into_iter().zip(said).collect();
    // What is only kept is not meant where something else may be.
    if found.iter().any(|(change, _)| !is_aside(&change.path, request)) {
        found.retain(|(change, _)| !is_aside(&change.path, request));
    }
    // "… in the photo script": the file whose path has one of the words.
    if let Some(place) = slots.text("where").filter(|_| found.len() > 1) {
        let words: Vec<String> = place.split_whitespace().map(str::to_lowercase).filter(|w| w.len() > 3).collect();
        found.retain(|(change, _)| words.iter().any(|word| change.path.to_lowercase().contains(word)));
        if found.is_empty() {
            return Err(format!("It stands in several files, none of which is called `{}`.", cut_line(place)));
        }
    }
    let many = slots.text("many").is_some();
    // Of several files the one that was spoken of just before is meant.
    let latest = |change: &Change| Some(change.path.as_str()) == recent.latest_file();
    if found.len() > 1 && !many && found.iter().any(|(change, _)| latest(change)) {
        found.retain(|(change, _)| latest(change));
    }
    // What code calls so counts only where no setting is called so, unless it is the name that was typed.
    let typed = |change: &Change| slots.text("key").is_some_and(|key| names(change.before.as_deref(), key));
    let is_typed_in_code_only = found.iter().any(|(change, _)| is_code(&change.path) && typed(change))
        && !found.iter().any(|(change, _)| !is_code(&change.path) && typed(change));
    if found.iter().any(|(change, _)| !is_code(&change.path)) {
        found.retain(|(change, _)| is_code(&change.path) == is_typed_in_code_only);
    }
    if found.len() > 1 && !many {
        let paths: Vec<String> = found.iter().map(|(change, _)| format!("`{}`", change.path)).collect();
        return Err(format!("It stands in several files: {}. Say in which one.", paths.join(", ")));
    }
    Ok(found.into_iter().unzip())
}

/// Whether a text has a name as it is written.
fn names(text: Option<&str>, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.is_some_and(|text| text.split(|c: char| !is_part(c)).any(|word| word == name))
}
