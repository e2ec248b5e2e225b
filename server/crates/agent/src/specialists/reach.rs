//! What an agent can do: as much as the worst of its tools. A specialist is asked about, kept apart from others and taken
//! up after a crash accordingly.

use switchboard_protocol::Risk;

/// What an agent can do with its tools, and through the specialists below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reach {
    /// The worst of its tools.
    pub(super) risk: Risk,
    /// Whether doing it twice does no more than doing it once.
    pub(super) repeatable: bool,
}

impl Reach {
    /// What somebody can do who has no tools.
    pub(super) const NOTHING: Self = Self { risk: Risk::Read, repeatable: true };
    /// What cannot be more.
    pub(super) const EVERYTHING: Self = Self { risk: Risk::Execute, repeatable: false };

    /// Of both together.
    pub(super) fn and(self, other: Self) -> Self {
        let risk = if rank(other.risk) > rank(self.risk) { other.risk } else { self.risk };
        Self { risk, repeatable: self.repeatable && other.repeatable }
    }
}

/// From what is looked at to what can do most.
fn rank(risk: Risk) -> u8 {
    match risk {
        Risk::Read => 0,
        Risk::Ui => 1,
        Risk::Network => 2,
        Risk::Write => 3,
        Risk::Execute => 4,
    }
}
