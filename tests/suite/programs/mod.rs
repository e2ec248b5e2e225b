//! Real programs in each sandbox: measured, not asserted, but for two things: without a sandbox all of them work, and in
//! the strongest all of them do. The table is in docs/programs.md.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer, request};
use uuid::Uuid;

use crate::faults::sandboxes;
use crate::house::root;

const DOCUMENT: &str = "docs/programs.md";
const MARKS: [&str; 2] = ["<!-- programs -->", "<!-- /programs -->"];

/// Names the hosts of the registries of packages where they resolve to addresses that are not public, separated by commas.
const REGISTRIES: &str = "SWITCHBOARD_TEST_REGISTRIES";

/// How much of a message fits into a cell.
const CELL_CHARS: usize = 70;

/// A program and how it is tried.
#[derive(Debug, Deserialize)]
struct Program {
    name: String,
    does: String,
    script: String,
    says: String,
    /// Whether it asks for the network.
    #[serde(default)]
    network: bool,
}

fn programs() -> Vec<Program> {
    #[derive(Deserialize)]
    struct List {
        program: Vec<Program>,
    }
    toml::from_str::<List>(include_str!("list.toml")).expect("the list of programs").program
}

#[test]
fn there_are_twenty_programs_and_the_page_has_each() {
    let programs = programs();
    let page = fs::read_to_string(root().join(DOCUMENT)).expect("the page");

    assert!(programs.len() >= 20);
    for Program { name, .. } in programs {
        assert!(page.contains(&format!("\n| {name} | ")), "{name} is missing: tests/run programs writes {DOCUMENT}");
    }
}

#[tokio::test]
#[ignore = "measures, and writes to docs/programs.md: tests/run programs"]
async fn real_programs_are_tried_in_each_sandbox() {
    let programs = programs();
    let mut rows: Vec<String> =
        programs.iter().map(|program| format!("| {} | {} |", program.name, program.does)).collect();
    let mut broken = Vec::new();
    let without = ("off", ServerOptions::with(&["--approve", "auto", "--sandbox", "off"]));
    for (sandbox, mut options) in std::iter::once(without).chain(sandboxes()) {
        let read = format!("{}:{}", toolchain().display(), pytest().display());
        options.arguments.extend(["--sandbox-read".to_owned(), read]);
        if let Some(registries) = std::env::var_os(REGISTRIES).and_then(|hosts| hosts.into_string().ok()) {
            options.arguments.extend(["--web-allow-local".to_owned(), registries]);
        }
        let server = TestServer::start_with(options).await;
        let mut client = server.connect().await;
        assert_eq!(client.ready["sandbox"]["mode"], sandbox);
        for (program, row) in programs.iter().zip(&mut rows) {
            let said = tried(&server, &mut client, program).await;
            println!("{sandbox}: {}: {}", program.name, said.as_ref().map_or_else(String::as_str, |()| "runs"));
            if let (Err(why), "off" | "on") = (&said, sandbox) {
                broken.push(format!("{sandbox}: {}: {why}", program.name));
            }
            if sandbox != "off" {
                row.push_str(&said.map_or_else(|why| format!(" {why} |"), |()| " runs |".to_owned()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
    write(&rows);
}

/// Runs it in a folder of its own; else what it says at the end.
async fn tried(server: &TestServer, client: &mut TestClient, program: &Program) -> Result<(), String> {
    let folder = Uuid::new_v4().to_string();
    let (cargo, pytest) = (toolchain().join("bin"), pytest());
    let script = format!("CARGO={} PYTEST={}\n{}", cargo.display(), pytest.display(), program.script);
    server.file(&format!("{folder}/.script"), &script);
    let network = program.network;
    let arguments = json!({"command": "bash .script", "working_dir": folder, "timeout": 60, "network": network});
    let id = Uuid::new_v4().to_string();
    client.send(json!({"type": "call-tool", "callId": id, "tool": "bash", "arguments": arguments})).await;
    let own = |frame: &Value| frame["type"] == "tool-call-end" && frame["callId"] == id.as_str();
    let end = client.until("the program's end", own).await;
    let name = end["outputVariable"].as_str().unwrap_or_default();
    let path = format!("/api/sessions/{}/variables/{name}", client.session());
    let value = request(server.address(), "GET", &path, &[], b"").await.json();
    let last =
        |stream: &str| value[stream].as_str().unwrap_or_default().trim().lines().last().unwrap_or_default().to_owned();
    if last("output") == program.says {
        return Ok(());
    }
    let why = [last("error"), last("output"), end["error"].to_string()].into_iter().find(|line| !line.is_empty());
    let why = why.unwrap_or_default().replace('|', "/").replace(&folder, "…");
    Err(why.chars().take(CELL_CHARS).collect())
}

/// The folder of the toolchain that these tests were built with.
fn toolchain() -> PathBuf {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().expect("rustc runs");
    PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
}

/// A folder with pytest, which `tests/run` made.
fn pytest() -> PathBuf {
    let folder = root().join("target/programs/pytest");
    assert!(folder.join("pytest").exists(), "{} is made by tests/run programs", folder.display());
    folder
}

fn write(rows: &[String]) {
    let path: &Path = &root().join(DOCUMENT);
    let text = fs::read_to_string(path).expect("the page");
    let (before, rest) = text.split_once(MARKS[0]).expect("the opening mark");
    let (_, after) = rest.split_once(MARKS[1]).expect("the closing mark");
    let head = "| program | what it does | `on` | `shared-processes` | `landlock-only` |\n|---|---|---|---|---|";
    let table = format!("{head}\n{}", rows.join("\n"));
    fs::write(path, format!("{before}{}\n\n{table}\n\n{}{after}", MARKS[0], MARKS[1])).expect("the page");
}
