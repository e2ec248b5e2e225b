//! Servers whose log is in NATS JetStream, over real sockets, with a real NATS.

use std::time::Duration;

use serde_json::{Value, json};
use switchboard_store::test_support::{NatsServer, certificates, tls_settings};
use switchboard_tests::{ServerOptions, TestClient, TestServer, binary, request, soon};
use tokio::process::Command;
use uuid::Uuid;

use crate::crash::check_log;

async fn server(nats: &NatsServer) -> TestServer {
    TestServer::start_with(ServerOptions::with(&["--approve", "auto", "--store", &nats.url()])).await
}

/// All events of a session, as the API gives them.
async fn events(server: &TestServer, session: Uuid) -> Vec<Value> {
    let path = format!("/api/sessions/{session}/events?after=0&limit=1000");
    let page = request(server.address(), "GET", &path, &[], b"").await.json();
    page["events"].as_array().cloned().unwrap_or_else(|| panic!("no events in {page:#}"))
}

/// What became of a message: its acknowledgement, or the refusal.
async fn sent(client: &mut TestClient, id: &str, text: &str) -> Value {
    client.send(json!({"type": "send-message", "text": text, "messageId": id})).await;
    let about = |frame: &Value| match frame["type"].as_str() {
        Some("user-message") => frame["messageId"] == id,
        Some("agent-error") => frame["turnId"] == id && frame["seq"].is_null(),
        _ => false,
    };
    client.until("what became of the message", about).await
}

#[tokio::test]
async fn a_server_with_its_log_in_nats_goes_on_after_a_kill() {
    let nats = NatsServer::start();
    let mut server = server(&nats).await;
    server.file("notes.txt", "alpha\nbeta\n");
    let mut client = server.connect().await;
    let session = client.session();
    client.ask("Read notes.txt").await.answered().says("alpha");
    let before = events(&server, session).await;
    // A turn is cut off in the middle.
    let cut = client.post("Run `echo begun >> trace; echo begun; test -e go || sleep 50`").await;
    client.until_type("tool-output-chunk").await;

    server.kill().await;
    server.file("go", "");
    server.start_again().await;

    let mut client = server.connect_to(session, 0).await;
    let is_question = |frame: &Value| frame["kind"] == "outcome";
    let pending = client.ready["pending"].as_array().cloned().unwrap_or_default();
    let query = match pending.into_iter().find(is_question) {
        Some(query) => query,
        None => client.until("the question about the command", is_question).await,
    };
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": "retry"})).await;
    client.end_of(&cut).await.answered();
    client.ask("What is 6 * 7?").await.answered().says("42");
    let after = events(&server, session).await;
    assert_eq!(after[..before.len()], before, "what was there is there");
    check_log(&after);
    assert_eq!(server.content("trace"), "begun\nbegun\n", "once more, at the user's word");
}

#[tokio::test]
async fn j07_while_nats_is_away_messages_are_refused_and_then_it_goes_on() {
    let mut nats = NatsServer::start();
    let server = server(&nats).await;
    let mut client = server.connect().await;
    let session = client.session();
    client.ask("What is 6 * 7?").await.answered();

    nats.kill();
    let refused = sent(&mut client, "m-1", "What is 7 * 7?").await;
    assert_eq!((&refused["code"], &refused["retryable"]), (&json!("storage-failed"), &json!(true)), "{refused:#}");
    assert!(refused["retryAfterMs"].is_u64(), "{refused:#}");
    assert_eq!(request(server.address(), "GET", "/readyz", &[], b"").await.status, 503);
    let (path, kind) = (format!("/api/sessions/{session}"), [("content-type", "application/json")]);
    let unavailable = request(server.address(), "PATCH", &path, &kind, br#"{"pinned": true}"#).await;
    assert_eq!((unavailable.status, unavailable.header("retry-after")), (503, Some("2")), "{}", unavailable.text());

    nats.start_again();
    while sent(&mut client, "m-1", "What is 7 * 7?").await["type"] != "user-message" {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    client.end_of("m-1").await.answered().says("49");
    assert_eq!(request(server.address(), "GET", "/readyz", &[], b"").await.status, 200);
    let all = events(&server, session).await;
    check_log(&all);
    assert_eq!(all.iter().filter(|frame| frame["type"] == "user-message").count(), 2);
}

#[tokio::test]
async fn a_server_with_its_log_in_nats_says_what_could_be_lost() {
    let nats = NatsServer::start();
    let server = server(&nats).await;
    server.connect().await.ask("What is 6 * 7?").await.answered();

    let said = server.stderr();
    assert!(said.contains("sync_interval: always") && said.contains("one replica"), "{said}");
    assert!(server.stdout().contains("store: NATS at nats://127.0.0.1:"), "{}", server.stdout());
}

#[tokio::test]
async fn a_server_reaches_nats_with_tls_and_a_password_and_tells_nobody_what_that_is() {
    const PASSWORD: &str = "correct-horse-battery";
    let (authority, other) = (certificates(), certificates());
    let user = format!("{}authorization {{ user: ada, password: {PASSWORD:?} }}\n", tls_settings(&authority));
    let nats = NatsServer::start_with(&user);
    let (right, wrong) = (authority.path().join("right"), authority.path().join("wrong"));
    std::fs::write(&right, format!("ada:{PASSWORD}\n")).expect("written");
    std::fs::write(&wrong, "ada:wrong-horse-battery").expect("written");
    let url = format!("tls://{}", nats.address());
    let [ca, other_ca] = [&authority, &other].map(|folder| folder.path().join("ca.pem").display().to_string());
    let [right, wrong] = [right, wrong].map(|file| file.display().to_string());

    let arguments = ["--approve", "auto", "--log", "trace", "--store", &url, "--store-ca", &ca];
    let options = ServerOptions::with(&[&arguments, &["--store-credentials", right.as_str()][..]].concat());
    let server = TestServer::start_with(options).await;
    server.connect().await.ask("What is 6 * 7?").await.answered().says("42");

    let told = request(server.address(), "GET", "/api/config", &[], b"").await.text();
    for text in [server.stderr(), server.stdout(), told] {
        assert!(!text.contains(PASSWORD), "{text}");
    }
    let rebuild = async |ca: &str, credentials: &str| {
        let mut command = Command::new(binary());
        command.args(["rebuild-list", "--store", &url, "--store-ca", ca, "--store-credentials", credentials]);
        command.env("HOME", authority.path()).env("XDG_CONFIG_HOME", authority.path()).kill_on_drop(true);
        let output = soon("the command's end", command.output()).await.expect("the command runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    assert_eq!(rebuild(&ca, &right).await, (Some(0), "1 session; the list has all of them\n".to_owned()));
    for (ca, credentials, wanted) in [(&other_ca, &right, "--store-ca"), (&ca, &wrong, "--store-credentials")] {
        let (code, said) = rebuild(ca, credentials).await;
        assert!(
            code == Some(1) && said.contains(wanted) && !said.contains("horse") && !said.contains("panic"),
            "{said}"
        );
    }
}
