//! Whether the kernel can confine commands here: it is tried, not guessed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tokio_util::sync::CancellationToken;

use super::program::WorkerProgram;
use super::runner::{RunOutcome, RunOutput, run};
use super::spec::{Confinement, RunEnd, RunSpec};

/// Nobody listens.
struct Nobody;

impl RunOutput for Nobody {
    fn stdout(&mut self, _bytes: &[u8]) {}
    fn stderr(&mut self, _bytes: &[u8]) {}
    fn is_too_much(&self) -> bool {
        false
    }
}

/// Confines a process that does nothing, in this way.
///
/// # Errors
/// Why commands cannot be confined so.
pub async fn probe(program: &WorkerProgram, confinement: Confinement) -> Result<(), String> {
    let spec = RunSpec {
        command: vec!["/bin/true".to_owned()],
        working_dir: confinement.writable.first().cloned().unwrap_or_else(|| PathBuf::from("/")),
        environment: BTreeMap::new(),
        grace_ms: 0,
        memory_bytes: 1 << 30,
        file_bytes: 0,
        free_bytes: 0,
        processes: 16,
        confinement: Some(confinement),
    };
    match run(program, &spec, &mut Nobody, &CancellationToken::new()).await {
        Ok(RunOutcome::Ended(RunEnd::NotConfined(why))) => Err(why),
        // Confined it was, even where there is no such program.
        Ok(RunOutcome::Ended(RunEnd::Exited(_) | RunEnd::NotStarted(_))) => Ok(()),
        Ok(other) => Err(format!("a process that does nothing ended with {other:?}")),
        Err(error) => Err(error.to_string()),
    }
}
