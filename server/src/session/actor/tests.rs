//! The actor through its door: messages in, frames out, whatever happens meanwhile.

mod approvals;
mod crashes;
mod edits;
mod messages;
mod random;
mod resume;
