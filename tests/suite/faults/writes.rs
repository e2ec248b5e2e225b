//! G17 and G23: writes that are cut off, and two writers of one file.

use std::time::Duration;

use serde_json::json;
use switchboard_tests::{ServerOptions, TestClient, TestServer, soon};

use super::files::call;

/// The files on their way to their places.
fn left_behind(server: &TestServer) -> Vec<String> {
    let entries = std::fs::read_dir(server.workspace()).expect("the folder").map(|entry| entry.expect("an entry"));
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".switchboard-")).collect()
}

#[tokio::test]
async fn g17_a_write_that_is_cut_off_leaves_the_old_file_or_the_new() {
    let (old, new) = ("o".repeat(4_000_000), "n".repeat(4_000_000));
    let mut server = TestServer::start_with(ServerOptions::auto()).await;
    // Baseline: a program that writes in place and is killed in the middle leaves a half.
    server.file("plain.txt", &old);
    let plain = server.workspace().join("plain.txt");
    let mut cat = std::process::Command::new("sh")
        .args(["-c", "exec cat > plain.txt"])
        .current_dir(server.workspace())
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("sh runs");
    let mut pipe = cat.stdin.take().expect("its input");
    std::io::Write::write_all(&mut pipe, &new.as_bytes()[..1_000_000]).expect("written");
    soon("half of the file", async {
        while !std::fs::metadata(&plain).is_ok_and(|now| now.len() == 1_000_000) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    cat.kill().expect("it runs");
    cat.wait().expect("it ends");
    assert_eq!(std::fs::read(&plain).expect("read").len(), 1_000_000, "neither the old file nor the new");

    for round in 0..5 {
        server.file("large.txt", &old);
        let mut client = server.connect().await;
        let arguments = json!({"path": "large.txt", "content": new});
        client.send(json!({"type": "call-tool", "callId": "w", "tool": "file_write", "arguments": arguments})).await;
        client.until_type("tool-call-start").await;

        server.kill().await;

        let found = server.content("large.txt");
        assert!(found == old || found == new, "round {round}: {} bytes of neither", found.len());
        server.start_again().await;
        assert_eq!(left_behind(&server), [] as [&str; 0], "round {round}");
    }
}

#[tokio::test]
async fn g17_what_a_kill_leaves_of_a_write_is_gone_after_the_next_start() {
    let options = ServerOptions { killed_at_rename: true, ..ServerOptions::auto() };
    let mut server = TestServer::start_with(options).await;
    server.file("notes.txt", "old");
    let mut client = server.connect().await;
    let arguments = json!({"path": "notes.txt", "content": "new"});
    client.send(json!({"type": "call-tool", "callId": "w", "tool": "file_write", "arguments": arguments})).await;

    server.ended().await;

    // Baseline: whole, but not in its place; nothing else would ever remove it.
    let left = left_behind(&server);
    assert_eq!((left.len(), server.content("notes.txt")), (1, "old".to_owned()));
    assert_eq!(server.content(&left[0]), "new");
    server.start_again().await;
    assert_eq!((left_behind(&server), server.content("notes.txt")), (Vec::new(), "old".to_owned()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g23_edits_of_two_sessions_at_once_all_stand() {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    // Baseline: two programs that read, both have read, and then write what they made of it, lose one of the two updates.
    server.file("plain.txt", "end");
    let plain = server.workspace().join("plain.txt");
    let both_have_read = std::sync::Barrier::new(2);
    std::thread::scope(|scope| {
        for name in ["one", "other"] {
            let (plain, both_have_read) = (&plain, &both_have_read);
            scope.spawn(move || {
                let text = std::fs::read_to_string(plain).expect("read");
                both_have_read.wait();
                std::fs::write(plain, text.replace("end", &format!("{name}\nend"))).expect("written");
            });
        }
    });
    assert_eq!(server.content("plain.txt").lines().count(), 2, "one update and the end");

    server.file("shared.txt", "end");
    let add = async |mut client: TestClient, name: &str| {
        let mut refused = 0;
        for number in 0..10 {
            let line = format!("{name} {number}\nend");
            loop {
                call(&mut client, "file_read", json!({"path": "shared.txt"})).await;
                let edit = json!({"path": "shared.txt", "find": "end", "replace": line});
                let end = call(&mut client, "file_edit", edit).await;
                if end["success"] == true {
                    break;
                }
                assert!(end["error"].as_str().is_some_and(|error| error.contains("has changed")), "{end:#}");
                refused += 1;
            }
        }
        refused
    };
    let (one, other) = (server.connect().await, server.connect().await);
    let refused = tokio::join!(add(one, "one"), add(other, "other"));

    let text = server.content("shared.txt");
    let lines: std::collections::BTreeSet<&str> = text.lines().collect();
    assert_eq!(lines.len(), 21, "{refused:?} were refused and tried again: {text}");
}

#[tokio::test]
async fn g23_two_sessions_lose_no_update_of_each_other() {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    // Baseline: of two plain writes one after the other, the first is lost.
    for text in ["one", "other"] {
        server.file("shared.txt", text);
    }
    assert_eq!(server.content("shared.txt"), "other");
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
}
