//! G19: where the kernel cannot confine commands they do not run, unless that is what was asked for; and clients see it.

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, request};

use super::shell::Shell;

/// The server where the kernel has no Landlock.
fn without_landlock(arguments: &[&str]) -> ServerOptions {
    ServerOptions { without_landlock: true, ..ServerOptions::with(arguments) }
}

async fn said_by_tools(shell: &Shell) -> Value {
    request(shell.server.address(), "GET", "/api/tools", &[], b"").await.json()["sandbox"].clone()
}

#[tokio::test]
async fn g19_without_the_kernels_help_no_command_runs() {
    // Baseline: with the kernel's help it runs.
    let mut baseline = Shell::start(&[]).await;
    assert_eq!(
        (&baseline.client.ready["sandbox"]["mode"], said_by_tools(&baseline).await),
        (&json!("on"), json!("on"))
    );
    assert_eq!(baseline.run("touch trace").await.end["success"], true);

    let mut shell = Shell::start_with(without_landlock(&["--approve", "auto"])).await;
    let ran = shell.run("touch trace").await;

    let state = json!("unavailable");
    assert_eq!((&shell.client.ready["sandbox"]["mode"], said_by_tools(&shell).await), (&state, state.clone()));
    assert_eq!((&ran.end["started"], &ran.end["errorType"]), (&json!(false), &json!("permission_error")), "{ran:#?}");
    assert!(ran.end["suggestion"].as_str().is_some_and(|next| next.contains("--sandbox off")), "{ran:#?}");
    assert!(!shell.server.workspace().join("trace").exists());
    shell.is_unharmed(&ran).await;
}

/// The server where nobody gets namespaces.
fn without_namespaces(arguments: &[&str]) -> ServerOptions {
    ServerOptions { without_namespaces: true, ..ServerOptions::with(&[&["--approve", "auto"], arguments].concat()) }
}

#[tokio::test]
async fn g19_without_namespaces_commands_run_in_a_weaker_sandbox_and_that_is_shown() {
    let outside = tempfile::tempdir().expect("a folder");
    let mut shell = Shell::start_with(without_namespaces(&[])).await;
    // Baseline: with them a command is alone.
    let mut baseline = Shell::start(&[]).await;
    let alone = "[ $(ls /proc | grep -c '^[0-9]') -lt 10 ]";
    assert_eq!(baseline.run(alone).await.end["success"], true);
    assert_eq!(baseline.client.ready["sandbox"]["mode"], "on");

    let ran = shell.run("touch trace").await;
    let wrote = shell.run(&format!("touch {}/trace", outside.path().display())).await;
    let seen = shell.run(alone).await;
    let listening = shell.run("/usr/bin/python3 -c 'import socket; socket.create_server((\"127.0.0.1\", 0))'").await;

    let state = json!("landlock-only");
    assert_eq!((&shell.client.ready["sandbox"]["mode"], said_by_tools(&shell).await), (&state, state.clone()));
    assert!(shell.server.stdout().contains("no namespaces of their own"), "{}", shell.server.stdout());
    assert_eq!(ran.end["success"], true, "{ran:#?}");
    for refused in [wrote, seen, listening] {
        assert_eq!(refused.end["success"], false, "{refused:#?}");
    }
    assert!(!outside.path().join("trace").exists());
    shell.is_unharmed(&ran).await;
}

#[tokio::test]
async fn g19_strict_takes_no_weaker_sandbox() {
    // Baseline: with namespaces commands run.
    let mut baseline = Shell::start(&["--sandbox", "strict"]).await;
    assert_eq!(baseline.run("true").await.end["success"], true);
    assert_eq!(baseline.client.ready["sandbox"]["mode"], "on");

    let mut shell = Shell::start_with(without_namespaces(&["--sandbox", "strict"])).await;
    let ran = shell.run("touch trace").await;

    assert_eq!(shell.client.ready["sandbox"]["mode"], "unavailable");
    assert_eq!((&ran.end["started"], &ran.end["errorType"]), (&json!(false), &json!("permission_error")), "{ran:#?}");
    assert!(!shell.server.workspace().join("trace").exists());
}

#[tokio::test]
async fn g19_nobody_is_asked_about_a_command_that_cannot_run() {
    let mut shell = Shell::start_with(without_landlock(&[])).await;

    let turn = shell.client.ask("Run `touch trace`").await.failed("tool-failed");

    assert!(turn.all("approval-request").is_empty());
    assert!(turn.end.to_string().contains("cannot confine it to the workspace"), "{:#}", turn.end);
}

#[tokio::test]
async fn g19_sandbox_off_runs_them_and_is_shown() {
    let mut shell = Shell::start_with(without_landlock(&["--approve", "auto", "--sandbox", "off"])).await;

    assert_eq!(shell.run("touch trace").await.end["success"], true);

    assert!(shell.server.workspace().join("trace").exists());
    assert_eq!((&shell.client.ready["sandbox"]["mode"], said_by_tools(&shell).await), (&json!("off"), json!("off")));
    assert!(shell.server.stdout().contains("commands can do everything the server can"), "{}", shell.server.stdout());
}
