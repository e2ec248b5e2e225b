//! The agent: one pipeline of five stages, looped. Read `pipeline.rs` first.
//!
//! [`ToolUsingChatAgent::process_message`] takes a message and ends in exactly one frame, `agent-response` or
//! `agent-error`; everything in between goes through the [`TurnHost`], so that this crate works without a socket. A
//! [`Reasoner`] makes the decisions; the pipeline itself makes none. A model that calls tools itself takes stages 1, 3
//! and 5 in one; its loop is in `native_loop.rs`.

mod attached;
mod continuation;
mod done;
mod error;
mod host;
mod loop_guard;
mod native_loop;
mod pipeline;
mod process;
mod reasoner;
mod recovery;
mod reply;
mod resume;
mod specialists;
mod stages;
mod turn;

#[cfg(any(test, feature = "test_support"))]
pub mod test_support;

pub use error::AgentError;
pub use host::{
    AskedPlan, CallPictures, CutTurn, DoneCall, ParkedCall, PlanAsk, TurnEnd, TurnHost, TurnView, UserMessage,
    without_attachments,
};
pub use process::{DEFAULT_MAX_ITERATIONS, PrimaryTools, ToolUsingChatAgent};
pub use reasoner::{
    Attempt, ByModel, CallingReasoner, CandidateTool, CurrentModel, Decision, Keeps, Lacking, ModelSummaries, Move,
    NeedAnalysis, NextAction, Reasoner, ReasonerError, Reasoning, Reply, ToolSelection, TurnContext, TurnReasoner,
    WantedCall, WritesCalls,
};
pub use reply::ReplyStream;
pub use specialists::{AGENTS_MODULE, AgentDefinition, AgentStatus, ChatNow, OwnModel, ReasonerFactory, Specialists};
pub use turn::{NO, YES};
