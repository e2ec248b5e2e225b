//! The terminal client, `switchboard chat`: a conversation with line editing at a terminal, or one message for a script.
//!
//! The conversation itself is [`dialogue`], pure; around it stand the editor's thread, the screen's thread and one loop.
//! Whatever comes from the server goes through [`sanitize`] before a terminal sees it.

mod args;
mod calls;
mod choice;
mod complete;
mod dialogue;
mod diff;
mod editor;
mod interactive;
mod print;
mod questions;
mod render;
mod reply;
mod sanitize;
mod screen;
mod style;

pub(super) use args::{Args, run};
pub(super) use render::Renderer;
pub(super) use sanitize::short;
pub(super) use style::Style;

/// The agent could not do it.
const EXIT_AGENT_ERROR: u8 = 1;
/// Wrong use, or no connection.
const EXIT_CONNECTION: u8 = 2;
/// Something is asked that nobody here can answer.
const EXIT_QUESTION: u8 = 3;
