//! Commands that hang, run away, crash, ask, or look for secrets: G01, G02, G03, G05, G08, G20.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::json;
use switchboard_tests::ServerOptions;
use uuid::Uuid;

use super::shell::{Shell, kill_marked, marked, until_marked};

/// The same command with nothing around it, in a group of its own.
fn bare(command: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut bash = Command::new("bash");
    let mut child = bash.args(["-c", command]).process_group(0).stdout(Stdio::piped()).spawn().expect("bash starts");
    let output = BufReader::new(child.stdout.take().expect("a pipe"));
    (child, output)
}

fn line(output: &mut impl BufRead) -> String {
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    line.trim_end().to_owned()
}

fn pid(child: &Child) -> Pid {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process id")
}

/// Runs forever under this name, away from its parents; what starts it does not have the name in one piece.
fn daemon(marker: &str) -> String {
    let (begin, end) = marker.split_at(8);
    format!(
        "/usr/bin/python3 -c 'import os\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\nos.chdir(\"/\")\n\
         os.execv(\"/bin/sleep\", [\"{begin}\" \"{end}\", \"100000\"])'"
    )
}

#[tokio::test]
async fn g01_a_command_that_ignores_sigterm_is_killed_at_its_limit() {
    let marker = Uuid::new_v4().to_string();
    let command = format!("trap 'echo heard' TERM; echo begun; : {marker}; while true; do sleep 0.1; done");
    // Baseline: SIGTERM alone does not end it.
    let (mut child, mut output) = bare(&command);
    assert_eq!(line(&mut output), "begun");
    kill_process(pid(&child), Signal::TERM).expect("the signal is sent");
    assert_eq!((line(&mut output).as_str(), child.try_wait().expect("a state")), ("heard", None));
    child.kill().expect("killed");
    child.wait().expect("collected");

    let mut shell = Shell::start(&[]).await;
    let id = shell.begin(json!({"command": command, "timeout": 1})).await;
    let ran = shell.end_of(&id).await;

    assert_eq!(ran.end["errorType"], "timeout_error", "{:#}", ran.end);
    assert!(ran.end["error"].as_str().is_some_and(|error| error.contains("limit of 1 s")), "{:#}", ran.end);
    assert_eq!(ran.stdout, "begun\nheard\n", "SIGTERM comes before SIGKILL");
    assert_eq!(marked(&marker), [] as [i32; 0]);
    shell.is_unharmed(&ran).await;
}

#[tokio::test]
async fn g02_what_daemonizes_dies_with_its_call() {
    let marker = Uuid::new_v4().to_string();
    let command = format!(
        "setsid {} & nohup sh -c 'sleep 100001; : {marker}' >/dev/null & disown -a; echo begun",
        daemon(&marker)
    );
    // Baseline: it outlives its parent and its group, and holds the output open.
    let (mut child, mut output) = bare(&daemon(&marker));
    child.wait().expect("it has ended");
    until_marked(&marker, "the daemon", |count| count == 1).await;
    let _ = kill_process_group(pid(&child), Signal::KILL);
    assert_eq!(marked(&marker).len(), 1, "the end of its group is not the end of it");
    kill_marked(&marker);
    assert_eq!(line(&mut output), "", "it held the output until then");

    let mut shell = Shell::start(&[]).await;
    let ran = shell.run(&command).await;

    assert_eq!((&ran.end["success"], ran.stdout.as_str()), (&json!(true), "begun\n"), "{ran:#?}");
    assert_eq!(marked(&marker), [] as [i32; 0]);
    shell.is_unharmed(&ran).await;
}

#[tokio::test]
async fn g02_everything_dies_with_the_server() {
    let marker = Uuid::new_v4().to_string();
    let mut shell = Shell::start(&[]).await;
    let id = shell.begin(json!({"command": format!("{}; echo begun; sleep 100000", daemon(&marker))})).await;
    shell.says(&id, "begun").await;
    // Baseline: it runs on while nobody ends it, also away from its parents (see the case above).
    until_marked(&marker, "the daemon", |count| count > 0).await;

    shell.server.signal(Signal::KILL);
    shell.server.ended().await;

    until_marked(&marker, "the end of all that the command started", |count| count == 0).await;
}

#[tokio::test]
async fn g03_a_crash_is_told_and_the_session_goes_on() {
    // Baseline: the command does crash.
    let status = Command::new("bash").args(["-c", "kill -SEGV $$"]).status().expect("bash starts");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(11));
    let mut shell = Shell::start(&[]).await;

    for (command, code, signal, says) in [
        ("exit 1", 1, json!(null), "exited with code 1"),
        ("kill -SEGV $$", 139, json!("SIGSEGV"), "SIGSEGV (segmentation fault)"),
        ("ulimit -c 0; kill -ABRT $$", 134, json!("SIGABRT"), "SIGABRT (aborted)"),
        ("kill -KILL $$", 137, json!("SIGKILL"), "SIGKILL (killed)"),
        ("/usr/bin/python3 -c 'x = bytearray(5 << 30)'", 1, json!(null), "exited with code 1"),
    ] {
        let ran = shell.run(command).await;
        assert_eq!(ran.end["errorType"], "user_error", "{command}: {:#}", ran.end);
        assert!(ran.end["error"].as_str().is_some_and(|error| error.contains(says)), "{command}: {:#}", ran.end);
        let value = shell.value(&ran).await;
        assert_eq!((&value["return_code"], &value["signal"]), (&json!(code), &signal), "{command}: {value:#}");
        shell.is_unharmed(&ran).await;
    }
    shell.client.ask("Run `kill -SEGV $$`").await.failed("tool-failed");
    shell.client.ask("Calculate 6 * 7").await.answered().says("42");
}

#[tokio::test]
async fn g05_bytes_that_are_no_text_come_clean_and_are_kept_exactly() {
    let command = r"printf 'a\033]52;c;aGFjaw==\007b\033[31mc\000d\377e\342\200\256f'";
    // Baseline: what comes out of it is all of that.
    let raw = Command::new("bash").args(["-c", command]).output().expect("bash starts").stdout;
    assert!(raw.contains(&0x1b) && raw.contains(&0) && std::str::from_utf8(&raw).is_err());
    let mut shell = Shell::start(&[]).await;

    let ran = shell.run(command).await;

    for shown in [&ran.stdout, &ran.end.to_string()] {
        assert!(!shown.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'), "{shown:?}");
    }
    let encoded = Command::new("bash").args(["-c", &format!("{command} | base64 -w0")]).output().expect("base64 runs");
    assert_eq!(shell.value(&ran).await["output_base64"], json!(String::from_utf8_lossy(&encoded.stdout)));
    shell.is_unharmed(&ran).await;
}

#[tokio::test]
async fn g08_nothing_waits_for_an_input_that_cannot_come() {
    // Baseline: a plain command shares the terminal of who starts it.
    // Field 6 is the session, 7 the terminal.
    let session = "set -- $(cat /proc/$$/stat); echo $1 $6";
    let bare = Command::new("bash").args(["-c", session]).output().expect("bash starts");
    let bare = String::from_utf8_lossy(&bare.stdout).into_owned();
    let (own, of) = bare.trim().split_once(' ').expect("two numbers");
    assert_ne!(own, of, "what a program starts shares its terminal");
    let mut shell = Shell::start(&[]).await;

    let ran = shell.run(session).await;
    let (own, of) = ran.stdout.trim().split_once(' ').expect("two numbers");
    assert!(of == own || of == "1", "a session of its own, or of its namespaces' first process, has no terminal: {of}");
    for (command, works) in [
        ("cat; echo end", true),
        ("read -r answer", false),
        ("[ -t 0 ] || [ -t 1 ] || [ -t 2 ]", false),
        ("read -r password </dev/tty", false),
        ("ssh -F /dev/null nobody@127.0.0.1", false),
    ] {
        let ran = shell.run(command).await;
        assert_eq!(ran.end["success"], works, "{command}: {ran:#?}");
    }
}

#[tokio::test]
async fn g20_a_command_sees_no_secret_of_the_servers_environment() {
    let canary = Uuid::new_v4().to_string();
    let look = "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; true";
    let with = |sandbox: &str| ServerOptions {
        environment: vec![("OPENAI_API_KEY".to_owned(), canary.clone()), ("CANARY".to_owned(), canary.clone())],
        ..ServerOptions::with(&["--approve", "auto", "--sandbox", sandbox])
    };
    // Baseline: without the sandbox there is something to see.
    let mut outside = Shell::start_with(with("off")).await;
    assert!(
        outside.run(&format!("{look} | grep -a {canary}")).await.stdout.contains(&canary),
        "there is something to see"
    );
    assert_eq!(outside.run("env | cut -d= -f1 | sort | xargs").await.stdout, ENVIRONMENT);

    let mut inside = Shell::start_with(with("on")).await;
    let ran = inside.run(look).await;

    assert!(ran.stdout.contains("SWITCHBOARD_CALL=") && !ran.stdout.contains(&canary), "{}", ran.stdout);
    assert_eq!(inside.run("env | cut -d= -f1 | sort | xargs").await.stdout, ENVIRONMENT);
    inside.is_unharmed(&ran).await;
}

/// The names of all that a command sees.
const ENVIRONMENT: &str = "HOME LANG PATH PWD SHLVL SWITCHBOARD_CALL TERM TMPDIR _\n";
