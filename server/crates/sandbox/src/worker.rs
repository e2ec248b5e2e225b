//! The worker: starts its second half, watches it, ends everything that the command started, reports.
//!
//! It is not confined itself, so that nothing it started can reach it: the command is started through
//! [`super::confined`], whose process confines itself before the command runs.

use std::io::Write;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use rustix::process::{getpid, set_child_subreaper};

use super::groups::Groups;
use super::lifeline::Lifeline;
use super::namespaces;
use super::program::WORKER_ARGUMENT;
use super::repository::Redirects;
use super::second::{SecondHalf, Start};
use super::spec::{RunEnd, RunSpec};
use super::supervisor::Supervisor;
use super::worker_lock;

/// SIGKILL, which is also what the kernel sends when memory runs out.
const KILLED: i32 = 9;

/// Runs the command that comes in by standard input; returns when everything it started has ended.
pub fn run_worker() -> ExitCode {
    let Ok(socket) = std::io::stdin().as_fd().try_clone_to_owned().map(UnixStream::from) else {
        return ExitCode::FAILURE;
    };
    let Ok(mut answers) = socket.try_clone() else { return ExitCode::FAILURE };
    let mut lifeline = Lifeline::over(socket);
    let spec = match lifeline.spec() {
        Ok(spec) => spec,
        Err(error) => {
            eprintln!("{WORKER_ARGUMENT} is started by the server: {error}");
            return ExitCode::FAILURE;
        }
    };
    let end = run(spec, &mut lifeline);
    let report = serde_json::to_string(&end).unwrap_or_default();
    let _ = writeln!(answers, "{report}");
    ExitCode::SUCCESS
}

fn run(spec: RunSpec, lifeline: &mut Lifeline) -> RunEnd {
    if let Err(error) = set_child_subreaper(Some(getpid())) {
        return RunEnd::NotConfined(format!("become a child subreaper: {error}"));
    }
    let _held_until_the_end = match spec.lock.as_deref().map(worker_lock::hold).transpose() {
        Ok(lock) => lock,
        Err(error) => return RunEnd::NotStarted(format!("take the lock of workers: {error}")),
    };
    let groups = Groups::make(&spec);
    let start = Start { doors: groups.doors(), spec };
    let redirects = Redirects::missing(start.spec.confinement.as_ref().map_or(&[], |confined| &confined.writable));
    let end = match begin(&start) {
        Ok(second) => Supervisor::new(second, lifeline, &start.spec, &groups).run(),
        Err(end) => end,
    };
    let end = match end {
        RunEnd::Signalled(KILLED) | RunEnd::Exited(137) if groups.ran_out_of_memory() => RunEnd::OutOfMemory,
        end => end,
    };
    redirects.remove();
    groups.remove();
    end
}

fn begin(start: &Start) -> Result<SecondHalf, RunEnd> {
    if start.spec.confinement.as_ref().is_some_and(|confined| confined.isolation.has_namespaces()) {
        namespaces::for_children().map_err(RunEnd::NotConfined)?;
    }
    SecondHalf::begin(start).map_err(|error| RunEnd::NotStarted(format!("start the worker's second half: {error}")))
}
