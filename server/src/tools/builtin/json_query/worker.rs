//! The worker: limits itself, reads one question, writes one answer.

use std::io::{Read, Write};
use std::process::ExitCode;

use rustix::process::{Resource, Rlimit, setrlimit};

use super::engine::{Question, answer};

/// The argument that makes the binary this worker.
pub(in crate::tools) const WORKER_ARGUMENT: &str = "__json-query";

/// The most memory, the stack included.
const MEMORY_BYTES: u64 = 1 << 30;

/// The most seconds of computing; the server ends it earlier, unless it is dead itself.
const CPU_SECONDS: u64 = 60;

/// The stack, for filters and data that are nested deep.
const STACK_BYTES: usize = 256 * 1024 * 1024;

/// Answers the question that comes in by standard input.
pub(in crate::tools) fn run_worker() -> ExitCode {
    let limits = [(Resource::As, MEMORY_BYTES), (Resource::Cpu, CPU_SECONDS), (Resource::Core, 0)];
    let limited = limits
        .into_iter()
        .all(|(resource, limit)| setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) }).is_ok());
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(exchange);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Some(()))) if limited => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn exchange() -> Option<()> {
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text).ok()?;
    let question: Question = serde_json::from_slice(&text).ok()?;
    drop(text);
    let answer = serde_json::to_vec(&answer(question)).ok()?;
    std::io::stdout().write_all(&answer).ok()
}
