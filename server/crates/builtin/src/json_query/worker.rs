//! The worker: answers one question in the jq language, with limits of its own.

use std::process::ExitCode;

use super::engine::{QueryJob, answer};
use crate::helper;

/// The argument that makes the binary this worker.
pub const WORKER_ARGUMENT: &str = "__json-query";

/// Answers the question that comes in by standard input.
pub fn run_worker() -> ExitCode {
    helper::run(|text| {
        let question: QueryJob = serde_json::from_slice(&text).ok()?;
        drop(text);
        serde_json::to_vec(&answer(question)).ok()
    })
}
