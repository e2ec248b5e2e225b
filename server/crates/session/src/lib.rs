//! One session: an actor that owns its state and its log, and that clients, turns and calls talk to.
//!
//! Commands go in through a [`SessionHandle`], events come out as frames, and everything in between is in the log: what
//! a session knows is what `state` makes of its events. So closing, restarting and resuming all mean reading the log
//! again.

mod actor;
mod archive;
mod branches;
mod command;
mod config;
mod directory;
mod error;
mod expiry;
mod forks;
mod frame_limits;
mod frames;
mod handle;
mod home;
mod host;
mod in_flight;
mod message;
mod moves;
mod outbox;
mod outcome;
mod parked;
mod pending;
mod recovery;
mod redaction;
mod refusal;
mod resources;
mod services;
mod slash;
mod slots;
mod state;
mod subscriber;
mod subscription;
mod title;
mod turn;

#[cfg(any(test, feature = "test_support"))]
pub mod test_support;

pub use archive::{Export, HtmlPage, Import, end_restored, from_openai, transcript};
pub use branches::{Branch, BranchVersion};
pub use command::AttachFrom;
pub use config::SessionConfig;
pub use directory::Sessions;
pub use error::{ImportError, SessionError};
pub use forks::Forks;
pub use frame_limits::MAX_TEXT_BYTES;
pub use frames::frame_text;
pub use handle::{Attachment, ClientReceiver, ClientSender, SessionHandle};
pub use refusal::Refusal;
pub use services::SessionServices;
pub use subscriber::{CloseReason, Outgoing};
pub use subscription::{Subscription, UnknownFrameType};
