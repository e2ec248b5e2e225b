//! The subreaper: a re-exec of our own binary (`switchboard __subreaper PROGRAM …`) that starts a server's command and ends with
//! everything it started.
//!
//! The command inherits the subreaper's standard input, output and error, so nothing is copied. The subreaper never reads its
//! input, it only waits until nobody holds the other end: because the server is to stop, or because we are dead. Then
//! the command has seen the end of its input, which is how MCP says goodbye; what is left soon after is ended.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{WaitOptions, getpid, set_child_subreaper, wait};

use switchboard_sandbox::{kill_descendants, terminate_descendants};

/// The argument that makes the binary a subreaper.
pub(super) const SUBREAPER_ARGUMENT: &str = "__subreaper";

/// How long a command may take to end on its own, and again after SIGTERM.
const GRACE: Duration = Duration::from_millis(700);

/// What a shell says when a command cannot be started.
const EXIT_NOT_STARTED: u8 = 127;

/// Is this process started as a subreaper, it keeps its command, and this is how the command ended; else nothing happens.
#[must_use]
pub fn enter_subreaper() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == SUBREAPER_ARGUMENT).then(|| keep(arguments))
}

/// Runs the command until it ends or nobody holds the other end of standard input.
fn keep(mut command: impl Iterator<Item = OsString>) -> ExitCode {
    let Some(program) = command.next() else {
        eprintln!("{SUBREAPER_ARGUMENT} is started by the server");
        return ExitCode::from(2);
    };
    if set_child_subreaper(Some(getpid())).is_err() {
        eprintln!("cannot become a child subreaper");
        return ExitCode::FAILURE;
    }
    let child = match Command::new(&program).args(command).spawn() {
        Ok(child) => child,
        Err(error) => {
            eprintln!("cannot start {}: {error}", program.display());
            return ExitCode::from(EXIT_NOT_STARTED);
        }
    };
    if thread::Builder::new().spawn(end_with_the_input).is_err() {
        let _ = kill_descendants();
    }
    let code = wait_for(i32::try_from(child.id()).unwrap_or_default());
    let _ = kill_descendants();
    ExitCode::from(code)
}

/// Waits until the command itself has ended, collecting whatever else ends before.
fn wait_for(leader: i32) -> u8 {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid.as_raw_pid() == leader => {
                let status = std::process::ExitStatus::from_raw(status.as_raw());
                let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
                return u8::try_from(code).unwrap_or(u8::MAX);
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(_) => return u8::MAX,
        }
    }
}

fn end_with_the_input() {
    let input = std::io::stdin();
    // Asked for nothing, a poll tells of the other end only.
    let mut ends = [PollFd::new(&input, PollFlags::empty())];
    while !matches!(poll(&mut ends, None), Ok(ready) if ready > 0) {}
    // When the command has ended, the main thread ends this process, and this thread with it.
    thread::sleep(GRACE);
    terminate_descendants();
    thread::sleep(GRACE);
    let _ = kill_descendants();
}
