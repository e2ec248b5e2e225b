//! The folder that tools live in; nothing outside it can be reached through here.

/// The tools' world.
#[derive(Debug)]
pub struct Workspace {}
