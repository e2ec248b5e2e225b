//! Commands that want more than there is: output, processes, threads, the processor: G04, G06, G07.

use std::io::Read;
use std::process::{Command, Stdio};

use serde_json::json;
use switchboard_tests::{TestServer, soon};

use super::shell::{Group, Ran, Shell, marked};

/// A command that puts out more is ended; see `bash/capture.rs`.
const OUTPUT_LIMIT: u64 = 64 << 20;

/// What a flood of output may add to the server's memory at its worst.
const MEMORY_LIMIT: u64 = 400 << 20;

/// The most memory that a server has had, in bytes.
pub(super) fn peak(server: &TestServer) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).expect("the server runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the kernel says it");
    peak.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
}

#[tokio::test]
async fn g04_a_flood_of_output_is_cut_and_counted() {
    let mut shell = Shell::start(&[]).await;
    let before = peak(&shell.server);

    for (flood, command) in [
        ("10 GB", "echo first; head -c 10G /dev/zero | tr '\\0' 'x'; echo last"),
        ("one line of 1 GB", "head -c 1G /dev/zero | tr '\\0' 'y'; echo last"),
        ("a million lines a second", "yes 0123456789"),
        ("errors", "yes 0123456789 >&2"),
    ] {
        // Baseline: with nothing around it, it goes on behind the limit.
        let mut bare = Command::new("bash");
        let mut bare =
            bare.args(["-c", command, "--"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("bash");
        let stream: &mut dyn Read = if flood == "errors" {
            bare.stderr.as_mut().expect("a pipe")
        } else {
            bare.stdout.as_mut().expect("a pipe")
        };
        let read = std::io::copy(&mut stream.take(OUTPUT_LIMIT + 1), &mut std::io::sink()).expect("it is read");
        assert!(read > OUTPUT_LIMIT, "{flood}: without a limit it goes on");
        bare.kill().expect("killed");
        bare.wait().expect("collected");

        let ran = flooded(&mut shell, command).await;

        let error = ran.end["error"].as_str().unwrap_or_default();
        assert!(error.contains("its output exceeded 64 MiB"), "{flood}: {:#}", ran.end);
        let value = shell.value(&ran).await;
        let kept = value[if flood == "errors" { "error" } else { "output" }].as_str().expect("text");
        assert!(kept.contains(" bytes left out …") && kept.len() < 5 << 20, "{flood}: {}", kept.len());
        assert!(!kept.contains("last"), "{flood}: it did not come to its end");
        shell.is_unharmed(&ran).await;
    }

    let grown = peak(&shell.server) - before;
    assert!(grown < MEMORY_LIMIT, "the server grew by {} MiB", grown >> 20);
}

/// Runs a flood; again, if a busy machine did not give it the time for 64 MiB.
async fn flooded(shell: &mut Shell, command: &str) -> Ran {
    let mut ran = shell.run(command).await;
    for _ in 0..4 {
        if ran.end["errorType"] != "timeout_error" {
            break;
        }
        ran = shell.run(command).await;
    }
    ran
}

/// Forks without end, leaving group and session each time; `{marker}` is in its arguments.
const BOMB: &str = "/usr/bin/python3 -c 'import os, time
while True:
    try:
        if not os.fork(): os.setsid()
    except OSError: time.sleep(0.001)
' {marker}";

#[tokio::test]
async fn g06_a_fork_bomb_is_ended() {
    // Whatever goes wrong ends at this group's limit.
    let Some(around) = Group::make("pids") else {
        eprintln!("not tried: no control groups can be made here, and a fork bomb needs one around it");
        return;
    };
    around.set("pids.max", "3000");
    // Baseline: it grows until something ends it.
    fork_bombs_work_without_a_limit().await;
    let marker = uuid::Uuid::new_v4().to_string();
    let mut shell = Shell::start(&[]).await;
    around.set("cgroup.procs", &shell.server.pid().to_string());

    let ran = shell.run(&BOMB.replace("{marker}", &marker)).await;

    assert_eq!(ran.end["errorType"], "security_error", "{:#}", ran.end);
    assert!(ran.end["error"].as_str().is_some_and(|error| error.contains("more than 512 processes")), "{:#}", ran.end);
    assert_eq!(marked(&marker), [] as [i32; 0]);
    assert_eq!(crowded_calls_inside(&around), 0, "the call's own group is gone");
    shell.is_unharmed(&ran).await;
}

/// Nothing but the group around it ends its growth.
async fn fork_bombs_work_without_a_limit() {
    let group = Group::make("pids").expect("a group");
    group.set("pids.max", "150");
    let enter = format!("echo 0 > {}/cgroup.procs && exec {}", group.path().display(), BOMB);
    let mut bomb = Command::new("bash").args(["-c", &enter]).spawn().expect("bash starts");
    soon("a full group", async {
        while group.number("pids.current") < 150 {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await;
    group.kill();
    bomb.wait().expect("collected");
}

/// The groups of calls in which there is more than one process: that of the worker which is ready for the next call.
fn crowded_calls_inside(group: &Group) -> usize {
    let folders = std::fs::read_dir(group.path()).expect("the group is there").flatten();
    let calls = folders.filter(|entry| entry.file_name().to_string_lossy().starts_with("switchboard-call-"));
    let processes = calls.filter_map(|call| std::fs::read_to_string(call.path().join("cgroup.procs")).ok());
    processes.filter(|processes| processes.lines().count() > 1).count()
}

#[tokio::test]
async fn g06_threads_are_limited_too() {
    let threads = "/usr/bin/python3 -c 'import threading
threading.stack_size(65536)
stop, made = threading.Event(), 0
try:
    while made < 2000:
        threading.Thread(target=stop.wait).start()
        made += 1
except RuntimeError: pass
stop.set()
print(made)'";
    // Baseline: without a limit it gets all of them.
    let bare = Command::new("bash").args(["-c", threads]).output().expect("bash starts");
    assert_eq!(String::from_utf8_lossy(&bare.stdout), "2000\n", "{bare:?}");
    if Group::make("pids").is_none() {
        eprintln!("not tried: no control groups can be made here");
        return;
    }
    let mut shell = Shell::start(&[]).await;

    let ran = shell.run(threads).await;

    let made: u32 = ran.stdout.trim().parse().unwrap_or_else(|_| panic!("{ran:#?}"));
    assert!((100..1100).contains(&made), "{made} threads");
    shell.is_unharmed(&ran).await;
}

#[tokio::test]
async fn g07_commands_come_after_others_and_files_have_a_limit() {
    // Baseline: a plain command is as important as any other, and writes what it likes.
    let bare = Command::new("bash").args(["-c", "nice; ulimit -f"]).output().expect("bash starts");
    assert_eq!(String::from_utf8_lossy(&bare.stdout), "0\nunlimited\n", "run the tests with usual limits");
    let mut shell = Shell::start(&[]).await;

    let ran = shell.run("nice; truncate -s 5G large").await;

    assert_eq!((ran.stdout.as_str(), &ran.end["success"]), ("10\n", &json!(false)), "{ran:#?}");
    assert!(ran.stderr.contains("File too large") || ran.end["error"].to_string().contains("SIGXFSZ"), "{ran:#?}");
}

#[tokio::test]
async fn g07_busy_commands_leave_time_for_other_sessions() {
    let mut shell = Shell::start(&[]).await;
    let id =
        shell.begin(json!({"command": "for n in 1 2 3 4; do (while :; do :; done) & done; echo begun; wait"})).await;
    shell.says(&id, "begun").await;

    let mut other = shell.server.connect().await;
    for _ in 0..10 {
        other.ask("Calculate 6 * 7").await.answered().says("42");
    }
    shell.client.send(json!({"type": "cancel"})).await;
}
