//! A worker of our own binary for work that cannot be stopped or bounded from inside: one question in, one answer out,
//! with limits of its own on memory and time. It ends with the call.

use std::io::{self, Read, Write};
use std::process::{ExitCode, Stdio};

use rustix::process::{Resource, Rlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use switchboard_sandbox::WorkerProgram;

/// The most memory, the stack included.
const MEMORY_BYTES: u64 = 1 << 30;

/// The most seconds of computing; the server ends it earlier, unless it is dead itself.
const CPU_SECONDS: u64 = 60;

/// The stack, for what is nested deep.
const STACK_BYTES: usize = 256 * 1024 * 1024;

/// Asks the worker of this argument. `None` if the call was canceled before it answered; an answer of no bytes if it
/// died.
///
/// # Errors
/// When it cannot be started or read.
pub(super) async fn ask(
    program: &WorkerProgram,
    argument: &str,
    question: &[u8],
    max_answer: u64,
    cancellation: &CancellationToken,
) -> io::Result<Option<Vec<u8>>> {
    let mut worker = start(program, argument)?;
    let answer = tokio::select! {
        biased;
        () = cancellation.cancelled() => None,
        answer = exchange(&mut worker, question, max_answer) => Some(answer?),
    };
    // Ends it in every case; one that has ended already is only collected.
    let _ended_already = worker.kill().await;
    Ok(answer)
}

fn start(program: &WorkerProgram, argument: &str) -> io::Result<Child> {
    Command::new(program.path())
        .arg(argument)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
}

/// Everything in, then everything out: the worker reads the whole question before it answers.
async fn exchange(worker: &mut Child, question: &[u8], max_answer: u64) -> io::Result<Vec<u8>> {
    if let Some(mut stdin) = worker.stdin.take() {
        // A worker that died cannot be written to; that it did is seen by its missing answer.
        let _died = stdin.write_all(question).await;
    }
    let mut answer = Vec::new();
    if let Some(stdout) = worker.stdout.take() {
        stdout.take(max_answer).read_to_end(&mut answer).await?;
    }
    Ok(answer)
}

/// The worker: limits itself, reads one question, writes what `answer` makes of it.
pub(super) fn run(answer: fn(Vec<u8>) -> Option<Vec<u8>>) -> ExitCode {
    let limits = [(Resource::As, MEMORY_BYTES), (Resource::Cpu, CPU_SECONDS), (Resource::Core, 0)];
    let limited = limits
        .into_iter()
        .all(|(resource, limit)| setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) }).is_ok());
    let work = move || {
        let mut question = Vec::new();
        io::stdin().read_to_end(&mut question).ok()?;
        io::stdout().write_all(&answer(question)?).ok()
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(Some(()))) if limited => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
