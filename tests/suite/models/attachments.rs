//! What belongs to a message, as a model is given it: names and types, and pictures as pictures if it sees.

use serde_json::{Value, json};
use switchboard_tests::{Answer, Asked, ScriptedLlm, ServerOptions, TestClient, TestServer};

use super::pictures::{BASE64, PNG, WORDS};
use super::{options, reply};
use crate::attachments::{attaching, upload};

const NAMED: &str = "[Attached: @logo (bytes, 73 bytes), @notes (text, 11 bytes)]";

fn seeing(llm: &ScriptedLlm, kind: &str) -> ServerOptions {
    let mut options = options(llm, kind);
    options.arguments.extend(["--llm-vision", "on"].map(ToOwned::to_owned));
    options
}

/// A session with a picture and a text that were uploaded.
async fn with_uploads(server: &TestServer) -> TestClient {
    let client = server.connect().await;
    for (name, content) in [("logo.png", PNG.to_vec()), ("notes.txt", b"milk\nbread\n".to_vec())] {
        assert_eq!(upload(server, &client, name, &content).await.status, 201);
    }
    client
}

/// The pictures of a request of OpenAI's kind, and all its texts.
fn split(asked: &Asked) -> (usize, String) {
    let parts = asked.messages().iter().filter_map(|message| message["content"].as_array()).flatten();
    let shown = parts.filter(|part| part["image_url"]["url"] == format!("data:image/png;base64,{BASE64}")).count();
    (shown, asked.body.to_string())
}

#[tokio::test]
async fn a_model_that_sees_is_shown_the_pictures_of_a_message_and_told_its_names() {
    for kind in super::KINDS {
        let answers = [reply(kind, "A red box."), reply(kind, "Still red.")].concat();
        let llm = ScriptedLlm::of(answers).await;
        let mut server = TestServer::start_with(seeing(&llm, kind)).await;
        let mut client = with_uploads(&server).await;

        let message = attaching("What is this?", &["logo", "notes"]);
        client.send(message.clone()).await;
        let id = message["messageId"].as_str().expect("an id").to_owned();
        client.end_of(&id).await.answered().says("A red box.");

        let (shown, texts) = split(&llm.all().pop().expect("a request"));
        assert_eq!(shown, 1, "{kind}: {texts}");
        assert!(texts.contains(NAMED), "{kind}: {texts}");
        let frames = client.frames.iter().map(Value::to_string).collect::<String>();
        assert!(!frames.contains(&BASE64[..40]), "{kind}: a frame has the picture's bytes");

        // The next turn has it too, also after a restart.
        server.kill().await;
        server.start_again().await;
        let mut client = server.connect_to(client.session(), client.last_seq()).await;
        client.ask("Which colour is it?").await.answered().says("Still red.");
        let (shown, texts) = split(&llm.all().pop().expect("a request"));
        assert_eq!(shown, 1, "{kind}: {texts}");
    }
}

#[tokio::test]
async fn a_model_that_does_not_see_is_told_names_and_types() {
    for kind in super::KINDS {
        let llm = ScriptedLlm::of(reply(kind, "I cannot see it.")).await;
        let server = TestServer::start_with(options(&llm, kind)).await;
        let mut client = with_uploads(&server).await;

        let message = attaching("What is this?", &["logo", "notes"]);
        client.send(message.clone()).await;
        client.end_of(message["messageId"].as_str().expect("an id")).await.answered();

        let (shown, texts) = split(&llm.all().pop().expect("a request"));
        assert!(shown == 0 && !texts.contains("image_url"), "{kind}: {texts}");
        assert!(texts.contains(NAMED), "{kind}: {texts}");
        assert!(texts.contains(if kind == "native" { WORDS } else { "PNG image, 73 bytes" }), "{kind}: {texts}");
    }
}

#[tokio::test]
async fn a_message_that_joins_a_turn_brings_its_picture_and_one_sent_again_keeps_it() {
    let calls = Answer::calls([("bash", json!({"command": "until [ -e go ]; do sleep 0.05; done"}))]);
    let llm = ScriptedLlm::of([calls, Answer::text("A red box."), Answer::text("Red again.")]).await;
    let server = TestServer::start_with(seeing(&llm, "native")).await;
    let mut client = with_uploads(&server).await;
    let turn = client.post("Wait for the file go").await;
    client.until_type("tool-call-start").await;

    let mut joins = attaching("And what is this?", &["logo"]);
    joins["mode"] = json!("steer");
    client.send(joins).await;
    client.until("the message", |frame| frame["text"] == "And what is this?").await;
    server.file("go", "");
    client.end_of(&turn).await.answered().says("A red box.");
    assert_eq!(split(&llm.asked(2).await).0, 1);

    let answer = client.command("/rerun And what is that?").await;
    let fork = answer["sessionId"].as_str().expect("a session");
    let mut fork = TestClient::connect(server.address(), &format!("?session={fork}&after=0")).await;
    let again = fork.until("the message", |frame| frame["text"] == "And what is that?").await;
    assert_eq!(again["attachments"][0]["name"], "logo");
    fork.end_of(again["messageId"].as_str().expect("an id")).await.answered().says("Red again.");
    assert_eq!(split(&llm.asked(3).await).0, 1);
}
