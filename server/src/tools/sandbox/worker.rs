//! The worker: confine, start, wait, end everything, report.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, getpid, getuid, kill_process_group, set_child_subreaper, setrlimit,
    wait,
};
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};

use super::descendants::{descendants, kill_all};
use super::spec::{RunEnd, RunSpec};
use super::{landlock_rules, seccomp_filter};

/// The argument that makes the binary a worker.
pub(in crate::tools) const WORKER_ARGUMENT: &str = "__run";

/// How often the processes are counted.
const COUNT_EVERY: Duration = Duration::from_millis(20);

/// Runs the command that comes in by standard input; returns when all that came of it has ended.
pub(in crate::tools) fn run_worker() -> ExitCode {
    let Ok(socket) = std::io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else {
        return ExitCode::FAILURE;
    };
    let Ok(mut answers) = socket.try_clone() else { return ExitCode::FAILURE };
    let mut lines = BufReader::new(socket);
    let mut line = String::new();
    let spec = match lines.read_line(&mut line).map(|_| serde_json::from_str::<RunSpec>(&line)) {
        Ok(Ok(spec)) => spec,
        Ok(Err(error)) => {
            eprintln!("{WORKER_ARGUMENT} is started by the server: {error}");
            return ExitCode::FAILURE;
        }
        Err(_) => return ExitCode::FAILURE,
    };
    let end = match confine(&spec).map_err(RunEnd::NotConfined).and_then(|()| start(&spec)) {
        Ok(child) => supervise(&child, lines, &spec),
        Err(end) => end,
    };
    let report = serde_json::to_string(&end).unwrap_or_default();
    let _ = writeln!(answers, "{report}");
    ExitCode::SUCCESS
}

fn confine(spec: &RunSpec) -> Result<(), String> {
    set_child_subreaper(Some(getpid())).map_err(|error| format!("become a child subreaper: {error}"))?;
    for (resource, limit) in [
        (Resource::Data, spec.memory_bytes),
        (Resource::Fsize, spec.file_bytes),
        (Resource::Core, 0),
        (Resource::Nofile, 1024),
    ] {
        let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
        setrlimit(resource, limit).map_err(|error| format!("limit {resource:?}: {error}"))?;
    }
    if !getuid().is_root() {
        // The kernel counts all processes of the user, and does not count for root at all; see `end_beyond_the_limit`.
        let limit = Some((processes_of_user() + spec.processes) as u64);
        let _ = setrlimit(Resource::Nproc, Rlimit { current: limit, maximum: limit });
    }
    let Some(confinement) = &spec.confinement else { return Ok(()) };
    drop_capabilities();
    landlock_rules::confine(confinement)?;
    seccomp_filter::confine(confinement.network)
}

/// What root may do beside working with files is dropped for good; others have nothing to drop, so errors are none.
fn drop_capabilities() {
    let kept = CapabilitySet::CHOWN
        | CapabilitySet::DAC_OVERRIDE
        | CapabilitySet::DAC_READ_SEARCH
        | CapabilitySet::FOWNER
        | CapabilitySet::FSETID
        | CapabilitySet::KILL;
    for capability in CapabilitySet::all() - kept - CapabilitySet::SETPCAP {
        let _ = remove_capability_from_bounding_set(capability);
    }
    let _ = remove_capability_from_bounding_set(CapabilitySet::SETPCAP);
}

fn processes_of_user() -> usize {
    let own = getuid().as_raw();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let threads = processes
        .filter(|process| process.metadata().is_ok_and(|metadata| metadata.uid() == own))
        .filter_map(|process| std::fs::read_dir(process.path().join("task")).ok());
    threads.map(Iterator::count).sum()
}

fn start(spec: &RunSpec) -> Result<Child, RunEnd> {
    let (program, arguments) =
        spec.command.split_first().ok_or_else(|| RunEnd::NotStarted("no command was given".to_owned()))?;
    Command::new(program)
        .args(arguments)
        .current_dir(&spec.working_dir)
        .env_clear()
        .envs(&spec.environment)
        .stdin(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|error| RunEnd::NotStarted(format!("{program}: {error}")))
}

fn supervise(child: &Child, lifeline: BufReader<UnixStream>, spec: &RunSpec) -> RunEnd {
    let leader = i32::try_from(child.id()).unwrap_or_default();
    let too_many = Arc::new(AtomicUsize::new(0));
    let grace = Duration::from_millis(spec.grace_ms);
    let (counted, limit) = (Arc::clone(&too_many), spec.processes);
    let watched = thread::Builder::new()
        .spawn(move || end_with_the_lifeline(lifeline, leader, grace))
        .and_then(|_| thread::Builder::new().spawn(move || end_beyond_the_limit(limit, &counted)));
    if watched.is_err() {
        kill_all();
    }
    let end = wait_for(leader);
    kill_all();
    match too_many.load(Ordering::SeqCst) {
        0 => end,
        count => RunEnd::TooManyProcesses(count),
    }
}

/// Waits until the command itself has ended, collecting whatever else ends before.
fn wait_for(leader: i32) -> RunEnd {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid.as_raw_pid() == leader => {
                let status = std::process::ExitStatus::from_raw(status.as_raw());
                return match (status.code(), status.signal()) {
                    (Some(code), _) => RunEnd::Exited(code),
                    (None, signal) => RunEnd::Signalled(signal.unwrap_or_default()),
                };
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return RunEnd::NotStarted(format!("wait for the command: {error}")),
        }
    }
}

/// The server wants an end, or is dead: the group gets SIGTERM, then all descendants SIGKILL.
fn end_with_the_lifeline(mut lifeline: BufReader<UnixStream>, leader: i32, grace: Duration) {
    let _ = lifeline.read(&mut [0]);
    if let Some(group) = Pid::from_raw(leader) {
        let _ = kill_process_group(group, Signal::TERM);
    }
    let until = Instant::now() + grace;
    while Instant::now() < until && !descendants(1).is_empty() {
        thread::sleep(Duration::from_millis(10));
    }
    kill_all();
}

fn end_beyond_the_limit(limit: usize, counted: &AtomicUsize) {
    loop {
        let count = descendants(limit + 1).len();
        if count > limit {
            counted.store(count, Ordering::SeqCst);
            kill_all();
        }
        thread::sleep(COUNT_EVERY);
    }
}
