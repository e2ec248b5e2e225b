//! What is known of one connection while it lives: whether it is gone and why, who waits for progress, whether its
//! lists changed. Shared by the transport, which learns it, and by those who wait for it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{NumberOrString, ProgressNotificationParam, ProgressToken};
use tokio::sync::{Notify, mpsc};
use tokio_util::sync::CancellationToken;

/// How many reports of progress may wait for one call; what comes faster is left out.
const WAITING: usize = 64;

/// How many reports are kept that came before anybody waited for them.
const EARLY: usize = 32;

/// One connection's state.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Canceled when nothing more comes.
    gone: CancellationToken,
    state: Mutex<WatchState>,
    lists_changed: Notify,
}

#[derive(Debug, Default)]
struct WatchState {
    reason: Option<String>,
    waiting: BTreeMap<Token, mpsc::Sender<ProgressNotificationParam>>,
    early: VecDeque<ProgressNotificationParam>,
}

/// A progress token that can be ordered.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Token {
    Number(i64),
    Text(String),
}

impl From<&ProgressToken> for Token {
    fn from(token: &ProgressToken) -> Self {
        match &token.0 {
            NumberOrString::Number(number) => Self::Number(*number),
            NumberOrString::String(text) => Self::Text(text.to_string()),
        }
    }
}

/// The reports of progress of one call.
pub(super) struct Progress<'a> {
    watch: &'a Watch,
    token: Token,
    pub(super) reports: mpsc::Receiver<ProgressNotificationParam>,
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.watch.state().waiting.remove(&self.token);
    }
}

impl Watch {
    /// The connection is over; the first reason stands.
    pub(super) fn end(&self, reason: &str) {
        self.state().reason.get_or_insert_with(|| reason.to_owned());
        self.gone.cancel();
    }

    /// Why the connection is over, once it is.
    pub(super) fn reason(&self) -> Option<String> {
        self.state().reason.clone()
    }

    /// Waits until the connection is over.
    pub(super) async fn ended(&self) {
        self.gone.cancelled().await;
    }

    /// Whether the connection is over.
    pub(super) fn has_ended(&self) -> bool {
        self.gone.is_cancelled()
    }

    /// The server says that its tools or prompts changed.
    pub(super) fn lists_change(&self) {
        self.lists_changed.notify_one();
    }

    /// Waits until the server has said that its tools or prompts changed.
    pub(super) async fn lists_changed(&self) {
        self.lists_changed.notified().await;
    }

    /// Takes a report to the call it belongs to.
    pub(super) fn report(&self, progress: ProgressNotificationParam) {
        let mut state = self.state();
        if let Some(waiting) = state.waiting.get(&Token::from(&progress.progress_token)) {
            let _ = waiting.try_send(progress);
            return;
        }
        state.early.push_back(progress);
        if state.early.len() > EARLY {
            state.early.pop_front();
        }
    }

    /// The reports for this token, with those that came already.
    pub(super) fn progress(&self, token: &ProgressToken) -> Progress<'_> {
        let (sender, reports) = mpsc::channel(WAITING);
        let token = Token::from(token);
        let mut state = self.state();
        for early in std::mem::take(&mut state.early) {
            if Token::from(&early.progress_token) == token {
                let _ = sender.try_send(early);
            } else {
                state.early.push_back(early);
            }
        }
        state.waiting.insert(token.clone(), sender);
        drop(state);
        Progress { watch: self, token, reports }
    }

    fn state(&self) -> MutexGuard<'_, WatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
