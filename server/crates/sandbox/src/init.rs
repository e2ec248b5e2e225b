//! The first process of a command's namespaces: makes their world, starts the command in it, collects what ends, reports.
//! When it ends, the kernel ends everything else in there.
//!
//! The thread that starts the command is confined, and with it the command; the first thread, which only waits, is not,
//! so that the command can neither signal it nor look into it. It gives up its rights instead.

use std::io::Read;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, Stdio};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use rustix::process::{
    DumpableBehavior, Pid, Signal, WaitOptions, kill_process_group, set_dumpable_behavior,
    set_parent_process_death_signal, wait,
};

use super::second::{Report, TERMINATE, hand_over, is_let_go, report};
use super::spec::{Confinement, Network, PROXY_PORT, RunEnd, RunSpec};
use super::{landlock_rules, mounts, namespaces, seccomp_filter, worker_lock};

/// Whether the command was started, or why it did not.
type Started = Result<Pid, RunEnd>;

/// Runs the command to its end; `socket` leads to the worker.
pub(super) fn run(spec: &RunSpec, confinement: &Confinement, mut socket: UnixStream) -> ExitCode {
    // Until the last process in here is gone, whatever becomes of the worker.
    let _held_until_the_end = spec.lock.as_deref().and_then(|lock| worker_lock::hold(lock).ok());
    let end = match make_world(confinement, &socket) {
        Ok(()) => start_and_wait(spec, confinement, &socket),
        Err(why) => RunEnd::NotConfined(why),
    };
    report(&mut socket, &Report::Ended(end));
    ExitCode::SUCCESS
}

fn make_world(confinement: &Confinement, socket: &UnixStream) -> Result<(), String> {
    namespaces::for_mounts()?;
    if confinement.network == Network::Proxied {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, PROXY_PORT));
        let listener = listener.map_err(|error| format!("listen for the proxy: {error}"))?;
        // From here on only the server has it.
        hand_over(socket, &listener)?;
    }
    mounts::enter(confinement)?;
    namespaces::drop_capabilities();
    let not_dumpable = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    not_dumpable.map_err(|error| format!("close the first process: {error}"))?;
    // Giving up rights may have taken it back.
    set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| format!("end with the worker: {error}"))
}

fn start_and_wait(spec: &RunSpec, confinement: &Confinement, socket: &UnixStream) -> RunEnd {
    let (sender, started) = sync_channel(1);
    let (spec, confinement) = (spec.clone(), confinement.clone());
    let line = socket.try_clone().map_err(|error| error.to_string());
    let starter = line.and_then(|line| {
        let starter = thread::Builder::new().spawn(move || start(&spec, &confinement, line, &sender));
        starter.map_err(|error| error.to_string())
    });
    if let Err(why) = starter {
        return RunEnd::NotConfined(format!("start a thread: {why}"));
    }
    namespaces::drop_all_capabilities();
    match started.recv() {
        Ok(Ok(leader)) => wait_for(leader),
        Ok(Err(end)) => end,
        Err(_) => RunEnd::NotConfined("the thread that starts the command died".to_owned()),
    }
}

/// What the second thread does: confines itself, waits at the gate, starts the command, hears the worker.
fn start(spec: &RunSpec, confinement: &Confinement, mut line: UnixStream, started: &SyncSender<Started>) {
    let confined = landlock_rules::confine(confinement).and_then(|()| seccomp_filter::confine(confinement));
    if let Err(why) = confined {
        let _ = started.send(Err(RunEnd::NotConfined(why)));
        return;
    }
    if !is_let_go(&mut line) {
        std::process::exit(1);
    }
    let leader = match spawn(spec) {
        Ok(leader) => leader,
        Err(why) => {
            let _ = started.send(Err(RunEnd::NotStarted(why)));
            return;
        }
    };
    let _ = started.send(Ok(leader));
    let mut word = [0];
    while let Ok(1) = line.read(&mut word) {
        if word[0] == TERMINATE {
            let _ = kill_process_group(leader, Signal::TERM);
        }
    }
    // The worker is gone, and all goes with it.
    std::process::exit(1);
}

fn spawn(spec: &RunSpec) -> Result<Pid, String> {
    let (program, arguments) = spec.command.split_first().ok_or("no command was given")?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&spec.working_dir).env_clear().envs(&spec.environment);
    let child = command.stdin(Stdio::null()).process_group(0).spawn();
    child.map(|child| Pid::from_child(&child)).map_err(|error| format!("{program}: {error}"))
}

/// Waits until the command itself has ended, collecting whatever else ends before.
fn wait_for(leader: Pid) -> RunEnd {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == leader => {
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
