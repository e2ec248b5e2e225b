//! `kill -9` around what can be undone: in the middle of a command, and at every moment of an undo.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use switchboard_tests::{TestClient, TestServer, soon};

use super::{bash, picture, start, undo};

#[tokio::test]
async fn a_command_that_was_cut_off_is_undone_after_the_restart() {
    let mut server = start().await;
    server.file("a.txt", "1");
    server.file("b.txt", "1");
    let client = server.connect().await;

    let mut client = cut_off(&mut server, client, "rm a.txt; echo started; sleep 30; rm b.txt").await;
    let killed = picture(&server);
    undo(&mut client, "/undo").await;

    assert_eq!(killed.len(), 1);
    assert_eq!((server.content("a.txt").as_str(), server.content("b.txt").as_str()), ("1", "1"));
}

#[tokio::test]
async fn a_command_that_was_cut_off_before_it_changed_anything_is_not_in_the_way() {
    let mut server = start().await;
    server.file("a.txt", "1");
    let mut client = server.connect().await;
    bash(&mut client, "x", "rm a.txt").await;

    let mut client = cut_off(&mut server, client, "echo started; sleep 30").await;
    let nothing = undo(&mut client, "/undo").await;
    undo(&mut client, "/undo").await;

    assert!(nothing["text"].as_str().is_some_and(|text| text.contains("Nothing differs")), "{nothing:#}");
    assert_eq!(server.content("a.txt"), "1");
}

/// A command during which the server is killed, after its first output; and the client of the next server.
async fn cut_off(server: &mut TestServer, mut client: TestClient, command: &str) -> TestClient {
    let session = client.session();
    let arguments = json!({"command": command, "timeout": 60});
    client.send(json!({"type": "call-tool", "callId": "cut", "tool": "bash", "arguments": arguments})).await;
    client.until("its output", |frame| frame["type"] == "tool-output-chunk").await;
    server.kill().await;
    server.start_again().await;
    let mut client = server.connect_to(session, 0).await;
    let asked = client.until_type("user-query").await;
    client.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": "unknown"})).await;
    client.until("the call's end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == "cut").await;
    client
}

#[tokio::test]
async fn an_undo_that_was_killed_between_two_files_is_finished_at_the_next_start() {
    let mut server = start().await;
    for number in 0..5 {
        server.file(&format!("{number}.txt"), "kept");
        server.file(&format!("sub/{number}.txt"), "kept");
    }
    let before = picture(&server);
    let mut client = server.connect().await;
    let session = client.session();
    bash(&mut client, "x", "rm -rf -- *; echo x > new.txt").await;
    server.kill().await;
    server.set_killed_at_rename(true);
    server.start_again().await;

    let mut client = server.connect_to(session, 0).await;
    client.send(json!({"type": "send-message", "text": "/undo"})).await;
    server.ended().await;

    // Baseline: it is neither the one nor the other.
    let killed = picture(&server);
    assert!(
        !killed.contains_key("new.txt") && !killed.contains_key("0.txt") && killed.contains_key("sub"),
        "{killed:?}"
    );
    server.set_killed_at_rename(false);
    server.start_again().await;
    assert_eq!(picture(&server), before);
}

/// A moment of an undo, as it is seen on the disk; each lasts until the undo is done.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// It was found that everything can be put back.
    Prepared,
    /// Files are laid ready.
    Staging,
    /// From here on it goes forward only.
    Applying,
    /// Some files are put back.
    Half,
}

impl Moment {
    async fn reached(self, server: &TestServer, earlier: usize) {
        let root = server.workspace();
        // The first step of the undo.
        let has_begun = || !root.join("new").exists();
        let has_journal = |part: &str| {
            let journals = calls(server).into_iter().map(|call| fs::read_to_string(call.join("journal")));
            journals.flatten().any(|journal| journal.contains(part))
        };
        let is_reached = || match self {
            Self::Prepared => calls(server).len() > earlier,
            Self::Staging => has_journal("") || has_begun(),
            Self::Applying => has_journal("applying") || has_begun(),
            Self::Half => fs::read_to_string(root.join("15/15.txt")).is_ok_and(|text| text == "before\n"),
        };
        let waiting = async {
            while !is_reached() {
                tokio::task::yield_now().await;
            }
        };
        soon("the undo", waiting).await;
    }
}

/// Where what calls changed is noted.
fn calls(server: &TestServer) -> Vec<PathBuf> {
    let sessions = fs::read_dir(server.data().join("checkpoints/calls")).into_iter().flatten().flatten();
    let calls = sessions.flat_map(|session| fs::read_dir(session.path()).into_iter().flatten().flatten());
    calls.map(|call| call.path()).collect()
}

/// The server is killed at each moment of an undo of 600 files; after the next start it is done or did not begin.
#[tokio::test]
async fn a_kill_in_the_middle_of_an_undo_leaves_either_state() {
    let mut server = start().await;
    for number in 0..600 {
        server.file(&format!("{}/{number}.txt", number % 30), "before\n");
    }
    let before = picture(&server);
    for moment in [Moment::Prepared, Moment::Staging, Moment::Applying, Moment::Half] {
        let mut client = server.connect().await;
        let change = "for f in */; do for g in $f*; do echo after > $g; done; done; rm -rf 7; mkdir 7; echo 1 > new";
        let end = bash(&mut client, "x", change).await;
        assert_eq!(end["success"], true, "{end:#}");
        let after = picture(&server);
        let earlier = calls(&server).len();

        client.send(json!({"type": "send-message", "text": "/undo"})).await;
        moment.reached(&server, earlier).await;
        server.kill().await;
        server.start_again().await;

        let now = picture(&server);
        let has_not_begun = matches!(moment, Moment::Prepared | Moment::Staging) && now == after;
        let different = now.iter().filter(|(path, found)| before.get(*path) != Some(*found)).map(|(path, _)| path);
        assert!(has_not_begun || now == before, "{moment:?}: {:?}", different.take(5).collect::<Vec<_>>());
        if has_not_begun {
            let mut client = server.connect().await;
            let back = "rm -rf -- *; for i in {0..599}; do mkdir -p $((i%30)); echo before > $((i%30))/$i.txt; done";
            bash(&mut client, "back", back).await;
            assert!(picture(&server) == before);
        }
    }
}
