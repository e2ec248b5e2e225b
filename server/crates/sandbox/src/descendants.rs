//! Every process that came of this one, found through `/proc` and ended.
//!
//! This process is a child subreaper: whatever leaves its group, its session or its parent stays a descendant.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpgid, getpgrp, getpid, kill_process, kill_process_group};

/// How many processes are ended in one pass.
const AT_ONCE: usize = 4096;

/// How often new processes are looked for before those that were found are ended.
const STOPS: usize = 64;

/// The processes that came of this one, at most `limit` of them.
pub(super) fn descendants(limit: usize) -> BTreeSet<i32> {
    let mut found = BTreeSet::new();
    let mut open = vec![getpid().as_raw_pid()];
    while let Some(parent) = open.pop() {
        for child in children(parent) {
            if found.insert(child) {
                open.push(child);
            }
            if found.len() >= limit {
                return found;
            }
        }
    }
    found
}

/// Ends them all, also those that are made meanwhile: first they are stopped, because what is stopped makes no more and
/// leaves no room for more; then the kernel ends whole groups at once, and what is alone in its group follows.
pub fn kill_all() {
    stop_all();
    loop {
        let running: Vec<i32> = descendants(AT_ONCE).into_iter().filter(|process| !is_gone(*process)).collect();
        if running.is_empty() {
            return;
        }
        let groups = running.iter().filter_map(|process| getpgid(Pid::from_raw(*process)).ok());
        let groups: BTreeSet<i32> = groups.filter(|group| *group != getpgrp()).map(Pid::as_raw_pid).collect();
        for group in groups.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        for process in running {
            if let Some(pid) = Pid::from_raw(process) {
                let _ = kill_process(pid, Signal::KILL);
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Stops them until no new ones are found.
fn stop_all() {
    let mut stopped = BTreeSet::new();
    for _ in 0..STOPS {
        let found = descendants(AT_ONCE);
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
    for process in descendants(AT_ONCE).into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process(process, Signal::TERM);
    }
}

fn children(parent: i32) -> Vec<i32> {
    let threads = fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten();
    threads
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
        .flat_map(|line| line.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<_>>())
        .collect()
}

/// Gone, or dead and waiting to be collected.
fn is_gone(process: i32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else { return true };
    let state = stat.rsplit(") ").next().and_then(|rest| rest.chars().next());
    matches!(state, None | Some('Z' | 'X'))
}
