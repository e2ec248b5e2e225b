//! The agent: one pipeline of five stages, looped. Read `pipeline.rs` first.
//!
//! [`ToolUsingChatAgent::process_message`] takes a message and ends in exactly one frame, `agent-response` or
//! `agent-error`; all that happens between goes through the [`TurnHost`], so that the room works without a socket.
//! Decisions are a [`Reasoner`]'s; the pipeline itself decides nothing.

mod error;
mod host;
mod pipeline;
mod process;
mod reasoner;
mod recovery;
mod stages;
mod turn;

#[cfg(test)]
mod test_host;

pub use error::AgentError;
pub use host::{TurnEnd, TurnHost, TurnView, UserMessage};
pub use process::{DEFAULT_MAX_ITERATIONS, ToolUsingChatAgent};
pub use reasoner::{
    Attempt, CandidateTool, Decision, NeedAnalysis, NextAction, Reasoner, ReasonerError, Reply, Rules, Scene,
    ToolSelection, TurnReasoner,
};
