//! A server that is a command: its process, and what it says on its standard error.
//!
//! The command is started without a shell, sees only the environment that was put together for it, and runs under a
//! subreaper, so that nothing it starts stays behind, whoever dies first.

use std::collections::VecDeque;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::file::StdioTransport;
use super::subreaper::SUBREAPER_ARGUMENT;
use switchboard_runtime::Shutdown;
use switchboard_sandbox::WorkerProgram;

/// The longest line of standard error that is kept.
const MAX_LINE: usize = 300;

/// How many lines of standard error are kept.
const KEPT_LINES: usize = 20;

/// How many lines of one run go into the log.
const LOGGED_LINES: usize = 500;

/// A started command.
pub(super) struct Process {
    child: Child,
    group: Option<Pid>,
    errors: Arc<LastLines>,
    reader: JoinHandle<()>,
}

/// What the other end of a command is reached by.
pub(super) struct Pipes {
    pub(super) stdin: ChildStdin,
    pub(super) stdout: ChildStdout,
}

impl Process {
    /// Starts the command of the server `name`.
    pub(super) fn start(
        subreaper: &WorkerProgram,
        name: &str,
        transport: &StdioTransport,
        errors: &Arc<LastLines>,
        shutdown: &Shutdown,
    ) -> std::io::Result<(Self, Pipes)> {
        let mut child = command(subreaper, transport).spawn()?;
        let taken = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = taken else {
            return Err(std::io::Error::other("its input and output are not pipes"));
        };
        let errors = Arc::clone(errors);
        errors.clear();
        let reader = shutdown.spawn(read_errors(name.to_owned(), stderr, Arc::clone(&errors)));
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        Ok((Self { child, group, errors, reader }, Pipes { stdin, stdout }))
    }

    /// Ends it and all it started, and says how it ended. Its input must be closed already; after `limit` it is forced.
    pub(super) async fn end(mut self, limit: Duration) -> String {
        let ended = match timeout(limit, self.child.wait()).await {
            Ok(ended) => ended,
            Err(_) => {
                self.kill();
                self.child.wait().await
            }
        };
        let how = match ended {
            Ok(status) => match status.code() {
                Some(0) => "it ended".to_owned(),
                Some(code) => format!("it ended with exit code {code}"),
                None => "it was killed".to_owned(),
            },
            Err(error) => format!("it could not be waited for: {error}"),
        };
        // Something that left the group may hold the pipe open.
        if timeout(limit, &mut self.reader).await.is_err() {
            self.reader.abort();
        }
        match self.errors.last() {
            Some(line) => format!("{how}; its last words: {line}"),
            None => how,
        }
    }

    fn kill(&self) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

fn command(subreaper: &WorkerProgram, transport: &StdioTransport) -> Command {
    let mut command = Command::new(subreaper.path());
    command
        .arg(SUBREAPER_ARGUMENT)
        .arg(&transport.program)
        .args(&transport.arguments)
        .current_dir(&transport.folder)
        .env_clear()
        .envs(&transport.environment)
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The last lines of a server's standard error.
#[derive(Debug, Default)]
pub(super) struct LastLines(Mutex<VecDeque<String>>);

impl LastLines {
    fn push(&self, line: String) {
        let mut lines = self.lines();
        lines.push_back(line);
        if lines.len() > KEPT_LINES {
            lines.pop_front();
        }
    }

    fn clear(&self) {
        self.lines().clear();
    }

    fn last(&self) -> Option<String> {
        self.lines().back().cloned()
    }

    /// All that are kept, the oldest first.
    pub(super) fn all(&self) -> Vec<String> {
        self.lines().iter().cloned().collect()
    }

    fn lines(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads to the end, so that the server never waits for us; what is too long or too much is dropped.
async fn read_errors(name: String, mut stderr: impl AsyncRead + Unpin, kept: Arc<LastLines>) {
    let mut buffer = vec![0; 8 * 1024];
    let mut line = Vec::new();
    let mut logged = 0;
    loop {
        let count = stderr.read(&mut buffer).await.unwrap_or_default();
        let ended = count == 0;
        for byte in &buffer[..count] {
            match byte {
                b'\n' => take_line(&name, &mut line, &kept, &mut logged),
                byte if line.len() < MAX_LINE => line.push(*byte),
                _ => {}
            }
        }
        if ended {
            take_line(&name, &mut line, &kept, &mut logged);
            return;
        }
    }
}

fn take_line(name: &str, line: &mut Vec<u8>, kept: &LastLines, logged: &mut usize) {
    let (text, _) = super::names::sanitized(String::from_utf8_lossy(line).trim());
    line.clear();
    if text.is_empty() {
        return;
    }
    *logged += 1;
    match *logged {
        ..LOGGED_LINES => tracing::debug!("MCP server {name} says: {text}"),
        LOGGED_LINES => tracing::debug!("MCP server {name} says more than is logged"),
        _ => {}
    }
    kept.push(text);
}
