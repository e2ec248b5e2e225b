//! Why a connection ends, as WebSocket close codes with a word of explanation.

use axum::extract::ws::CloseFrame;

use switchboard_protocol::close;

use switchboard_events::LogError;
use switchboard_session::{CloseReason, SessionError};

/// Something inside the server failed.
const INTERNAL: u16 = 1011;

/// Why a connection ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Closing {
    pub(super) code: u16,
    pub(super) reason: String,
}

impl Closing {
    pub(super) fn new(code: u16, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into() }
    }

    /// The server stops.
    pub(super) fn stopping() -> Self {
        Self::new(close::SHUTDOWN, "the server is stopping; connect again in a few seconds and resume")
    }

    /// A client asks too often whether the server is there.
    pub(super) fn too_fast() -> Self {
        Self::new(close::RATE, "too many pings; connect again in a few seconds")
    }

    /// A message is too large even for a refusal.
    pub(super) fn too_large() -> Self {
        Self::new(close::TOO_LARGE, "a message can have at most 4 MiB")
    }

    /// The login that let the client in has ended.
    pub(super) fn logged_out() -> Self {
        Self::new(close::NOT_AUTHORISED, "the login has ended; log in again")
    }

    /// Too many clients.
    pub(super) fn overload() -> Self {
        Self::new(close::OVERLOAD, "too many clients are connected; try again in a few seconds")
    }

    /// The frame; a reason has room for 123 bytes.
    pub(super) fn into_frame(self) -> CloseFrame {
        let mut reason = self.reason;
        let mut end = reason.len().min(123);
        while !reason.is_char_boundary(end) {
            end -= 1;
        }
        reason.truncate(end);
        CloseFrame { code: self.code, reason: reason.into() }
    }
}

impl From<CloseReason> for Closing {
    fn from(reason: CloseReason) -> Self {
        match reason {
            CloseReason::SlowReader => {
                Self::new(close::SLOW_READER, "this client reads too slowly; connect again and resume with after")
            }
            CloseReason::Deleted => Self::new(close::UNKNOWN_SESSION, "the session was deleted"),
            CloseReason::Moved => {
                Self::new(close::MOVED, "another server has the session; connect again and resume with after")
            }
            CloseReason::Restarted => {
                Self::new(close::OVERLOAD, "the session was reloaded; connect again and resume with after")
            }
        }
    }
}

impl From<SessionError> for Closing {
    fn from(error: SessionError) -> Self {
        let code = match &error {
            SessionError::UnknownSession(_) => close::UNKNOWN_SESSION,
            SessionError::Beyond { .. } => close::AFTER_BEYOND_END,
            SessionError::Stopping => return Self::stopping(),
            SessionError::Log(LogError::Moved(_)) => close::MOVED,
            SessionError::Gone | SessionError::Busy | SessionError::Broken(_) => close::OVERLOAD,
            SessionError::Context(_) | SessionError::Log(_) | SessionError::ReadOnly(_) | SessionError::Attached(_) => {
                INTERNAL
            }
        };
        Self::new(code, format!("failed to {error}"))
    }
}
