//! `switchboard sessions`: on the data folder of a stopped server, through the server that has it, and over HTTP.

use std::path::Path;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{TestServer, binary, request, soon};
use tokio::process::Command;

/// What a command said, and whether it worked.
struct Said {
    worked: bool,
    stdout: String,
    stderr: String,
}

/// Runs the command on a data folder.
async fn on(data: &Path, arguments: &[&str]) -> Said {
    let mut command = Command::new(binary());
    command.arg("sessions").args(arguments).arg("--data").arg(data);
    run(command, data).await
}

/// Runs the command against a server.
async fn over_http(server: &TestServer, arguments: &[&str]) -> Said {
    let mut command = Command::new(binary());
    let url = format!("http://{}", server.address());
    command.arg("sessions").args(arguments).args(["--url", &url]);
    run(command, &server.data()).await
}

async fn run(mut command: Command, home: &Path) -> Said {
    command.env("HOME", home).env("XDG_CONFIG_HOME", home).stdin(Stdio::null()).kill_on_drop(true);
    let output = soon("the command's end", command.output()).await.expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { worked: output.status.success(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

/// A server whose one session has a large value, and the session's id.
async fn with_session() -> (TestServer, String) {
    let server = TestServer::start().await;
    server.file("large.txt", &"large ü ".repeat(10_000));
    let mut client = server.connect().await;
    client.ask("Read large.txt and call it large").await.answered();
    client.ask("Store the number 42 as my_number").await.answered();
    let session = client.session().to_string();
    (server, session)
}

async fn stop(server: &mut TestServer) {
    server.signal(Signal::TERM);
    assert!(server.ended().await.success());
}

#[tokio::test]
async fn the_sessions_of_a_stopped_server_are_listed_shown_moved_and_deleted() {
    let (mut server, session) = with_session().await;
    stop(&mut server).await;
    let data = server.data();
    let file = data.join("session.jsonl");
    let path = file.to_str().expect("a path in UTF-8");

    let list = on(&data, &["list", "--json"]).await;
    let shown = on(&data, &["show", &session]).await;
    let exported = on(&data, &["export", &session, "--output", path]).await;
    let imported = on(&data, &["import", path]).await;
    let copy = imported.stdout.trim().to_owned();
    let again = on(&data, &["export", &copy]).await;
    let deleted = on(&data, &["delete", "--yes", &copy]).await;
    let left = on(&data, &["list"]).await;

    let row: Value = serde_json::from_str(&list.stdout).expect("one line of JSON");
    assert_eq!(row["sessionId"], json!(session), "{}", list.stderr);
    assert!(shown.stdout.contains("Store the number 42 as my_number"), "{}{}", shown.stdout, shown.stderr);
    assert!(exported.worked && imported.worked, "{}{}", exported.stderr, imported.stderr);
    let first = std::fs::read_to_string(&file).expect("the file is there");
    assert!(again.stdout.replace(&copy, &session) == first, "the second export differs");
    assert_eq!((deleted.worked, deleted.stdout.trim()), (true, copy.as_str()));
    assert!(left.stdout.starts_with(&session) && left.stdout.lines().count() == 1, "{}", left.stdout);
}

#[tokio::test]
async fn a_session_is_shown_as_it_stood_at_an_event() {
    let (mut server, session) = with_session().await;
    let path = format!("/api/sessions/{session}/events?after=0&limit=500");
    let events = request(server.address(), "GET", &path, &[], b"").await.json()["events"].clone();
    let seq_of = |fits: &dyn Fn(&Value) -> bool| {
        let found = events.as_array().into_iter().flatten().find(|frame| fits(frame));
        found.and_then(|frame| frame["seq"].as_u64()).expect("the event").to_string()
    };
    let running = seq_of(&|frame| frame["type"] == "tool-call-start");
    let answered = seq_of(&|frame| frame["type"] == "agent-response");
    let url = format!("http://{}", server.address());

    let over_http = replayed(&session, &running, &["--url", &url], &server.data()).await;
    stop(&mut server).await;
    let data = server.data();
    let folder = data.to_str().expect("a path in UTF-8");
    let then = replayed(&session, &answered, &["--data", folder], &data).await;
    let beyond = replayed(&session, "1000", &["--data", folder], &data).await;

    assert!(over_http.stdout.contains("`file_read` was running."), "{}{}", over_http.stdout, over_http.stderr);
    assert!(then.stdout.contains("Variables: @large\n"), "{}{}", then.stdout, then.stderr);
    assert!(!then.stdout.contains("my_number"), "that came later: {}", then.stdout);
    assert!(!beyond.worked && beyond.stderr.contains("--until 1000"), "{}", beyond.stderr);
}

/// A session as it stood at an event.
async fn replayed(session: &str, until: &str, place: &[&str], home: &Path) -> Said {
    let mut command = Command::new(binary());
    command.args(["replay", session, "--until", until]).args(place);
    run(command, home).await
}

#[tokio::test]
async fn an_imported_session_goes_on() {
    let (mut server, session) = with_session().await;
    stop(&mut server).await;
    let data = server.data();
    let file = data.join("session.jsonl");
    let path = file.to_str().expect("a path in UTF-8");
    assert!(on(&data, &["export", &session, "--output", path]).await.worked);
    let copy = on(&data, &["import", path]).await.stdout;

    server.start_again().await;
    let mut client = server.connect_to(copy.trim().parse().expect("an id"), 0).await;

    client.ask("What number did I store earlier?").await.answered().says("42");
}

#[tokio::test]
async fn while_a_server_has_the_folder_it_is_asked() {
    let (server, session) = with_session().await;

    let through = on(&server.data(), &["export", &session]).await;
    let over_http = over_http(&server, &["export", &session]).await;

    assert!(through.worked, "{}", through.stderr);
    assert!(through.stdout == over_http.stdout && through.stdout.lines().count() > 5);
}

#[tokio::test]
async fn a_session_moves_from_one_server_to_another() {
    let (here, session) = with_session().await;
    let there = TestServer::start().await;
    let file = here.data().join("session.jsonl");
    let path = file.to_str().expect("a path in UTF-8");

    assert!(over_http(&here, &["export", &session, "--output", path]).await.worked);
    let imported = over_http(&there, &["import", path]).await;
    let copy = imported.stdout.trim();
    let listed = over_http(&there, &["list"]).await;
    let shown = over_http(&there, &["show", copy]).await;
    let back = over_http(&there, &["export", copy]).await;
    let deleted = over_http(&there, &["delete", "-y", copy]).await;
    let gone = over_http(&there, &["show", copy]).await;

    assert!(imported.worked && listed.stdout.starts_with(copy), "{}{}", imported.stderr, listed.stdout);
    assert!(shown.stdout.contains("42"), "{}", shown.stdout);
    assert!(back.stdout.replace(copy, &session) == std::fs::read_to_string(&file).expect("the file is there"));
    assert!(deleted.worked && !gone.worked && gone.stderr.contains("there is no session"), "{}", gone.stderr);
}

#[tokio::test]
async fn what_cannot_be_done_says_why() {
    let data = tempfile::tempdir().expect("a folder");
    let unknown = "00000000-0000-4000-8000-000000000000";
    std::fs::write(data.path().join("wrong.jsonl"), "{}\n").expect("it can be written");
    let wrong = data.path().join("wrong.jsonl");
    let wrong = wrong.to_str().expect("a path in UTF-8");

    for (arguments, words) in [
        (vec!["show", unknown], "there is no session"),
        (vec!["export", unknown, "--output", "never-written"], "there is no session"),
        (vec!["import", wrong], "line 1 is not the head of an exported session"),
        (vec!["import", "missing.jsonl"], "cannot read missing.jsonl"),
        (vec!["delete", unknown], "use --yes"),
        (vec!["delete", "--yes", unknown], "there is no session"),
    ] {
        let said = on(data.path(), &arguments).await;
        assert!(!said.worked && said.stderr.contains(words), "{arguments:?}: {}", said.stderr);
    }
    assert!(!Path::new("never-written").exists());
    assert_eq!(on(data.path(), &["list"]).await.stdout, "");
}

#[tokio::test]
async fn a_session_is_shared_as_a_page_without_scripts() {
    let (mut server, session) = with_session().await;
    let mut client = server.connect_to(session.parse().expect("an id"), 0).await;
    client.ask("Remember that the tag is <script>alert(1)</script>").await;
    let path = format!("/api/sessions/{session}/export?format=html");

    let reply = request(server.address(), "GET", &path, &[], b"").await;
    let over_http = over_http(&server, &["export", &session, "--format", "html"]).await;
    let refused = request(server.address(), "GET", &path.replace("html", "pdf"), &[], b"").await;
    let output = server.data().join("page.html");
    stop(&mut server).await;
    let file = output.to_str().expect("a path in UTF-8");
    let in_folder = on(&server.data(), &["export", &session, "--format", "html", "--output", file]).await;
    let imported = on(&server.data(), &["import", file, "--format", "html"]).await;

    let page = reply.text();
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("text/html; charset=utf-8")));
    // Opened from here it would be a page of this server.
    assert!(reply.header("content-disposition").is_some_and(|how| how.starts_with("attachment")));
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    for part in
        ["Store the number 42 as my_number", "&lt;script&gt;alert(1)&lt;/script&gt;", "file_read", "default-src 'none'"]
    {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    assert_eq!((over_http.stdout == page, over_http.worked), (true, true), "{}", over_http.stderr);
    assert!(in_folder.worked, "{}", in_folder.stderr);
    assert!(std::fs::read_to_string(output).expect("the file") == page);
    assert_eq!(refused.status, 400);
    assert!(!imported.worked && imported.stderr.contains("cannot be imported"), "{}", imported.stderr);
}
