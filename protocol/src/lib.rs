//! The messages between a Switchboard server and its clients: every frame as a type, without behavior.
//!
//! [`ClientFrame`] is what a client sends, [`ServerFrame`] what a server sends; one example of each is in
//! `fixtures/`. With the feature `schema` the types have JSON Schemas, with `typescript` TypeScript types, and with
//! `client` there is a small client that reconnects and resumes.

#[macro_use]
mod wire;

mod ask;
mod client_frame;
mod frame_types;
mod ids;
mod server_frame;
mod session;
mod tool;
mod turn;
mod variable;
mod version;
mod window;

#[cfg(feature = "client")]
pub mod client;
pub mod close;
#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "typescript")]
pub mod typescript;

pub use ask::{ApprovalAnswer, Choice, Decision, FieldKind, FormField, QueryKind};
pub use client_frame::{ClientFrame, Mode};
pub use frame_types::{SERVER_FRAME_TYPES, frame_type};
pub use ids::{CallId, QueryId, SessionId};
pub use server_frame::{ServerFrame, ServerMessage};
pub use session::{
    Busy, ConversationSummary, ForkedFrom, ReasonerInfo, ReasonerKind, SandboxInfo, SandboxState, SessionSummary,
    Snapshot, TokenGauge,
};
pub use tool::{ErrorType, FunctionDefinition, FunctionTool, Risk, ToolDefinition};
pub use turn::{Candidate, Step, Stream, Usage};
pub use variable::{Attachment, Operation, Origin, ValueType, Variable};
pub use version::PROTOCOL_VERSION;
pub use window::{EarlierView, Level, Notification, OpenWindow, Resource, ViewerType};

/// The id of a message: chosen by the client, or a UUID that the server makes. At most 128 bytes.
pub type MessageId = String;
