//! The one owner of the conversation: every message enters here, tool calls and results included (seed 001).
//!
//! Memory keeps all of it; the window is what a model is given, and never more than its limit; tokens are counted when a
//! message enters; what falls out of the window can be summarised.

mod clip;
mod engine;
mod error;
mod ids;
mod summary;
#[cfg(any(test, feature = "test_support"))]
pub mod test_support;
mod tokens;
mod transcript;
mod units;
mod window;

pub use engine::{ChatConfig, DEFAULT_CONTEXT_TOKENS, ToolAwareChatEngine};
pub use error::TranscriptError;
pub use summary::{Extracts, MAX_SUMMARY_BYTES, Overflow, Summarizer, Summary, extract};
pub use tokens::text as estimate_tokens;
pub use transcript::{from_transcript, to_transcript};
