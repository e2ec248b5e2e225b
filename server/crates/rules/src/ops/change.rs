//! A changed text as the arguments of the tool that changes the file: an exact part and what takes its place, a patch, or
//! the whole, whichever the tool's schema takes.

use serde_json::{Map, Value};
use switchboard_tools::diff::{moved, unified};

/// What becomes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: String,
    /// Where it is afterwards; `None`: it is gone.
    pub(crate) to: Option<String>,
    /// What it holds; `None`: it is new.
    pub(crate) before: Option<String>,
    pub(crate) after: String,
}

/// The arguments for the changes, if the tool can make them.
pub(crate) fn arguments(changes: &[Change], schema: &Value) -> Option<Map<String, Value>> {
    let takes = |name: &str| schema.get("properties").is_some_and(|properties| properties.get(name).is_some());
    if takes("patch") {
        let patch: String = changes.iter().map(patch).collect();
        return Some(object([("patch", patch.into())]));
    }
    let [change] = changes else { return None };
    let stays = change.to.as_deref() == Some(change.path.as_str());
    let path = ("path", Value::from(change.path.as_str()));
    match stays {
        true if takes("find") && takes("replace") && change.before.as_ref().is_some_and(|text| !text.is_empty()) => {
            let (find, replace) = smallest(change.before.as_deref().unwrap_or_default(), &change.after);
            Some(object([path, ("find", find.into()), ("replace", replace.into())]))
        }
        true if takes("content") => Some(object([path, ("content", change.after.as_str().into())])),
        _ => None,
    }
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn patch(change: &Change) -> String {
    let (before, after) = (change.before.as_ref().map(String::as_bytes), change.after.as_bytes());
    match &change.to {
        Some(to) if *to == change.path => unified(to, before, Some(after)),
        Some(to) => {
            let header = format!("diff --git a/{} b/{to}\nsimilarity index 100%\n", change.path);
            header + &moved(&change.path, to, before, Some(after))
        }
        None => unified(&change.path, before, None),
    }
}

/// The smallest part of whole lines that changes and stands only once in the file, and what takes its place.
fn smallest<'t>(before: &'t str, after: &'t str) -> (&'t str, &'t str) {
    let same = before.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count();
    let room = before.len().min(after.len()) - same;
    let back = before.bytes().rev().zip(after.bytes().rev()).take(room).take_while(|(one, other)| one == other).count();
    let line_start =
        |at: usize| before.as_bytes()[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let line_end = |at: usize| {
        let next = before.as_bytes()[at..].iter().position(|byte| *byte == b'\n');
        next.map_or(before.len(), |end| at + end + 1)
    };
    let mut start = line_start(same);
    // Both texts end alike from here on.
    let tail = before.len() - back;
    let mut end = if tail > 0 && tail > start && before.as_bytes()[tail - 1] == b'\n' { tail } else { line_end(tail) };
    loop {
        let find = &before[start..end];
        let once = !find.is_empty() && before.match_indices(find).nth(1).is_none();
        if once && overlaps_once(before, find) {
            return (find, &after[start..after.len() - (before.len() - end)]);
        }
        if start == 0 && end == before.len() {
            return (before, after);
        }
        if start > 0 {
            start = line_start(start - 1);
        }
        if end < before.len() {
            end = line_end(end);
        }
    }
}

/// Whether it stands there once even if places may overlap.
fn overlaps_once(text: &str, find: &str) -> bool {
    let first = text.find(find).unwrap_or_default();
    let next = first + find.chars().next().map_or(1, char::len_utf8);
    text.get(next..).is_none_or(|rest| !rest.contains(find))
}

/// A file that is there no more, or elsewhere.
pub(crate) fn gone_or_moved(path: &str, to: Option<&str>, text: &str) -> Change {
    let after = if to.is_some() { text.to_owned() } else { String::new() };
    Change { path: path.to_owned(), to: to.map(str::to_owned), before: Some(text.to_owned()), after }
}

#[cfg(test)]
#[path = "change_tests.rs"]
mod tests;
