//! The one owner of the conversation: every message enters here, tool calls and results included (seed 001).
//!
//! Memory keeps all of it; the window is what a model would be given; tokens are counted when a message enters.

mod engine;
mod error;
mod tokens;
mod transcript;
mod window;

pub use engine::{ChatConfig, ToolAwareChatEngine};
pub use error::TranscriptError;
pub use transcript::{from_transcript, to_transcript};
