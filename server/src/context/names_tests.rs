//! Claims about `names.rs`.
