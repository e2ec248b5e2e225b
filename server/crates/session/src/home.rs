//! The directory that a session belongs to: through it a session can leave, and have another one opened.

use async_trait::async_trait;
use switchboard_protocol::SessionId;

use super::error::SessionError;
use switchboard_accounts::Principal;

/// What a session may ask of the place where all are.
#[async_trait]
pub(super) trait Home: Send + Sync {
    /// The actor of this session ends: whoever asks next opens it from its log.
    fn forget(&self, id: SessionId);

    /// Opens a session that is in the log.
    async fn open(&self, owner: &Principal, id: SessionId) -> Result<(), SessionError>;
}
