//! Counts wrong tokens, so that nobody can try many. The count is kept by address, for a minute, for a bounded number
//! of addresses.

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
    /// Counts a wrong token.
    ///
    /// # Errors
    /// When there were too many.
    pub(super) fn wrong(&self, address: Option<IpAddr>) -> Result<(), Problem> {
        let address = address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        let now = Instant::now();
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= ADDRESSES {
            seen.retain(|_, (began, _)| now.duration_since(*began) < WINDOW);
        }
        if seen.len() >= ADDRESSES {
            seen.clear();
        }
        let (began, count) = seen.entry(address).or_insert((now, 0));
        if now.duration_since(*began) >= WINDOW {
            (*began, *count) = (now, 0);
        }
        *count += 1;
        if *count <= MOST {
            return Ok(());
        }
        let left = WINDOW.saturating_sub(now.duration_since(*began)).as_secs() + 1;
        Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too many wrong tokens from this address")
            .suggest(format!("try again in {left} seconds"))
            .with_header(header::RETRY_AFTER, HeaderValue::from(left)))
    }
}
