//! Claims; written next.
