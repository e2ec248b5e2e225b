//! The server's side of a worker: starts it, reads its output, ends it.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as PairStream;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use super::groups::sweep_groups;
use super::program::WorkerProgram;
use super::spec::{RunEnd, RunSpec};
use super::worker::WORKER_ARGUMENT;

/// How much is read at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// How long the outputs are read when the worker has ended; they end with it unless it was killed.
const DRAIN_LIMIT: Duration = Duration::from_secs(2);

/// Takes what a command puts out, as it comes.
pub trait RunOutput: Send {
    /// Bytes of standard output.
    fn stdout(&mut self, bytes: &[u8]);
    /// Bytes of standard error.
    fn stderr(&mut self, bytes: &[u8]);
    /// Whether it has put out more than anybody could want; it is ended then.
    fn is_too_much(&self) -> bool;
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunOutcome {
    /// The command came to its end.
    Ended(RunEnd),
    /// It was ended because the cancellation came.
    Cancelled,
    /// It was ended because it put out too much.
    TooMuchOutput,
}

/// Runs a command in a worker, which is `program`, to its end, or until `cancellation`; all that came of it has ended then.
///
/// # Errors
/// When the worker cannot be started or dies.
pub async fn run(
    program: &WorkerProgram,
    spec: &RunSpec,
    output: &mut dyn RunOutput,
    cancellation: &CancellationToken,
) -> std::io::Result<RunOutcome> {
    let (ours, theirs) = PairStream::pair()?;
    ours.set_nonblocking(true)?;
    let (answers, mut lifeline) = UnixStream::from_std(ours)?.into_split();
    let mut worker = start(program, theirs.into())?;
    let (mut stdout, mut stderr) = (worker.stdout.take(), worker.stderr.take());
    let mut line = serde_json::to_vec(spec).map_err(std::io::Error::other)?;
    line.push(b'\n');
    lifeline.write_all(&line).await?;

    let mut lifeline = Some(lifeline);
    let mut cut = None;
    let mut worker_is_gone = false;
    let drained = tokio::time::sleep(DRAIN_LIMIT);
    tokio::pin!(drained);
    let (mut out, mut err) = (vec![0; CHUNK_BYTES], vec![0; CHUNK_BYTES]);
    while stdout.is_some() || stderr.is_some() {
        tokio::select! {
            biased;
            () = cancellation.cancelled(), if cut.is_none() => {
                cut = Some(RunOutcome::Cancelled);
                lifeline = None;
            }
            count = read(stdout.as_mut(), &mut out), if stdout.is_some() => match count {
                0 => stdout = None,
                count => output.stdout(&out[..count]),
            },
            count = read(stderr.as_mut(), &mut err), if stderr.is_some() => match count {
                0 => stderr = None,
                count => output.stderr(&err[..count]),
            },
            _ = worker.wait(), if !worker_is_gone => {
                worker_is_gone = true;
                drained.as_mut().reset(tokio::time::Instant::now() + DRAIN_LIMIT);
            }
            // The worker was killed, and what it left behind holds the outputs.
            () = &mut drained, if worker_is_gone => break,
        }
        if cut.is_none() && output.is_too_much() {
            cut = Some(RunOutcome::TooMuchOutput);
            lifeline = None;
        }
    }
    let mut report = String::new();
    let mut answers = BufReader::new(answers);
    // A command that closed its outputs may still run.
    let ended = tokio::select! {
        ended = answers.read_line(&mut report) => Some(ended),
        () = cancellation.cancelled(), if cut.is_none() => None,
    };
    if ended.is_none() {
        cut = Some(RunOutcome::Cancelled);
        lifeline = None;
        answers.read_line(&mut report).await?;
    }
    worker.wait().await?;
    drop(lifeline);
    match cut {
        Some(cut) => Ok(cut),
        None => serde_json::from_str(&report).map(RunOutcome::Ended).map_err(|_| {
            sweep_groups();
            std::io::Error::other("the worker died; the server's own binary may have been replaced, so start it again")
        }),
    }
}

fn start(program: &WorkerProgram, stdin: OwnedFd) -> std::io::Result<Child> {
    Command::new(program.path())
        .arg(WORKER_ARGUMENT)
        .env_clear()
        // Ctrl-C at the server's terminal is for the server; a worker that it killed would leave its command behind.
        .process_group(0)
        .stdin(Stdio::from(stdin))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(false)
        .spawn()
}

async fn read<R: AsyncRead + Unpin>(stream: Option<&mut R>, buffer: &mut [u8]) -> usize {
    match stream {
        Some(stream) => stream.read(buffer).await.unwrap_or_default(),
        None => std::future::pending().await,
    }
}
