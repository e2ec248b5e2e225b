//! What a model is told of its mistakes, and what the user is told of a model's choices.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm};

use super::{completes, needs_tools, selects, server};

#[tokio::test]
async fn a_decision_that_cannot_be_read_is_an_error_and_its_text_is_no_reply() {
    let chosen = selects("calculator", json!({"expression": "6 * 7"}), None);
    let unreadable = ["I would say so.", "Indeed.", "{\"complete\": "].map(Answer::text);
    let llm = ScriptedLlm::of([needs_tools(), chosen].into_iter().chain(unreadable)).await;
    let server = server(&llm, "staged").await;

    let turn = server.connect().await.ask("Calculate 6 * 7").await.failed("model-failed").says("calculator");

    assert!(!turn.end.to_string().contains("Indeed"), "{:#}", turn.end);
    assert!(turn.end["suggestions"][0].is_string(), "{:#}", turn.end);
}

#[tokio::test]
async fn a_pattern_that_grep_cannot_use_is_an_error_of_the_arguments() {
    let search = |pattern: &str| Answer::calls([("grep", json!({"pattern": pattern}))]);
    let llm = ScriptedLlm::of([search("("), search("heron"), Answer::text("notes.txt has it.")]).await;
    let server = server(&llm, "native").await;
    server.file("notes.txt", "a heron\n");

    let turn = server.connect().await.ask("Which files contain heron?").await.answered().says("notes.txt");

    assert_eq!(turn.first("tool-call-end")["errorType"], "validation_error");
    assert!(llm.asked(2).await.last_text().starts_with("Error: grep("), "{}", llm.all()[1].last_text());
}

#[tokio::test]
async fn only_a_name_that_is_close_is_proposed() {
    for (name, proposed) in [("file_raed", true), ("send_postcard", false)] {
        let call = Answer::calls([(name, json!({"path": "a.txt"}))]);
        let llm = ScriptedLlm::of([call, Answer::text("I cannot do that.")]).await;
        let server = server(&llm, "native").await;

        server.connect().await.ask("Read a.txt").await;

        let told = llm.asked(2).await.last_text().to_owned();
        assert_eq!(told.contains("Did you mean"), proposed, "{told}");
    }
}

/// A model sees more tools than a search finds, and may choose any of them.
#[tokio::test]
async fn a_tool_that_no_search_found_is_shown_among_the_candidates_when_it_is_chosen() {
    let call = json!({"expression": "6 * 7"});
    for (kind, answers) in [
        ("native", vec![Answer::calls([("calculator", call.clone())]), Answer::text("42.")]),
        ("staged", vec![needs_tools(), selects("calculator", call, None), completes("42.")]),
    ] {
        let llm = ScriptedLlm::of(answers).await;
        let server = server(&llm, kind).await;

        let turn = server.connect().await.ask("Qwx zzy?").await.answered().says("42");

        let selecting = turn.all("agent-thinking").into_iter().find(|frame| frame["selected"] == json!(["calculator"]));
        let candidates: Vec<&Value> =
            selecting.expect("the choice")["candidates"].as_array().into_iter().flatten().collect();
        let chosen = candidates.iter().find(|candidate| candidate["name"] == "calculator").expect("it is among them");
        assert!(chosen["confidence"].is_number() && chosen["reasons"][0].is_string(), "{kind}: {chosen}");
    }
}

#[tokio::test]
async fn a_native_model_that_needs_no_tool_says_so_in_the_reasoning() {
    let llm = ScriptedLlm::of([Answer::text("Paris.")]).await;
    let server = server(&llm, "native").await;

    let turn = server.connect().await.ask("What is the capital of France?").await.answered();

    assert_eq!(turn.end["reasoning"], "The model answered without a tool.");
}
