//! What a command or a restore changed, as a diff of all files together.

use std::path::PathBuf;

use super::diff::unified;
use super::text::{counted, sanitize_line};
use switchboard_workspace::checkpoint::{Checkpoints, ContentHash, Node, PathChange};

/// How much of a diff is made: more than a frame has room for.
const MAX_DIFF_BYTES: usize = 64 * 1024;

/// Files up to this size are compared line by line.
const MAX_COMPARED_BYTES: usize = 512 * 1024;

/// What the changes look like, as far as there is room.
pub(super) fn diff(store: &Checkpoints, changes: &[PathChange], contents: &[PathBuf]) -> String {
    let mut text = String::new();
    let gits = changes.iter().filter(|change| change.is_of_git()).count();
    let mut left = changes.iter().filter(|change| !change.is_of_git());
    while text.len() < MAX_DIFF_BYTES {
        let Some(change) = left.next() else { break };
        text.push_str(&diff_of(store, change, contents));
    }
    let more = left.filter(|change| !is_folder(change)).count();
    if more > 0 {
        text.push_str(&format!("… {} more\n", counted(more as u64, "path")));
    }
    if gits > 0 {
        text.push_str(&format!("{} of git's own changed\n", counted(gits as u64, "file")));
    }
    if changes.iter().any(is_end_of_history) {
        text.push_str("The history that git kept is gone; no undo brings it back\n");
    }
    text
}

/// Whether nothing but a folder is, or was, at the path.
pub(super) fn is_folder(change: &PathChange) -> bool {
    [&change.before, &change.after].into_iter().flatten().all(|node| matches!(node, Node::Folder { .. }))
}

/// Whether git's own folder has gone: its objects, which are the history, are not kept.
fn is_end_of_history(change: &PathChange) -> bool {
    let is_gits = change.path == ".git" || change.path.ends_with("/.git");
    is_gits && matches!((&change.before, &change.after), (Some(Node::Folder { .. }), None))
}

fn diff_of(store: &Checkpoints, change: &PathChange, contents: &[PathBuf]) -> String {
    let PathChange { path, before, after } = change;
    let path = sanitize_line(path);
    if is_folder(change) {
        return match (before, after) {
            (Some(Node::Folder { mode: old }), Some(Node::Folder { mode: new })) => modes(&path, *old, *new),
            _ => String::new(),
        };
    }
    let modes = match (before, after) {
        (Some(Node::File { mode: old, .. }), Some(Node::File { mode: new, .. })) if old != new => {
            modes(&path, *old, *new)
        }
        _ => String::new(),
    };
    match (shown(store, before.as_ref(), contents), shown(store, after.as_ref(), contents)) {
        (Shown::Content(old), Shown::Content(new)) => {
            format!("{}{modes}", unified(&path, old.as_deref(), new.as_deref()))
        }
        (Shown::NotKept, _) => format!("{path} changed; its earlier content was not kept, so this cannot be undone\n"),
        (_, Shown::NotKept) => format!("{path} changed; what it is now was not kept, so it cannot be shown\n"),
    }
}

fn modes(path: &str, old: u32, new: u32) -> String {
    format!("{path}: permissions {old:03o}, then {new:03o}\n")
}

enum Shown {
    Content(Option<Vec<u8>>),
    NotKept,
}

fn shown(store: &Checkpoints, node: Option<&Node>, contents: &[PathBuf]) -> Shown {
    let read = |hash: &ContentHash| store.content(hash, contents);
    match node {
        None | Some(Node::Folder { .. }) => Shown::Content(None),
        Some(Node::Link { target }) => Shown::Content(Some(format!("link to {target}\n").into_bytes())),
        Some(Node::File { hash, .. }) => match read(hash) {
            Ok(content) if content.len() <= MAX_COMPARED_BYTES => Shown::Content(Some(content)),
            // Only measured: what is no text is not compared by lines.
            Ok(content) => Shown::Content(Some([b"\0", content.as_slice()].concat())),
            Err(_) => Shown::NotKept,
        },
        Some(Node::Unkept { .. }) => Shown::NotKept,
    }
}
