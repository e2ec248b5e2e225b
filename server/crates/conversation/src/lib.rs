//! The one owner of the conversation: every message enters here, tool calls and results included (seed 001).
//!
//! Memory keeps all of it. The window is what a model is given, and never exceeds its limit. Tokens are counted when a
//! message enters. What falls out of the window can be summarized.

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
pub use tokens::{picture as estimate_picture_tokens, text as estimate_tokens};
pub use transcript::{Transcript, from_transcript, to_transcript};
