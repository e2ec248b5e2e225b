//! The rate limiter of a provider's key: how many requests run at once, and, when the provider asks to wait, that all
//! of them wait and one asks first.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::backoff;
use super::error::LlmError;

/// One per key, shared by all who use it.
#[derive(Debug)]
pub(super) struct RateLimiter {
    slots: Arc<Semaphore>,
    state: Mutex<LimiterState>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct LimiterState {
    /// Nobody may ask before; afterwards one may.
    closed_until: Option<Instant>,
    /// One is asking whether it is open again.
    probing: bool,
    /// How often in a row the provider asked to wait.
    refusals: u32,
    /// Counts closings: who passed before the last one has nothing to say about it.
    closings: u64,
}

/// The permission to send one request.
#[derive(Debug)]
pub(super) struct RequestPermit<'a> {
    limiter: &'a RateLimiter,
    closings: u64,
    is_probe: bool,
    _slot: OwnedSemaphorePermit,
}

impl RateLimiter {
    /// A limiter that lets `parallel` requests through at once.
    pub(super) fn new(parallel: usize) -> Arc<Self> {
        let slots = Arc::new(Semaphore::new(parallel.clamp(1, Semaphore::MAX_PERMITS)));
        Arc::new(Self { slots, state: Mutex::default(), changed: Notify::new() })
    }

    /// Waits until a request may be sent.
    ///
    /// # Errors
    /// When the provider has asked for a longer wait than `max_wait`.
    pub(super) async fn enter(&self, max_wait: Duration) -> Result<RequestPermit<'_>, LlmError> {
        loop {
            self.wait_until_open(max_wait).await?;
            let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await else {
                return Err(LlmError::Unreachable("the server is stopping".to_owned()));
            };
            let mut state = self.lock();
            match state.closed_until {
                None => {
                    return Ok(RequestPermit { limiter: self, closings: state.closings, is_probe: false, _slot: slot });
                }
                Some(until) if until <= Instant::now() && !state.probing => {
                    state.probing = true;
                    return Ok(RequestPermit { limiter: self, closings: state.closings, is_probe: true, _slot: slot });
                }
                // It closed while this one waited for a slot.
                Some(_) => {}
            }
        }
    }

    async fn wait_until_open(&self, max_wait: Duration) -> Result<(), LlmError> {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let until = {
                let state = self.lock();
                let Some(until) = state.closed_until else { return Ok(()) };
                let left = until.saturating_duration_since(Instant::now());
                match (left, state.probing) {
                    (Duration::ZERO, false) => return Ok(()),
                    (Duration::ZERO, true) => None,
                    (left, _) if left > max_wait.mul_f64(1.2) => {
                        let detail = "it has asked another request with this key to wait".to_owned();
                        return Err(LlmError::RateLimited { retry_after: Some(left), detail });
                    }
                    _ => Some(until),
                }
            };
            match until {
                Some(until) => tokio::select! {
                    () = tokio::time::sleep_until(until) => {}
                    () = changed => {}
                },
                None => changed.await,
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LimiterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RequestPermit<'_> {
    /// The provider took the request, or refused it for a reason of its own.
    pub(super) fn taken(&self) {
        let mut state = self.limiter.lock();
        // One that was sent before the limiter closed does not open it.
        if self.is_probe || state.closings == self.closings {
            *state = LimiterState { closings: state.closings, ..LimiterState::default() };
            drop(state);
            self.limiter.changed.notify_waiters();
        }
    }

    /// The provider asks to wait: everybody does.
    pub(super) fn refused(&self, retry_after: Option<Duration>) {
        let mut state = self.limiter.lock();
        // Those who were sent together with the one that closed it say the same.
        if self.is_probe || state.closings == self.closings {
            let wait = backoff::before(state.refusals, retry_after);
            state.closed_until = Some(Instant::now() + wait.min(Duration::from_secs(86400)));
            state.refusals = state.refusals.saturating_add(1);
            state.closings += 1;
            state.probing = false;
            drop(state);
            self.limiter.changed.notify_waiters();
        }
    }
}

/// A probe that ends without a word, because it was canceled or nothing answered, lets the next one ask.
impl Drop for RequestPermit<'_> {
    fn drop(&mut self) {
        if self.is_probe {
            let mut state = self.limiter.lock();
            if state.closings == self.closings && state.probing {
                state.probing = false;
                drop(state);
                self.limiter.changed.notify_waiters();
            }
        }
    }
}

#[cfg(test)]
#[path = "rate_limiter_tests.rs"]
mod tests;
