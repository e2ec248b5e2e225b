//! `switchboard sessions`: what is kept, found, shown, moved and deleted, in the data folder itself while no server has it, and
//! through the server otherwise.

mod args;
mod confirm;
mod files;
mod folder;
mod list;
mod search;
mod server;
mod show;
mod standing;
mod store;
mod summary;

pub(super) use args::{Args, Replay, replay, run};
