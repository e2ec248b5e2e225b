//! The worker: starts its second half, watches it, ends everything that the command started, reports.
//!
//! It is not confined itself, so that nothing it started can reach it: the command is started through
//! [`super::confined`], whose process confines itself before the command runs.
//!
//! What does not depend on the command is made before it comes in, because that is the most of the work: so the server can
//! have a worker ready.

use std::io::{ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use rustix::process::{getpid, set_child_subreaper};

use super::descendants::kill_all;
use super::groups::Groups;
use super::lifeline::Lifeline;
use super::namespaces;
use super::program::WORKER_ARGUMENT;
use super::repository::Redirects;
use super::second::SecondHalf;
use super::spec::{RunEnd, RunSpec};
use super::supervisor::Supervisor;
use super::worker_lock;
use super::world::World;

/// SIGKILL, which is also what the kernel sends when memory runs out.
const KILLED: i32 = 9;

/// Runs the command that comes in by standard input; returns when everything it started has ended.
pub fn run_worker() -> ExitCode {
    let Ok(socket) = std::io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else {
        return ExitCode::FAILURE;
    };
    let Ok(mut answers) = socket.try_clone() else { return ExitCode::FAILURE };
    let mut lifeline = Lifeline::over(socket);
    let groups = Groups::make();
    let second = begin(&groups);
    let code = match command(&mut lifeline, second.as_ref().ok()) {
        Ok(spec) => {
            let end = run(&spec, &mut lifeline, second, &groups);
            let report = serde_json::to_string(&end).unwrap_or_default();
            let _ = writeln!(answers, "{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            // With no command the server needs none any more, or died.
            if error.kind() != ErrorKind::UnexpectedEof {
                eprintln!("{WORKER_ARGUMENT} is started by the server: {error}");
            }
            end_second_half();
            ExitCode::FAILURE
        }
    };
    groups.remove();
    code
}

/// Waits for the command, as long as the second half that is to run it lives.
fn command(lifeline: &mut Lifeline, second: Option<&SecondHalf>) -> std::io::Result<RunSpec> {
    match second {
        Some(second) if !lifeline.speaks_before(&second.pidfd)? => Err(ErrorKind::UnexpectedEof.into()),
        _ => lifeline.spec(),
    }
}

/// Ends a second half that has no command, if there is one.
fn end_second_half() {
    let _ = kill_all();
}

fn run(spec: &RunSpec, lifeline: &mut Lifeline, second: Result<SecondHalf, RunEnd>, groups: &Groups) -> RunEnd {
    let _held_until_the_end = match spec.lock.as_deref().map(worker_lock::hold).transpose() {
        Ok(lock) => lock,
        Err(error) => {
            end_second_half();
            return RunEnd::NotStarted(format!("take the lock of workers: {error}"));
        }
    };
    groups.limit(spec);
    let redirects = Redirects::missing(spec.confinement.as_ref().map_or(&[], |confined| &confined.writable));
    let end = match second.and_then(|second| told(second, spec)) {
        Ok(second) => Supervisor::new(second, lifeline, spec, groups).run(),
        Err(end) => {
            end_second_half();
            end
        }
    };
    redirects.remove();
    match end {
        RunEnd::Signalled(KILLED) | RunEnd::Exited(137) if groups.ran_out_of_memory() => RunEnd::OutOfMemory,
        end => end,
    }
}

/// Starts the second half, which waits for its command then.
fn begin(groups: &Groups) -> Result<SecondHalf, RunEnd> {
    let world = World::told().map_err(RunEnd::NotConfined)?;
    set_child_subreaper(Some(getpid()))
        .map_err(|error| RunEnd::NotConfined(format!("become a child subreaper: {error}")))?;
    if world.has_namespaces() {
        namespaces::for_children().map_err(RunEnd::NotConfined)?;
    }
    let second = SecondHalf::begin(world, &groups.doors());
    second.map_err(|error| RunEnd::NotStarted(format!("start the worker's second half: {error}")))
}

/// The second half, when it has been told the command.
fn told(mut second: SecondHalf, spec: &RunSpec) -> Result<SecondHalf, RunEnd> {
    if second.world != World::of(spec) {
        return Err(RunEnd::NotConfined("the worker was started for another kind of command".to_owned()));
    }
    let told = second.tell_command(spec);
    told.map_err(|error| RunEnd::NotStarted(format!("tell the worker's second half the command: {error}")))?;
    Ok(second)
}
