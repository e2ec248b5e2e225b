//! The worker: starts the command, waits for it, ends everything it started, reports.
//!
//! It is not confined itself, so that nothing it started can reach it: the command is started through
//! [`super::confined`], whose process confines itself before it becomes the command.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::statvfs;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process_group, set_child_subreaper, wait};

use super::confined::{CONFINED_ARGUMENT, Start};
use super::descendants::{descendants, kill_all};
use super::groups::Groups;
use super::program::WORKER_ARGUMENT;
use super::spec::{RunEnd, RunSpec};

/// How often the processes are counted and the disk is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// SIGKILL, which is also what the kernel sends when memory runs out.
const KILLED: i32 = 9;

/// Why the worker ended the command itself.
type Cause = Arc<Mutex<Option<RunEnd>>>;

/// Runs the command that comes in by standard input; returns when everything it started has ended.
pub fn run_worker() -> ExitCode {
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
    let end = run(spec, lines);
    let report = serde_json::to_string(&end).unwrap_or_default();
    let _ = writeln!(answers, "{report}");
    ExitCode::SUCCESS
}

fn run(spec: RunSpec, lifeline: BufReader<UnixStream>) -> RunEnd {
    if let Err(error) = set_child_subreaper(Some(getpid())) {
        return RunEnd::NotConfined(format!("become a child subreaper: {error}"));
    }
    let groups = Groups::make(&spec);
    let start = Start { doors: groups.doors(), spec };
    let end = match begin(&start) {
        Ok((child, answer)) => supervise(&child, answer, lifeline, &start.spec, &groups),
        Err(error) => RunEnd::NotStarted(format!("start the worker's second half: {error}")),
    };
    let end = match end {
        RunEnd::Signalled(KILLED) | RunEnd::Exited(137) if groups.ran_out_of_memory() => RunEnd::OutOfMemory,
        end => end,
    };
    groups.remove();
    end
}

/// Starts the process that becomes the command, and the socket on which it says why it could not.
fn begin(start: &Start) -> std::io::Result<(Child, UnixStream)> {
    let (mut ours, theirs) = UnixStream::pair()?;
    let child = Command::new("/proc/self/exe")
        .arg(CONFINED_ARGUMENT)
        .env_clear()
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .spawn()?;
    let mut line = serde_json::to_vec(start)?;
    line.push(b'\n');
    ours.write_all(&line)?;
    Ok((child, ours))
}

fn supervise(
    child: &Child,
    mut answer: UnixStream,
    lifeline: BufReader<UnixStream>,
    spec: &RunSpec,
    groups: &Groups,
) -> RunEnd {
    let leader = i32::try_from(child.id()).unwrap_or_default();
    let cause = Cause::default();
    let grace = Duration::from_millis(spec.grace_ms);
    let (written, watch, atomic) = (Arc::clone(&cause), Watch::of(spec), groups.killer());
    let watched = thread::Builder::new()
        .spawn(move || end_with_the_lifeline(lifeline, leader, grace))
        .and_then(|_| thread::Builder::new().spawn(move || watch.end_beyond_the_limits(&written, atomic.as_deref())));
    if watched.is_err() {
        kill_all();
    }
    let mut refusal = String::new();
    // Ends when the process becomes the command, or ends.
    let _ = answer.read_to_string(&mut refusal);
    let end = wait_for(leader);
    groups.kill();
    kill_all();
    if let Ok(end) = serde_json::from_str(&refusal) {
        return end;
    }
    let cause = cause.lock().unwrap_or_else(PoisonError::into_inner).take();
    cause.unwrap_or(end)
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

/// What the kernel does not limit on its own.
struct Watch {
    processes: usize,
    folders: Vec<PathBuf>,
    free_bytes: u64,
}

impl Watch {
    fn of(spec: &RunSpec) -> Self {
        let written = spec.confinement.as_ref().map(|confinement| confinement.writable.clone());
        let folders = written.unwrap_or_else(|| vec![spec.working_dir.clone()]);
        // A disk that is nearly full already is no fault of this command.
        let folders = folders.into_iter().filter(|folder| free(folder).is_some_and(|free| free > spec.free_bytes));
        Self { processes: spec.processes, folders: folders.collect(), free_bytes: spec.free_bytes }
    }

    fn end_beyond_the_limits(&self, cause: &Mutex<Option<RunEnd>>, atomic: Option<&std::path::Path>) {
        loop {
            if let Some(end) = self.beyond() {
                cause.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(end);
                if let Some(file) = atomic {
                    let _ = std::fs::write(file, "1");
                }
                kill_all();
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    fn beyond(&self) -> Option<RunEnd> {
        let count = descendants(self.processes + 1).len();
        if count > self.processes {
            return Some(RunEnd::TooManyProcesses(count));
        }
        let full = self.folders.iter().any(|folder| free(folder).is_some_and(|free| free < self.free_bytes));
        full.then_some(RunEnd::DiskFull)
    }
}

/// Bytes that can still be written in a folder.
fn free(folder: &PathBuf) -> Option<u64> {
    statvfs(folder).ok().map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize))
}
