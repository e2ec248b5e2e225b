//! The worker's second half: it limits itself while it has one thread. In namespaces it goes on as their first process
//! ([`super::init`]); without, it confines itself and executes the command in its own place, so that all the command
//! starts is confined too.
//!
//! Its standard input is a socket by which the [`RunSpec`] comes in; a copy of it closes when the command is executed, and
//! before that says why it could not be. It may wait long for that: what does not depend on the command is done before.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};

use rustix::process::{Resource, Rlimit, Signal, getuid, nice, set_parent_process_death_signal, setrlimit, setsid};

use super::groups::TASKS_PER_PROCESS;
use super::second::{CONFINED_ARGUMENT, Report, is_let_go, report};
use super::spec::{RunEnd, RunSpec};
use super::world::World;
use super::{init, landlock_rules, namespaces, seccomp_filter};

/// Others come first when the processor is short.
const NICENESS: i32 = 10;

/// Becomes the command, or starts it; returns when that failed, or it has ended.
pub fn run_confined() -> ExitCode {
    let Ok(socket) = std::io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else {
        return ExitCode::FAILURE;
    };
    let Ok(mut line) = socket.try_clone() else { return ExitCode::FAILURE };
    // Told once more by each who gives up rights later: until here the worker cannot die unnoticed, because then nobody
    // lets the command go.
    let dies_with_worker = set_parent_process_death_signal(Some(Signal::KILL));
    let set_apart = dies_with_worker.map_err(|error| format!("end with the worker: {error}"));
    let set_apart = set_apart.and_then(|()| set_apart_from_others());
    let mut text = String::new();
    let spec = match BufReader::new(socket).read_line(&mut text).map(|_| serde_json::from_str::<RunSpec>(&text)) {
        Ok(Ok(spec)) => spec,
        // A worker that was not needed any more.
        _ if text.is_empty() => return ExitCode::SUCCESS,
        _ => {
            eprintln!("{CONFINED_ARGUMENT} is started by a worker");
            return ExitCode::FAILURE;
        }
    };
    let end = match (set_apart.and_then(|()| limit(&spec)), &spec.confinement) {
        (Err(why), _) => RunEnd::NotConfined(why),
        (Ok(()), Some(confinement)) if confinement.isolation.has_namespaces() => {
            return init::run(&spec, confinement, line);
        }
        (Ok(()), _) => become_confined(&spec, &mut line),
    };
    report(&mut line, &Report::Ended(end));
    ExitCode::FAILURE
}

fn set_apart_from_others() -> Result<(), String> {
    // A session of its own: no terminal to ask at, no group of others to join.
    setsid().map_err(|error| format!("begin a session: {error}"))?;
    for door in std::env::args_os().skip(3) {
        let _ = fs::write(door, "0");
    }
    let _ = nice(NICENESS);
    namespaces::for_this_process(World::told()?)
}

fn limit(spec: &RunSpec) -> Result<(), String> {
    for (resource, limit) in [
        (Resource::Data, spec.memory_bytes),
        (Resource::Fsize, spec.file_bytes),
        (Resource::Core, 0),
        (Resource::Nofile, 1024),
    ] {
        let limit = Rlimit { current: Some(limit), maximum: Some(limit) };
        setrlimit(resource, limit).map_err(|error| format!("limit {resource:?}: {error}"))?;
    }
    if let Some(tasks) = most_tasks(spec) {
        let limit = Some(tasks as u64);
        let _ = setrlimit(Resource::Nproc, Rlimit { current: limit, maximum: limit });
    }
    Ok(())
}

/// How many tasks the user may have. The kernel counts all of a user, in a namespace of users only those inside, and for
/// root it does not count at all; see `groups`.
fn most_tasks(spec: &RunSpec) -> Option<usize> {
    if World::of(spec).has_namespaces() && namespaces::has_own_users() {
        return Some(spec.processes * TASKS_PER_PROCESS);
    }
    (!getuid().is_root()).then(|| processes_of_user() + spec.processes)
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

/// Returns only with why it did not become the command.
fn become_confined(spec: &RunSpec, line: &mut UnixStream) -> RunEnd {
    if let Some(confinement) = &spec.confinement {
        namespaces::drop_capabilities();
        let confined = landlock_rules::confine(confinement).and_then(|()| seccomp_filter::confine(confinement));
        let confined = confined.and_then(|()| {
            // Giving up rights may have taken it back.
            set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| format!("end with the worker: {error}"))
        });
        if let Err(why) = confined {
            return RunEnd::NotConfined(why);
        }
    }
    if !is_let_go(line) {
        return RunEnd::NotStarted("the worker did not let it start".to_owned());
    }
    RunEnd::NotStarted(become_the_command(spec))
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
