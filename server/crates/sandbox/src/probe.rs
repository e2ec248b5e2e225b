//! Whether the kernel can confine commands here: it is tried, not guessed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use tokio_util::sync::CancellationToken;

use super::program::WorkerProgram;
use super::runner::{RunOutcome, RunOutput, run};
use super::spec::{Confinement, Isolation, RunEnd, RunSpec};

/// Nobody listens.
struct Nobody;

impl RunOutput for Nobody {
    fn stdout(&mut self, _bytes: &[u8]) {}
    fn stderr(&mut self, _bytes: &[u8]) {}
    fn is_too_much(&self) -> bool {
        false
    }
}

/// The strongest of these ways to isolate a command that works here, each tried as a whole, with why no stronger one does.
///
/// # Errors
/// Why none of them works.
pub async fn strongest(
    program: &WorkerProgram,
    confinement: &Confinement,
    ways: &[Isolation],
) -> Result<(Isolation, Option<String>), String> {
    let mut why_not = None;
    for isolation in ways.iter().copied() {
        match probe(program, Confinement { isolation, ..confinement.clone() }).await {
            Ok(()) => return Ok((isolation, why_not)),
            Err(why) => why_not = Some(why),
        }
    }
    Err(why_not.unwrap_or_else(|| "nothing was tried".to_owned()))
}

/// Confines a process that does nothing, in this way.
///
/// # Errors
/// Why commands cannot be confined so.
async fn probe(program: &WorkerProgram, confinement: Confinement) -> Result<(), String> {
    let spec = RunSpec {
        command: vec!["/bin/true".to_owned()],
        working_dir: confinement.writable.first().cloned().unwrap_or_else(|| PathBuf::from("/")),
        environment: BTreeMap::new(),
        grace_ms: 0,
        memory_bytes: 1 << 30,
        file_bytes: 0,
        free_bytes: 0,
        processes: 16,
        lock: None,
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
