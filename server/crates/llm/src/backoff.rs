//! How long to wait before asking again: what the provider says, else longer each time, and never all at one moment.

use std::time::Duration;

use jiff::fmt::rfc2822::DateTimeParser;
use jiff::tz::TimeZone;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use switchboard_runtime::{backoff, now};

/// The wait before the first retry, when the provider says nothing; doubled each time.
const FIRST: Duration = Duration::from_millis(500);

/// The longest wait that nobody asked for.
const LONGEST: Duration = Duration::from_secs(8);

/// What `Retry-After` says, in seconds or as a date, or OpenAI's `retry-after-ms`; nothing that lies in the past.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return seconds(milliseconds / 1000.0);
    }
    let said = text(RETRY_AFTER.as_str())?;
    match said.parse::<f64>() {
        Ok(number) => seconds(number),
        Err(_) => {
            static PARSER: DateTimeParser = DateTimeParser::new();
            let at = PARSER.parse_zoned(said).ok()?.with_time_zone(TimeZone::UTC).timestamp();
            seconds(at.duration_since(now()).as_secs_f64())
        }
    }
}

fn seconds(number: f64) -> Option<Duration> {
    (number >= 0.0).then(|| Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX))
}

/// How long to wait before retry number `retry` (from 0): what the provider asks for and up to a tenth more, else
/// between a half and the whole of a time that doubles.
pub(super) fn before(retry: u32, asked: Option<Duration>) -> Duration {
    match asked {
        Some(asked) => asked.saturating_add(asked.min(LONGEST).mul_f64(0.1 * fastrand::f64())),
        None => backoff(FIRST, LONGEST, retry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &'static str, value: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().expect("a header"));
        retry_after(&headers)
    }

    #[test]
    fn e04_what_a_provider_says_about_waiting() {
        let date = |seconds: i64| {
            let at = now() + jiff::SignedDuration::from_secs(seconds);
            at.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
        };

        assert_eq!(said("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(said("retry-after", "0"), Some(Duration::ZERO));
        assert_eq!(said("retry-after", "86400"), Some(Duration::from_secs(86400)));
        assert_eq!(said("retry-after-ms", "1500"), Some(Duration::from_millis(1500)));
        let in_an_hour = said("retry-after", &date(3600)).expect("a date says when");
        assert!((3500.0..=3600.0).contains(&in_an_hour.as_secs_f64()), "{in_an_hour:?}");
        for nothing in ["-2", "soon", "", "NaN", &date(-60)] {
            assert_eq!(said("retry-after", nothing), None, "{nothing}");
        }
    }

    #[test]
    fn e04_a_wait_is_never_shorter_than_asked_and_at_most_a_tenth_longer() {
        let asked = Duration::from_secs(2);
        let waits: Vec<Duration> = (0..100).map(|retry| before(retry, Some(asked))).collect();
        assert!(waits.iter().all(|wait| (asked..=asked.mul_f64(1.1)).contains(wait)), "{waits:?}");
        assert!(waits.iter().any(|wait| *wait != waits[0]), "all wait equally long");
    }

    #[test]
    fn e05_without_a_word_the_wait_doubles_and_has_an_end() {
        for (retry, most) in [(0, 0.5), (1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (9, 8.0), (100, 8.0)] {
            let wait = before(retry, None).as_secs_f64();
            assert!((most / 2.0..=most).contains(&wait), "retry {retry}: {wait}");
        }
    }
}
