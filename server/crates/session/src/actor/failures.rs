//! What happens when something outside the session fails or ends: the log, the server, the session itself.

use std::sync::Arc;
use std::time::Duration;

use switchboard_protocol::SessionId;
use tokio::time::Instant;

use super::{ChatServerToolAgent, Phase};
use crate::in_flight::InFlight;
use crate::outbox::{Failed, Outbox};
use crate::outcome;
use crate::parked;
use crate::recovery::Cut;
use crate::refusal::Refusal;
use crate::state::{self, SessionState};
use crate::subscriber::CloseReason;
use switchboard_events::{LogError, SessionLog};
use switchboard_runtime::backoff;

/// The longest pause between two attempts to go on after the log failed.
const LONGEST_RETRY: Duration = Duration::from_secs(2);

impl ChatServerToolAgent {
    /// Goes on with what is open, ends it, or asks about it: after a crash, and after the session was read anew.
    pub(super) fn recover(&mut self, cut: Cut) {
        let expires_at = self.services.config.approval_limit.map(|limit| self.expiry_in(limit));
        for event in outcome::take_up(&self.state, cut, expires_at.as_deref()) {
            self.append_urgent(event);
        }
        self.note_outcomes();
        self.note_plan();
        self.note_parked();
        self.recovered_at = self.state.last_seq;
        if outcome::goes_on(&self.state, cut) && !parked::waits(&self.state) {
            self.go_on();
        }
    }

    /// An append failed, and everything behind it: what the state says since then is not so. Nothing was
    /// acknowledged; whoever sent a message hears that it was not taken.
    pub(super) fn log_failed(&mut self, failed: Failed) {
        let Failed { error, refused } = failed;
        tracing::error!(session = %self.id, %error, "the session's log could not be written");
        // Where the session has moved to, its clients come with what was not acknowledged.
        let is_moved = matches!(error, LogError::Moved(_));
        for (subscriber, message) in refused.into_iter().filter(|_| !is_moved) {
            self.refuse(subscriber, Refusal::store(&error).about(Some(message)));
        }
        self.forget_work();
        self.phase = match (&self.phase, error) {
            (Phase::Over(reason), _) => Phase::Over(*reason),
            (_, LogError::UnknownSession(_)) => self.gone(CloseReason::Deleted),
            (_, LogError::Moved(_)) => self.gone(CloseReason::Moved),
            (_, LogError::Closed) => self.gone(CloseReason::Restarted),
            (Phase::Stopping, _) => self.gone(CloseReason::Restarted),
            (_, error) => self.broken(error),
        };
    }

    /// Reads the session anew from its log and goes on from there, as soon as the log can be written again.
    pub(super) async fn reload(&mut self) {
        let log = Arc::clone(&self.services.log);
        match Box::pin(read_anew(log.as_ref(), self.id)).await {
            Ok(state) => {
                let seen = self.outbox.durable();
                self.outbox = Outbox::new(log, self.id, state.last_seq);
                self.in_flight = InFlight::default();
                self.view = None;
                if state.last_seq != seen {
                    // Somebody else wrote: the clients have to read what they missed.
                    self.let_go();
                }
                self.state = state;
                self.state.conversation.configure(self.services.chat_config());
                self.take_up_rules();
                self.phase = Phase::Open;
                self.recover(Cut::StoreFailed);
            }
            Err(LogError::UnknownSession(_)) => self.phase = self.gone(CloseReason::Deleted),
            Err(LogError::Moved(_)) => self.phase = self.gone(CloseReason::Moved),
            Err(error @ LogError::Damaged { .. }) => {
                tracing::error!(session = %self.id, %error, "the session cannot continue");
                self.phase = self.gone(CloseReason::Restarted);
            }
            Err(error) => self.phase = self.broken(error),
        }
    }

    /// Nothing new begins; what runs may end.
    pub(super) fn stop(&mut self) {
        if !self.is_stopping() {
            let broken = matches!(self.phase, Phase::Broken { .. });
            self.phase = if broken { self.gone(CloseReason::Restarted) } else { Phase::Stopping };
            self.park_what_waits();
        }
    }

    /// The time to drain is over: what runs ends now, and says so. A turn that can go on does so after the next start.
    pub(super) fn cut_off(&mut self) {
        if matches!(self.phase, Phase::Open | Phase::Stopping) {
            self.leave_or_cut_turn();
            self.cut_running_calls(Cut::ServerStopped);
        }
        self.phase = Phase::Over(CloseReason::Restarted);
    }

    /// Another server has the session: what runs here ends, and nobody here says how.
    pub(super) fn moved(&mut self) {
        if !matches!(self.phase, Phase::Over(_)) {
            self.forget_work();
            self.phase = self.gone(CloseReason::Moved);
        }
    }

    /// The session is being deleted: everything ends, and nobody needs to read how.
    pub(super) fn delete(&mut self) {
        self.forget_work();
        self.phase = self.gone(CloseReason::Deleted);
    }

    pub(super) fn forget_work(&mut self) {
        self.work.forget();
        self.questions.clear();
    }

    fn broken(&mut self, error: LogError) -> Phase {
        let wait = backoff(self.services.config.store_retry, LONGEST_RETRY, self.log_failures);
        let retry_at = Instant::now() + wait;
        self.log_failures = self.log_failures.saturating_add(1);
        Phase::Broken { error, retry_at }
    }

    pub(super) fn gone(&self, reason: CloseReason) -> Phase {
        self.home.forget(self.id);
        Phase::Over(reason)
    }
}

/// The session as its log has it, which nobody else writes from then on.
async fn read_anew(log: &dyn SessionLog, id: SessionId) -> Result<SessionState, LogError> {
    log.check().await?;
    log.claim(id).await?;
    state::load(log, id, u64::MAX).await
}
