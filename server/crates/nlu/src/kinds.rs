//! Sets of slot types.

use crate::slots::SlotType;

/// A set of slot types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u64);

impl Kinds {
    pub(crate) fn of(kinds: &[SlotType]) -> Self {
        kinds.iter().fold(Self::default(), |set, kind| set.with(*kind))
    }

    pub(crate) fn with(self, kind: SlotType) -> Self {
        Self(self.0 | 1 << kind as u32)
    }

    pub(crate) fn has(self, kind: SlotType) -> bool {
        self.0 & (1 << kind as u32) != 0
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The type that is declared first.
    pub(crate) fn first(self) -> Option<SlotType> {
        SlotType::ALL.into_iter().find(|kind| self.has(*kind))
    }
}
