//! Replies that their limit cuts off: within a call, within a decision, and before anything is said.

use std::fs;

use serde_json::json;
use switchboard_tests::{Answer, ScriptedLlm, TestServer};

use super::{KINDS, completes, needs_tools, one_tool, selects, server};

fn whole() -> Answer {
    Answer::calls([("file_write", json!({"path": "x.txt", "content": "all of it"}))])
}

fn cut() -> Answer {
    Answer::call_with("file_write", "{\"path\": \"x.txt\", \"content\": \"all").finish("length")
}

fn written(server: &TestServer) -> String {
    fs::read_to_string(server.workspace().join("x.txt")).expect("a file")
}

#[tokio::test]
async fn a_call_that_was_cut_off_is_asked_for_again_with_a_larger_limit() {
    let llm = ScriptedLlm::of([cut(), whole(), Answer::text("Done.")]).await;
    let server = server(&llm, "native").await;

    let turn = server.connect().await.ask("Write all of it to x.txt").await.answered();

    turn.says("Done.");
    assert_eq!(written(&server), "all of it");
    let asked = llm.all();
    let limit = asked[1].body["max_tokens"].as_u64().expect("a limit");
    assert_eq!(asked[0].body["max_tokens"], 1024);
    assert!(limit >= 2048, "{limit}");
    let told = asked[1].body.to_string();
    assert!(told.contains("limit of 1024 tokens in the middle of a call of `file_write`"), "{told}");
    assert!(told.contains(&format!("the limit is {limit} tokens now")), "{told}");
    assert_eq!(asked[2].body["max_tokens"], 1024, "prose has its own limit");
    assert!(!asked[2].body.to_string().contains("reached its limit"), "it is no part of the conversation");
}

#[tokio::test]
async fn the_models_own_limit_holds() {
    let refused = "max_tokens is too large. This model supports at most 2100 completion tokens";
    let llm = ScriptedLlm::of([cut(), Answer::status(400, refused), whole(), Answer::text("Done.")]).await;
    let server = server(&llm, "native").await;

    server.connect().await.ask("Write all of it to x.txt").await.answered().says("Done.");

    let asked: Vec<u64> = llm.all().iter().filter_map(|asked| asked.body["max_tokens"].as_u64()).collect();
    assert!(asked[1] > 2100 && asked[2] == 2100, "{asked:?}");
    assert_eq!(written(&server), "all of it");
}

#[tokio::test]
async fn what_is_cut_off_again_ends_the_turn_and_runs_nothing() {
    for again in [cut(), Answer::status(400, "max_tokens is too large")] {
        let llm = ScriptedLlm::of([cut(), again]).await;
        let server = server(&llm, "native").await;

        let turn = server.connect().await.ask("Write all of it to x.txt").await.failed("model-reply-cut-off");

        assert!(turn.all("tool-call-start").is_empty());
        assert!(turn.end["error"].as_str().is_some_and(|told| told.contains("file_write")), "{:#}", turn.end);
        assert!(turn.end["suggestions"][0].is_string(), "{:#}", turn.end);
    }
}

#[tokio::test]
async fn a_decision_that_was_cut_off_gets_a_larger_limit() {
    let half = Answer::text("{\"reasoning\": \"I write\", \"selectedTool\": \"file_wr").finish("length");
    let arguments = json!({"path": "x.txt", "content": "all of it"});
    let llm = ScriptedLlm::of([needs_tools(), half, selects("file_write", arguments, None), completes("Done.")]).await;
    let server = server(&llm, "staged").await;

    server.connect().await.ask("Write all of it to x.txt").await.answered().says("Done.");

    let asked = llm.all();
    assert_eq!(asked[1].body["max_tokens"], 1000);
    let limit = asked[2].body["max_tokens"].as_u64().expect("a limit");
    assert!(limit >= 2000, "{limit}");
    assert!(asked[2].last_text().contains("limit of 1000 tokens"), "{}", asked[2].last_text());
    assert_eq!(written(&server), "all of it");
}

#[tokio::test]
async fn n36_within_a_turn_a_model_gets_its_own_arguments_back_whole() {
    let content = "several words ".repeat(300);
    for kind in KINDS {
        let llm =
            ScriptedLlm::of(one_tool(kind, "file_write", json!({"path": "x.txt", "content": content}), "Done.")).await;
        let server = server(&llm, kind).await;

        server.connect().await.ask("Write many words to x.txt").await.answered().says("Done.");

        let after = llm.all().pop().expect("a question after the call");
        assert!(after.body.to_string().contains(content.trim()), "{kind}: {:#}", after.body);
    }
}
