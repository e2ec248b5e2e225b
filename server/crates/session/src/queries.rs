//! Questions of running calls that wait for the user's answer. They end like approvals: answered, or by time, or with
//! the work that asked; and a call that does not want its answer any more withdraws its question.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use switchboard_protocol::{Choice, MessageId, QueryId};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::host::WorkId;
use switchboard_tools::QueryAnswer;

/// A question that waits.
pub(super) struct WaitingQuery {
    pub(super) id: QueryId,
    pub(super) choices: Vec<Choice>,
    pub(super) work: WorkId,
    pub(super) turn_id: Option<MessageId>,
    pub(super) asked_at: Instant,
    pub(super) reply: oneshot::Sender<QueryAnswer>,
}

/// All questions that wait.
pub(super) struct Queries {
    waiting: Vec<WaitingQuery>,
    withdrawals: FuturesUnordered<BoxFuture<'static, QueryId>>,
    limit: Duration,
    limit_alone: Duration,
}

impl Queries {
    pub(super) fn new(limit: Duration, limit_alone: Duration) -> Self {
        Self { waiting: Vec::new(), withdrawals: FuturesUnordered::new(), limit, limit_alone }
    }

    /// Adds a question; the token withdraws it.
    pub(super) fn add(&mut self, query: WaitingQuery, withdrawn: CancellationToken) {
        let id = query.id.clone();
        self.withdrawals.push(Box::pin(async move {
            withdrawn.cancelled().await;
            id
        }));
        self.waiting.push(query);
    }

    /// The next question that nobody wants answered any more; none at once when there is nothing to wait for.
    pub(super) async fn next_withdrawn(&mut self) -> Option<QueryId> {
        self.withdrawals.next().await
    }

    pub(super) fn get(&self, id: &QueryId) -> Option<&WaitingQuery> {
        self.waiting.iter().find(|query| query.id == *id)
    }

    pub(super) fn take(&mut self, id: &QueryId) -> Option<WaitingQuery> {
        let at = self.waiting.iter().position(|query| query.id == *id)?;
        Some(self.waiting.remove(at))
    }

    /// Takes the questions of work that ends.
    pub(super) fn take_of(&mut self, work: WorkId) -> Vec<WaitingQuery> {
        self.take_if(|query| query.work == work)
    }

    /// Takes the questions whose time is over; `alone` is since when no client is attached.
    pub(super) fn take_expired(&mut self, now: Instant, alone: Option<Instant>) -> Vec<WaitingQuery> {
        let (limit, limit_alone) = (self.limit, self.limit_alone);
        self.take_if(|query| ends_at(query, limit, limit_alone, alone) <= now)
    }

    /// When the next question's time is over.
    pub(super) fn deadline(&self, alone: Option<Instant>) -> Option<Instant> {
        self.waiting.iter().map(|query| ends_at(query, self.limit, self.limit_alone, alone)).min()
    }

    /// Forgets all questions; whoever asked hears that the work was cancelled.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    fn take_if(&mut self, mut wanted: impl FnMut(&WaitingQuery) -> bool) -> Vec<WaitingQuery> {
        let (taken, kept) = std::mem::take(&mut self.waiting).into_iter().partition(|query| wanted(query));
        self.waiting = kept;
        taken
    }
}

fn ends_at(query: &WaitingQuery, limit: Duration, limit_alone: Duration, alone: Option<Instant>) -> Instant {
    let end = query.asked_at + limit;
    alone.map_or(end, |since| end.min(since.max(query.asked_at) + limit_alone))
}
