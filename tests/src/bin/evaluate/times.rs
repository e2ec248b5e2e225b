//! How long things took.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Durations.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    /// Runs `work` and adds how long it took.
    pub(crate) fn take<T>(&mut self, work: impl FnOnce() -> T) {
        let begun = Instant::now();
        black_box(work());
        self.add(begun.elapsed());
    }

    /// Adds a duration.
    pub(crate) fn add(&mut self, took: Duration) {
        self.0.push(took);
    }
}

impl fmt::Display for Times {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sorted = self.0.clone();
        sorted.sort();
        let at = |percent: usize| {
            let place = (sorted.len().saturating_sub(1)) * percent / 100;
            sorted.get(place).map_or(0.0, |took| took.as_secs_f64() * 1000.0)
        };
        write!(formatter, "median {:.3} ms, p99 {:.3} ms, longest {:.3} ms", at(50), at(99), at(100))
    }
}
