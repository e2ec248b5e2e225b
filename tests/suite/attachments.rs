//! `attachments`: variables that belong to a message, such as those of uploaded files.

use serde_json::{Value, json};
use switchboard_tests::{Reply, ServerOptions, TestClient, TestServer, request};
use uuid::Uuid;

/// Uploads a file into the client's session.
pub(crate) async fn upload(server: &TestServer, client: &TestClient, name: &str, content: &[u8]) -> Reply {
    let path = format!("/api/sessions/{}/uploads?name={name}", client.session());
    request(server.address(), "POST", &path, &[("content-type", "application/octet-stream")], content).await
}

/// A message with these variables, under an id of its own.
pub(crate) fn attaching(text: &str, names: &[&str]) -> Value {
    json!({"type": "send-message", "text": text, "messageId": Uuid::new_v4().to_string(), "attachments": names})
}

async fn with_notes() -> (TestServer, TestClient) {
    let server = TestServer::start().await;
    let client = server.connect().await;
    assert_eq!(upload(&server, &client, "notes.txt", b"milk\nbread\neggs\n").await.status, 201);
    (server, client)
}

/// Sends a message and waits for the frame that takes or refuses it.
async fn taken(client: &mut TestClient, message: &Value) -> Value {
    client.send(message.clone()).await;
    client
        .until("an answer", |frame| frame["turnId"] == message["messageId"] && frame["type"] != "agent-thinking")
        .await
}

#[tokio::test]
async fn a_message_says_what_belongs_to_it() {
    let (mut server, mut client) = with_notes().await;

    let message = attaching("Calculate 1 + 1", &["notes", "notes"]);
    let said = taken(&mut client, &message).await;
    client.end_of(message["messageId"].as_str().expect("an id")).await.answered().says("2");

    let notes = json!([{"name": "notes", "version": 1, "type": "text", "bytes": 16}]);
    assert_eq!((&said["type"], &said["attachments"]), (&json!("user-message"), &notes), "each once");
    // It stays what was meant, whatever becomes of the variable.
    client.send(json!({"type": "delete-variable", "name": "notes"})).await;
    client.until_type("context-update").await;
    server.kill().await;
    server.start_again().await;
    let mut client = server.connect_to(client.session(), 0).await;
    client.until("the deletion", |frame| frame["removed"] == json!(["notes"])).await;
    let again = taken(&mut client, &message).await;
    assert_eq!((&again["repeated"], &again["attachments"]), (&json!(true), &notes));

    let plain = client.ask("Calculate 2 + 2").await.answered();
    assert!(plain.first("user-message").get("attachments").is_none(), "absent is absent");
}

#[tokio::test]
async fn what_cannot_belong_to_a_message_is_refused_by_its_field() {
    let (server, mut client) = with_notes().await;
    let mut other = server.connect().await;
    assert_eq!(upload(&server, &other, "secret.txt", b"x").await.status, 201);
    let many: Vec<String> = (0..17).map(|n| format!("v{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();

    for (attachments, code, path) in [
        (json!(["notes", "note"]), "unknown-variable", "attachments[1]"),
        (json!(["secret"]), "unknown-variable", "attachments[0]"),
        (json!([""]), "unknown-variable", "attachments[0]"),
        (json!(many), "protocol-too-large", "attachments"),
        (json!(["notes", "n".repeat(65)]), "protocol-too-large", "attachments[1]"),
        (json!("notes"), "protocol-wrong-field", "attachments"),
        (json!(["notes", 7]), "protocol-wrong-field", "attachments[1]"),
    ] {
        client.frames.clear();
        client.send(json!({"type": "send-message", "text": "Calculate 1 + 1", "attachments": attachments})).await;
        let refused = client.until_type("agent-error").await;
        assert_eq!((&refused["code"], &refused["path"]), (&json!(code), &json!(path)), "{attachments}: {refused}");
        assert!(refused.get("messageIds").is_none() && refused["suggestions"][0].is_string(), "{refused}");
    }
    other.send(attaching("Calculate 1 + 1", &["notes"])).await;
    assert_eq!(other.until_type("agent-error").await["code"], "unknown-variable", "of another session");

    // A command takes none, but for the one that becomes a message.
    client.send(attaching("/help", &["notes"])).await;
    let refused = client.until("a refusal", |frame| frame["code"] == "protocol-wrong-field").await;
    assert_eq!(refused["path"], "attachments", "{refused}");
    let tried = taken(&mut client, &attaching("/try calculator 1 + 1", &["notes"])).await;
    assert_eq!((&tried["tool"], &tried["attachments"][0]["name"]), (&json!("calculator"), &json!("notes")), "{tried}");
}

#[tokio::test]
async fn the_same_id_with_other_attachments_is_another_message() {
    let (server, mut client) = with_notes().await;
    assert_eq!(upload(&server, &client, "more.txt", b"tea").await.status, 201);
    let message = attaching("Calculate 1 + 1", &["notes"]);
    taken(&mut client, &message).await;

    let mut changed = message.clone();
    changed["attachments"] = json!(["more"]);
    client.send(changed).await;

    let refused = client.until("a refusal", |frame| frame["code"] == "message-id-conflict").await;
    assert_eq!(refused["path"], "messageId");
}

#[tokio::test]
async fn without_a_model_this_is_what_was_attached() {
    let server = TestServer::start_with(ServerOptions::auto()).await;
    server.file("other.txt", "one line\n");
    let mut client = server.connect().await;
    client.ask("Read other.txt").await.answered().says("one line");
    assert_eq!(upload(&server, &client, "notes.txt", b"milk\nbread\neggs\n").await.status, 201);
    assert_eq!(upload(&server, &client, "more.txt", b"tea").await.status, 201);

    for (request, says) in [
        ("How many lines are in it?", "3 lines"),
        ("Count the words in this file", "3 words"),
        ("What is in this file?", "bread"),
        ("Read it", "bread"),
        ("Which lines in it contain bread?", "bread"),
    ] {
        let message = attaching(request, &["notes"]);
        client.send(message.clone()).await;
        client.end_of(message["messageId"].as_str().expect("an id")).await.answered().says(says);
    }
}

#[tokio::test]
async fn messages_over_http_take_them_too() {
    let (server, client) = with_notes().await;
    let path = format!("/api/sessions/{}/messages", client.session());
    let send = async |attachments: Value| {
        let body = json!({"text": "Calculate 1 + 1", "attachments": attachments}).to_string();
        let headers = [("Content-Type", "application/json"), ("Accept", "text/event-stream")];
        request(server.address(), "POST", &path, &headers, body.as_bytes()).await
    };

    let sent = send(json!(["notes"])).await;
    let refused = send(json!(["unknown"])).await;

    assert_eq!(sent.status, 200);
    assert!(sent.text().contains(r#""attachments":[{"name":"notes""#), "{}", sent.text());
    assert_eq!((refused.status, &refused.json()["field"]), (422, &json!("attachments[0]")), "{}", refused.text());
}

#[tokio::test]
async fn an_edited_message_keeps_what_belonged_to_it_or_has_other_variables() {
    let (server, mut client) = with_notes().await;
    let message = attaching("How many lines are in it?", &["notes"]);
    let id = message["messageId"].as_str().expect("an id").to_owned();
    client.send(message).await;
    client.end_of(&id).await.answered().says("3 lines");
    // These came later, so a fork that begins before the message does not have them.
    assert_eq!(upload(&server, &client, "more.txt", b"tea\ncoffee\n").await.status, 201);
    assert_eq!(upload(&server, &client, "large.txt", &b"x\n".repeat(40_000)).await.status, 201);
    let mut again = async |names: Option<Value>, text: &str| {
        let own = Uuid::new_v4().to_string();
        let mut rerun = json!({"type": "send-message", "text": format!("/rerun {id} {text}"), "messageId": own});
        names.into_iter().for_each(|names| rerun["attachments"] = names);
        let answer = taken(&mut client, &rerun).await;
        let Some(session) = answer["sessionId"].as_str() else { return (answer, None) };
        let mut fork = TestClient::connect(server.address(), &format!("?session={session}&after=0")).await;
        let reply = fork.until_type("agent-response").await;
        let said = fork.frames.iter().rfind(|frame| frame["type"] == "user-message").expect("a message");
        (reply, Some(said["attachments"].clone()))
    };

    let (reply, kept) = again(None, "How many words are in it?").await;
    let (other, brought) = again(Some(json!(["more"])), "How many lines are in it?").await;
    let (_, both) = again(Some(json!(["notes", "large"])), "Hello").await;
    let (_, none) = again(Some(json!([])), "Hello").await;
    let (refused, _) = again(Some(json!(["notes", "moer"])), "Hello").await;

    let notes = json!({"name": "notes", "version": 1, "type": "text", "bytes": 16});
    assert_eq!(kept, Some(json!([notes])));
    assert!(reply["text"].as_str().is_some_and(|text| text.contains("3 words")), "{reply}");
    assert_eq!(brought, Some(json!([{"name": "more", "version": 1, "type": "text", "bytes": 11}])));
    assert!(other["text"].as_str().is_some_and(|text| text.contains("2 lines")), "{other}");
    assert_eq!(both, Some(json!([notes, {"name": "large", "version": 1, "type": "text", "bytes": 80_000}])));
    assert_eq!(none, Some(Value::Null), "absent is absent");
    assert_eq!((&refused["code"], &refused["path"]), (&json!("unknown-variable"), &json!("attachments[1]")));
}
