//! Replies of a model that only say that something was done.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm};

use super::{completes, needs_none, needs_tools, selects, server};

#[tokio::test]
async fn a_reply_that_only_claims_a_call_is_asked_once_more() {
    let llm = ScriptedLlm::of([
        Answer::text("Sure! I'll read notes.txt for you."),
        Answer::calls([("file_read", json!({"file_paths": ["notes.txt"]}))]),
        Answer::text("The code word is heron."),
    ])
    .await;
    let server = server(&llm, "native").await;
    server.file("notes.txt", "The code word is heron.");

    let turn = server.connect().await.ask("Read the file notes.txt").await.answered().says("heron");

    assert_eq!(turn.tools(), ["file_read"]);
    assert!(llm.asked(2).await.body.to_string().contains("no tool was called"));
}

#[tokio::test]
async fn who_claims_a_call_twice_is_asked_step_by_step() {
    let claim = || Answer::text("I have created hello.txt with your text.");
    let write = json!({"path": "hello.txt", "content": "good morning"});
    let answers = [claim(), claim(), needs_tools(), selects("file_write", write, None), completes("It is there.")];
    let llm = ScriptedLlm::of(answers).await;
    let server = server(&llm, "native").await;

    let mut client = server.connect().await;
    let turn = client.ask("Create a file hello.txt with the text: good morning").await.answered().says("It is there.");

    assert_eq!(turn.tools(), ["file_write"]);
    assert_eq!(server.content("hello.txt"), "good morning");
    let says = |frame: &Value| frame["message"].as_str().is_some_and(|text| text.contains("step by step"));
    assert!(turn.all("agent-thinking").into_iter().any(says), "the steps show it");
}

#[tokio::test]
async fn who_writes_calls_as_text_goes_on_step_by_step_in_the_same_turn() {
    let written = "<result-1>{\"name\": \"file_read\", \"arguments\": {\"file_paths\": [\"notes.txt\"]}}</result-1>";
    let llm = ScriptedLlm::of([Answer::text(written), completes("The code word is heron.")]).await;
    let server = server(&llm, "native").await;
    server.file("notes.txt", "The code word is heron.");

    let turn = server.connect().await.ask("Read the file notes.txt").await.answered().says("heron");

    assert_eq!((turn.tools(), llm.count()), (vec!["file_read"], 2));
    assert!(llm.asked(2).await.body.to_string().contains("heron"), "it sees what its call gave");
    let says = |frame: &Value| frame["message"].as_str().is_some_and(|text| text.contains("writes its calls as text"));
    assert!(turn.all("agent-thinking").into_iter().any(says), "the steps show it");
    assert!(turn.all("agent-delta").iter().all(|frame| !frame["text"].to_string().contains("result")), "never shown");
}

#[tokio::test]
async fn a_claim_that_stays_is_shown_as_one() {
    let claim = || Answer::text("I have created hello.txt with your text.");
    let llm = ScriptedLlm::of([claim(), claim(), needs_none(), claim()]).await;
    let server = server(&llm, "native").await;

    let turn = server.connect().await.ask("Create a file hello.txt with the text: good morning").await;

    assert!(
        turn.text().ends_with("*(No tool was used for this reply: nothing was looked up or changed.)*"),
        "{}",
        turn.text()
    );
    assert_eq!(turn.end["complete"], false);
    let shown: Vec<_> = turn.all("agent-delta").into_iter().filter_map(|frame| frame["text"].as_str()).collect();
    assert!(shown.concat().ends_with(turn.text().split_at(10).1), "the pieces are the reply: {shown:?}");
}

#[tokio::test]
async fn answers_and_refusals_are_not_asked_again() {
    for (said, reply) in [
        ("What is the capital of France?", "I will say it in one word: Paris."),
        ("Read the file notes.txt", "I cannot do that, because you asked me not to."),
    ] {
        let llm = ScriptedLlm::of([Answer::text(reply)]).await;
        let server = server(&llm, "native").await;

        server.connect().await.ask(said).await.answered().says(reply);

        assert_eq!(llm.count(), 1, "{said}");
    }
}
