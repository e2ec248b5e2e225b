//! How long a command in the sandbox takes beside the same command started plainly, and by `bwrap` where it is installed,
//! in the same run.
//!
//! `cargo bench -p switchboard --bench spawn [-- ROUNDS]`; they take turns, ROUNDS (200) times each, with a short pause
//! between them, in which a worker can get ready for the next command. The command does nothing, so all of it is the cost of
//! starting, confining and ending. The worker is the server's own binary, as it is shipped.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use switchboard_sandbox::{
    Confinement, Isolation, Network, RunEnd, RunOutcome, RunOutput, RunSpec, WorkerProgram, Workers,
};
use tokio_util::sync::CancellationToken;

const PLAIN: &str = "plain spawn";
const BWRAP: &str = "the same by `bwrap`";
const ON: &str = "a command in the sandbox";
const COLD: &str = "the same, with no worker ready";
const WEAKEST: &str = "a command in the sandbox, `landlock-only`";

/// Longer than a worker takes to get ready.
const PAUSE: Duration = Duration::from_millis(40);

/// About what the sandbox does: all namespaces, everything readable, nothing writable.
const BWRAP_ARGUMENTS: [&str; 9] =
    ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "/bin/true"];

/// Nobody listens.
struct Nobody;

impl RunOutput for Nobody {
    fn stdout(&mut self, _bytes: &[u8]) {}
    fn stderr(&mut self, _bytes: &[u8]) {}
    fn is_too_much(&self) -> bool {
        false
    }
}

fn main() {
    let rounds = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(200);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    runtime.block_on(async {
        let folder = tempfile::tempdir().expect("a folder");
        let has_bwrap = std::process::Command::new("bwrap").arg("--version").output().is_ok();
        let program = WorkerProgram::at(env!("CARGO_BIN_EXE_switchboard"));
        let (on, weakest) = (Workers::of(program.clone()), Workers::of(program.clone()));
        let mut note = |what, time: Duration| times.entry(what).or_default().push(time.as_secs_f64() * 1000.0);
        for round in 0..=rounds {
            let mut taken = vec![(PLAIN, bare("/bin/true", &[]).await)];
            tokio::time::sleep(PAUSE).await;
            if has_bwrap {
                taken.push((BWRAP, bare("bwrap", &BWRAP_ARGUMENTS).await));
                tokio::time::sleep(PAUSE).await;
            }
            let cold = Workers::of(program.clone());
            let (namespaces, landlock) = (Isolation::Namespaces, Isolation::Landlock);
            for (what, workers, isolation) in
                [(ON, &on, namespaces), (COLD, &cold, namespaces), (WEAKEST, &weakest, landlock)]
            {
                taken.push((what, sandboxed(workers, &spec(folder.path(), isolation)).await));
                tokio::time::sleep(PAUSE).await;
            }
            // In the first round no worker is ready yet.
            taken.into_iter().filter(|_| round > 0).for_each(|(what, time)| note(what, time));
        }
    });
    times.values_mut().for_each(|times| times.sort_by(f64::total_cmp));
    let plain = at(&times[PLAIN], 0.5);
    println!("| what | figure | beside |");
    println!("|---|---|---|");
    for (what, taken) in times.iter().filter(|(what, _)| **what != PLAIN) {
        println!("| {what}, p50 / p99 | {} | {PLAIN} {} |", figures(taken), figures(&times[PLAIN]));
    }
    println!(
        "| the sandbox's share, p50 | {:.2} ms | target {:.2} ms |",
        at(&times[ON], 0.5) - plain,
        0.3 * plain + 6.0
    );
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

async fn bare(program: &str, arguments: &[&str]) -> Duration {
    let begun = Instant::now();
    let mut command = tokio::process::Command::new(program);
    let output = command.args(arguments).env_clear().stdin(Stdio::null()).output().await.expect("it runs");
    assert!(output.status.success());
    begun.elapsed()
}

async fn sandboxed(workers: &Workers, spec: &RunSpec) -> Duration {
    let begun = Instant::now();
    let outcome = workers.run(spec, &mut Nobody, &CancellationToken::new()).await.expect("it runs");
    assert_eq!(outcome, RunOutcome::Ended(RunEnd::Exited(0)));
    begun.elapsed()
}

fn at(times: &[f64], part: f64) -> f64 {
    let index = ((times.len() as f64 - 1.0) * part).max(0.0) as usize;
    times.get(index).copied().unwrap_or_default()
}

fn figures(times: &[f64]) -> String {
    format!("{:.2} / {:.2} ms", at(times, 0.5), at(times, 0.99))
}
