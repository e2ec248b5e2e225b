//! In a log that is not in a file, what was said is not found yet.

use async_trait::async_trait;
use switchboard_accounts::Principal;
use switchboard_events::{ConversationSearch, LogError, SearchResult};

/// Finds nothing, and says so.
pub(super) struct NoSearch;

#[async_trait]
impl ConversationSearch for NoSearch {
    async fn search(&self, _: &Principal, _: &str, _: usize) -> Result<SearchResult, LogError> {
        Err(LogError::NotOffered("search conversations: that does not work yet with a log in NATS (--store)"))
    }
}
