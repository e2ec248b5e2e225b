//! Claims about `prompt.rs`.
