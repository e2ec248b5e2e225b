//! Watches one command from its start to its end: the line to the server, the limits, the reports of the second half.
//!
//! One thread and one poll: a process that has made a namespace for its children's processes cannot start threads.

use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{WaitOptions, wait};

use super::descendants::{descendants, kill_all};
use super::groups::Groups;
use super::lifeline::{Lifeline, Wish};
use super::second::{Report, SecondHalf};
use super::spec::{RunEnd, RunSpec};
use super::watch::{LOOK_EVERY, Watch};

/// SIGKILL, which is also what the kernel sends when memory runs out.
const KILLED: i32 = 9;

/// One command under watch.
pub(super) struct Supervisor<'a> {
    second: SecondHalf,
    lifeline: &'a mut Lifeline,
    groups: &'a Groups,
    watch: Watch,
    grace: Duration,
    /// Whether the command may have started.
    is_started: bool,
    /// Whether the line to the server is of interest still.
    is_listening: bool,
    /// When what was asked to end is killed.
    kill_at: Option<Instant>,
    /// What the second half said about the end.
    said: Option<RunEnd>,
    /// Why it was ended from here.
    cause: Option<RunEnd>,
    /// How the second half ended.
    status: Option<RunEnd>,
}

impl<'a> Supervisor<'a> {
    pub(super) fn new(second: SecondHalf, lifeline: &'a mut Lifeline, spec: &RunSpec, groups: &'a Groups) -> Self {
        Self {
            second,
            lifeline,
            groups,
            watch: Watch::of(spec),
            grace: Duration::from_millis(spec.grace_ms),
            is_started: false,
            is_listening: true,
            kill_at: None,
            said: None,
            cause: None,
            status: None,
        }
    }

    /// Returns when everything that the command started has ended.
    pub(super) fn run(mut self) -> RunEnd {
        let mut next_look = Instant::now() + LOOK_EVERY;
        while self.status.is_none() {
            let (spoke, has_wish) = self.wait_until(next_look);
            if spoke {
                self.hear();
            }
            if has_wish {
                self.obey();
            }
            self.collect();
            if Instant::now() >= next_look && self.status.is_none() {
                self.look();
                next_look = Instant::now() + LOOK_EVERY;
            }
        }
        // Nobody holds the other end any more, so this ends.
        while self.second.socket.is_some() {
            self.hear();
        }
        self.end_the_rest();
        self.cause.or(self.said).or(self.status).unwrap_or(RunEnd::Signalled(KILLED))
    }

    /// Whether the second half said something, and whether the server did.
    fn wait_until(&self, until: Instant) -> (bool, bool) {
        let wait = until.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(wait).unwrap_or(Timespec { tv_sec: 0, tv_nsec: 0 });
        let mut ends = vec![PollFd::new(&self.second.pidfd, PollFlags::IN)];
        ends.extend(self.second.socket.as_ref().map(|socket| PollFd::new(socket, PollFlags::IN)));
        if self.is_listening {
            ends.push(PollFd::new(self.lifeline, PollFlags::IN));
        }
        if poll(&mut ends, Some(&timeout)).is_err() {
            return (false, false);
        }
        let is_ready = |at: usize| ends.get(at).is_some_and(|end| !end.revents().is_empty());
        let has_socket = self.second.socket.is_some();
        (has_socket && is_ready(1), self.is_listening && is_ready(1 + usize::from(has_socket)))
    }

    fn hear(&mut self) {
        for report in self.second.hear() {
            match report {
                Report::Listening => {
                    // A server that is gone accepts nothing, and ends the command besides.
                    let _ = self.second.listener.take().map(|listener| self.lifeline.hand_over(&listener));
                }
                // The gate: what nobody waits for any more does not start.
                Report::Ready if self.obey() == Wish::GoOn => {
                    self.is_started = true;
                    self.second.go();
                }
                Report::Ready => self.kill(),
                Report::Ended(end) => self.said = Some(end),
            }
        }
    }

    fn obey(&mut self) -> Wish {
        let wish = self.lifeline.look();
        match wish {
            Wish::GoOn => {}
            Wish::Cancel if self.is_started => {
                self.second.terminate();
                self.kill_at.get_or_insert(Instant::now() + self.grace);
            }
            Wish::Cancel => self.kill(),
            Wish::Gone => {
                self.is_listening = false;
                self.kill();
            }
        }
        wish
    }

    /// Collects what has ended; the second half among it is the end.
    fn collect(&mut self) {
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == self.second.pid {
                let status = std::process::ExitStatus::from_raw(status.as_raw());
                self.status = Some(match (status.code(), status.signal()) {
                    (Some(code), _) => RunEnd::Exited(code),
                    (None, signal) => RunEnd::Signalled(signal.unwrap_or_default()),
                });
            }
        }
    }

    /// Looks whether its time is over, or it is beyond a limit.
    fn look(&mut self) {
        if self.kill_at.is_some_and(|at| at <= Instant::now()) {
            self.kill();
        } else if let Some(end) = self.watch.beyond() {
            self.cause.get_or_insert(end);
            self.kill();
        }
    }

    /// Ends all of it, without grace.
    fn kill(&mut self) {
        self.groups.kill_at_once();
        self.second.kill();
        if !self.second.is_first() {
            self.kill_descendants();
        }
    }

    /// What the command left behind; in namespaces the kernel has ended it with their first process.
    fn end_the_rest(&mut self) {
        if !self.second.is_first() {
            self.groups.kill();
            self.kill_descendants();
        } else if descendants(1).is_ok_and(|left| !left.is_empty()) {
            self.kill_descendants();
        }
    }

    fn kill_descendants(&mut self) {
        if let Err(error) = kill_all() {
            self.groups.kill();
            self.cause.get_or_insert(RunEnd::Unwatched(error.to_string()));
        }
    }
}
