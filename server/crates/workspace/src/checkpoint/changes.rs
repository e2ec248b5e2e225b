//! What is different between two notes.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::node::Node;
use super::note::{Note, Noted};

/// A path at which there is something else than before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathChange {
    /// Where, in the workspace.
    pub path: String,
    /// What was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Node>,
    /// What is there now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Node>,
}

impl PathChange {
    /// Whether it can be made again what it was.
    #[must_use]
    pub fn is_undoable(&self) -> bool {
        !matches!(self.before, Some(Node::Unkept { .. }))
    }

    /// Whether it is git's own.
    #[must_use]
    pub fn is_of_git(&self) -> bool {
        self.path.split('/').any(|name| name == ".git")
    }
}

/// What there is at a path that only the note of before has.
pub(super) enum Unnoted {
    /// Nothing.
    Nothing,
    /// What the note of after left out: nothing is known of it.
    LeftOut,
    /// Something else than files, folders and links, which are all that is noted.
    Special(Node),
}

/// The changes, in the order of their paths.
pub(super) fn between(before: &Note, after: &Note, unnoted: impl Fn(&str) -> Unnoted) -> Vec<PathChange> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (before.paths.iter().peekable(), after.paths.iter().peekable());
    loop {
        let change = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(was), now) if now.is_none_or(|now| was.path < now.path) => {
                let was: &Noted = was;
                old.next();
                let after = match unnoted(&was.path) {
                    Unnoted::Nothing => Some(None),
                    Unnoted::Special(node) => Some(Some(node)),
                    Unnoted::LeftOut => None,
                };
                after.map(|after| PathChange { path: was.path.clone(), before: Some(was.node.clone()), after })
            }
            (was, Some(now)) if was.is_none_or(|was| now.path < was.path) => {
                let change = PathChange { path: now.path.clone(), before: None, after: Some(now.node.clone()) };
                new.next();
                // What was left out before has only come to light.
                Some(change).filter(|change| !before.hides(&change.path))
            }
            (Some(was), Some(now)) => {
                let change = PathChange {
                    path: was.path.clone(),
                    before: Some(was.node.clone()),
                    after: Some(now.node.clone()),
                };
                let is_same = is_same(was, now);
                old.next();
                new.next();
                Some(change).filter(|_| !is_same)
            }
            (Some(_), None) | (None, Some(_)) => break,
        };
        changes.extend(change);
    }
    find_renamed(&mut changes, after);
    // Git looks its files up in an index that it writes anew when it only looks: that alone is not worth a word.
    if changes.iter().all(|change| change.path == ".git/index") {
        changes.clear();
    }
    changes
}

/// A file that one of the notes did not read is the same while its stamp says so.
fn is_same(was: &Noted, now: &Noted) -> bool {
    match (&was.node, &now.node) {
        (Node::Unkept { .. }, _) | (_, Node::Unkept { .. }) => was.stamp.is_of_same_content(&now.stamp),
        (was, now) => was == now,
    }
}

/// A file that was not read before and has another name now: then its content is known after all.
fn find_renamed(changes: &mut [PathChange], after: &Note) {
    let is_unread = |change: &&mut PathChange| matches!(change.before, Some(Node::Unkept { .. }));
    let mut unread = changes.iter_mut().filter(is_unread).peekable();
    if unread.peek().is_none() {
        return;
    }
    let files = after.paths.iter().filter(|noted| noted.node.hash().is_some());
    let by_inode: HashMap<u64, &Noted> = files.map(|noted| (noted.stamp.inode, noted)).collect();
    for change in unread {
        let Some(Node::Unkept { stamp, .. }) = &change.before else { continue };
        let found = by_inode.get(&stamp.inode).filter(|noted| noted.stamp.is_of_same_content(stamp));
        if let Some(hash) = found.and_then(|noted| noted.node.hash()) {
            change.before = Some(Node::File { hash: *hash, mode: stamp.file_mode(), same_as: None });
        }
    }
}
