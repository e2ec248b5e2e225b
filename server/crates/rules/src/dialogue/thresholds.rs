//! How sure a reading must be before something is done: costs of `nlu`, calibrated as `docs/rules.md` tells.

use switchboard_nlu::Risk;

/// What only reads is done below this cost …
const READ: f32 = 0.38;

/// … what changes something or runs a command below this one …
const CHANGE: f32 = 0.25;

/// … and from there to this one the plan is shown and the user is asked.
const ASK: f32 = 0.5;

/// A reading below this is word for word what a sentence says.
pub(super) const EXACT: f32 = 0.05;

/// What `nlu` counts for a required slot that was not said.
pub(super) const MISSING: f32 = 1.0;

/// What it counts here if what was spoken of before fills it.
pub(super) const FROM_CONTEXT: f32 = 0.1;

/// What is done with a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    Act,
    Ask,
    Refuse,
}

impl Trust {
    pub(super) fn of(cost: f32, risk: Risk) -> Self {
        let act = if risk <= Risk::Read { READ } else { CHANGE };
        match cost {
            cost if cost < act => Self::Act,
            cost if cost < ASK => Self::Ask,
            _ => Self::Refuse,
        }
    }
}
