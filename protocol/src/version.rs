//! The version of the protocol, said in `session-ready`.

/// Rises when a client that knows the old one could go wrong. New fields and new frames do not raise it.
pub const PROTOCOL_VERSION: u32 = 1;
