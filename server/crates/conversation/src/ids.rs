//! The ids of all calls of a conversation, to be asked for one without a walk through the messages.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use switchboard_protocol::CallId;

/// Into how many parts they are divided: a change copies one of them.
const PARTS: usize = 256;

/// The ids, as their hashes. A clone shares them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct CallIds(Arc<Vec<Arc<Vec<u64>>>>);

impl CallIds {
    pub(super) fn add(&mut self, id: &CallId) {
        let hash = hash(id);
        let parts = Arc::make_mut(&mut self.0);
        if parts.is_empty() {
            parts.resize(PARTS, Arc::default());
        }
        if let Some(part) = parts.get_mut(part(hash)).filter(|part| !part.contains(&hash)) {
            Arc::make_mut(part).push(hash);
        }
    }

    /// Whether the id was added. Of very many ids, one that was not may seem so.
    pub(super) fn contains(&self, id: &CallId) -> bool {
        let hash = hash(id);
        self.0.get(part(hash)).is_some_and(|part| part.contains(&hash))
    }
}

fn hash(id: &CallId) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.0.hash(&mut hasher);
    hasher.finish()
}

fn part(hash: u64) -> usize {
    usize::from(hash.to_le_bytes()[0]) % PARTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_there_and_a_clone_does_not_hear_of_what_comes_later() {
        let mut ids = CallIds::default();
        assert!(!ids.contains(&CallId::from("call_0")));
        for number in 0..2000 {
            ids.add(&CallId::from(format!("call_{number}").as_str()));
        }
        let before = ids.clone();
        ids.add(&CallId::from("later"));

        assert!((0..2000).all(|number| ids.contains(&CallId::from(format!("call_{number}").as_str()))));
        assert!(ids.contains(&CallId::from("later")) && !before.contains(&CallId::from("later")));
        assert!(!ids.contains(&CallId::from("call_2000")));
    }
}
