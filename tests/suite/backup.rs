//! `switchboard backup`, `restore` and `verify`: beside a server that is at work, into another folder, and what its clients
//! see then.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use futures_util::future::join_all;
use switchboard_tests::{ServerOptions, TestClient, TestServer, binary, soon};
use tokio::process::Command;
use tokio::sync::watch;
use uuid::Uuid;

/// What a command said, if it worked.
async fn run(arguments: &[&str], home: &Path) -> Result<String, String> {
    let mut command = Command::new(binary());
    command.args(arguments).env("HOME", home).env("XDG_CONFIG_HOME", home).stdin(Stdio::null()).kill_on_drop(true);
    let output = soon("the command's end", command.output()).await.expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
}

/// The events of a session, as clients received them.
async fn events(session: Uuid, whence: &[&str], home: &Path) -> Vec<String> {
    let session = session.to_string();
    let arguments = [&["sessions", "show", &session, "--json"], whence].concat();
    run(&arguments, home).await.expect("shown").lines().map(str::to_owned).collect()
}

/// Asks again and again until it is told to stop.
async fn talk(mut client: TestClient, mut stop: watch::Receiver<bool>) -> TestClient {
    let mut number = 0;
    while !*stop.borrow_and_update() {
        number += 1;
        client.ask(&format!("Calculate {number} * 7")).await.answered();
    }
    client
}

#[tokio::test]
async fn f18_a_backup_made_under_load_is_a_beginning_of_the_log_and_its_sessions_resume() {
    let server = TestServer::start().await;
    let (data, home) = (server.data(), server.data());
    let (stop, stopped) = watch::channel(false);
    let mut talking = Vec::new();
    for _ in 0..4 {
        let mut client = server.connect().await;
        client.ask("Store the number 42 as my_number").await.answered();
        talking.push(talk(client, stopped.clone()));
    }
    let file = data.join("../under-load.backup");
    let (data, file) = (data.to_str().expect("UTF-8"), file.to_str().expect("UTF-8"));
    let backup = async {
        let said = run(&["backup", file, "--data", data], &home).await;
        stop.send(true).expect("they listen");
        said.expect("copied")
    };
    let (said, clients) = tokio::join!(backup, join_all(talking));

    assert!(said.contains("4 sessions") && said.contains("every checksum is right"), "{said}");
    let mut other = TestServer::prepare(ServerOptions::auto());
    let other_data = other.data();
    let other_data = other_data.to_str().expect("UTF-8");
    let said = run(&["restore", file, "--data", other_data], &home).await.expect("restored");
    assert!(said.contains("4 sessions"), "{said}");
    let url = format!("http://{}", server.address());
    let mut restored = Vec::new();
    for client in &clients {
        let (was, is) = (
            events(client.session(), &["--url", &url], &home).await,
            events(client.session(), &["--data", other_data], &home).await,
        );
        let (same, ended) = is.split_at(is.iter().zip(&was).take_while(|(is, was)| is == was).count());
        assert!(same.len() >= 3, "{} of {}", same.len(), was.len());
        // What was unfinished just then is ended.
        assert!(ended.len() <= 2 && ended.iter().all(|event| event.contains("was restored")), "{ended:#?}");
        restored.push((client.session(), is.len() as u64));
    }

    other.start_again().await;
    for (client, (session, last)) in clients.iter().zip(restored) {
        let generation = client.ready["generation"].as_str().expect("a generation");
        let query = format!("?session={session}&after={last}&generation={generation}");
        let closed = TestClient::dial(other.address(), &query, &[]).await.expect("the upgrade works").closed().await;
        assert_eq!(closed.code, 4007, "it is another history: {closed:?}");
        let mut resumed = other.connect_to(session, 0).await;
        resumed.ask("Calculate @my_number + 1").await.answered().says("43");
    }
}

#[tokio::test]
async fn a_log_is_replaced_only_when_that_is_said_and_while_no_server_has_it() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7").await.answered();
    let (home, folder) = (server.data(), server.data());
    let folder = folder.to_str().expect("UTF-8");
    let file = format!("{folder}/../a.backup");
    run(&["backup", &file, "--data", folder], &home).await.expect("copied");
    client.ask("Calculate 6 * 8").await.answered();

    let refused = run(&["backup", &file, "--data", folder], &home).await.expect_err("refused");
    assert!(refused.contains("already exists; choose another name"), "{refused}");
    let refused = run(&["restore", &file, "--replace", "--data", folder], &home).await.expect_err("refused");
    assert!(refused.contains("another Switchboard (process"), "{refused}");
    server.kill().await;
    let refused = run(&["restore", &file, "--data", folder], &home).await.expect_err("refused");
    assert!(refused.contains("--replace puts the backup in its place"), "{refused}");

    let said = run(&["restore", &file, "--replace", "--data", folder], &home).await.expect("restored");

    assert!(said.starts_with("kept what was there: "), "{said}");
    assert!(run(&["verify", "--data", folder], &home).await.expect("read").contains("every checksum is right"));
    let kept = said.lines().next().and_then(|line| line.strip_prefix("kept what was there: ")).expect("its name");
    assert!(
        run(&["verify", kept], &home).await.expect("read").contains("every checksum is right"),
        "also after a kill"
    );
    server.start_again().await;
    assert!(!server.stderr().contains("the log is not whole"), "{}", server.stderr());
    let mut back = server.connect_to(client.session(), 0).await;
    back.ask("Calculate 6 * 9").await.answered();
}

#[tokio::test]
async fn verify_says_what_is_damaged_and_ends_with_1() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7").await.answered();
    let (home, folder) = (server.data(), server.data());
    let folder = folder.to_str().expect("UTF-8");
    server.signal(rustix::process::Signal::TERM);
    assert!(server.ended().await.success());
    let database = home.join("switchboard.db");
    let mut bytes = fs::read(&database).expect("the database");
    let text = b"\"type\":\"user-message\"";
    let place = bytes.windows(text.len()).position(|bytes| bytes == text).expect("the message");
    bytes[place + 2] ^= 1;
    fs::write(&database, bytes).expect("damaged");

    let said = run(&["verify", "--data", folder], &home).await.expect_err("damaged");

    let session = client.session().to_string();
    assert!(said.contains(&session) && said.contains("its checksum does not match"), "{said}");
    assert!(said.contains("the log is damaged in 1 place"), "{said}");
}

#[tokio::test]
async fn what_was_unfinished_in_a_backup_is_ended_when_it_is_restored() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let running = client.post("Run `echo begun; sleep 100`").await;
    client.until_type("tool-output-chunk").await;
    let waiting = client.post("Calculate 6 * 7").await;
    client.until("its acknowledgement", |frame| frame["messageId"] == waiting.as_str()).await;
    let home = server.data();
    let file = home.join("../unfinished.backup");
    let (data, file) = (home.to_str().expect("UTF-8"), file.to_str().expect("UTF-8"));
    run(&["backup", file, "--data", data], &home).await.expect("copied");
    let mut other = TestServer::prepare(ServerOptions::auto());
    let other_data = other.data();

    let said = run(&["restore", file, "--data", other_data.to_str().expect("UTF-8")], &home).await.expect("restored");

    assert!(said.contains("ended what was unfinished in 1 session"), "{said}");
    other.start_again().await;
    let mut back = other.connect_to(client.session(), 0).await;
    for message in [running, waiting] {
        let turn = back.end_of(&message).await;
        assert_eq!(turn.end["code"], "interrupted", "{:#}", turn.end);
        assert!(turn.text().to_lowercase().contains("a backup of the session was restored"), "{}", turn.text());
    }
    assert_eq!(back.ready["pending"].as_array().map_or(0, Vec::len), 0, "nothing is asked");
    back.ask("Calculate 6 * 9").await.answered().says("54");
}
