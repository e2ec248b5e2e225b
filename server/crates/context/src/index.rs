//! Where variables stand, found by what they are called. Small, since each snapshot of a change has one of its own, and
//! searched without a look at the variables themselves.

use std::hash::{DefaultHasher, Hasher};

/// What stands for a name, or for the letters of one. Others may have the same: whoever finds it looks at the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NameHash(u32);

/// Positions by the hash of a name; those of equal hashes in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct NameIndex(Vec<(NameHash, u32)>);

impl NameHash {
    /// The same for the same letters in every process, so that the same events give the same index.
    pub(super) fn of(letters: impl Iterator<Item = char>) -> Self {
        let mut hasher = DefaultHasher::new();
        letters.for_each(|letter| hasher.write_u32(letter.into()));
        let [low, high] = [0, 32].map(|shift| (hasher.finish() >> shift) & u64::from(u32::MAX));
        Self(u32::try_from(low ^ high).expect("32 bits"))
    }
}

impl NameIndex {
    /// The positions under this hash, ascending.
    pub(super) fn positions(&self, hash: NameHash) -> impl Iterator<Item = usize> {
        let first = self.0.partition_point(|(other, _)| *other < hash);
        self.0[first..].iter().take_while(move |(other, _)| *other == hash).map(|(_, position)| *position as usize)
    }

    pub(super) fn insert(&mut self, hash: NameHash, position: usize) {
        let entry = (hash, small(position));
        let place = self.0.partition_point(|other| *other < entry);
        self.0.insert(place, entry);
    }

    pub(super) fn remove(&mut self, hash: NameHash, position: usize) {
        if let Ok(place) = self.0.binary_search(&(hash, small(position))) {
            self.0.remove(place);
        }
    }

    /// Moves all that stand behind this position one place forward.
    pub(super) fn close_gap(&mut self, position: usize) {
        let position = small(position);
        self.0.iter_mut().filter(|(_, later)| *later > position).for_each(|(_, later)| *later -= 1);
    }
}

fn small(position: usize) -> u32 {
    u32::try_from(position).expect("a session has some thousand variables at most")
}
