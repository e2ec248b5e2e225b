//! Specialists: agents that other agents call as tools (seed 002). Each is a file; each runs the same pipeline with a
//! conversation, variables and tools of its own, and all that it does passes the session's policy, user and log.

mod definition;
mod delegate;
mod directory;
mod host;
mod reach;
mod reasoner_factory;
mod toolboxes;

pub use definition::{AgentDefinition, MODULE as AGENTS_MODULE};
pub use directory::{AgentStatus, Specialists};
pub use reasoner_factory::{ChatNow, OwnModel, ReasonerFactory};
