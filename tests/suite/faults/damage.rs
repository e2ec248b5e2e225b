//! A damaged log: what is lost is said, what is not can be read, and nothing is written over it.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{Reply, TestClient, TestServer, request};
use uuid::Uuid;

const DATABASE: &str = "switchboard.db";

/// Changes every place in the file where these words stand.
fn damage(server: &TestServer, words: &str) {
    let path = server.data().join(DATABASE);
    let mut bytes = fs::read(&path).expect("the database");
    let places: Vec<usize> =
        bytes.windows(words.len()).enumerate().filter(|(_, at)| *at == words.as_bytes()).map(|(at, _)| at).collect();
    assert!(!places.is_empty(), "the words are in the file");
    for place in places {
        bytes[place] ^= 1;
    }
    fs::write(&path, bytes).expect("written");
}

/// A server with a session of two turns, the second of which is damaged from its first event on; and which one that is.
async fn damaged() -> (TestServer, Uuid, u64) {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7").await.answered().says("42");
    client.ask("Calculate 1234 + 4321").await.answered().says("5555");
    let asked = client.frames.iter().find(|frame| frame["text"] == "Calculate 1234 + 4321").expect("the message");
    let (session, from) = (client.session(), asked["seq"].as_u64().expect("an event"));
    stop(&mut server).await;
    damage(&server, "Calculate 1234 + 4321");
    server.start_again().await;
    (server, session, from)
}

async fn get(server: &TestServer, path: &str) -> Reply {
    request(server.address(), "GET", path, &[], b"").await
}

fn seqs(client: &TestClient) -> Vec<u64> {
    client.frames.iter().filter_map(|frame| frame["seq"].as_u64()).collect()
}

#[tokio::test]
async fn n17_a_damaged_session_can_be_read_up_to_the_damage_and_no_more_is_added() {
    let (server, session, from) = damaged().await;

    let mut client = server.connect_to(session, 0).await;
    let said = client.until_type("log-damaged").await;

    assert_eq!((client.last_seq(), &client.ready["lastSeq"]), (from - 1, &json!(from - 1)));
    assert_eq!(seqs(&client), (1..from).collect::<Vec<_>>(), "all that can be read, once and in order");
    assert_eq!(said["fromSeq"], from);
    assert!(said.get("seq").is_none(), "{said:#}");
    assert!(said["text"].as_str().is_some_and(|text| text.contains("/fork")), "it says what to do: {said:#}");

    // A page of a tail says so too.
    let mut tail = TestClient::connect(server.address(), &format!("?session={session}&tail=3")).await;
    assert_eq!(tail.until_type("log-damaged").await["fromSeq"], from);

    // Nothing is added, whatever it is.
    let id = client.post("Calculate 1 + 1").await;
    let refused = client.until("the refusal", |frame| frame["turnId"] == id.as_str()).await;
    assert_eq!((&refused["type"], &refused["code"]), (&json!("agent-error"), &json!("log-damaged")), "{refused:#}");
    client.send(json!({"type": "set-variable", "name": "x", "value": 1})).await;
    assert_eq!(client.until_type("agent-error").await["code"], "log-damaged");
    client.send(json!({"type": "ping"})).await;
    client.until_type("pong").await;

    // What only reads goes on.
    assert_eq!(client.command("/help").await["type"], "command-response");
    // Another session does not notice.
    server.connect().await.ask("Calculate 2 + 2").await.answered().says("4");
}

#[tokio::test]
async fn n17_a_damaged_session_can_be_forked_and_exported_up_to_the_damage() {
    let (server, session, from) = damaged().await;
    let mut client = server.connect_to(session, 0).await;

    let forked = client.command("/fork").await;

    let fork: Uuid = forked["sessionId"].as_str().and_then(|id| id.parse().ok()).expect("the fork's id");
    let mut fork = server.connect_to(fork, 0).await;
    fork.ask("Calculate 3 * 3").await.answered().says("9");

    let file = get(&server, &format!("/api/sessions/{session}/export")).await;
    let lines: Vec<Value> = file.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let events = lines.iter().filter(|line| line.get("seq").is_some()).count() as u64;
    assert_eq!(events, from - 1);
    assert_eq!(lines.last().expect("a last line")["damaged"]["fromSeq"], from);
    let kind = [("Content-Type", "application/x-ndjson")];
    let imported = request(server.address(), "POST", "/api/sessions/import", &kind, &file.body).await;
    assert!(imported.status < 300, "{}: {}", imported.status, imported.text());

    let page = get(&server, &format!("/api/sessions/{session}/export?format=html")).await;
    assert!(page.text().contains(&format!("damaged from event {from} on")), "the page says so");
    assert!(page.text().trim_end().ends_with("</html>"), "it is whole");
    let transcript = get(&server, &format!("/api/sessions/{session}/transcript")).await.json();
    assert_eq!(transcript["damagedFromSeq"], from);

    let events = get(&server, &format!("/api/sessions/{session}/events?after=0&limit=1000")).await.json();
    assert_eq!(events["events"].as_array().map(|events| events.len() as u64), Some(from - 1));
    assert_eq!(events["damagedFromSeq"], from);
    let events = get(&server, &format!("/api/sessions/{session}/events")).await.json();
    assert_eq!(events["damagedFromSeq"], from);
    assert_eq!(events["events"].as_array().and_then(|events| events.last().cloned()).expect("events")["seq"], from - 1);
}

async fn stop(server: &mut TestServer) {
    server.signal(Signal::TERM);
    server.ended().await;
}

#[tokio::test]
async fn n14_d02_an_older_copy_is_found_and_whoever_read_what_is_lost_starts_over() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7").await.answered().says("42");
    let (session, kept) = (client.session(), client.last_seq());
    let generation = client.ready["generation"].as_str().expect("a generation").to_owned();
    stop(&mut server).await;
    let database = server.data().join(DATABASE);
    let older = fs::read(&database).expect("the database");
    server.start_again().await;
    // Baseline: across a restart it is the same history, and the client goes on where it was.
    let back = format!("?session={session}&after={kept}&generation={generation}");
    let mut client = TestClient::connect(server.address(), &back).await;
    assert_eq!(client.ready["generation"], generation.as_str());
    client.ask("Calculate 2 + 3").await.answered().says("5");
    let seen = client.last_seq();
    stop(&mut server).await;

    fs::write(&database, older).expect("an older copy");
    server.start_again().await;

    let ready = get(&server, "/readyz").await;
    assert_eq!(ready.status, 200, "{}", ready.text());
    assert!(ready.text().contains("events or changes are missing"), "{}", ready.text());
    assert!(server.stderr().contains("events or changes are missing"), "{}", server.stderr());
    assert!(server.stdout().contains("events or changes are missing"), "{}", server.stdout());
    // The numbers of lost events are used again, and nobody takes the new ones for those.
    let mut other = server.connect_to(session, 0).await;
    while other.last_seq() < seen {
        other.ask("Calculate 8 * 8").await.answered().says("64");
    }
    let beyond = format!("?session={session}&after={seen}&generation={generation}");
    let mut late = TestClient::dial(server.address(), &beyond, &[]).await.expect("the upgrade works");
    let closed = late.closed().await;
    assert_eq!(closed.code, 4007, "{closed:?}");
    assert_ne!(other.ready["generation"], generation.as_str());

    // It is said once; the new history stays the same.
    stop(&mut server).await;
    server.start_again().await;
    assert_eq!(get(&server, "/readyz").await.text(), "ready\n");
    let again = server.connect_to(session, 0).await;
    assert_eq!(again.ready["generation"], other.ready["generation"]);
}

#[tokio::test]
async fn n14_a_folder_that_lost_its_database_is_refused_until_a_new_log_is_wanted() {
    let mut server = TestServer::start().await;
    server.connect().await.ask("Calculate 6 * 7").await.answered().says("42");
    stop(&mut server).await;
    fs::remove_file(server.data().join(DATABASE)).expect("removed");

    let refused = server.command("127.0.0.1:0").output().await.expect("it ends");

    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success(), "{said}");
    assert!(said.contains("its database switchboard.db is missing") && said.contains("--new-log"), "{said}");
    assert!(!server.data().join(DATABASE).exists(), "none is made in its place");
    server.set_arguments(&["--approve", "auto", "--new-log"]);
    server.start_again().await;
    server.connect().await.ask("Calculate 6 * 7").await.answered().says("42");
}

#[tokio::test]
async fn f13_a_second_server_is_refused_although_the_lock_file_is_gone() {
    let server = TestServer::start().await;
    fs::remove_file(server.data().join("lock")).expect("removed");

    let second = server.command("127.0.0.1:0").output().await.expect("it ends");

    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(!second.status.success() && said.contains("another Switchboard"), "{said}");
    server.connect().await.ask("Calculate 6 * 7").await.answered().says("42");
}
