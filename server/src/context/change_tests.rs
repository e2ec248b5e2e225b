//! Claims about `change.rs`.
