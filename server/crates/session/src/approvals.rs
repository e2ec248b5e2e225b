//! Questions that wait for the user's answer, each bound to its call. A client that goes away answers nothing; time
//! does: every question has an end, and an earlier one while nobody is attached.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use switchboard_protocol::{CallId, MessageId};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::host::WorkId;
use switchboard_events::Grant;
use switchboard_tools::{Approval, ApprovalAsk};

/// A question that waits.
pub(super) struct Waiting {
    pub(super) ask: ApprovalAsk,
    pub(super) work: WorkId,
    pub(super) turn_id: Option<MessageId>,
    pub(super) asked_at: Instant,
    pub(super) reply: oneshot::Sender<Approval>,
}

/// All questions that wait.
pub(super) struct Approvals {
    waiting: Vec<Waiting>,
    limit: Duration,
    limit_alone: Duration,
}

impl Approvals {
    pub(super) fn new(limit: Duration, limit_alone: Duration) -> Self {
        Self { waiting: Vec::new(), limit, limit_alone }
    }

    pub(super) fn add(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }

    /// The whole arguments that the question about this call is about.
    pub(super) fn whole(&self, call_id: &CallId) -> Option<Arc<Map<String, Value>>> {
        let waiting = self.waiting.iter().find(|waiting| waiting.ask.call_id == *call_id)?;
        Some(Arc::clone(&waiting.ask.whole))
    }

    /// Takes the question about this call.
    pub(super) fn take(&mut self, call_id: &CallId) -> Option<Waiting> {
        let at = self.waiting.iter().position(|waiting| waiting.ask.call_id == *call_id)?;
        Some(self.waiting.remove(at))
    }

    /// Takes the questions that a grant answers too.
    pub(super) fn take_covered(&mut self, grant: &Grant) -> Vec<Waiting> {
        self.take_if(|waiting| waiting.ask.grant == *grant)
    }

    /// Takes the questions of work that ends.
    pub(super) fn take_of(&mut self, work: WorkId) -> Vec<Waiting> {
        self.take_if(|waiting| waiting.work == work)
    }

    /// Takes the questions whose time is over; `alone` is since when no client is attached.
    pub(super) fn take_expired(&mut self, now: Instant, alone: Option<Instant>) -> Vec<Waiting> {
        let (limit, limit_alone) = (self.limit, self.limit_alone);
        self.take_if(|waiting| ends_at(waiting, limit, limit_alone, alone) <= now)
    }

    /// When the next question's time is over.
    pub(super) fn deadline(&self, alone: Option<Instant>) -> Option<Instant> {
        self.waiting.iter().map(|waiting| ends_at(waiting, self.limit, self.limit_alone, alone)).min()
    }

    /// Forgets all questions; whoever asked hears that the work was cancelled.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    fn take_if(&mut self, mut wanted: impl FnMut(&Waiting) -> bool) -> Vec<Waiting> {
        let (taken, kept) = std::mem::take(&mut self.waiting).into_iter().partition(|waiting| wanted(waiting));
        self.waiting = kept;
        taken
    }
}

fn ends_at(waiting: &Waiting, limit: Duration, limit_alone: Duration, alone: Option<Instant>) -> Instant {
    let end = waiting.asked_at + limit;
    alone.map_or(end, |since| end.min(since.max(waiting.asked_at) + limit_alone))
}
