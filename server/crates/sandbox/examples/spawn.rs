//! How long a command takes in each way to isolate it, beside the same command started plainly, and by `bwrap` where it is
//! installed: `cargo run --release -p switchboard-sandbox --example spawn [-- ROUNDS]`.
//!
//! The worker is this program, which is small; `benches/spawn.rs` of the server measures the real one. They take turns, so that
//! a busy machine is as busy for all of them.

use std::collections::BTreeMap;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use switchboard_sandbox::{
    CONFINED_ARGUMENT, Confinement, Isolation, Network, RunEnd, RunOutcome, RunOutput, RunSpec, WORKER_ARGUMENT,
    WorkerProgram, run, run_confined, run_worker,
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
    let first = std::env::args().nth(1);
    match first.as_deref() {
        Some(WORKER_ARGUMENT) => return run_worker(),
        Some(CONFINED_ARGUMENT) => return run_confined(),
        _ => {}
    }
    let rounds = first.and_then(|rounds| rounds.parse().ok()).unwrap_or(200);
    let folder = std::env::temp_dir().join(format!("switchboard-spawn-{}", std::process::id()));
    std::fs::create_dir(&folder).expect("a folder");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let has_bwrap = Command::new("bwrap").arg("--version").output().is_ok();
    let mut times: BTreeMap<String, Vec<Duration>> = BTreeMap::new();
    for _ in 0..rounds {
        let mut note = |what: &str, begun: Instant| times.entry(what.to_owned()).or_default().push(begun.elapsed());
        let begun = Instant::now();
        plain(&mut Command::new("/bin/true"));
        note("plain spawn", begun);
        if has_bwrap {
            let begun = Instant::now();
            let arguments = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "/bin/true"];
            plain(Command::new("bwrap").args(arguments));
            note("bwrap", begun);
        }
        for isolation in Isolation::ALL {
            let spec = spec(&folder, isolation);
            let begun = Instant::now();
            let outcome = runtime.block_on(run(&WorkerProgram::own(), &spec, &mut Nobody, &CancellationToken::new()));
            note(&format!("{isolation:?}"), begun);
            if outcome.as_ref().is_ok_and(|outcome| *outcome != RunOutcome::Ended(RunEnd::Exited(0))) {
                println!("{isolation:?} does not work here: {outcome:?}");
                return ExitCode::FAILURE;
            }
        }
    }
    let _ = std::fs::remove_dir(&folder);
    println!("| what | p50 | p99 |\n|---|---|---|");
    for (what, mut times) in times {
        times.sort();
        let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0;
        println!("| {what} | {:.2} ms | {:.2} ms |", at(0.5), at(0.99));
    }
    ExitCode::SUCCESS
}

fn plain(command: &mut Command) {
    let status = command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).status().expect("it runs");
    assert!(status.success());
}

fn spec(folder: &std::path::Path, isolation: Isolation) -> RunSpec {
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
            isolation,
        }),
    }
}
