//! The words on the wire between a Switchboard server and its clients: every frame as a type, no behaviour.
//!
//! [`ClientFrame`] is what a client says, [`ServerFrame`] what a server says; one example of each stands in
//! `fixtures/`. With the feature `schema` the types have JSON Schemas, with `typescript` TypeScript types, and with
//! `client` there is a small client that reconnects and resumes.

#[macro_use]
mod wire;

mod client_frame;
mod frame;
mod ids;
mod server_frame;
mod tool;
mod variable;
mod version;

pub use client_frame::{ClientFrame, Mode};
pub use frame::ServerFrame;
pub use ids::{CallId, QueryId, SessionId};
pub use server_frame::{
    Busy, Candidate, Choice, ConversationSummary, Level, Pending, PendingKind, QueryKind, ReasonerInfo, ReasonerKind,
    ServerMessage, Snapshot, Step, Stream, TokenGauge, Usage,
};
pub use tool::{Decision, ErrorType, FunctionDefinition, FunctionTool, Risk, ToolDefinition};
pub use variable::{Operation, Origin, Resource, ValueType, Variable, ViewerType};
pub use version::PROTOCOL_VERSION;

/// The id of a message: chosen by the client, or a UUID that the server makes. At most 128 bytes.
pub type MessageId = String;
