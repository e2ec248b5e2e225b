//! How long a command in the sandbox takes beside the same command started plainly, in the same run.
//!
//! `cargo bench -p switchboard --bench spawn [-- ROUNDS]`; the two take turns, ROUNDS (200) times each. The command does
//! nothing, so all of it is the cost of starting, confining and ending.

use std::collections::BTreeMap;
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use switchboard::enter_worker;
use switchboard_sandbox::{
    Confinement, Isolation, Network, RunEnd, RunOutcome, RunOutput, RunSpec, WorkerProgram, run,
};
use tokio_util::sync::CancellationToken;

/// Nobody listens.
struct Nobody;

impl RunOutput for Nobody {
    fn stdout(&mut self, _bytes: &[u8]) {}
    fn stderr(&mut self, _bytes: &[u8]) {}
    fn is_too_much(&self) -> bool {
        false
    }
}

fn main() -> ExitCode {
    // The worker is this program, started again.
    if let Some(code) = enter_worker() {
        return code;
    }
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(200);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let (mut kept, mut plain) = (Vec::new(), Vec::new());
    runtime.block_on(async {
        let folder = tempfile::tempdir().expect("a folder");
        let spec = spec(folder.path());
        for _ in 0..rounds {
            plain.push(bare().await);
            kept.push(sandboxed(&spec).await);
        }
    });
    let (kept, plain) = (sorted(kept), sorted(plain));
    println!("| what | figure | beside |");
    println!("|---|---|---|");
    println!("| a command in the sandbox, p50 / p99 | {} | plain spawn {} |", figures(&kept), figures(&plain));
    println!("| the sandbox's share, p50 | {:.2} ms | target 10 ms |", at(&kept, 0.5) - at(&plain, 0.5));
    ExitCode::SUCCESS
}

fn spec(folder: &std::path::Path) -> RunSpec {
    RunSpec {
        command: vec!["/bin/true".to_owned()],
        working_dir: folder.to_owned(),
        environment: BTreeMap::new(),
        grace_ms: 2000,
        memory_bytes: 4 << 30,
        file_bytes: 4 << 30,
        free_bytes: 64 << 20,
        processes: 512,
        lock: None,
        confinement: Some(Confinement {
            writable: vec![folder.to_owned()],
            readable: Vec::new(),
            denied: Vec::new(),
            read_only: Vec::new(),
            network: Network::Closed,
            isolation: Isolation::Namespaces,
        }),
    }
}

async fn bare() -> Duration {
    let begun = Instant::now();
    let mut command = tokio::process::Command::new("/bin/true");
    let output = command.env_clear().stdin(Stdio::null()).output().await.expect("it runs");
    assert!(output.status.success());
    begun.elapsed()
}

async fn sandboxed(spec: &RunSpec) -> Duration {
    let begun = Instant::now();
    let outcome = run(&WorkerProgram::own(), spec, &mut Nobody, &CancellationToken::new()).await.expect("it runs");
    assert_eq!(outcome, RunOutcome::Ended(RunEnd::Exited(0)));
    begun.elapsed()
}

fn sorted(mut times: Vec<Duration>) -> Vec<f64> {
    times.sort();
    times.iter().map(|time| time.as_secs_f64() * 1000.0).collect()
}

fn at(times: &[f64], part: f64) -> f64 {
    let index = ((times.len() as f64 - 1.0) * part).max(0.0) as usize;
    times.get(index).copied().unwrap_or_default()
}

fn figures(times: &[f64]) -> String {
    format!("{:.2} / {:.2} ms", at(times, 0.5), at(times, 0.99))
}
