//! G13 to G17 and G23: paths that lead out, links, what is no file, writes that are cut off, two writers.
//!
//! Each case says first that the same works without the guard, so that it could fail.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

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

async fn call(client: &mut TestClient, tool: &str, arguments: Value) -> Value {
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

#[tokio::test]
async fn g16_a_hard_link_is_not_written_and_a_name_that_begins_the_same_is_not_inside() {
    let (server, outside) = ground().await;
    let workspace = server.workspace();
    std::fs::hard_link(outside.join("secret.txt"), workspace.join("hard")).expect("linked");
    let evil = PathBuf::from(format!("{}-evil", workspace.display()));
    std::fs::create_dir(&evil).expect("made");
    std::fs::write(evil.join("secret.txt"), SECRET).expect("written");
    let mut client = server.connect().await;
    // Baseline: a plain write through the hard link changes the file outside, and the paths begin the same as text.
    std::fs::write(workspace.join("hard"), SECRET).expect("written");
    assert_eq!(std::fs::read_to_string(outside.join("secret.txt")).expect("read"), SECRET);
    let inside = workspace.display().to_string();
    assert!(evil.display().to_string().starts_with(&inside));

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
async fn g17_a_write_that_is_cut_off_leaves_the_old_file_or_the_new() {
    let (old, new) = ("o".repeat(4_000_000), "n".repeat(4_000_000));
    let mut server = TestServer::start_with(ServerOptions::auto()).await;
    server.file("large.txt", &old);
    for round in 0..5 {
        let mut client = server.connect().await;
        let arguments = json!({"path": "large.txt", "content": new});
        client.send(json!({"type": "call-tool", "callId": "w", "tool": "file_write", "arguments": arguments})).await;
        client.until_type("tool-call-start").await;

        server.kill().await;

        let found = server.content("large.txt");
        assert!(found == old || found == new, "round {round}: {} bytes of neither", found.len());
        server.file("large.txt", &old);
        server.start_again().await;
    }
    // Baseline: a plain write is seen half done by whoever looks while it goes on.
    let plain = server.workspace().join("plain.txt");
    let mut file = std::fs::File::create(&plain).expect("made");
    std::io::Write::write_all(&mut file, &new.as_bytes()[..1000]).expect("written");
    assert_eq!(std::fs::read(&plain).expect("read").len(), 1000);
}

#[tokio::test]
async fn g23_two_sessions_lose_no_update_of_each_other() {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    server.file("shared.txt", "0");
    let (mut one, mut other) = (server.connect().await, server.connect().await);
    for client in [&mut one, &mut other] {
        call(client, "file_read", json!({"path": "shared.txt"})).await;
    }

    let first = call(&mut one, "file_write", json!({"path": "shared.txt", "content": "one"})).await;
    let second = call(&mut other, "file_write", json!({"path": "shared.txt", "content": "other"})).await;
    let kept = server.content("shared.txt");
    call(&mut other, "file_read", json!({"path": "shared.txt"})).await;
    let third = call(&mut other, "file_write", json!({"path": "shared.txt", "content": "other"})).await;

    assert_eq!(first["success"], true, "{first:#}");
    assert!(second["error"].as_str().is_some_and(|error| error.contains("has changed since")), "{second:#}");
    assert!(second["suggestion"].as_str().is_some_and(|next| next.contains("file_read")), "{second:#}");
    assert_eq!(kept, "one");
    assert_eq!(third["success"], true, "{third:#}");
    // Baseline: two programs that read and then write lose the first one's update.
    server.file("plain.txt", "one");
    server.file("plain.txt", "other");
    assert_eq!(server.content("plain.txt"), "other");
}
