//! The one place that reads the wall clock. Order is by `seq`, never by these times.

use jiff::Timestamp;

/// The current time, in UTC.
#[expect(clippy::disallowed_methods, reason = "this is the clock's home")]
#[must_use]
pub fn now() -> Timestamp {
    Timestamp::now()
}

/// A time as RFC 3339 with milliseconds in UTC, as frames carry it.
#[must_use]
pub fn rfc3339(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// The current time as RFC 3339 with milliseconds in UTC, as frames carry it.
#[must_use]
pub fn timestamp() -> String {
    rfc3339(now())
}
