//! Claims about the limiter, on paused time.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::task::JoinSet;
use tokio::time::timeout;

use super::*;

const MAX_WAIT: Duration = Duration::from_secs(30);

#[tokio::test(start_paused = true)]
async fn as_many_as_allowed_run_at_once() {
    let limiter = RateLimiter::new(2);
    let first = limiter.enter(MAX_WAIT).await.expect("a pass");
    let _second = limiter.enter(MAX_WAIT).await.expect("a pass");
    assert!(timeout(Duration::from_secs(5), limiter.enter(MAX_WAIT)).await.is_err(), "a third one got through");

    drop(first);

    assert!(timeout(Duration::from_secs(5), limiter.enter(MAX_WAIT)).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn e04_a_hundred_wait_together_and_one_asks_in_each_window() {
    let limiter = RateLimiter::new(100);
    let opens_at = Instant::now() + Duration::from_secs(7);
    let asked = Arc::new(AtomicUsize::new(0));
    limiter.enter(MAX_WAIT).await.expect("a pass").refused(Some(Duration::from_secs(2)));

    let mut sessions = JoinSet::new();
    for _ in 0..100 {
        let (limiter, asked) = (Arc::clone(&limiter), Arc::clone(&asked));
        sessions.spawn(async move {
            loop {
                let pass = limiter.enter(MAX_WAIT).await.expect("a pass");
                if Instant::now() >= opens_at {
                    pass.taken();
                    return;
                }
                asked.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(100)).await;
                pass.refused(Some(Duration::from_secs(2)));
            }
        });
    }
    while sessions.join_next().await.is_some() {}

    let asked = asked.load(Ordering::SeqCst);
    assert!((2..=4).contains(&asked), "{asked} asked in vain within 7 s of windows of 2 s");
}

#[tokio::test(start_paused = true)]
async fn a_probe_that_is_cancelled_lets_the_next_one_ask() {
    let limiter = RateLimiter::new(10);
    limiter.enter(MAX_WAIT).await.expect("a pass").refused(Some(Duration::from_secs(2)));
    let probe = limiter.enter(MAX_WAIT).await.expect("a pass");
    assert!(timeout(Duration::from_secs(60), limiter.enter(MAX_WAIT)).await.is_err(), "two asked at once");

    drop(probe);

    assert!(timeout(Duration::from_secs(60), limiter.enter(MAX_WAIT)).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn e04_an_absurd_wait_is_told_and_not_waited_for() {
    let limiter = RateLimiter::new(10);
    limiter.enter(MAX_WAIT).await.expect("a pass").refused(Some(Duration::from_secs(86400)));

    let refused = limiter.enter(MAX_WAIT).await.expect_err("it is closed for a day");

    assert!(refused.retry_after().is_some_and(|after| after > Duration::from_secs(80000)), "{refused}");
}

#[tokio::test(start_paused = true)]
async fn one_that_was_sent_before_the_gate_closed_neither_opens_nor_closes_it() {
    let limiter = RateLimiter::new(10);
    let early = limiter.enter(MAX_WAIT).await.expect("a pass");
    let other = limiter.enter(MAX_WAIT).await.expect("a pass");
    limiter.enter(MAX_WAIT).await.expect("a pass").refused(Some(Duration::from_secs(5)));

    early.taken();
    other.refused(Some(Duration::from_secs(25)));

    let begun = Instant::now();
    let pass = limiter.enter(MAX_WAIT).await.expect("a pass");
    let waited = begun.elapsed();
    assert!((5.0..=6.0).contains(&waited.as_secs_f64()), "{waited:?}");
    pass.taken();
    assert!(limiter.lock().closed_until.is_none());
}
