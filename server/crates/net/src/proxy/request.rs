//! What a client of the proxy wants, however it says so.

use crate::destination::Destination;

/// The most that a client may say before it is clear where it wants to go.
pub(super) const MAX_HEAD_BYTES: usize = 16 * 1024;

/// A request that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProxyRequest {
    pub(super) to: Destination,
    pub(super) language: Language,
    /// What is sent there first: the head of a plain HTTP request, and what the client said beyond its own.
    pub(super) first: Vec<u8>,
    /// How much more of the client's goes there; none is all.
    pub(super) more: Option<u64>,
}

/// How a client is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// SOCKS5.
    Socks,
    /// HTTP: a tunnel.
    Tunnel,
    /// HTTP: the answer of the other side is the answer.
    Plain,
}

/// What the bytes of a client come to so far.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Parsed<T> {
    /// The beginning of something.
    Incomplete,
    /// This.
    Whole(T),
    /// Nothing that can be done, for this reason.
    Wrong(String),
}

impl<T> Parsed<T> {
    pub(super) fn wrong(why: impl Into<String>) -> Self {
        Self::Wrong(why.into())
    }
}
