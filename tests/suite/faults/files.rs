//! G13 to G16: paths that lead out, links, what is not a file.
//!
//! Each case says first that the same works without the guard, so that it could fail.

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::Duration;

use rustix::fs::{CWD, RenameFlags};
use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer};

const SECRET: &str = "a secret that lies outside";

/// A server whose workspace has a secret beside it.
async fn ground() -> (TestServer, PathBuf) {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    let outside = server.workspace().parent().expect("a parent").join("outside");
    std::fs::create_dir(&outside).expect("a folder outside");
    std::fs::write(outside.join("secret.txt"), SECRET).expect("a secret");
    (server, outside)
}

pub(super) async fn call(client: &mut TestClient, tool: &str, arguments: Value) -> Value {
    let id = uuid::Uuid::new_v4().to_string();
    client.send(json!({"type": "call-tool", "callId": id, "tool": tool, "arguments": arguments})).await;
    client.until("the call's end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == id.as_str()).await
}

/// What every tool that takes a path says to it: each refuses and none shows the secret.
async fn refused_by_all(client: &mut TestClient, path: &str) {
    let calls = [
        ("file_read", json!({"path": path})),
        ("file_write", json!({"path": path, "content": "x"})),
        ("file_edit", json!({"path": path, "find": "secret", "replace": "x"})),
        ("apply_patch", json!({"patch": format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{SECRET}\n+x\n")})),
        ("list_directory", json!({"path": path})),
        ("grep", json!({"pattern": "secret", "path": path})),
        ("glob", json!({"pattern": "*", "path": path})),
    ];
    for (tool, arguments) in calls {
        let end = call(client, tool, arguments).await;
        client.frames.clear();
        assert_eq!(end["success"], false, "{tool} of {path:?}: {end:#}");
        assert!(!end["preview"].to_string().contains(SECRET), "{tool} of {path:?}: {end:#}");
    }
}

fn contents(outside: &std::path::Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(outside).expect("the folder").map(|entry| entry.expect("an entry"));
    let text = |path: PathBuf| std::fs::read_to_string(path).expect("a file");
    let mut all: Vec<_> = entries.map(|e| (e.file_name().to_string_lossy().into_owned(), text(e.path()))).collect();
    all.sort();
    all
}

#[tokio::test]
async fn g13_paths_outside_are_refused() {
    let (server, outside) = ground().await;
    let before = contents(&outside);
    let mut client = server.connect().await;
    // Baseline: the same paths, opened as a program would from the workspace, lead to the secret.
    let plain = std::fs::read_to_string(server.workspace().join("../outside/secret.txt"));
    assert_eq!(plain.expect("it can be read"), SECRET);
    let absolute = outside.join("secret.txt");
    let long = "x/".repeat(2_500);

    for path in [
        "../outside/secret.txt",
        "../../../../../../etc/passwd",
        absolute.to_str().expect("text"),
        "/etc/passwd",
        "~/secret.txt",
        "~",
        "..\\outside\\secret.txt",
        "%2e%2e/outside/secret.txt",
        "a/../../outside/secret.txt",
        "/proc/self/root/etc/passwd",
        "/proc/self/environ",
        "/dev/stdin",
        "/dev/zero",
        "nul\0byte",
        long.as_str(),
    ] {
        let end = call(&mut client, "file_read", json!({"path": path})).await;
        assert_eq!(end["success"], false, "{path:?}: {end:#}");
    }
    for path in ["../outside/secret.txt", absolute.to_str().expect("text"), "/proc/self/root/etc/passwd"] {
        refused_by_all(&mut client, path).await;
    }

    assert_eq!(contents(&outside), before);
}

#[tokio::test]
async fn g13_pipes_and_devices_hold_nobody_up() {
    let (server, _) = ground().await;
    let pipe = server.workspace().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    let mut client = server.connect().await;
    // Baseline: whoever opens the pipe as a file waits for somebody at its other end.
    let mut reader = std::process::Command::new("cat").arg(&pipe).spawn().expect("cat runs");
    assert!(reader.try_wait().expect("it can be asked").is_none());

    let read = call(&mut client, "file_read", json!({"path": "pipe"})).await;
    let written = call(&mut client, "file_write", json!({"path": "pipe", "content": "x"})).await;
    let found = call(&mut client, "grep", json!({"pattern": "x"})).await;
    reader.kill().expect("it runs");
    reader.wait().expect("it ends");

    for end in [&read, &written] {
        assert!(end["error"].as_str().is_some_and(|error| error.contains("is a pipe")), "{end:#}");
    }
    assert_eq!(found["success"], true, "{found:#}");
}

#[tokio::test]
async fn g14_links_that_lead_out_are_refused() {
    let (server, outside) = ground().await;
    let (workspace, before) = (server.workspace(), contents(&outside));
    symlink("../outside/secret.txt", workspace.join("file")).expect("linked");
    symlink("../outside", workspace.join("dir")).expect("linked");
    symlink("..", workspace.join("parent")).expect("linked");
    symlink("/etc", workspace.join("etc")).expect("linked");
    symlink("../outside/new.txt", workspace.join("dangling")).expect("linked");
    std::fs::write(workspace.join("link0"), "end").expect("written");
    for number in 1..=41 {
        symlink(format!("link{}", number - 1), workspace.join(format!("link{number}"))).expect("linked");
    }
    let mut client = server.connect().await;
    // Baseline: a plain read follows the links to the secret.
    for path in ["file", "dir/secret.txt", "parent/outside/secret.txt"] {
        assert_eq!(std::fs::read_to_string(workspace.join(path)).expect("it can be read"), SECRET);
    }

    for path in ["file", "dir/secret.txt", "parent/outside/secret.txt", "etc/passwd", "link41"] {
        refused_by_all(&mut client, path).await;
    }
    let dangling = call(&mut client, "file_write", json!({"path": "dangling", "content": "x"})).await;
    let found = call(&mut client, "grep", json!({"pattern": "secret"})).await;

    assert_eq!(dangling["success"], false, "{dangling:#}");
    assert!(!found.to_string().contains(SECRET), "{found:#}");
    assert_eq!(contents(&outside), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g15_tools_stay_inside_while_a_folder_and_a_link_change_places() {
    let (server, outside) = ground().await;
    let (workspace, before) = (server.workspace(), contents(&outside));
    std::fs::create_dir(workspace.join("place")).expect("made");
    std::fs::write(workspace.join("place/secret.txt"), "inside").expect("written");
    symlink("../outside", workspace.join("link")).expect("linked");
    let mut client = server.connect().await;
    let flipper = Flipper::start(&workspace);
    // Baseline: a plain read, made after a look that saw a folder and no link, gets the secret. It needs milliseconds.
    let begun = std::time::Instant::now();
    let place = workspace.join("place");
    let gets_out = || {
        place.symlink_metadata().is_ok_and(|found| found.is_dir())
            && std::fs::read_to_string(place.join("secret.txt")).is_ok_and(|text| text == SECRET)
    };
    while !gets_out() {
        assert!(begun.elapsed() < Duration::from_secs(60), "plain reads stayed inside");
    }

    for _ in 0..50 {
        for (tool, arguments) in [
            ("file_read", json!({"path": "place/secret.txt"})),
            ("file_write", json!({"path": "place/secret.txt", "content": "inside"})),
            ("file_write", json!({"path": "place/new.txt", "content": "inside"})),
            ("grep", json!({"pattern": "secret|inside"})),
            ("list_directory", json!({"path": "place"})),
        ] {
            let end = call(&mut client, tool, arguments).await;
            assert!(!end.to_string().contains(SECRET), "{tool}: {end:#}");
        }
    }

    assert!(flipper.stop() > 0);
    assert_eq!(contents(&outside), before);
    let log = client.frames.iter().map(Value::to_string).collect::<String>();
    assert!(!log.contains(SECRET));
}

/// Exchanges `place` and `link` as fast as it can.
struct Flipper {
    stopped: std::sync::Arc<std::sync::atomic::AtomicBool>,
    thread: std::thread::JoinHandle<u64>,
}

impl Flipper {
    fn start(folder: &std::path::Path) -> Self {
        let stopped = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let (is_stopped, folder) = (std::sync::Arc::clone(&stopped), folder.to_owned());
        let thread = std::thread::spawn(move || {
            let mut flips = 0;
            while !is_stopped.load(std::sync::atomic::Ordering::Relaxed) {
                let (one, other) = (folder.join("place"), folder.join("link"));
                rustix::fs::renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).expect("exchanged");
                flips += 1;
            }
            flips
        });
        Self { stopped, thread }
    }

    fn stop(self) -> u64 {
        self.stopped.store(true, std::sync::atomic::Ordering::Relaxed);
        self.thread.join().expect("the flipper ended well")
    }
}

#[tokio::test]
async fn g16_a_hard_link_is_not_written_and_a_name_that_begins_the_same_is_not_inside() {
    let (server, outside) = ground().await;
    let workspace = server.workspace();
    std::fs::hard_link(outside.join("secret.txt"), workspace.join("hard")).expect("linked");
    let evil = PathBuf::from(format!("{}-evil", workspace.display()));
    std::fs::create_dir(&evil).expect("made");
    std::fs::write(evil.join("secret.txt"), SECRET).expect("written");
    let mut client = server.connect().await;
    // Baseline: a plain write through the hard link changes the file outside, and who compares paths as texts lets the
    // other folder in.
    for text in ["changed", SECRET] {
        std::fs::write(workspace.join("hard"), text).expect("written");
        assert_eq!(std::fs::read_to_string(outside.join("secret.txt")).expect("read"), text);
    }
    let path = evil.join("secret.txt").display().to_string();
    assert!(path.starts_with(&workspace.display().to_string()));
    assert_eq!(std::fs::read_to_string(path).expect("read"), SECRET);

    let hard = call(&mut client, "file_write", json!({"path": "hard", "content": "x"})).await;
    let edit = call(&mut client, "file_edit", json!({"path": "hard", "find": "secret", "replace": "x"})).await;
    let prefix = call(&mut client, "file_read", json!({"path": evil.join("secret.txt")})).await;

    for end in [&hard, &edit] {
        assert!(end["error"].as_str().is_some_and(|error| error.contains("hard link")), "{end:#}");
    }
    assert_eq!(prefix["errorType"], "security_error", "{prefix:#}");
    assert_eq!(std::fs::read_to_string(outside.join("secret.txt")).expect("read"), SECRET);
    std::fs::remove_dir_all(evil).expect("removed");
}

#[tokio::test]
async fn g16_names_that_differ_in_case_are_two_files() {
    let (server, _) = ground().await;
    server.file("notes.txt", "one");
    let mut client = server.connect().await;
    let mut other = server.connect().await;

    let written = call(&mut client, "file_write", json!({"path": "NOTES.txt", "content": "two"})).await;
    let read = call(&mut other, "file_read", json!({"path": "notes.txt"})).await;
    let undone = call(&mut client, "file_undo", json!({})).await;

    assert_eq!((&written["success"], &read["success"], &undone["success"]), (&json!(true), &json!(true), &json!(true)));
    assert!(read["preview"].to_string().contains("one"), "{read:#}");
    assert!(!server.workspace().join("NOTES.txt").exists());
    assert_eq!(server.content("notes.txt"), "one");
}
