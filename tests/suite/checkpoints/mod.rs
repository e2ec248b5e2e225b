//! What commands change is shown as a diff, and put back: all of it or nothing.

mod kills;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use switchboard_tests::{ServerOptions, TestClient, TestServer};

/// Each path of the workspace: its mode, and its content or where it leads.
type Picture = BTreeMap<String, (u32, Vec<u8>)>;

fn picture(server: &TestServer) -> Picture {
    let (root, mut picture) = (server.workspace(), Picture::new());
    look(&root, &root, &mut picture);
    picture
}

fn look(root: &Path, folder: &Path, picture: &mut Picture) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = entry.path();
        let found = fs::symlink_metadata(&path).expect("it is there");
        let content = if found.is_symlink() {
            fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
        } else if found.is_dir() {
            look(root, &path, picture);
            Vec::new()
        } else {
            fs::read(&path).expect("a file")
        };
        picture.insert(path.strip_prefix(root).expect("inside").display().to_string(), (found.mode(), content));
    }
}

async fn start() -> TestServer {
    TestServer::start_with(ServerOptions::auto()).await
}

/// A call of the user's own: its end.
async fn call(client: &mut TestClient, id: &str, tool: &str, arguments: Value) -> Value {
    client.send(json!({"type": "call-tool", "callId": id, "tool": tool, "arguments": arguments})).await;
    client.until("the call's end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == id).await
}

async fn bash(client: &mut TestClient, id: &str, command: &str) -> Value {
    call(client, id, "bash", json!({"command": command, "timeout": 60})).await
}

async fn undo(client: &mut TestClient, text: &str) -> Value {
    let answer = client.command(text).await;
    assert_eq!(answer["type"], "command-response", "{answer:#}");
    answer
}

fn git(server: &TestServer, arguments: &str) -> String {
    let script = format!("export GIT_CONFIG_GLOBAL=/dev/null; git -c user.name=a -c user.email=a@b.c {arguments}");
    let run = Command::new("bash").args(["-c", &script]).current_dir(server.workspace()).output().expect("it runs");
    assert!(run.status.success(), "{arguments}: {run:?}");
    String::from_utf8_lossy(&run.stdout).into_owned()
}

#[tokio::test]
async fn a_workspace_that_was_deleted_comes_back_and_goes_again() {
    let server = start().await;
    server.file("notes.txt", "apples\n");
    server.file("src/deep/main.rs", "fn main() {}\n");
    let root = server.workspace();
    fs::write(root.join("bytes"), [0, 255, 10]).expect("written");
    fs::set_permissions(root.join("bytes"), fs::Permissions::from_mode(0o751)).expect("set");
    fs::create_dir(root.join("empty")).expect("made");
    symlink("src/deep/main.rs", root.join("link")).expect("linked");
    symlink("/nowhere/at/all", root.join("src/dangling")).expect("linked");
    let before = picture(&server);
    let mut client = server.connect().await;

    let end = bash(&mut client, "gone", "rm -rf *").await;
    let gone = picture(&server);
    let answer = undo(&mut client, "/undo").await;

    assert_eq!((&end["success"], &end["undoable"]), (&json!(true), &json!(true)), "{end:#}");
    assert!(end["diff"].as_str().is_some_and(|diff| diff.contains("--- a/notes.txt\n+++ /dev/null\n")), "{end:#}");
    assert!(gone.is_empty(), "{gone:?}");
    assert_eq!(picture(&server), before);
    assert!(answer["text"].as_str().is_some_and(|text| text.contains("notes.txt")), "{answer:#}");

    let undone = client.frames.iter().find(|frame| frame["undid"] == json!(["gone"])).expect("it says so").clone();
    let again = call(&mut client, "again", "file_undo", json!({"call_ids": [undone["callId"]]})).await;
    assert_eq!(again["success"], true, "{again:#}");
    assert!(picture(&server).is_empty());
}

#[tokio::test]
async fn what_a_command_changed_is_seen_as_a_diff() {
    let server = start().await;
    server.file("a.txt", "one\ntwo\n");
    server.file("run.sh", "true\n");
    let mut client = server.connect().await;

    let end = bash(&mut client, "x", "sed -i s/two/2/ a.txt; chmod 755 run.sh; mkdir new; echo x > new/file").await;
    let nothing = bash(&mut client, "y", "cat a.txt").await;

    let diff = end["diff"].as_str().expect("a diff");
    assert!(diff.contains("--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"), "{diff}");
    assert!(diff.contains("--- /dev/null\n+++ b/new/file\n@@ -0,0 +1 @@\n+x\n"), "{diff}");
    assert!(diff.contains("run.sh: permissions 644, then 755\n"), "{diff}");
    assert_eq!((&nothing["undoable"], &nothing["diff"]), (&json!(false), &Value::Null), "{nothing:#}");
}

#[tokio::test]
async fn a_formatter_over_500_files_is_undone() {
    let server = start().await;
    for number in 0..500 {
        server.file(&format!("src/{}/{number}.rs", number % 7), &format!("fn   f{number}( ) {{ }}\r\n"));
    }
    let before = picture(&server);
    let mut client = server.connect().await;

    let end = bash(&mut client, "format", "find src -name '*.rs' -exec sed -i 's/  */ /g; s/\\r//' {} +").await;
    let formatted = picture(&server);
    undo(&mut client, "/undo").await;

    assert_eq!(end["success"], true, "{end:#}");
    assert_eq!(formatted.iter().filter(|(path, now)| before[*path] != **now).count(), 500);
    assert_eq!(picture(&server), before);
}

#[tokio::test]
async fn a_git_checkout_is_undone() {
    let server = start().await;
    server.file("a.txt", "1\n");
    git(&server, "init -q -b main");
    git(&server, "add . && git -c user.name=a -c user.email=a@b.c commit -qm one && git checkout -qb other");
    server.file("a.txt", "2\n");
    server.file("only/here.txt", "x\n");
    git(&server, "add . && git -c user.name=a -c user.email=a@b.c commit -qm two && git checkout -q main");
    let mut client = server.connect().await;

    let end = bash(&mut client, "switch", "git checkout other").await;
    let (other, now) = (git(&server, "branch --show-current"), server.content("a.txt"));
    undo(&mut client, "/undo").await;

    assert_eq!((end["success"].clone(), other.as_str(), now.as_str()), (json!(true), "other\n", "2\n"), "{end:#}");
    assert_eq!(git(&server, "status --porcelain --branch"), "## main\n");
    assert_eq!(server.content("a.txt"), "1\n");
    assert!(!server.workspace().join("only").exists());
}

#[tokio::test]
async fn commands_and_tools_are_undone_together_in_their_order() {
    let server = start().await;
    server.file("a.txt", "1\n");
    let mut client = server.connect().await;
    call(&mut client, "read", "file_read", json!({"path": "a.txt"})).await;
    call(&mut client, "one", "file_write", json!({"path": "a.txt", "content": "2\n"})).await;
    bash(&mut client, "two", "echo 3 > a.txt; echo b > b.txt").await;
    call(&mut client, "three", "file_write", json!({"path": "c.txt", "content": "c"})).await;
    let listed = client.command("/checkpoints").await;

    undo(&mut client, "/undo 3").await;

    let text = listed["text"].as_str().expect("a text");
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
    assert!(
        at("1. file_write `c.txt`: 1 change") < at("2. bash `echo 3 > a.txt; echo b > b.txt`: 2 changes"),
        "{text}"
    );
    assert_eq!(server.content("a.txt"), "1\n");
    assert!(!server.workspace().join("b.txt").exists() && !server.workspace().join("c.txt").exists());
}

#[tokio::test]
async fn what_somebody_changed_since_is_named_and_stays() {
    let server = start().await;
    server.file("a.txt", "1");
    server.file("b.txt", "1");
    let mut client = server.connect().await;
    bash(&mut client, "x", "echo 2 > a.txt; echo 2 > b.txt").await;
    server.file("b.txt", "by hand");

    let refused = client.command("/undo").await;

    assert_eq!(refused["type"], "command-error", "{refused:#}");
    assert!(refused["text"].as_str().is_some_and(|text| text.contains("b.txt has changed since then")), "{refused:#}");
    assert_eq!((server.content("a.txt").as_str(), server.content("b.txt").as_str()), ("2\n", "by hand"));
}

#[tokio::test]
async fn what_cannot_be_undone_is_said_before_the_approval() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    for name in ["x", "y", "z"] {
        let file = fs::File::create(server.workspace().join(name)).expect("a file");
        file.set_len(10_000_001).expect("it is long");
    }
    let mut client = server.connect().await;

    client.post("Call bash with {\"command\": \"rm x\"}").await;
    let request = client.until_type("approval-request").await;

    assert!(
        request["reason"].as_str().is_some_and(|reason| reason.contains("cannot be undone: 3 files over 10 MB")),
        "{request:#}"
    );
}

#[tokio::test]
async fn the_approval_of_a_command_says_that_it_can_be_undone() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    server.file("a.txt", "1");
    let mut client = server.connect().await;

    client.post("Call bash with {\"command\": \"rm a.txt\"}").await;
    let request = client.until_type("approval-request").await;

    assert_eq!(
        (&request["undoable"], &request["reason"]),
        (&json!(true), &json!("bash runs a program.")),
        "{request:#}"
    );
}

#[tokio::test]
async fn the_approval_of_an_undo_shows_what_it_changes_and_leaves_nothing_behind() {
    let server = TestServer::start_with(ServerOptions::with(&["--allow", "bash"])).await;
    server.file("a.txt", "1\n");
    let mut client = server.connect().await;
    client.ask("Call bash with {\"command\": \"echo 2 > a.txt\"}").await.answered();
    let kept = || {
        let sessions = fs::read_dir(server.data().join("checkpoints/calls")).expect("a folder").flatten();
        sessions.map(|session| fs::read_dir(session.path()).expect("a folder").count()).sum::<usize>()
    };
    let before = kept();

    let turn = client.post("Call file_undo with {}").await;
    let request = client.until_type("approval-request").await;
    let during = kept();
    client.send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "deny"})).await;
    client.end_of(&turn).await;

    assert_eq!(request["diff"], "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-2\n+1\n", "{request:#}");
    assert_eq!((before, during, server.content("a.txt").as_str()), (1, 1, "2\n"));
}

#[tokio::test]
async fn without_checkpoints_nothing_is_noted() {
    let server = TestServer::start_with(ServerOptions::with(&["--approve", "auto", "--checkpoints", "off"])).await;
    server.file("a.txt", "1");
    let mut client = server.connect().await;

    let end = bash(&mut client, "x", "echo 2 > a.txt").await;
    let said = client.command("/undo").await;
    let listed = client.command("/checkpoints").await;

    assert_eq!((&end["undoable"], &end["diff"]), (&json!(false), &Value::Null), "{end:#}");
    assert!(said["text"].as_str().is_some_and(|text| text.contains("nothing to undo")), "{said:#}");
    assert!(listed["text"].as_str().is_some_and(|text| text.contains("--checkpoints off")), "{listed:#}");
    assert!(!server.data().join("checkpoints/calls").read_dir().is_ok_and(|mut calls| calls.next().is_some()));
}

#[tokio::test]
async fn deleting_most_of_the_workspace_asks_under_auto_too() {
    let server = start().await;
    for number in 0..10 {
        server.file(&format!("{number}.txt"), "x");
    }
    let mut client = server.connect().await;

    client.post("Call bash with {\"command\": \"rm -rf *\"}").await;
    let request = client.until_type("approval-request").await;
    client.send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "deny"})).await;
    client.until("the turn's end", |frame| frame["type"] == "agent-response" || frame["type"] == "agent-error").await;
    let little = client.ask("Call bash with {\"command\": \"rm 1.txt\"}").await.answered();

    assert_eq!(request["reason"], "bash deletes most of the workspace: 10 of 10 files.");
    assert_eq!(little.all("approval-request").len(), 0);
    assert_eq!(picture(&server).len(), 9);
}

#[tokio::test]
async fn deleting_what_the_text_does_not_name_asks_under_auto_too() {
    let server = start().await;
    server.file("kept/1.txt", "x");
    let mut client = server.connect().await;

    client.post("Call bash with {\"command\": \"dir=$PWD; rm -rf \\\"$dir\\\"/*\"}").await;
    let request = client.until_type("approval-request").await;
    client.send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "deny"})).await;
    client.until("the turn's end", |frame| frame["type"] == "agent-response" || frame["type"] == "agent-error").await;

    assert_eq!(request["reason"], "bash deletes folders whose names are known only when the command runs.");
    assert_eq!(server.content("kept/1.txt"), "x");
}

#[tokio::test]
async fn what_a_specialist_runs_in_the_shell_is_undone() {
    let mut server = TestServer::prepare(ServerOptions::auto());
    let tidy = json!({"id": "tidy", "name": "Tidy", "instructions": "You tidy up.", "tools": ["bash"]});
    crate::agents::agent(&server, &tidy);
    server.file("a.txt", "1");
    server.file("b.txt", "1");
    server.start_again().await;
    let mut client = server.connect().await;

    let end = call(&mut client, "tidying", "tidy", json!({"message": "Run `rm a.txt; echo 2 > b.txt`"})).await;
    let tidied = picture(&server).len();
    let shell = client.frames.iter().find(|frame| frame["type"] == "tool-call-end" && frame["tool"] == "bash");
    let shell = shell.expect("it runs a command").clone();
    undo(&mut client, "/undo").await;

    assert_eq!((&end["success"], tidied), (&json!(true), 1), "{end:#}");
    assert_eq!(shell["undoable"], true, "{shell:#}");
    assert!(shell["diff"].as_str().is_some_and(|diff| diff.contains("--- a/a.txt\n+++ /dev/null\n")), "{shell:#}");
    assert_eq!((server.content("a.txt").as_str(), server.content("b.txt").as_str()), ("1", "1"));
}

#[tokio::test]
async fn a_build_is_undone_and_what_is_ignored_of_it_stays() {
    let server = start().await;
    server.file(".gitignore", "/target/\n");
    server.file("target/debug/old.o", "old\n");
    for name in ["main", "list", "tree"] {
        server.file(&format!("src/{name}.c"), &format!("int {name};\n"));
    }
    server.file("version.h", "1\n");
    let before = picture(&server);
    let mut client = server.connect().await;

    let build = "mkdir -p dist/bin target/debug; for f in src/*.c; do o=target/debug/$(basename $f .c).o; cat $f > $o; \
                 done; cat target/debug/*.o > dist/bin/app; chmod 755 dist/bin/app; ln -s bin/app dist/latest; \
                 echo 2 > version.h; rm target/debug/old.o";
    let end = bash(&mut client, "build", build).await;
    let built = picture(&server);
    undo(&mut client, "/undo").await;

    assert_eq!((&end["success"], &end["undoable"]), (&json!(true), &json!(true)), "{end:#}");
    assert!(built.contains_key("dist/latest") && built["dist/bin/app"].0 & 0o777 == 0o755, "{built:?}");
    let left =
        |picture: Picture| -> Picture { picture.into_iter().filter(|(path, _)| !path.starts_with("target")).collect() };
    assert_eq!(left(picture(&server)), left(before));
    assert!(server.workspace().join("target/debug/main.o").exists());
    assert!(!server.workspace().join("target/debug/old.o").exists());
}

#[tokio::test]
async fn an_undo_never_removes_what_may_be_the_only_copy() {
    let server = start().await;
    let large = fs::File::create(server.workspace().join("large")).expect("a file");
    large.set_len(10_000_001).expect("it is long");
    server.file("a.txt", "1");
    let mut client = server.connect().await;

    bash(&mut client, "x", "mv large renamed; rm a.txt").await;
    let undone = undo(&mut client, "/undo").await;

    assert_eq!(picture(&server).into_keys().collect::<Vec<_>>(), ["a.txt", "renamed"]);
    let text = undone["text"].as_str().expect("a text");
    assert!(text.contains("the earlier content was not kept: large"), "{text}");
    assert!(text.contains("may hold what is missing: renamed"), "{text}");
}

#[tokio::test]
async fn what_the_user_saves_while_a_command_runs_stays() {
    let server = start().await;
    server.file("a.txt", "1");
    server.file("notes.txt", "1");
    let mut client = server.connect().await;
    let mut other = server.connect().await;

    let command =
        json!({"command": "echo 2 > a.txt; echo begun; until test -e go; do sleep 0.02; done", "timeout": 60});
    client.send(json!({"type": "call-tool", "callId": "x", "tool": "bash", "arguments": command})).await;
    client.until("its output", |frame| frame["type"] == "tool-output-chunk").await;
    let saved = call(&mut other, "save", "file_write", json!({"path": "notes.txt", "content": "saved"})).await;
    call(&mut other, "go", "file_write", json!({"path": "go", "content": ""})).await;
    let end = client.until("the end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == "x").await;
    undo(&mut client, "/undo").await;

    assert_eq!(saved["success"], true, "{saved:#}");
    assert!(end["diff"].as_str().is_some_and(|diff| !diff.contains("notes.txt")), "{end:#}");
    assert_eq!((server.content("a.txt").as_str(), server.content("notes.txt").as_str()), ("1", "saved"));
}
