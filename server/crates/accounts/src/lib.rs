//! Who a user is, and what a client of theirs may do. Every session has an owner and every lookup takes a [`Principal`]; until there are accounts
//! everybody is `local`.

use serde::{Deserialize, Serialize};

/// The user on whose behalf something is asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Principal(String);

impl Principal {
    /// The one owner until there are accounts.
    #[must_use]
    pub fn local() -> Self {
        Self("local".to_owned())
    }

    /// Who owns a session while it is being imported: it is in nobody's list, and goes at the next start if it is not
    /// handed over.
    #[must_use]
    pub fn importing() -> Self {
        Self("(importing)".to_owned())
    }

    /// The owner's name, as the log keeps it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The owner with this name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// What a client may do, by the token that it came with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rights {
    /// Everything.
    #[default]
    All,
    /// Chatting: not what changes providers, permissions, MCP servers or agents, nor what runs programs or reaches the
    /// network by its word alone.
    Chat,
}
