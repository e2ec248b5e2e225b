//! What the session waits to hear from its user: whether calls may run, what running calls asked, and what became of
//! calls whose outcome nobody knows.

use std::collections::BTreeMap;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use switchboard_protocol::QueryId;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::pending::{Pending, PendingAsk, Query};
use switchboard_tools::ApprovalAsk;

/// All that the user is asked.
pub(super) struct Questions {
    pub(super) approvals: Pending<ApprovalAsk>,
    pub(super) queries: Pending<Query>,
    /// Questions about calls whose outcome is unknown, and when their time is over.
    pub(super) outcomes: BTreeMap<QueryId, Instant>,
    /// When the time of the plan that waits for a yes is over.
    pub(super) plan_ends: Option<Instant>,
    withdrawals: FuturesUnordered<BoxFuture<'static, QueryId>>,
}

impl Questions {
    /// Nothing is asked yet.
    pub(super) fn none() -> Self {
        Self {
            approvals: Pending::none(),
            queries: Pending::none(),
            outcomes: BTreeMap::new(),
            plan_ends: None,
            withdrawals: FuturesUnordered::new(),
        }
    }

    /// Adds a question of a call; a call that does not want its answer any more withdraws it by the token.
    pub(super) fn add_query(&mut self, query: PendingAsk<Query>, withdrawn: CancellationToken) {
        let id = query.ask.id.clone();
        self.withdrawals.push(Box::pin(async move {
            withdrawn.cancelled().await;
            id
        }));
        self.queries.add(query);
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
        self.plan_ends = None;
    }
}
