//! How much one request may take.

use std::time::Duration;

/// How much one request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebLimits {
    /// The largest body, both compressed and decompressed.
    pub bytes: usize,
    /// From the first lookup to the last byte, redirects included.
    pub time: Duration,
    /// How many redirects are followed.
    pub redirects: usize,
    /// How many times its size a body may decompress to.
    pub ratio: usize,
}

/// 5 MiB, 10 s, 5 redirects, 100 times.
impl Default for WebLimits {
    fn default() -> Self {
        Self { bytes: 5 * 1024 * 1024, time: Duration::from_secs(10), redirects: 5, ratio: 100 }
    }
}
