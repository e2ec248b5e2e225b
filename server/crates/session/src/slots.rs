//! The sessions in memory: a slot for each, which whoever asks first fills, and how often one has broken down.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use switchboard_protocol::SessionId;
use tokio::sync::OnceCell;

use super::handle::SessionHandle;

/// The sessions in memory.
#[derive(Default)]
pub(super) struct Directory {
    slots: Mutex<HashMap<SessionId, Slot>>,
    breakdowns: Mutex<HashMap<SessionId, u32>>,
}

/// A session in memory, or on its way there.
pub(super) type Slot = Arc<OnceCell<SessionHandle>>;

impl Directory {
    pub(super) fn forget(&self, id: SessionId) {
        self.slots().remove(&id);
    }

    pub(super) fn get(&self, id: SessionId) -> Option<SessionHandle> {
        self.slots().get(&id).and_then(|slot| slot.get().cloned())
    }

    /// The session, unless its actor has ended.
    pub(super) fn open(&self, id: SessionId) -> Option<SessionHandle> {
        self.get(id).filter(|handle| !handle.commands.is_closed())
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.slots().len() as u64
    }

    pub(super) fn all(&self) -> Vec<SessionHandle> {
        self.slots().values().filter_map(|slot| slot.get().cloned()).collect()
    }

    /// The session's slot; whoever fills it first opens the session for all.
    pub(super) fn slot(&self, id: SessionId) -> Slot {
        Arc::clone(self.slots().entry(id).or_default())
    }

    pub(super) fn remove(&self, id: SessionId, slot: &Slot) {
        let mut slots = self.slots();
        if slots.get(&id).is_some_and(|held| Arc::ptr_eq(held, slot)) {
            slots.remove(&id);
        }
    }

    /// Removes a slot that was not filled, unless somebody else is about to fill it: a session has one actor.
    pub(super) fn remove_unused(&self, id: SessionId, slot: &Slot) {
        let mut slots = self.slots();
        let mine = slots.get(&id).is_some_and(|held| Arc::ptr_eq(held, slot));
        if mine && Arc::strong_count(slot) == 2 && slot.get().is_none() {
            slots.remove(&id);
        }
    }

    pub(super) fn breakdowns(&self, id: SessionId) -> u32 {
        let breakdowns = self.breakdowns.lock().unwrap_or_else(PoisonError::into_inner);
        breakdowns.get(&id).copied().unwrap_or(0)
    }

    pub(super) fn broke_down(&self, id: SessionId) {
        *self.breakdowns.lock().unwrap_or_else(PoisonError::into_inner).entry(id).or_default() += 1;
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<SessionId, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
