//! The work that runs: the turn, and calls of the user's own.

use std::collections::HashSet;

use switchboard_protocol::{CallId, MessageId};
use tokio::task::AbortHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::host::WorkId;
use crate::slash::Command;

/// A turn that runs.
pub(super) struct RunningTurn {
    pub(super) work: WorkId,
    pub(super) id: MessageId,
    /// When it is ended from outside, once it was cancelled.
    pub(super) ends_by: Option<Instant>,
    pub(super) cancellation: CancellationToken,
    pub(super) cause: Option<Cause>,
    /// Messages that joined and were handed over.
    pub(super) handed: HashSet<MessageId>,
    pub(super) task: AbortHandle,
}

/// Why a turn was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The user stopped it.
    Cancelled,
    /// A newer message replaces it.
    Replaced,
}

/// A call of the user's own that runs.
pub(super) struct RunningCall {
    pub(super) work: WorkId,
    /// When it is ended from outside, once it was cancelled.
    pub(super) ends_by: Option<Instant>,
    pub(super) call_id: CallId,
    pub(super) tool: String,
    pub(super) cancellation: CancellationToken,
    pub(super) task: AbortHandle,
    /// The slash command that made the call, and has its answer when it ends.
    pub(super) command: Option<(MessageId, &'static Command)>,
}

/// Whatever becomes of the session, its turn does not go on without it.
impl Drop for RunningTurn {
    fn drop(&mut self) {
        self.cancellation.cancel();
    }
}

/// Whatever becomes of the session, its calls do not go on without it.
impl Drop for RunningCall {
    fn drop(&mut self) {
        self.cancellation.cancel();
    }
}
