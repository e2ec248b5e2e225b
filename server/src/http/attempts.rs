//! Judges tokens, and counts the wrong ones, so that nobody can try many. The count is kept by address, for a minute,
//! for a bounded number of addresses. Nothing is checked past the limit: whoever may try on until the right one is let
//! in was not limited at all.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::{HeaderValue, StatusCode, header};

use super::error::Problem;

/// Wrong tokens that an address may send in one window.
const MOST: u32 = 20;

const WINDOW: Duration = Duration::from_secs(60);

/// The most addresses that are counted at a time.
const ADDRESSES: usize = 10_000;

/// Wrong tokens by address: when the window began, and how many there were.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<HashMap<IpAddr, (Instant, u32)>>);

impl Attempts {
    /// Whether a token that came from this address is right, as `judge` says; a wrong one counts.
    ///
    /// # Errors
    /// When there were too many wrong ones; then `judge` is not asked, so that the answer tells nothing about this one.
    pub(super) fn judge(&self, address: Option<IpAddr>, judge: impl FnOnce() -> bool) -> Result<bool, Problem> {
        self.judge_at(Instant::now(), address, judge)
    }

    fn judge_at(&self, now: Instant, address: Option<IpAddr>, judge: impl FnOnce() -> bool) -> Result<bool, Problem> {
        let address = address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        // Held while it is checked, which takes a microsecond: of many at once none gets past the limit.
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = |began: Instant| now.duration_since(began) >= WINDOW;
        match seen.get(&address) {
            Some((began, count)) if *count >= MOST && !is_over(*began) => {
                return Err(too_many(WINDOW.saturating_sub(now.duration_since(*began))));
            }
            _ => {}
        }
        if judge() {
            return Ok(true);
        }
        make_room(&mut seen, is_over);
        let (began, count) = seen.entry(address).or_insert((now, 0));
        if is_over(*began) {
            (*began, *count) = (now, 0);
        }
        *count += 1;
        Ok(false)
    }
}

/// Forgets what is over, and if that is not enough all who have not reached the limit, and only then everybody.
fn make_room(seen: &mut HashMap<IpAddr, (Instant, u32)>, is_over: impl Fn(Instant) -> bool) {
    if seen.len() >= ADDRESSES {
        seen.retain(|_, (began, _)| !is_over(*began));
    }
    if seen.len() >= ADDRESSES {
        seen.retain(|_, (_, count)| *count >= MOST);
    }
    if seen.len() >= ADDRESSES {
        seen.clear();
    }
}

fn too_many(left: Duration) -> Problem {
    let seconds = left.as_secs() + 1;
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too many wrong tokens from this address")
        .suggest(format!("try again in {seconds} seconds; until then no token is accepted, not even the right one"))
        .with_header(header::RETRY_AFTER, HeaderValue::from(seconds))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const HERE: Option<IpAddr> = Some(IpAddr::V4(Ipv4Addr::LOCALHOST));
    const THERE: Option<IpAddr> = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)));

    #[test]
    fn n08_past_the_limit_nothing_is_judged_until_the_time_is_over() {
        let (attempts, start) = (Attempts::default(), Instant::now());
        let judge = |after: u64, address, right: bool| {
            attempts.judge_at(start + Duration::from_secs(after), address, || right).map_err(|_| "refused")
        };

        assert_eq!(judge(0, HERE, true), Ok(true));
        for _ in 0..MOST {
            assert_eq!(judge(0, HERE, false), Ok(false));
        }

        for after in [0, 30, 59] {
            assert_eq!(judge(after, HERE, true), Err("refused"));
            assert_eq!(judge(after, HERE, false), Err("refused"));
        }
        assert_eq!(judge(0, THERE, true), Ok(true), "another address is not concerned");
        assert_eq!(judge(60, HERE, true), Ok(true));
        assert_eq!(judge(60, HERE, false), Ok(false), "it is counted anew");
        assert_eq!(judge(60, HERE, true), Ok(true));
    }

    #[test]
    fn n08_of_many_attempts_at_once_none_is_judged_past_the_limit() {
        let (attempts, judged) = (Attempts::default(), AtomicU32::new(0));
        let guess = || {
            judged.fetch_add(1, Ordering::Relaxed);
            false
        };

        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| (0..50).for_each(|_| drop(attempts.judge(HERE, guess))));
            }
        });

        assert_eq!(judged.load(Ordering::Relaxed), MOST);
    }

    #[test]
    fn n08_an_address_at_its_limit_is_not_forgotten_for_others_that_come() {
        let (attempts, now) = (Attempts::default(), Instant::now());
        for _ in 0..MOST {
            assert_eq!(attempts.judge_at(now, HERE, || false).ok(), Some(false));
        }

        for number in 0..u32::try_from(ADDRESSES).expect("a number") + 1 {
            let other = IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + number));
            assert_eq!(attempts.judge_at(now, Some(other), || false).ok(), Some(false));
        }

        assert!(attempts.judge_at(now, HERE, || true).is_err());
    }
}
