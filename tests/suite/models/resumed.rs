//! Turns that a kill of the server cut off go on after the restart: no tool runs twice, and the model is asked again only
//! for what it had not said yet.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, TestClient, TestServer};

use super::{KINDS, options, server};

fn runs(command: &str) -> Answer {
    Answer::calls([("bash", json!({"command": command}))])
}

/// Kills the server, starts it again, and comes back with what was missed.
async fn back_after_a_kill(server: &mut TestServer, client: TestClient) -> TestClient {
    let (session, seen) = (client.session(), client.last_seq());
    drop(client);
    server.kill().await;
    server.start_again().await;
    server.connect_to(session, seen).await
}

#[tokio::test]
async fn a_turn_goes_on_after_what_it_did_and_does_nothing_twice() {
    let answers = [runs("echo ran >> trace"), Answer::silent(), Answer::text("It ran once.")];
    let llm = ScriptedLlm::of(answers).await;
    let mut server = server(&llm, "native").await;
    let mut client = server.connect().await;
    let turn = client.post("Run it").await;
    llm.asked(2).await;
    client.until_type("tool-call-end").await;

    let mut back = back_after_a_kill(&mut server, client).await;
    let ended = back.end_of(&turn).await.answered().says("It ran once.");

    assert_eq!(server.content("trace"), "ran\n");
    assert_eq!(llm.count(), 3, "one question more: the reply to the second had not come");
    assert_eq!(ended.end["toolsUsed"], json!(["bash"]));
    assert_eq!(ended.end["operationCount"], 1);
    let said = llm.asked(3).await.messages().last().expect("the result").to_string();
    assert!(said.contains("tool_call_id"), "the model sees what its call gave: {said}");
}

/// A server that is stopped in time is no worse than one that is killed.
#[tokio::test]
async fn d09_a_turn_longer_than_the_time_to_drain_goes_on_after_the_next_start() {
    let answers = [runs("echo ran >> trace"), Answer::silent(), Answer::text("It ran once.")];
    let llm = ScriptedLlm::of(answers).await;
    let mut options = options(&llm, "native");
    options.arguments.extend(["--drain-seconds", "0"].map(str::to_owned));
    let mut server = TestServer::start_with(options).await;
    let mut client = server.connect().await;
    let turn = client.post("Run it").await;
    llm.asked(2).await;
    client.until_type("tool-call-end").await;
    server.signal(Signal::TERM);
    client.closed().await;
    server.ended().await;
    server.start_again().await;

    let mut back = server.connect_to(client.session(), client.last_seq()).await;
    back.end_of(&turn).await.answered().says("It ran once.");

    assert_eq!((server.content("trace").as_str(), llm.count()), ("ran\n", 3));
}

#[tokio::test]
async fn n20_messages_that_joined_a_turn_that_was_cut_off_are_answered_by_it() {
    let answers = [runs("echo one"), Answer::silent(), runs("echo two"), Answer::text("Both are done.")];
    let llm = ScriptedLlm::of(answers).await;
    let mut server = server(&llm, "native").await;
    let mut client = server.connect().await;
    let turn = client.post("Say one").await;
    llm.asked(2).await;
    let joined = json!({"type": "send-message", "text": "And say two", "messageId": "joined", "mode": "steer"});
    client.send(joined).await;
    client.until("its acknowledgement", |f| f["type"] == "user-message" && f["messageId"] == "joined").await;

    let mut back = back_after_a_kill(&mut server, client).await;
    let ended = back.end_of(&turn).await.answered().says("Both are done.");

    assert_eq!(ended.end["messageIds"], json!([turn, "joined"]));
    assert_eq!(ended.tools(), ["bash"], "the first command is not run again");
    let said = llm.asked(3).await.messages().iter().map(Value::to_string).collect::<String>();
    assert!(said.contains("And say two"), "{said}");
}

#[tokio::test]
async fn f03_a_turn_that_had_done_nothing_begins_anew() {
    let staged = [
        json!({"reasoning": "", "needsTools": false, "answer": "Good day."}),
        json!({"reasoning": "", "complete": true, "userResponse": "Good day.", "nextAction": null}),
    ];
    for kind in KINDS {
        let answers = match kind {
            "native" => vec![Answer::silent(), Answer::text("Good day.")],
            _ => [Answer::silent()].into_iter().chain(staged.iter().map(Answer::json)).collect(),
        };
        let llm = ScriptedLlm::of(answers).await;
        let mut server = server(&llm, kind).await;
        let mut client = server.connect().await;
        let turn = client.post("Greet me").await;
        llm.asked(1).await;
        client.until_type("agent-thinking").await;

        let mut back = back_after_a_kill(&mut server, client).await;
        back.end_of(&turn).await.answered().says("Good day.");

        let asked = llm.asked(2).await.messages().iter().map(Value::to_string).collect::<String>();
        assert_eq!(asked.matches("Greet me").count(), 1, "{kind}: the message is in the conversation once: {asked}");
    }
}

/// What only reads is read again, under its id.
#[tokio::test]
async fn f06_a_read_that_was_cut_off_is_made_again() {
    let llm = ScriptedLlm::of([Answer::calls([("measure", json!({}))]), Answer::text("It is 7.")]).await;
    let mut server = TestServer::prepare(options(&llm, "native"));
    let tool = json!({
        "name": "measure", "description": "Measures",
        "command": ["sh", "-c", "echo begun; test -e go || sleep 50; echo 7"], "risk": "read",
    });
    let folder = server.settings().parent().expect("a folder").join("tools");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("measure.json"), tool.to_string()).expect("a file");
    server.start_again().await;
    let mut client = server.connect().await;
    let turn = client.post("Measure it").await;
    let started = client.until_type("tool-call-start").await;
    client.until_type("tool-output-chunk").await;
    server.file("go", "");

    let mut back = back_after_a_kill(&mut server, client).await;
    let ended = back.end_of(&turn).await.answered().says("It is 7.");

    let again = ended.all("tool-call-start");
    assert_eq!(again.len(), 1);
    assert_eq!(again[0]["callId"], started["callId"]);
    assert_eq!(llm.count(), 2, "the model is not asked again for the call");
}

#[tokio::test]
async fn f05_after_the_users_word_about_a_call_its_turn_goes_on() {
    let command = "echo begun >> trace; echo begun; test -e go || sleep 50";
    for (word, lines) in [("done", 1), ("not-done", 1), ("unknown", 1), ("retry", 2)] {
        let llm = ScriptedLlm::of([runs(command), Answer::text("That is all.")]).await;
        let mut server = server(&llm, "native").await;
        let mut client = server.connect().await;
        let turn = client.post("Run it").await;
        client.until_type("tool-output-chunk").await;
        server.file("go", "");

        let mut back = back_after_a_kill(&mut server, client).await;
        let asked = back.ready["pending"][0].clone();
        assert_eq!(asked["kind"], "outcome", "the question is there at once: {:#}", back.ready);
        back.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": word})).await;
        back.end_of(&turn).await.answered().says("That is all.");

        assert_eq!(server.content("trace").lines().count(), lines, "{word}");
        assert_eq!(llm.count(), 2, "{word}");
    }
}

#[tokio::test]
async fn who_cancels_at_the_question_ends_the_turn() {
    let llm = ScriptedLlm::of([runs("echo begun; sleep 50")]).await;
    let mut server = server(&llm, "native").await;
    let mut client = server.connect().await;
    let turn = client.post("Run it").await;
    client.until_type("tool-output-chunk").await;

    let mut back = back_after_a_kill(&mut server, client).await;
    back.send(json!({"type": "cancel"})).await;
    back.end_of(&turn).await.failed("interrupted").says("unknown");

    assert_eq!(llm.count(), 1);
}
