//! `switchboard migrate`: from a data folder to NATS and back, with real servers on both sides.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use switchboard_store::test_support::NatsServer;
use switchboard_tests::{ServerOptions, TestClient, TestServer, binary, request, soon};
use tokio::process::Command;

const BYTES: (&str, &str) = ("content-type", "application/octet-stream");

fn command(arguments: &[&str], home: &Path) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).env("HOME", home).env("XDG_CONFIG_HOME", home).stdin(Stdio::null()).kill_on_drop(true);
    command
}

async fn run(arguments: &[&str], home: &Path) -> Output {
    soon("the command's end", command(arguments, home).output()).await.expect("the command runs")
}

/// What a command said, if it worked.
async fn said(arguments: &[&str], home: &Path) -> Vec<u8> {
    let output = run(arguments, home).await;
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The list of the sessions in a data folder, and each of them as `export` writes it.
async fn sessions(data: &Path) -> (Vec<Value>, Vec<Vec<u8>>) {
    let folder = data.to_str().expect("UTF-8");
    let list = text(&said(&["sessions", "list", "--json", "--data", folder], data).await);
    let list: Vec<Value> = list.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut files = Vec::new();
    for session in &list {
        let session = session["sessionId"].as_str().expect("an id");
        files.push(said(&["sessions", "export", session, "--data", folder], data).await);
    }
    (list, files)
}

async fn upload(server: &TestServer, client: &TestClient, name: &str, content: &[u8]) {
    let path = format!("/api/sessions/{}/uploads?name={name}", client.session());
    assert_eq!(request(server.address(), "POST", &path, &[BYTES], content).await.status, 201);
}

/// A server's data folder with all that a session can have; the session whose turn was cut off.
async fn worked_with() -> (TestServer, String) {
    let mut server = TestServer::start_with(ServerOptions::auto()).await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7 and call it answer").await.answered();
    upload(&server, &client, "large.bin", &vec![7; 3_000_000]).await;
    upload(&server, &client, "notes.txt", b"alpha\nbeta\n").await;
    client.ask("How many lines are in uploads/notes.txt?").await.answered();
    client.command("/fork").await;
    // An event that no message of NATS holds.
    client.ask(&format!("Store the text \"{}\" as long", "words ".repeat(160_000))).await;
    let path = format!("/api/sessions/{}", client.session());
    let exported = request(server.address(), "GET", &format!("{path}/export"), &[], b"").await.body;
    let lines = [("content-type", "application/x-ndjson")];
    let imported = request(server.address(), "POST", "/api/sessions/import", &lines, &exported).await;
    assert_eq!(imported.status, 201, "{}", imported.text());
    let pin = request(server.address(), "PATCH", &path, &[("content-type", "application/json")], br#"{"pinned":true}"#);
    assert_eq!(pin.await.status, 200);
    let mut other = server.connect().await;
    other.post("Run `echo begun; sleep 50`").await;
    other.until_type("tool-output-chunk").await;
    server.kill().await;
    (server, other.session().to_string())
}

#[tokio::test]
async fn sessions_migrated_to_nats_and_back_export_to_the_same_bytes() {
    let (server, cut) = worked_with().await;
    let (nats, data) = (NatsServer::start(), server.data());
    let back = data.join("../back");
    let before = sessions(&data).await;
    assert!(before.1.iter().any(|file| file.len() > 4_000_000), "what is large is in it");
    assert!(before.0.len() == 4 && before.0.iter().any(|session| session["pinned"] == json!(true)), "{:#?}", before.0);
    let from = |folder: &Path| format!("sqlite:{}", folder.display());

    let to_nats = said(&["migrate", "--from", &from(&data), "--to", &nats.url()], &data).await;
    assert!(text(&to_nats).contains("copied 4 sessions"), "{}", text(&to_nats));
    said(&["migrate", "--from", &nats.url(), "--to", &from(&back)], &data).await;

    assert_eq!(sessions(&back).await, before);
    assert!(text(&said(&["verify", "--data", back.to_str().expect("UTF-8")], &data).await).contains("is right"));

    // Servers go on with either, from where the turn was cut off.
    let on_nats = TestServer::start_with(ServerOptions::with(&["--approve", "auto", "--store", &nats.url()])).await;
    let mut on_file = TestServer::prepare(ServerOptions::auto());
    fs::rename(&back, on_file.data()).expect("moved");
    on_file.start_again().await;
    for server in [&on_nats, &on_file] {
        let list = request(server.address(), "GET", "/api/sessions", &[], b"").await.json();
        let ids = |list: &[Value]| list.iter().map(|session| session["sessionId"].clone()).collect::<Vec<_>>();
        let listed = list["sessions"].as_array().cloned().unwrap_or_default();
        assert!(listed.len() == 4 && ids(&before.0).iter().all(|id| ids(&listed).contains(id)), "{list:#}");
        let mut client = server.connect_to(cut.parse().expect("an id"), 0).await;
        let is_question = |frame: &Value| frame["kind"] == "outcome";
        if !client.ready["pending"].as_array().is_some_and(|pending| pending.iter().any(is_question)) {
            client.until("the question about the command", is_question).await;
        }
    }
    soon("the index", async {
        let path = "/api/sessions/search?query=how%20many%20lines";
        while request(on_file.address(), "GET", path, &[], b"").await.json()["results"] == json!([]) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await;

    let in_use = run(&["migrate", "--from", &nats.url(), "--to", &from(&data)], &data).await;
    assert_eq!(in_use.status.code(), Some(1));
    assert!(text(&in_use.stderr).contains("stop every server that uses it first"), "{}", text(&in_use.stderr));
}

/// How much the files in a folder have.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(
            |entry| {
                if entry.path().is_dir() { size(&entry.path()) } else { entry.metadata().map_or(0, |file| file.len()) }
            },
        )
        .sum()
}

/// Kills a migration when the target has so much, and runs it again.
async fn killed_and_again(from: &str, to: &str, target: &Path, home: &Path) -> String {
    let before = size(target);
    let mut running = command(&["migrate", "--from", from, "--to", to], home).spawn().expect("it starts");
    while size(target) < before + 3_000_000 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    running.start_kill().expect("it can be killed");
    assert_eq!(running.wait().await.expect("it ends").code(), None, "it was at work");
    text(&said(&["migrate", "--from", from, "--to", to], home).await)
}

#[tokio::test]
async fn j17_a_migration_that_is_killed_goes_on_when_it_is_run_again() {
    let mut server = TestServer::start().await;
    for number in 0..10_u8 {
        let client = server.connect().await;
        for part in 0..3 {
            upload(&server, &client, &format!("part{part}.bin"), &vec![number * 3 + part; 2_000_000]).await;
        }
    }
    server.kill().await;
    let (nats, data) = (NatsServer::start(), server.data());
    let back: PathBuf = data.join("../back");
    let before = sessions(&data).await;
    let (from, to) = (format!("sqlite:{}", data.display()), format!("sqlite:{}", back.display()));

    let first = killed_and_again(&from, &nats.url(), nats.store(), &data).await;
    let second = killed_and_again(&nats.url(), &to, &back, &data).await;

    for said in [first, second] {
        assert!(said.contains("and read them back"), "{said}");
    }
    assert_eq!(sessions(&back).await, before);
    assert!(size(nats.store()) < 70_000_000, "nothing is there twice: {}", size(nats.store()));
}

#[tokio::test]
async fn what_is_wrong_with_a_migration_is_said() {
    let server = TestServer::start().await;
    let data = server.data();
    let from = format!("sqlite:{}", data.display());
    let nowhere = "nats://127.0.0.1:9";
    for (arguments, code, wanted) in [
        (vec!["--from", "here", "--to", nowhere], 2, "neither sqlite:DIR nor nats://HOST:PORT"),
        (vec!["--from", "sqlite:", "--to", nowhere], 2, "write it like sqlite:/var/lib/switchboard"),
        (vec!["--from", &from], 2, "--to <STORE>"),
        (vec!["--from", &from, "--to", &from], 1, "--from and --to are the same log"),
        (vec!["--from", &from, "--to", nowhere], 1, "another Switchboard (process"),
        (vec!["--from", "sqlite:/nowhere/at/all", "--to", nowhere], 1, "there is no log there"),
        (vec!["--from", nowhere, "--to", &from], 1, "NATS cannot be reached at nats://127.0.0.1:9"),
    ] {
        let output = run(&[&["migrate"], &arguments[..]].concat(), &data).await;

        let said = text(&output.stderr);
        assert_eq!((output.status.code(), said.contains(wanted)), (Some(code), true), "{arguments:?}: {said}");
    }
}
