//! The work that runs: the turn, calls of the user's own, and errands of the session itself; and what it requests.

use std::collections::HashSet;
use std::sync::Arc;

use switchboard_protocol::{CallId, MessageId};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::host::{Errand, FromWork, SessionHost, WorkId};
use crate::parked::{Answered, Answers};
use crate::slash::Command;
use switchboard_events::Values;

/// How many requests of work may wait.
const REQUESTS: usize = 32;

/// All work of a session.
pub(super) struct Work {
    pub(super) turn: Option<RunningTurn>,
    pub(super) calls: Vec<RunningCall>,
    /// While a summary is being written: stops that when it is dropped.
    pub(super) summarizing: Option<DropGuard>,
    /// Whether a fork is being made.
    pub(super) forking: bool,
    /// The commands that are switching MCP servers.
    pub(super) switching: Vec<MessageId>,
    last: WorkId,
    requests: mpsc::Receiver<FromWork>,
    work_tx: mpsc::Sender<FromWork>,
}

/// A turn that runs.
pub(super) struct RunningTurn {
    pub(super) work: WorkId,
    pub(super) id: MessageId,
    /// When it is ended from outside, once it was canceled.
    pub(super) ends_by: Option<Instant>,
    pub(super) cancellation: CancellationToken,
    pub(super) cause: Option<Cause>,
    /// What the user said before it was taken up again.
    pub(super) answers: Box<Answers>,
    /// Messages that joined and were handed over.
    pub(super) handed: HashSet<MessageId>,
    pub(super) task: AbortHandle,
}

/// Why a turn was canceled.
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
    /// When it is ended from outside, once it was canceled.
    pub(super) ends_by: Option<Instant>,
    pub(super) call_id: CallId,
    pub(super) tool: String,
    pub(super) cancellation: CancellationToken,
    pub(super) task: AbortHandle,
    /// What the user said before it was made again.
    pub(super) answers: Vec<Answered>,
    /// The slash command that made the call, and has its answer when it ends.
    pub(super) command: Option<(MessageId, &'static Command)>,
}

impl Work {
    /// Nothing runs yet.
    pub(super) fn none() -> Self {
        let (work_tx, requests) = mpsc::channel(REQUESTS);
        let (calls, switching) = (Vec::new(), Vec::new());
        Self { turn: None, calls, summarizing: None, forking: false, switching, last: 0, requests, work_tx }
    }

    /// The session as new work sees it.
    pub(super) fn host(&mut self, turn_id: Option<MessageId>, values: Arc<Values>) -> SessionHost {
        self.last += 1;
        SessionHost { work: self.last, turn_id, values, requests: self.work_tx.clone() }
    }

    /// The way back for an errand of the session.
    pub(super) fn errand(&self) -> Errand {
        Errand { requests: self.work_tx.clone() }
    }

    /// The next request.
    pub(super) async fn next_wish(&mut self) -> Option<FromWork> {
        self.requests.recv().await
    }

    /// Whether neither a turn nor a call runs.
    pub(super) fn is_at_rest(&self) -> bool {
        self.turn.is_none() && self.calls.is_empty()
    }

    /// The running turn, if this work is it.
    pub(super) fn turn_of(&self, work: WorkId) -> Option<&RunningTurn> {
        self.turn.as_ref().filter(|turn| turn.work == work)
    }

    /// The running call that this work is.
    pub(super) fn call_of(&self, work: WorkId) -> Option<&RunningCall> {
        self.calls.iter().find(|call| call.work == work)
    }

    /// What the user said before this work was taken up again, if that is an answer to this; it counts once.
    pub(super) fn take_answer<T>(&mut self, work: WorkId, answer: impl Fn(&Answered) -> Option<T>) -> Option<T> {
        let answers = self.answers_of(work)?;
        let (place, answer) = answers.iter().enumerate().find_map(|(place, said)| Some((place, answer(said)?)))?;
        answers.remove(place);
        Some(answer)
    }

    /// What the user said before this work was taken up again.
    pub(super) fn answers_of(&mut self, work: WorkId) -> Option<&mut Vec<Answered>> {
        let turn = self.turn.as_mut().filter(|turn| turn.work == work).map(|turn| &mut turn.answers.0);
        turn.or_else(|| self.calls.iter_mut().find(|call| call.work == work).map(|call| &mut call.answers))
    }

    /// Whether this work was told to end.
    pub(super) fn is_cancelled(&self, work: WorkId) -> bool {
        let turn = self.turn_of(work).map(|turn| turn.ends_by);
        turn.or_else(|| self.call_of(work).map(|call| call.ends_by)).flatten().is_some()
    }

    /// When the next work that was told to end is ended from outside.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let turn = self.turn.as_ref().and_then(|turn| turn.ends_by);
        self.calls.iter().filter_map(|call| call.ends_by).chain(turn).min()
    }

    /// Forgets the turn and the calls without a word: the log decides what became of them.
    pub(super) fn forget(&mut self) {
        if let Some(turn) = self.turn.take() {
            turn.cut();
        }
        for call in std::mem::take(&mut self.calls) {
            call.cut();
        }
    }
}

impl RunningTurn {
    /// Ends it from outside.
    pub(super) fn cut(&self) {
        self.cancellation.cancel();
        self.task.abort();
    }
}

impl RunningCall {
    /// Ends it from outside.
    pub(super) fn cut(&self) {
        self.cancellation.cancel();
        self.task.abort();
    }
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
