//! `/try`: the same request with a tool of the user's choice, in a turn like others.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer};
use uuid::Uuid;

use crate::models;

/// A server with a file to search in.
async fn with_notes() -> (TestServer, TestClient) {
    let server = TestServer::start().await;
    server.file("notes.txt", "buy milk\nTODO: make tea\n");
    let client = server.connect().await;
    (server, client)
}

/// The choices of a turn.
fn chosen(frames: &[Value]) -> Vec<&Value> {
    frames.iter().filter(|frame| frame["step"] == "selecting").collect()
}

async fn taken(client: &mut TestClient, id: &str) -> Value {
    client.until("the acknowledgement", |f| f["type"] == "user-message" && f["messageId"] == id).await
}

#[tokio::test]
async fn the_last_request_runs_again_with_the_tool_that_was_named() {
    let (_server, mut client) = with_notes().await;
    let first = client.ask("Where does it say TODO in notes.txt?").await;

    let turn = client.ask("/try file_read").await.answered().says("make tea");

    let message = turn.first("user-message");
    assert_eq!(
        (&message["text"], &message["tool"]),
        (&json!("Where does it say TODO in notes.txt?"), &json!("file_read"))
    );
    assert_eq!(turn.tools(), ["file_read"]);
    assert_eq!(turn.need()["message"], "You asked for file_read");
    let choice = chosen(&turn.frames)[0];
    assert_eq!(choice["selected"], json!(["file_read"]));
    let before = chosen(&first.frames);
    let weighed = before[0]["candidates"].as_array().expect("candidates");
    assert!(weighed.iter().all(|tool| tool["confidence"].is_number() && tool["reasons"].is_array()), "{before:?}");
}

#[tokio::test]
async fn a_text_behind_the_tool_is_the_request() {
    let (_server, mut client) = with_notes().await;

    let turn = client.ask("/try grep Where does it say TODO?").await.answered().says("make tea");
    let again = client.ask("/try GREP").await.answered();

    assert_eq!(turn.first("user-message")["text"], "Where does it say TODO?");
    assert_eq!((turn.tools(), again.tools()), (vec!["grep"], vec!["grep"]));
    assert_eq!(again.first("user-message")["text"], "Where does it say TODO?");
    assert_eq!(again.first("user-message")["tool"], "grep");
}

#[tokio::test]
async fn what_cannot_be_tried_is_told() {
    let (_server, mut client) = with_notes().await;

    let nothing = client.command("/try").await;
    let early = client.command("/try grep").await;
    client.ask("Read notes.txt").await.answered();
    let unknown = client.command("/try file_raed").await;
    let other = client.command("/try qqqq").await;
    client.command("/new").await;
    let after = client.command("/try grep").await;

    for (answer, says) in [
        (&nothing, "Name the tool"),
        (&early, "There is no earlier request"),
        (&unknown, "`file_read`"),
        (&other, "There is no tool `qqqq`"),
        (&after, "There is no earlier request"),
    ] {
        assert_eq!(answer["type"], "command-error", "{answer}");
        assert_eq!(answer["usage"], "/try <tool> [text]");
        assert!(answer["text"].as_str().is_some_and(|text| text.contains(says)), "{says}: {answer}");
    }
}

#[tokio::test]
async fn while_a_turn_runs_it_waits_or_takes_its_place() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    server.file("notes.txt", "buy milk\n");
    let mut client = server.connect().await;
    let waiting = client.post("Run `cat notes.txt`").await;
    client.until_type("approval-request").await;

    let (behind, instead) = (Uuid::new_v4().to_string(), Uuid::new_v4().to_string());
    let text = "/try file_read Show notes.txt";
    client.send(json!({"type": "send-message", "messageId": behind, "text": text, "mode": "steer"})).await;
    let queued = taken(&mut client, &behind).await;
    client
        .send(json!({"type": "send-message", "messageId": instead, "text": "/try file_read", "mode": "interrupt"}))
        .await;

    client.end_of(&waiting).await.failed("cancelled");
    let replaced = client.end_of(&instead).await.answered().says("buy milk");
    let behind = client.end_of(&behind).await.answered().says("buy milk");
    assert_eq!((replaced.tools(), behind.tools()), (vec!["file_read"], vec!["file_read"]));
    assert_eq!(queued["mode"], "queue", "a turn whose tool is chosen cannot be joined by another choice");
}

#[tokio::test]
async fn it_asks_before_it_runs_as_ever() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    let mut client = server.connect().await;
    let id = client.post("/try bash Run `echo tea`").await;

    let request = client.until_type("approval-request").await;
    client.send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "deny"})).await;

    let turn = client.end_of(&id).await.failed("tool-failed");
    assert_eq!((request["tool"].as_str(), turn.all("tool-call-start").len()), (Some("bash"), 0));
}

#[tokio::test]
async fn sent_again_it_is_one_message() {
    let (_server, mut client) = with_notes().await;
    client.ask("Where does it say TODO?").await;
    let id = Uuid::new_v4().to_string();
    let frame = |text: &str| json!({"type": "send-message", "messageId": id, "text": text});

    client.send(frame("/try grep")).await;
    client.end_of(&id).await.answered();
    client.ask("Calculate 1 + 1").await.answered();
    client.send(frame("/try grep")).await;
    let again = client.until("the answer again", |f| f["type"] == "user-message" && f["repeated"] == true).await;
    client.send(frame("/try glob")).await;
    let conflict = client.until_type("agent-error").await;

    assert_eq!((&again["messageId"], &again["text"]), (&json!(id), &json!("Where does it say TODO?")));
    assert_eq!(conflict["code"], "message-id-conflict");
    let ends = client.frames.iter().filter(|f| f["type"] == "agent-response" && f["turnId"] == id.as_str());
    assert_eq!(ends.count(), 1);
}

#[tokio::test]
async fn a_tried_message_that_waited_keeps_its_tool_over_a_restart() {
    let mut server = TestServer::start().await;
    server.file("notes.txt", "buy milk\n");
    let mut client = server.connect().await;
    client.post("Run `echo begun; sleep 600`").await;
    client.until_type("tool-output-chunk").await;
    let id = client.post("/try file_read What is in notes.txt?").await;
    taken(&mut client, &id).await;
    let (session, seq) = (client.session(), client.last_seq());

    server.kill().await;
    server.start_again().await;
    let mut client = server.connect_to(session, seq).await;
    client.send(json!({"type": "cancel", "messageId": client.ready["busy"]["messageId"]})).await;
    let turn = client.end_of(&id).await.answered().says("buy milk");

    assert_eq!(turn.need()["message"], "You asked for file_read");
}

#[tokio::test]
async fn a_model_is_offered_the_tool_that_was_named_alone() {
    for kind in models::KINDS {
        let first = models::one_tool(kind, "list_directory", json!({"path": "."}), "A folder.");
        let again = match kind {
            "native" => vec![
                Answer::calls([("list_directory", json!({"path": "."}))]),
                Answer::calls([("file_read", json!({"path": "notes.txt"}))]),
                Answer::text("It says milk."),
            ],
            _ => vec![
                models::selects("file_read", json!({"path": "notes.txt"}), None),
                models::completes("It says milk."),
            ],
        };
        let llm = ScriptedLlm::of(first.into_iter().chain(again)).await;
        let server = models::server(&llm, kind).await;
        server.file("notes.txt", "buy milk\n");
        let mut client = server.connect().await;
        client.ask("What is in my notes file here?").await.answered().says("A folder.");
        let before = llm.count();

        let turn = client.ask("/try file_read").await.answered().says("It says milk.");

        assert_eq!(turn.tools(), ["file_read"], "{kind}");
        assert_eq!(chosen(&turn.frames).last().expect("a choice")["selected"], json!(["file_read"]), "{kind}");
        let asked = llm.asked(before + 1).await;
        if kind == "native" {
            assert_eq!(asked.tools(), ["file_read"]);
        } else {
            assert!(!asked.last_text().contains("- list_directory:"), "{}", asked.last_text());
        }
    }
}
