//! How long to wait before a retry.

use std::time::Duration;

/// The wait before retry number `retry` (from 0): `first`, doubled each time up to `longest`, and of that between a half
/// and the whole, so that those who failed at the same moment do not come back at the same moment.
#[must_use]
pub fn backoff(first: Duration, longest: Duration, retry: u32) -> Duration {
    let doubled = first.saturating_mul(2_u32.saturating_pow(retry)).min(longest);
    doubled.mul_f64(0.5 + 0.5 * fastrand::f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_the_longest_and_never_overflows() {
        let (first, longest) = (Duration::from_millis(250), Duration::from_secs(10));

        for (retry, full) in [(0, 250), (1, 500), (2, 1000), (5, 8000), (6, 10_000), (u32::MAX, 10_000)] {
            let wait = backoff(first, longest, retry);
            assert!((full / 2..=full).contains(&wait.as_millis()), "retry {retry}: {wait:?}");
        }
    }

    #[test]
    fn two_waits_are_rarely_the_same() {
        let wait = || backoff(Duration::from_secs(1), Duration::from_secs(1), 0);

        let first = wait();

        assert!((0..100).any(|_| wait() != first));
    }
}
