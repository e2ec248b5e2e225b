//! Claims about `artifacts.rs`.
