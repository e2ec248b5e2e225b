//! Finding what was said in all conversations. The crate `store` keeps the index in a file beside the log.

use async_trait::async_trait;
use switchboard_accounts::Principal;

use super::error::LogError;
use super::log::SessionRow;

/// Who said what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaidBy {
    /// The user.
    User,
    /// The agent.
    Agent,
}

/// A piece of a text: the words that were looked for, or what stands around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPiece {
    /// The text, without control characters.
    pub text: String,
    /// It is what was looked for.
    pub found: bool,
}

/// A place in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundPlace {
    /// The event.
    pub seq: u64,
    /// Who said it.
    pub by: SaidBy,
    /// When, RFC 3339.
    pub at: String,
    /// What was found, with some words around it.
    pub pieces: Vec<TextPiece>,
}

/// A conversation in which something was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSession {
    /// The session as it is now.
    pub row: SessionRow,
    /// The title in pieces, if the words stand in it.
    pub title: Option<Vec<TextPiece>>,
    /// The newest places, the newest first; none if only the title has the words.
    pub places: Vec<FoundPlace>,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// Those with the words in their title first, then the one that changed last first.
    pub sessions: Vec<FoundSession>,
    /// There are more than were asked for.
    pub more: bool,
    /// The index is being built: conversations may be missing.
    pub indexing: bool,
}

/// Finds what was said.
#[async_trait]
pub trait ConversationSearch: Send + Sync + 'static {
    /// Up to `limit` conversations of `owner` in which every word stands in one message, or in the title. A word is found
    /// by its beginning; nothing in `words` is an operator.
    async fn search(&self, owner: &Principal, words: &str, limit: usize) -> Result<SearchResult, LogError>;
}
