//! `docs/switchboard.service`: right as systemd reads it, and wide enough for the sandbox that commands run in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use switchboard_tests::{ServerOptions, TestClient, TestServer, binary, soon};
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::house::root;

pub(crate) fn unit() -> String {
    std::fs::read_to_string(root().join("docs/switchboard.service")).expect("docs/switchboard.service")
}

fn systemd_analyze(arguments: &[&str]) -> Output {
    let mut command = Command::new("systemd-analyze");
    command.args(arguments).env("SYSTEMD_PAGER", "cat").env("SYSTEMD_COLORS", "0");
    command.output().expect("systemd-analyze is installed (Debian's package systemd)")
}

/// What systemd has to say against a unit: nothing when it is right. The program must be there for that.
fn complaints(unit: &str) -> String {
    complaints_with(unit, "")
}

/// The same of a unit with a drop-in.
pub(crate) fn complaints_with(unit: &str, drop_in: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("switchboard.service");
    let unit = unit.replace("/usr/local/bin/switchboard", &binary().display().to_string());
    std::fs::write(&path, unit).expect("the unit is written");
    let drop_ins = folder.path().join("switchboard.service.d");
    std::fs::create_dir(&drop_ins).expect("a folder");
    std::fs::write(drop_ins.join("strict.conf"), drop_in).expect("the drop-in is written");
    let output = systemd_analyze(&["verify", "--man=no", &path.display().to_string()]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    if output.status.success() { said } else { format!("{said}{}", output.status) }
}

#[test]
fn systemd_has_nothing_against_the_unit() {
    let unit = unit();

    assert_eq!(complaints(&unit), "");

    // It would have: systemd reads over what it does not know, and says so.
    let wrong = complaints(&unit.replace("ProtectClock=", "ProtectClok="));
    assert!(wrong.contains("ProtectClok"), "{wrong}");
}

/// The system calls of `@group` and of everything in it.
fn calls_of(group: &str) -> BTreeSet<String> {
    let output = systemd_analyze(&["syscall-filter", group]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = text.lines().skip(1).map(str::trim).filter(|name| !name.is_empty() && !name.starts_with('#'));
    let mut calls = BTreeSet::new();
    for name in names {
        match name.starts_with('@') {
            true => calls.extend(calls_of(name)),
            false => drop(calls.insert(name.to_owned())),
        }
    }
    calls
}

fn allowed(unit: &str) -> BTreeSet<String> {
    let filter = unit.lines().find_map(|line| line.strip_prefix("SystemCallFilter=")).expect("the unit has a filter");
    filter
        .split_whitespace()
        .flat_map(|word| match word.starts_with('@') {
            true => calls_of(word),
            false => BTreeSet::from([word.to_owned()]),
        })
        .chain(calls_of("@default"))
        .collect()
}

/// The system calls of a server that answers a message with a command, from its start to its end.
async fn calls_made(record: &Path) -> BTreeSet<String> {
    let server = TestServer::prepare(ServerOptions::auto());
    let own = server.command("127.0.0.1:0");
    let own = own.as_std();
    let mut command = tokio::process::Command::new("strace");
    command.args(["-f", "-qq", "-c", "-U", "name", "-o"]).arg(record).arg("--").arg(own.get_program());
    command.args(own.get_args()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn().expect("strace is installed");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let ready = soon("the server's address", lines.next_line()).await.expect("a line").expect("the server is ready");
    let address = ready.split_once("http://").map(|(_, address)| address.to_owned()).expect("an address");

    let mut client = TestClient::connect(&address, "").await;
    client.ask("Run `echo it-$((40 + 2)) > made.txt; cat made.txt`").await.answered().says("it-42");
    client.ask("Read made.txt and call it made").await.answered();

    let strace = child.id().expect("it runs");
    let children = std::fs::read_to_string(format!("/proc/{strace}/task/{strace}/children")).expect("its children");
    let pid = children.split_whitespace().next().and_then(|pid| pid.parse().ok()).and_then(Pid::from_raw);
    kill_process(pid.expect("the server's id"), Signal::TERM).expect("the signal is sent");
    assert_eq!(soon("the server's end", child.wait()).await.expect("it ends").code(), Some(0));
    let text = std::fs::read_to_string(record).expect("the record");
    text.split_whitespace().map(str::to_owned).collect()
}

#[tokio::test]
async fn the_unit_allows_what_server_and_sandbox_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let record: PathBuf = folder.path().join("calls");
    let mut made = calls_made(&record).await;
    for column in ["name", "syscall", "total"] {
        made.remove(column);
    }
    made.retain(|word| !word.starts_with("---") && word.chars().any(char::is_alphabetic));
    let allowed = allowed(&unit());

    let forbidden: Vec<_> = made.difference(&allowed).collect();

    assert!(forbidden.is_empty(), "the unit forbids what is called: {forbidden:?}");
    // The command was seen in its sandbox, and not only the server around it.
    for call in ["landlock_restrict_self", "seccomp", "execve"] {
        assert!(made.contains(call), "{call} in {made:?}");
    }
    assert!(!allowed.contains("reboot") && !allowed.contains("ptrace"), "the filter forbids something");
}
