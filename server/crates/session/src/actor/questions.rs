//! What the session waits to hear from its user: whether calls may run, what running calls asked, and what became of
//! calls whose outcome nobody knows.

use std::collections::BTreeMap;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use switchboard_protocol::QueryId;
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::host::WorkId;
use crate::parked::Answers;
use crate::pending::{Pending, PendingAsk, Query};
use switchboard_tools::{ApprovalAsk, QueryAnswer};

/// All that the user is asked.
pub(super) struct Questions {
    pub(super) approvals: Pending<ApprovalAsk>,
    pub(super) queries: Pending<Query>,
    /// Questions about calls whose outcome is unknown, and when their time is over, if it ever is.
    pub(super) outcomes: BTreeMap<QueryId, Option<Instant>>,
    /// What the user has said to a turn that waits for more before it goes on; seldom anything.
    pub(super) answers: Box<Answers>,
    /// The plan that waits for a yes.
    pub(super) plan: Option<PendingPlan>,
    withdrawals: FuturesUnordered<BoxFuture<'static, QueryId>>,
}

/// A plan that waits, and when its time is over, if it ever is.
#[derive(Clone, Copy)]
pub(super) struct PendingPlan {
    pub(super) ends_at: Option<Instant>,
}

impl Questions {
    /// Nothing is asked yet.
    pub(super) fn none() -> Self {
        Self {
            approvals: Pending::none(),
            queries: Pending::none(),
            outcomes: BTreeMap::new(),
            answers: Box::default(),
            plan: None,
            withdrawals: FuturesUnordered::new(),
        }
    }

    /// Adds a question of a call; a call that does not want its answer any more withdraws it by the token.
    pub(super) fn add_query(&mut self, query: PendingAsk<Query>, withdrawn: CancellationToken) {
        self.withdraw_with(query.ask.id.clone(), withdrawn);
        self.queries.add(query);
    }

    /// A call that asked before a restart asks the same again.
    pub(super) fn adopt_query(
        &mut self,
        id: &QueryId,
        work: WorkId,
        withdrawn: CancellationToken,
        reply: oneshot::Sender<QueryAnswer>,
    ) -> Result<(), oneshot::Sender<QueryAnswer>> {
        self.queries.adopt(id, work, reply)?;
        self.withdraw_with(id.clone(), withdrawn);
        Ok(())
    }

    fn withdraw_with(&mut self, id: QueryId, withdrawn: CancellationToken) {
        self.withdrawals.push(Box::pin(async move {
            withdrawn.cancelled().await;
            id
        }));
    }

    /// The next question that nobody wants answered any more; none at once when there is nothing to wait for.
    pub(super) async fn next_withdrawn(&mut self) -> Option<QueryId> {
        self.withdrawals.next().await
    }

    /// When the time of the next approval or question of a call is over.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.approvals.deadline().into_iter().chain(self.queries.deadline()).min()
    }

    /// Forgets all; whoever asked hears that the work was canceled.
    pub(super) fn clear(&mut self) {
        self.approvals.clear();
        self.queries.clear();
        self.outcomes.clear();
        self.answers.0.clear();
        self.plan = None;
    }
}
