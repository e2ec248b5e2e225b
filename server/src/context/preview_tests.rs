//! Claims about `preview.rs`.
