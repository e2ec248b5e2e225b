//! The actor through its door: messages in, frames out, whatever happens meanwhile.

mod approvals;
mod crashes;
mod edits;
mod failures;
mod messages;
mod random;
mod resume;
