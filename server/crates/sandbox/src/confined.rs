//! The process that becomes the command: it limits and confines itself while it has one thread, then executes the
//! command in its own place, so that all the command starts is confined too.
//!
//! Its standard input is a socket by which the [`Start`] comes in; a copy of it closes when the command is executed, and
//! before that says why it could not be.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use rustix::process::{Resource, Rlimit, getuid, nice, setrlimit, setsid};
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set};
use serde::{Deserialize, Serialize};

use super::spec::{Network, RunEnd, RunSpec};
use super::{landlock_rules, seccomp_filter};

/// The argument that makes the binary this process.
pub const CONFINED_ARGUMENT: &str = "__confined";

/// Others come first when the processor is short.
const NICENESS: i32 = 10;

/// What the worker tells this process.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Start {
    /// What to run.
    pub(super) spec: RunSpec,
    /// Files of the control groups to enter.
    pub(super) doors: Vec<PathBuf>,
}

/// Becomes the command; returns only if that failed.
pub fn run_confined() -> ExitCode {
    let Ok(socket) = std::io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else {
        return ExitCode::FAILURE;
    };
    let Ok(mut answers) = socket.try_clone() else { return ExitCode::FAILURE };
    let mut line = String::new();
    let read = BufReader::new(socket).read_line(&mut line).map(|_| serde_json::from_str::<Start>(&line));
    let Ok(Ok(start)) = read else {
        eprintln!("{CONFINED_ARGUMENT} is started by a worker");
        return ExitCode::FAILURE;
    };
    let end = match confine(&start) {
        Err(why) => RunEnd::NotConfined(why),
        Ok(()) => RunEnd::NotStarted(become_the_command(&start.spec)),
    };
    let _ = write!(answers, "{}", serde_json::to_string(&end).unwrap_or_default());
    ExitCode::FAILURE
}

fn confine(start: &Start) -> Result<(), String> {
    let spec = &start.spec;
    // A session of its own: no terminal to ask at, no group of others to join.
    setsid().map_err(|error| format!("begin a session: {error}"))?;
    for door in &start.doors {
        let _ = fs::write(door, "0");
    }
    let _ = nice(NICENESS);
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
        // The kernel counts all processes of the user, and does not count for root at all; see `groups`.
        let limit = Some((processes_of_user() + spec.processes) as u64);
        let _ = setrlimit(Resource::Nproc, Rlimit { current: limit, maximum: limit });
    }
    let Some(confinement) = &spec.confinement else { return Ok(()) };
    drop_capabilities();
    landlock_rules::confine(confinement)?;
    seccomp_filter::confine(confinement.network != Network::Closed)
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

/// Processes and threads, as the kernel counts them.
fn processes_of_user() -> usize {
    let own = getuid().as_raw();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let threads = processes
        .filter(|process| process.metadata().is_ok_and(|metadata| metadata.uid() == own))
        .filter_map(|process| fs::read_dir(process.path().join("task")).ok());
    threads.map(Iterator::count).sum()
}

/// Returns only with what went wrong.
fn become_the_command(spec: &RunSpec) -> String {
    let Some((program, arguments)) = spec.command.split_first() else { return "no command was given".to_owned() };
    let error = Command::new(program)
        .args(arguments)
        .current_dir(&spec.working_dir)
        .env_clear()
        .envs(&spec.environment)
        .stdin(Stdio::null())
        .exec();
    format!("{program}: {error}")
}
