//! Switchboard's server: a message enters at the socket, is owned by one session, is thought about by one agent
//! pipeline, is acted on by tools, and everything that happens becomes an event.
//!
//! Source reads downhill; rooms of equal rank do not know each other:
//! `main cli | app | config | http | socket | session | agent | mcp | tools conversation | llm context search |
//! events workspace | accounts | runtime`, over the crate `switchboard-protocol`. `tests/suite/house.rs` holds the ladder.

pub use switchboard_accounts as accounts;
pub use switchboard_agent as agent;
pub mod app;
pub use switchboard_builtin as builtin;
pub mod cli;
pub mod config;
pub use switchboard_context as context;
pub use switchboard_conversation as conversation;
pub use switchboard_events as events;
pub mod http;
pub use switchboard_llm as llm;
pub use switchboard_mcp as mcp;
pub use switchboard_rules as rules;
pub use switchboard_runtime as runtime;
pub use switchboard_search as search;
pub mod session;
pub mod socket;
pub use switchboard_tools as tools;
mod workers;
pub use switchboard_workspace as workspace;

pub use workers::enter_worker;
