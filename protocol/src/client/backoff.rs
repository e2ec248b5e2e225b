//! How long to wait before connecting again: twice as long each time, up to a limit, never the same for two clients.

use std::time::Duration;

/// The waits between attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The first wait, at most.
    pub min: Duration,
    /// The longest wait.
    pub max: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { min: Duration::from_millis(250), max: Duration::from_secs(10) }
    }
}

impl Backoff {
    /// The wait before an attempt, counted from 0: between half of what it would be and all of it, so that clients
    /// that lost the same server do not come back at the same moment.
    pub(crate) fn wait(&self, attempt: u32) -> Duration {
        self.jittered(attempt, fastrand::f64())
    }

    fn jittered(&self, attempt: u32, fraction: f64) -> Duration {
        let full = self.min.saturating_mul(2_u32.saturating_pow(attempt)).min(self.max);
        full.mul_f64(0.5 + fraction.clamp(0.0, 1.0) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_the_limit() {
        let backoff = Backoff::default();

        let waits: Vec<u128> = (0..8).map(|attempt| backoff.jittered(attempt, 1.0).as_millis()).collect();

        assert_eq!(waits, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    }

    #[test]
    fn the_wait_is_at_least_half_of_it_and_never_overflows() {
        let backoff = Backoff::default();

        assert_eq!(backoff.jittered(0, 0.0), Duration::from_millis(125));
        assert_eq!(backoff.jittered(u32::MAX, 0.0), Duration::from_secs(5));
        assert!(backoff.wait(3) <= Duration::from_secs(2));
    }
}
