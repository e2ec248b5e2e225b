//! Text that must not be shown: no log, error or listing can print it by accident.

use std::fmt;

use subtle::ConstantTimeEq;

/// A token or a key. Only [`Secret::reveal`] gives it away.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps this text secret.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether it can be sent in an HTTP header: ASCII that can be seen, of at most this many bytes.
    #[must_use]
    pub fn fits_header(&self, most: usize) -> bool {
        self.0.len() <= most && self.0.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Whether `text` is the same, in a time that tells nothing about where it differs.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}
