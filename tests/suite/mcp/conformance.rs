//! What a version of MCP requires of a client, as MCP's own conformance suite sees it: each of its scenarios runs a
//! server and starts `conformance_client` against it. Logging in at a server (`auth/…`) is not something we do.

use std::process::Stdio;

use switchboard_tests::{npm_file, npm_server, soon};
use tokio::process::Command;

/// Runs what this version requires, one scenario after the other.
async fn check(version: &str) {
    let required = npm_file(&format!("@modelcontextprotocol/conformance/requirements/{version}.yaml"));
    let required = std::fs::read_to_string(required).expect("what the version requires");
    let scenarios: Vec<_> = required
        .lines()
        .skip_while(|line| *line != "client:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  - "))
        .filter(|scenario| !scenario.starts_with("auth/"))
        .collect();
    assert!(scenarios.contains(&"tools_call"), "{scenarios:?}");

    let mut failed = Vec::new();
    for scenario in scenarios {
        failed.extend(soon(scenario, run(scenario, version)).await.err());
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Runs a scenario; what the suite says if it fails.
async fn run(scenario: &str, version: &str) -> Result<(), String> {
    let results = tempfile::tempdir().expect("a folder");
    // The suite needs a newer Node.js than Debian's, so one comes with it.
    let output = Command::new(npm_file("node/bin/node"))
        .arg(npm_server("conformance"))
        .args(["client", "--scenario", scenario, "--spec-version", version, "--timeout", "120000"])
        .args(["--command", env!("CARGO_BIN_EXE_conformance_client"), "--output-dir"])
        .arg(results.path())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .expect("the suite runs");
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    if output.status.success() { Ok(()) } else { Err(format!("{version} {scenario}:\n{said}")) }
}

#[tokio::test]
async fn i13_what_2025_11_25_requires_of_a_client_holds() {
    check("2025-11-25").await;
}

#[tokio::test]
async fn i13_what_2026_07_28_requires_of_a_client_holds() {
    check("2026-07-28").await;
}
