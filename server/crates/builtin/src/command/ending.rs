//! What came of a command, as a tool's result.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use switchboard_protocol::ErrorType;

use super::capture::{Capture, Captured, MAX_BYTES};
use super::connections::Connections;
use super::limits::{FREE_BYTES, MEMORY_BYTES, PROCESSES};
use switchboard_events::ArtifactValue;
use switchboard_sandbox::{RunEnd, RunOutcome};
use switchboard_tools::{ToolFailure, ToolResult};

/// How a command ended.
#[derive(Default)]
struct Ending {
    code: Option<i32>,
    signal: Option<String>,
    failure: Option<ToolFailure>,
}

/// The result; an error when the command did not run.
pub(super) fn ended(
    outcome: &RunOutcome,
    capture: &Capture,
    connections: &Connections,
) -> Result<ToolResult, ToolFailure> {
    let ending = match outcome {
        RunOutcome::Ended(RunEnd::NotConfined(why)) => return Err(not_confined(why)),
        RunOutcome::Ended(RunEnd::NotStarted(why)) => {
            return Err(ToolFailure::new(ErrorType::System, format!("the program could not be started: {why}")));
        }
        RunOutcome::Ended(RunEnd::Exited(0)) => Ending { code: Some(0), ..Ending::default() },
        RunOutcome::Ended(RunEnd::Exited(code)) => exited(*code),
        RunOutcome::Ended(RunEnd::Signalled(signal)) => signalled(*signal),
        RunOutcome::Ended(RunEnd::TooManyProcesses(_)) => {
            let message = format!("the command was stopped: it started more than {PROCESSES} processes");
            stopped(ErrorType::Security, message, "Start fewer at once.")
        }
        RunOutcome::Ended(RunEnd::OutOfMemory) => {
            let message = format!("the command was stopped: it used more than {} of memory", gib(MEMORY_BYTES));
            stopped(ErrorType::User, message, "Process less at once.")
        }
        RunOutcome::Ended(RunEnd::Unwatched(why)) => {
            let message = format!("the command was stopped: its processes could not be watched ({why})");
            stopped(ErrorType::Security, message, "Check what is left of it with ps.")
        }
        RunOutcome::Ended(RunEnd::DiskFull) => {
            let message = format!("the command was stopped: less than {} MiB of disk space was free", FREE_BYTES >> 20);
            stopped(ErrorType::User, message, "Delete what it wrote, or free some space.")
        }
        RunOutcome::Cancelled => stopped(ErrorType::User, "the command was stopped".to_owned(), "Run it again."),
        RunOutcome::TooMuchOutput => {
            let message = format!("the command was stopped: its output exceeded {} MiB", MAX_BYTES >> 20);
            stopped(ErrorType::User, message, "Send its output to a file, or filter it.")
        }
    };
    Ok(result(ending, capture, connections))
}

/// The refusal where the kernel cannot confine commands.
pub(super) fn not_confined(why: &str) -> ToolFailure {
    let message = format!("the command did not run: this system cannot confine it to the workspace ({why})");
    ToolFailure::new(ErrorType::Permission, message).suggesting(
        "If you run this server, use a Linux kernel with Landlock (6.2 or later) and, for --sandbox strict, user \
         namespaces; or start it with --sandbox off if commands may do everything the server can.",
    )
}

/// The refusal where a command with the network could answer its own approvals.
pub(super) fn no_network() -> ToolFailure {
    let message = "the command did not run: with network access it could reach the server's own port, and this kernel \
                   cannot block that";
    ToolFailure::new(ErrorType::Permission, message).suggesting(
        "Run it without network access. If you run this server, you can also start it with a token (--auth-token-file \
         FILE) or on Linux 6.7 or later.",
    )
}

fn exited(code: i32) -> Ending {
    let message = format!("the command exited with code {code}");
    let failure = ToolFailure::new(ErrorType::User, message);
    let failure = failure.suggesting("Read its output, correct the command, and try again.");
    Ending { code: Some(code), signal: None, failure: Some(failure) }
}

fn signalled(signal: i32) -> Ending {
    let (name, meaning) = named(signal);
    let message = format!("the command was ended by {name}{meaning}");
    let failure = ToolFailure::new(ErrorType::User, message);
    Ending { code: Some(128 + signal), signal: Some(name), failure: Some(failure) }
}

fn stopped(error_type: ErrorType, message: String, next: &str) -> Ending {
    Ending { failure: Some(ToolFailure::new(error_type, message).suggesting(next)), ..Ending::default() }
}

fn result(ending: Ending, capture: &Capture, connections: &Connections) -> ToolResult {
    let Ending { code, signal, failure } = ending;
    let failure = failure.map(|failure| match connections.denied() {
        Some(denied) if failure.suggestion.is_none() => {
            failure.suggesting(format!("A connection was denied ({denied}).")).refused()
        }
        _ => failure,
    });
    let (output, error) = (capture.stdout.text(), capture.stderr.text());
    let view = format!("{}{}", view(&output, &error, code), connections.view()).trim_start().to_owned();
    let mut value = Map::from_iter([
        ("output".to_owned(), output.into()),
        ("error".to_owned(), error.into()),
        ("return_code".to_owned(), code.into()),
    ]);
    value.extend(connections.value().map(|connections| ("network".to_owned(), connections)));
    value.extend(signal.clone().map(|name| ("signal".to_owned(), name.into())));
    value.extend(exact("output_base64", &capture.stdout));
    value.extend(exact("error_base64", &capture.stderr));
    let total = capture.stdout.total + capture.stderr.total;
    let result =
        ToolResult { failure, value: Some(ArtifactValue::Json(Value::Object(value))), ..ToolResult::default() };
    let result = result
        .with_view(view)
        .with_field("return_code", code)
        .with_field("signal", json!(signal))
        .with_field("output_bytes", total);
    connections.fields().into_iter().fold(result, |result, (name, value)| result.with_field(&name, value))
}

/// The bytes of a stream that is not text; of a long one what was kept.
fn exact(name: &str, stream: &Captured) -> Option<(String, Value)> {
    let bytes = stream.kept();
    std::str::from_utf8(&bytes).is_err().then(|| (name.to_owned(), STANDARD.encode(&bytes).into()))
}

fn view(output: &str, error: &str, code: Option<i32>) -> String {
    let mut view = output.trim_end().to_owned();
    if !error.trim().is_empty() {
        view.push_str(if view.is_empty() { "stderr:\n" } else { "\nstderr:\n" });
        view.push_str(error.trim_end());
    }
    match code {
        Some(0) if view.is_empty() => "(no output)".to_owned(),
        Some(0) | None => view,
        Some(code) => format!("{view}\nexit code {code}").trim_start().to_owned(),
    }
}

/// A signal's name, and what it usually means.
fn named(signal: i32) -> (String, &'static str) {
    let (name, meaning) = match signal {
        libc::SIGHUP => ("SIGHUP", ""),
        libc::SIGINT => ("SIGINT", ""),
        libc::SIGQUIT => ("SIGQUIT", ""),
        libc::SIGILL => ("SIGILL", " (an illegal instruction)"),
        libc::SIGTRAP => ("SIGTRAP", ""),
        libc::SIGABRT => ("SIGABRT", " (aborted)"),
        libc::SIGBUS => ("SIGBUS", " (bus error)"),
        libc::SIGFPE => ("SIGFPE", " (arithmetic error)"),
        libc::SIGKILL => ("SIGKILL", " (killed)"),
        libc::SIGSEGV => ("SIGSEGV", " (segmentation fault)"),
        libc::SIGPIPE => ("SIGPIPE", " (broken pipe)"),
        libc::SIGALRM => ("SIGALRM", ""),
        libc::SIGTERM => ("SIGTERM", " (terminated)"),
        libc::SIGSYS => ("SIGSYS", " (a forbidden system call)"),
        libc::SIGXCPU => ("SIGXCPU", " (too much processor time)"),
        libc::SIGXFSZ => ("SIGXFSZ", " (its file grew too large)"),
        other => return (format!("signal {other}"), ""),
    };
    (name.to_owned(), meaning)
}

fn gib(bytes: u64) -> String {
    format!("{} GiB", bytes >> 30)
}
