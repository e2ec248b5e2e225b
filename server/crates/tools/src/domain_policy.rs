//! Which domains the programs of a call may reach, as a tool hears it.

use switchboard_net::Destination;

/// Decides by what holds at that moment.
pub trait DomainPolicy: Send + Sync {
    /// What happens with a connection.
    fn decide(&self, to: &Destination) -> DomainVerdict;
}

/// What happens with a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DomainVerdict {
    /// It may be made.
    Allow,
    /// The user is asked; beyond its being new, for this reason, if there is one.
    Ask(String),
    /// It may not be made, for this reason.
    Deny(String),
}
