//! What is different between two notes.

use serde::{Deserialize, Serialize};

use super::node::Node;
use super::note::Note;

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

/// The changes, in the order of their paths. `is_there` says of a path that is only in the first note whether there is
/// something all the same.
pub(super) fn between(before: &Note, after: &Note, is_there: impl Fn(&str) -> bool) -> Vec<PathChange> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (before.paths.iter().peekable(), after.paths.iter().peekable());
    loop {
        let change = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(was), now) if now.is_none_or(|now| was.path < now.path) => {
                let change = PathChange { path: was.path.clone(), before: Some(was.node.clone()), after: None };
                old.next();
                Some(change).filter(|change| !is_there(&change.path))
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
                let is_same = was.node == now.node || is_same_unkept(&was.node, &now.node);
                old.next();
                new.next();
                Some(change).filter(|_| !is_same)
            }
            (Some(_), None) | (None, Some(_)) => break,
        };
        changes.extend(change);
    }
    // Git looks its files up in an index that it writes anew when it only looks: that alone is not worth a word.
    if changes.iter().all(|change| change.path == ".git/index") {
        changes.clear();
    }
    changes
}

/// A file that is not kept is the same while its stamp is, whatever kept it from being kept.
fn is_same_unkept(was: &Node, now: &Node) -> bool {
    match (was, now) {
        (Node::Unkept { stamp: was, .. }, Node::Unkept { stamp: now, .. }) => was == now,
        _ => false,
    }
}
