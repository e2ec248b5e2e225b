//! Support for tests over a real socket: the started binary, a WebSocket client, a plain HTTP client.
//!
//! Everything here waits for events, never for the clock. The one time limit only turns a hang into a failure.

mod client;
mod http;
mod llm;
mod mcp;
mod returning;
mod server;
mod terminal;
mod turn;
mod web;

pub use client::{Closed, TestClient};
pub use http::{Reply, request};
pub use llm::{Answer, Asked, ScriptedLlm};
pub use mcp::{McpFolder, npm_entry, npm_file, npm_server, scripted_mcp};
pub use returning::{Addresses, ReturningClient};
pub use server::{ServerOptions, TestServer, binary};
pub use terminal::Terminal;
pub use turn::Turn;
pub use web::{WebServer, page, redirect};

use std::time::Duration;

/// How long anything may take before a test calls it a hang; a machine that also compiles starts programs slowly.
pub const HANG: Duration = Duration::from_secs(240);

/// Waits for `future`, or panics saying what hung.
pub async fn soon<F: Future>(what: &str, future: F) -> F::Output {
    match tokio::time::timeout(HANG, future).await {
        Ok(output) => output,
        Err(_) => panic!("{what} did not happen within {HANG:?}"),
    }
}
