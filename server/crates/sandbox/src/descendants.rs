//! Every process that came of this one, found through `/proc` and ended.
//!
//! This process is a child subreaper: whatever leaves its group, its session or its parent stays a descendant.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Error, ErrorKind};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, getpgid, getpgrp, getpid, kill_process, kill_process_group};

/// How many processes are ended in one pass.
const AT_ONCE: usize = 4096;

/// How often new processes are looked for before those that were found are ended.
const STOPS: usize = 64;

/// How long `/proc` may be unreadable before it is given up.
const PATIENCE: Duration = Duration::from_secs(1);

/// The processes that came of this one, at most `limit` of them.
///
/// # Errors
/// When `/proc` cannot be read: that none is found says nothing then.
pub(super) fn descendants(limit: usize) -> std::io::Result<BTreeSet<i32>> {
    let mut found = BTreeSet::new();
    let own = getpid().as_raw_pid();
    let mut open = vec![own];
    while let Some(parent) = open.pop() {
        let children = match children(parent) {
            Err(error) if parent == own || !is_ended(&error) => return Err(error),
            children => children.unwrap_or_default(),
        };
        for child in children {
            if found.insert(child) {
                open.push(child);
            }
            if found.len() >= limit {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

/// Ends them all, also those that are made meanwhile: first they are stopped, because what is stopped makes no more and
/// leaves no room for more; then the kernel ends whole groups at once, and what is alone in its group follows.
///
/// # Errors
/// When `/proc` stays unreadable, so that what is left cannot be found.
pub fn kill_all() -> std::io::Result<()> {
    let mut readable_at = Instant::now();
    stop_all();
    loop {
        match descendants(AT_ONCE) {
            Ok(found) => {
                readable_at = Instant::now();
                let running: Vec<i32> = found.into_iter().filter(|process| !is_gone(*process)).collect();
                if running.is_empty() {
                    return Ok(());
                }
                kill(&running);
            }
            Err(error) if readable_at.elapsed() > PATIENCE => return Err(error),
            Err(_) => {}
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn kill(running: &[i32]) {
    let groups = running.iter().filter_map(|process| getpgid(Pid::from_raw(*process)).ok());
    let groups: BTreeSet<i32> = groups.filter(|group| *group != getpgrp()).map(Pid::as_raw_pid).collect();
    for group in groups.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    for process in running.iter().filter_map(|process| Pid::from_raw(*process)) {
        let _ = kill_process(process, Signal::KILL);
    }
}

/// Stops them until no new ones are found.
fn stop_all() {
    let mut stopped = BTreeSet::new();
    for _ in 0..STOPS {
        let Ok(found) = descendants(AT_ONCE) else { return };
        let fresh: Vec<i32> = found.into_iter().filter(|process| stopped.insert(*process)).collect();
        if fresh.is_empty() {
            return;
        }
        for process in fresh.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(process, Signal::STOP);
        }
    }
}

/// Asks them all to end.
pub fn terminate_all() {
    for process in descendants(AT_ONCE).unwrap_or_default().into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process(process, Signal::TERM);
    }
}

fn children(parent: i32) -> std::io::Result<Vec<i32>> {
    let mut found = Vec::new();
    for thread in fs::read_dir(format!("/proc/{parent}/task"))? {
        let listed = thread.and_then(|thread| fs::read_to_string(thread.path().join("children")));
        match listed {
            Ok(line) => found.extend(line.split_whitespace().filter_map(|pid| pid.parse::<i32>().ok())),
            Err(error) if is_ended(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// A process or thread that ended while it was read.
fn is_ended(error: &Error) -> bool {
    error.kind() == ErrorKind::NotFound || error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error())
}

/// Gone, or dead and waiting to be collected.
fn is_gone(process: i32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { return true };
    let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
    matches!(state, None | Some('Z' | 'X'))
}
