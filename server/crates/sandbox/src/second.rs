//! The worker's second half, as the worker sees it: the process that confines itself, and then becomes the command or, in
//! namespaces, is their first process and starts it.
//!
//! It is started before the command is known, with the world that it makes and the files of the control groups that it enters as its arguments. Then
//! it reads the [`RunSpec`] from a socket that is its standard input, and answers with one [`Report`] a line. After
//! [`Report::Ready`] it waits: nothing of the command runs before the worker says [`GO`].

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rustix::process::{Pid, PidfdFlags, Signal, kill_process, kill_process_group, pidfd_open};
use serde::{Deserialize, Serialize};

use super::handover;
use super::spec::{RunEnd, RunSpec};
use super::world::World;

/// The argument that makes the binary this process.
pub const CONFINED_ARGUMENT: &str = "__confined";

/// The worker's word that the command may start.
const GO: u8 = b'g';

/// The worker's word to the first process of namespaces: the command is asked to end.
pub(super) const TERMINATE: u8 = b't';

/// What this process tells the worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Report {
    /// The command's proxy is to accept at the listener that comes along with this.
    Listening,
    /// It is confined and waits for [`GO`].
    Ready,
    /// The command has ended, or never ran.
    Ended(RunEnd),
}

/// Tells the worker; said by the second half.
pub(super) fn report(line: &mut UnixStream, report: &Report) {
    let text = serde_json::to_string(report).unwrap_or_default();
    // A worker that is gone needs no answer.
    let _ = line.write_all(format!("{text}\n").as_bytes());
}

/// Hands the worker the listener of the command's proxy; said by the second half.
///
/// # Errors
/// When it cannot be handed over.
pub(super) fn hand_over(line: &UnixStream, listener: &TcpListener) -> Result<(), String> {
    let text = serde_json::to_string(&Report::Listening).unwrap_or_default();
    let sent = handover::send(line, format!("{text}\n").as_bytes(), listener);
    sent.map_err(|error| format!("hand over the proxy's listener: {error}"))
}

/// Says that all is ready, and waits for the worker's word; said by the second half.
pub(super) fn is_let_go(line: &mut UnixStream) -> bool {
    report(line, &Report::Ready);
    let mut word = [0];
    matches!(line.read(&mut word), Ok(1)) && word[0] == GO
}

/// The process, while it runs.
pub(super) struct SecondHalf {
    pub(super) pid: Pid,
    /// Readable when it has ended.
    pub(super) pidfd: OwnedFd,
    /// What it has made for the command.
    pub(super) world: World,
    /// `None` when it said its last word.
    pub(super) socket: Option<UnixStream>,
    /// What came along with [`Report::Listening`].
    pub(super) listener: Option<OwnedFd>,
    said: Vec<u8>,
}

impl SecondHalf {
    /// Starts it; it enters the control groups by these files.
    ///
    /// # Errors
    /// When it cannot be started, or died at once.
    pub(super) fn begin(world: World, doors: &[PathBuf]) -> std::io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        let child = Command::new("/proc/self/exe")
            .arg(CONFINED_ARGUMENT)
            .arg(world.argument())
            .args(doors)
            .env_clear()
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .spawn()?;
        let pid = Pid::from_child(&child);
        let pidfd = pidfd_open(pid, PidfdFlags::empty())?;
        Ok(Self { pid, pidfd, world, socket: Some(ours), listener: None, said: Vec::new() })
    }

    /// Whether it is the first process of namespaces: with it the kernel ends all that the command started.
    pub(super) fn is_first(&self) -> bool {
        self.world.has_namespaces()
    }

    /// Tells it the command.
    ///
    /// # Errors
    /// When it is not there any more.
    pub(super) fn tell_command(&mut self, spec: &RunSpec) -> std::io::Result<()> {
        let mut line = serde_json::to_vec(spec)?;
        line.push(b'\n');
        self.socket.as_mut().map_or(Ok(()), |socket| socket.write_all(&line))
    }

    /// Reads what has come; the reports in it.
    pub(super) fn hear(&mut self) -> Vec<Report> {
        let mut bytes = [0; 4096];
        match self.socket.as_ref().map(|socket| handover::receive(socket, &mut bytes)) {
            Some(Ok((count @ 1.., carried))) => {
                self.said.extend_from_slice(&bytes[..count]);
                self.listener = carried.or(self.listener.take());
            }
            _ => self.socket = None,
        }
        let Some(end) = self.said.iter().rposition(|byte| *byte == b'\n') else { return Vec::new() };
        let lines: Vec<u8> = self.said.drain(..=end).collect();
        lines.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }

    /// Lets the command start.
    pub(super) fn go(&mut self) {
        self.tell(GO);
    }

    /// Asks the command to end.
    pub(super) fn terminate(&mut self) {
        if self.is_first() {
            self.tell(TERMINATE);
        } else {
            let _ = kill_process_group(self.pid, Signal::TERM);
        }
    }

    /// Ends it; what it started outside of namespaces stays.
    pub(super) fn kill(&self) {
        let _ = kill_process(self.pid, Signal::KILL);
    }

    fn tell(&mut self, word: u8) {
        let _ = self.socket.as_mut().map(|socket| socket.write_all(&[word]));
    }
}
