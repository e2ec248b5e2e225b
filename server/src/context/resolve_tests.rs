//! Claims about `resolve.rs`.
