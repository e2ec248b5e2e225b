//! Claims about `reference.rs`.
