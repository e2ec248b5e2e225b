//! The server's side of a worker: starts it, reads its output, ends it.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as PairStream;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, Interest};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use super::groups::sweep_groups;
use super::handover;
use super::lifeline::LISTENER;
use super::program::{WORKER_ARGUMENT, WorkerProgram};
use super::spec::{Network, RunEnd, RunSpec};
use super::world::World;

/// How much is read at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// How long the outputs are read when the worker has ended; they end with it unless it was killed.
const DRAIN_LIMIT: Duration = Duration::from_secs(2);

/// Says that the command is canceled.
const CANCEL: &[u8] = b".";

/// Takes what a command puts out, as it comes.
pub trait RunOutput: Send {
    /// Bytes of standard output.
    fn stdout(&mut self, bytes: &[u8]);
    /// Bytes of standard error.
    fn stderr(&mut self, bytes: &[u8]);
    /// Whether it has put out more than anybody could want; it is ended then.
    fn is_too_much(&self) -> bool;
    /// Takes the listener at which a command that is [`Network::Proxied`] finds its proxy, before the command starts.
    fn proxy_listener(&mut self, _listener: TcpListener) {}
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

/// Runs a command in a worker, which is `program`, to its end, or until `cancellation`; everything it started has ended
/// then.
///
/// # Errors
/// When the worker cannot be started or dies.
pub async fn run(
    program: &WorkerProgram,
    spec: &RunSpec,
    output: &mut dyn RunOutput,
    cancellation: &CancellationToken,
) -> std::io::Result<RunOutcome> {
    run_in(Idle::start(program, World::of(spec))?, spec, output, cancellation).await
}

/// Runs a command in this worker.
pub(super) async fn run_in(
    idle: Idle,
    spec: &RunSpec,
    output: &mut dyn RunOutput,
    cancellation: &CancellationToken,
) -> std::io::Result<RunOutcome> {
    let mut run = Run::begin(idle, spec).await?;
    run.follow(output, cancellation).await;
    let report = run.report(cancellation).await?;
    run.worker.wait().await?;
    match run.cut {
        Some(cut) => Ok(cut),
        None => serde_json::from_str(&report).map(RunOutcome::Ended).map_err(|_| {
            sweep_groups();
            std::io::Error::other(
                "the worker died; the server's own binary may have been replaced, so restart the server",
            )
        }),
    }
}

/// A worker that has no command yet. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Idle {
    worker: Child,
    line: UnixStream,
    world: World,
}

impl Idle {
    /// Starts one, for commands that need this world.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(program: &WorkerProgram, world: World) -> std::io::Result<Self> {
        let (ours, theirs) = PairStream::pair()?;
        ours.set_nonblocking(true)?;
        let line = UnixStream::from_std(ours)?;
        let worker = start(program, world, theirs.into())?;
        Ok(Self { worker, line, world })
    }

    /// Its process; none if it was found to have ended.
    #[cfg(test)]
    pub(super) fn pid(&self) -> Option<u32> {
        self.worker.id()
    }

    /// This one, if it lives and has made this world.
    pub(super) fn fit_for(mut self, world: World) -> Option<Self> {
        let lives = matches!(self.worker.try_wait(), Ok(None));
        (lives && self.world == world).then_some(self)
    }
}

/// A command that runs.
struct Run {
    worker: Child,
    /// What the worker says at its end.
    answers: BufReader<OwnedReadHalf>,
    /// Whether the listener of a proxy comes before that.
    awaits_listener: bool,
    /// What came in its place: the beginning of what the worker says.
    said: String,
    /// A byte cancels the command, closing it ends it at once.
    lifeline: Option<OwnedWriteHalf>,
    /// Why it was ended before its end.
    cut: Option<RunOutcome>,
}

impl Run {
    async fn begin(Idle { worker, line, .. }: Idle, spec: &RunSpec) -> std::io::Result<Self> {
        let (answers, mut lifeline) = line.into_split();
        let mut line = serde_json::to_vec(spec).map_err(std::io::Error::other)?;
        line.push(b'\n');
        lifeline.write_all(&line).await?;
        let confinement = spec.confinement.as_ref();
        Ok(Self {
            worker,
            answers: BufReader::new(answers),
            awaits_listener: confinement.is_some_and(|confined| confined.network == Network::Proxied),
            said: String::new(),
            lifeline: Some(lifeline),
            cut: None,
        })
    }

    /// Hands over what the command puts out until nothing more comes; ends it when it is told to, or has had enough.
    async fn follow(&mut self, output: &mut dyn RunOutput, cancellation: &CancellationToken) {
        let (mut stdout, mut stderr) = (self.worker.stdout.take(), self.worker.stderr.take());
        let (mut out, mut err) = (vec![0; CHUNK_BYTES], vec![0; CHUNK_BYTES]);
        let mut worker_is_gone = false;
        let drained = tokio::time::sleep(DRAIN_LIMIT);
        tokio::pin!(drained);
        while stdout.is_some() || stderr.is_some() {
            tokio::select! {
                biased;
                () = cancellation.cancelled(), if self.cut.is_none() => self.end(RunOutcome::Cancelled),
                heard = listener(self.answers.get_ref()), if self.awaits_listener => {
                    self.awaits_listener = false;
                    match heard {
                        Ok(Heard::Listener(listener)) => output.proxy_listener(listener),
                        Ok(Heard::Other(begin)) => self.said.push(begin),
                        // The report says why, or is missing.
                        Err(_) => {}
                    }
                }
                count = read(stdout.as_mut(), &mut out), if stdout.is_some() => match count {
                    0 => stdout = None,
                    count => output.stdout(&out[..count]),
                },
                count = read(stderr.as_mut(), &mut err), if stderr.is_some() => match count {
                    0 => stderr = None,
                    count => output.stderr(&err[..count]),
                },
                _ = self.worker.wait(), if !worker_is_gone => {
                    worker_is_gone = true;
                    drained.as_mut().reset(tokio::time::Instant::now() + DRAIN_LIMIT);
                }
                // The worker was killed, and what it left behind holds the outputs.
                () = &mut drained, if worker_is_gone => break,
            }
            if self.cut.is_none() && output.is_too_much() {
                self.end(RunOutcome::TooMuchOutput);
            }
        }
    }

    /// The worker's report. A command that closed its outputs may still run, so it can still be told to end.
    async fn report(&mut self, cancellation: &CancellationToken) -> std::io::Result<String> {
        let mut report = std::mem::take(&mut self.said);
        let ended = tokio::select! {
            ended = self.answers.read_line(&mut report) => Some(ended),
            () = cancellation.cancelled(), if self.cut.is_none() => None,
        };
        if ended.is_none() {
            self.end(RunOutcome::Cancelled);
            self.answers.read_line(&mut report).await?;
        }
        Ok(report)
    }

    /// Has the worker end the command and everything it started, with time to clean up.
    fn end(&mut self, why: RunOutcome) {
        self.cut = Some(why);
        // A line that takes no byte is broken, and closing it ends the command at once.
        if self.lifeline.as_ref().is_none_or(|lifeline| lifeline.try_write(CANCEL).is_err()) {
            self.lifeline = None;
        }
    }
}

/// The first that a worker says whose command has a proxy.
enum Heard {
    Listener(TcpListener),
    /// Something else, which begins like this.
    Other(char),
}

/// Waits for it.
async fn listener(answers: &OwnedReadHalf) -> std::io::Result<Heard> {
    let mut byte = [0];
    let socket: &UnixStream = answers.as_ref();
    match socket.async_io(Interest::READABLE, || handover::receive(socket, &mut byte)).await? {
        (1, Some(listener)) if byte[0] == LISTENER => Ok(Heard::Listener(TcpListener::from(listener))),
        (1, _) => Ok(Heard::Other(char::from(byte[0]))),
        _ => Err(std::io::ErrorKind::UnexpectedEof.into()),
    }
}

fn start(program: &WorkerProgram, world: World, stdin: OwnedFd) -> std::io::Result<Child> {
    Command::new(program.path())
        .arg(WORKER_ARGUMENT)
        .arg(world.argument())
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
