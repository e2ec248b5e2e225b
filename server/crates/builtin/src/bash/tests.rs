//! `bash` with the real worker, which `cargo build` makes.

use std::time::Duration;

use serde_json::{Value, json};
use switchboard_protocol::{ErrorType, Risk, Stream};

use super::Bash;
use crate::command::{Sandbox, ShellConfig};
use crate::test_support::{Bench, map};
use switchboard_sandbox::test_support::built_server;
use switchboard_sandbox::{Isolation, Network, Workers};
use switchboard_tools::Tool;

fn bash() -> Bench<Bash> {
    let sandbox = Sandbox::On {
        readable: Vec::new(),
        denied: Vec::new(),
        network: Network::AllBut(1),
        host_network: Network::AllBut(1),
        isolation: Isolation::Namespaces,
    };
    Bench::new(Bash::new(ShellConfig { sandbox, workers: Workers::of(built_server()), ..ShellConfig::default() }))
}

#[test]
fn its_definition_is_whole() {
    bash().definition_is_whole();
}

#[tokio::test]
async fn a_command_gives_its_output_and_exit_code() {
    let bash = bash();

    let value = bash.json(json!({"command": "echo out; echo err >&2"})).await;

    assert_eq!(value, json!({"output": "out\n", "error": "err\n", "return_code": 0}));
    assert_eq!(bash.output.text(Stream::Stdout), "out\n");
    assert_eq!(bash.output.text(Stream::Stderr), "err\n");
}

#[tokio::test]
async fn it_runs_in_the_folder_it_is_told() {
    let bash = bash();
    bash.file("inside/x.txt", "x");

    let value = bash.json(json!({"command": "ls", "working_dir": "inside"})).await;
    let (outside, ..) = bash.failure(json!({"command": "ls", "working_dir": ".."})).await;
    let (missing, ..) = bash.failure(json!({"command": "ls", "working_dir": "nowhere"})).await;

    assert_eq!(value["output"], "x.txt\n");
    assert_eq!((outside, missing), (ErrorType::Security, ErrorType::User));
}

#[tokio::test]
async fn a_failed_command_keeps_its_output() {
    let result = bash().run(json!({"command": "echo partly; exit 3"})).await;

    let failure = result.failure.expect("it failed");
    assert_eq!((failure.error_type, failure.message.as_str()), (ErrorType::User, "the command exited with code 3"));
    assert_eq!(result.value.expect("a value").to_json()["output"], "partly\n");
    assert_eq!(result.view.as_deref(), Some("partly\nexit code 3"));
}

#[tokio::test]
async fn a_signal_is_named() {
    let (error_type, message, _) = bash().failure(json!({"command": "kill -SEGV $$"})).await;

    assert_eq!(error_type, ErrorType::User);
    assert!(message.contains("segmentation fault"), "{message}");
}

#[tokio::test]
async fn it_sees_nothing_of_the_servers_environment_and_has_no_input() {
    let value = bash().json(json!({"command": "env | cut -d= -f1 | sort | tr '\\n' ' '; cat"})).await;

    assert_eq!(value["output"], "HOME LANG PATH PWD SHLVL SWITCHBOARD_CALL TERM TMPDIR _ ");
}

#[tokio::test]
async fn it_cannot_write_outside_the_workspace() {
    let bash = bash();
    let outside = tempfile::tempdir().expect("a folder");
    let target = outside.path().join("trace");

    let result =
        bash.run(json!({"command": format!("echo x > {}; echo y > inside; cat inside", target.display())})).await;

    assert!(!target.exists());
    assert_eq!(result.value.expect("a value").to_json()["output"], "y\n");
}

#[tokio::test]
async fn a_cancelled_command_ends_with_all_that_it_started() {
    let bash = bash();
    let cancel = bash.cancellation.clone();
    let command = json!({"command": "(setsid sleep 50 &) ; echo begun; sleep 50"});

    let (result, ()) = tokio::join!(bash.run(command), async {
        bash.output.has(Stream::Stdout, "begun").await;
        cancel.cancel();
    });

    assert!(result.failure.is_some());
    assert_eq!(working_in(bash.folder()), 0);
}

#[tokio::test]
async fn what_goes_to_the_background_ends_with_the_command() {
    let bash = bash();

    bash.run(json!({"command": "setsid nohup sleep 50 >/dev/null 2>&1 & disown; exit 0"})).await;

    assert_eq!(working_in(bash.folder()), 0);
}

fn working_in(folder: &std::path::Path) -> usize {
    let processes = std::fs::read_dir("/proc").expect("/proc is there").flatten();
    processes.filter(|process| std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == folder)).count()
}

#[tokio::test]
async fn g05_bytes_that_are_no_text_do_no_harm_and_are_kept() {
    let value = bash().json(json!({"command": "printf 'a\\xffb\\0c'"})).await;

    assert_eq!(value["output"], "a\u{fffd}b\0c");
    assert_eq!(value["output_base64"], "Yf9iAGM=");
    assert_eq!(value.get("error_base64"), None);
}

#[tokio::test]
async fn wrong_arguments_are_told() {
    let bash = bash();

    assert!(bash.problems(json!({})).await.contains("command"));
    assert!(bash.problems(json!({"command": "true", "timeout": 3600})).await.contains("60"));
    assert!(bash.problems(json!({"command": "true", "timeout": 0})).await.contains("timeout"));
    assert!(bash.problems(json!({"command": ""})).await.contains("command"));
    assert!(bash.problems(json!({"command": "true", "shell": "zsh"})).await.contains("shell"));
}

#[tokio::test]
async fn plain_destruction_is_refused() {
    let (error_type, message, suggestion) = bash().failure(json!({"command": "rm -rf /"})).await;

    assert_eq!(error_type, ErrorType::Security);
    assert!(message.contains("refused") && !suggestion.is_empty());
}

#[test]
fn its_time_limit_is_the_timeout() {
    let bash = bash();
    let limit = |arguments: Value| bash.tool.time_limit(&map(arguments));

    assert_eq!(limit(json!({"command": "true"})), Duration::from_secs(5));
    assert_eq!(limit(json!({"command": "true", "timeout": 30})), Duration::from_secs(30));
}

#[tokio::test]
async fn its_preview_is_the_beginning_of_its_output() {
    assert_eq!(bash().preview(json!({"command": "true"})).await, ["(no output)"]);
    assert_eq!(bash().preview(json!({"command": "seq 5"})).await[..2], ["1", "2"]);
}

#[tokio::test]
async fn only_with_network_a_command_reaches_the_network() {
    let bash = bash();
    let server = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = server.local_addr().expect("an address").port();
    let command = format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo reached");

    let without = bash.run(json!({"command": command})).await;
    let with = bash.json(json!({"command": command, "network": true})).await;

    assert!(without.failure.is_some(), "{without:?}");
    assert_eq!(with["output"], "reached\n");
}

#[tokio::test]
async fn with_network_it_still_reaches_no_local_socket() {
    let bash = bash();
    let socket = bash.folder().join("socket");
    let _server = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    std::os::unix::net::UnixStream::connect(&socket).expect("it can be reached from outside the sandbox");
    let command = "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"socket\")'";

    let result = bash.run(json!({"command": command, "network": true})).await;

    let value = result.value.expect("a value").to_json();
    assert!(value["error"].as_str().is_some_and(|error| error.contains("PermissionError")), "{value}");
}

#[test]
fn with_network_it_is_of_the_risk_network() {
    let bash = bash();
    let risk = |arguments: Value| bash.tool.risk(&map(arguments));

    assert_eq!(risk(json!({"command": "true"})), Risk::Execute);
    assert_eq!(risk(json!({"command": "true", "network": false})), Risk::Execute);
    assert_eq!(risk(json!({"command": "true", "network": true})), Risk::Network);
}
