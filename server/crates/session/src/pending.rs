//! Requests to the user that wait for their answer, each bound to the work that asked. A client that goes away answers
//! nothing; time does only where a request has an end.

use switchboard_protocol::{CallId, Choice, MessageId, QueryId, QueryKind};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::host::WorkId;
use switchboard_tools::{Approval, ApprovalAsk, QueryAnswer, SessionRule};

/// Something that the user is asked.
pub(super) trait Ask {
    /// By what an answer finds it.
    type Id: PartialEq;
    /// What whoever asked hears.
    type Answer;

    fn id(&self) -> &Self::Id;
}

/// A question of a running call.
pub(super) struct Query {
    pub(super) id: QueryId,
    pub(super) choices: Vec<Choice>,
    pub(super) kind: QueryKind,
    /// The rule that one of the answers becomes.
    pub(super) session_rule: Option<SessionRule>,
    /// Whether it is a form, which takes its fields or one of the choices.
    pub(super) is_form: bool,
}

/// A request that waits.
pub(super) struct PendingAsk<A: Ask> {
    pub(super) ask: A,
    pub(super) work: WorkId,
    pub(super) turn_id: Option<MessageId>,
    /// When it is answered by time; none: it waits.
    pub(super) ends_at: Option<Instant>,
    pub(super) reply: oneshot::Sender<A::Answer>,
}

/// All requests of a kind that wait.
pub(super) struct Pending<A: Ask> {
    waiting: Vec<PendingAsk<A>>,
}

/// The work of a turn, or a call, that was running before a restart and has no task until one of its requests is answered.
pub(super) const PARKED: WorkId = 0;

impl Ask for ApprovalAsk {
    type Id = CallId;
    type Answer = Approval;

    fn id(&self) -> &CallId {
        &self.call_id
    }
}

impl Ask for Query {
    type Id = QueryId;
    type Answer = QueryAnswer;

    fn id(&self) -> &QueryId {
        &self.id
    }
}

impl<A: Ask> Pending<A> {
    /// Nothing waits yet.
    pub(super) fn none() -> Self {
        Self { waiting: Vec::new() }
    }

    pub(super) fn add(&mut self, waiting: PendingAsk<A>) {
        self.waiting.push(waiting);
    }

    pub(super) fn get(&self, id: &A::Id) -> Option<&A> {
        self.waiting.iter().map(|waiting| &waiting.ask).find(|ask| ask.id() == id)
    }

    /// Whoever asked before a restart asks again: the request that waits is this work's now, and keeps its end. Gives the way
    /// for the answer back if none waits.
    pub(super) fn adopt(
        &mut self,
        id: &A::Id,
        work: WorkId,
        reply: oneshot::Sender<A::Answer>,
    ) -> Result<(), oneshot::Sender<A::Answer>> {
        match self.waiting.iter_mut().find(|waiting| waiting.work == PARKED && waiting.ask.id() == id) {
            Some(waiting) => {
                (waiting.work, waiting.reply) = (work, reply);
                Ok(())
            }
            None => Err(reply),
        }
    }

    pub(super) fn take(&mut self, id: &A::Id) -> Option<PendingAsk<A>> {
        let at = self.waiting.iter().position(|waiting| waiting.ask.id() == id)?;
        Some(self.waiting.remove(at))
    }

    pub(super) fn take_if(&mut self, wanted: impl Fn(&PendingAsk<A>) -> bool) -> Vec<PendingAsk<A>> {
        let (taken, kept) = std::mem::take(&mut self.waiting).into_iter().partition(wanted);
        self.waiting = kept;
        taken
    }

    /// Takes the requests of work that ends.
    pub(super) fn take_of(&mut self, work: WorkId) -> Vec<PendingAsk<A>> {
        self.take_if(|waiting| waiting.work == work)
    }

    /// Takes the requests whose time is over.
    pub(super) fn take_expired(&mut self, now: Instant) -> Vec<PendingAsk<A>> {
        self.take_if(|waiting| waiting.ends_at.is_some_and(|end| end <= now))
    }

    /// When the next request's time is over.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.waiting.iter().filter_map(|waiting| waiting.ends_at).min()
    }

    /// Forgets all requests; whoever asked hears that the work was canceled.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }
}
