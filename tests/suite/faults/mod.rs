//! Faults and attacks of the catalogue (`docs/faults.md`) that go over a socket, one file per subject; each test is
//! named by its id, and has a baseline: the same attack works where the guard is not.

mod commands;
mod damage;
mod escapes;
mod files;
mod floods;
mod frames;
mod leftovers;
mod log;
mod mcp;
mod messages;
mod model_calls;
mod own_port;
mod permissions;
mod providers;
mod proxied;
mod quotas;
mod secrets;
mod shell;
mod smuggled;
mod storage;
mod unasked;
mod unconfined;
mod understood;
mod web;
mod writes;

pub(crate) use shell::{is_administrator, marked, sandboxes};
