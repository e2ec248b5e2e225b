//! Replies with nothing in them.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestServer};

use super::{KINDS, completes, needs_none, needs_tools, selects, server};

fn nothing() -> Answer {
    Answer::text("")
}

fn says_what_to_do(end: &Value) {
    assert_eq!(end["retryable"], true, "{end:#}");
    assert!(end["error"].as_str().is_some_and(|error| error.contains("empty")), "{end:#}");
    assert!(end["suggestions"][0].as_str().is_some_and(|text| text.contains("/model")), "{end:#}");
}

#[tokio::test]
async fn an_empty_reply_is_a_failure_of_the_model_that_says_what_to_do() {
    for kind in KINDS {
        for blank in ["", " \n"] {
            let llm = ScriptedLlm::start(move |asked| match asked.schema() {
                Some(_) => needs_none(),
                None => Answer::text(blank),
            })
            .await;
            let server = server(&llm, kind).await;

            let turn = server.connect().await.ask("Say something").await.failed("model-failed");

            says_what_to_do(&turn.end);
        }
    }
}

#[tokio::test]
async fn an_empty_reply_of_anthropics_api_is_one_too() {
    let llm = ScriptedLlm::start(|_| nothing()).await;
    let options = ServerOptions::auto().anthropic(&llm.base_url(), "native", "sk-ant-none");
    let server = TestServer::start_with(options).await;

    let turn = server.connect().await.ask("Say something").await.failed("model-failed");

    says_what_to_do(&turn.end);
}

#[tokio::test]
async fn what_was_done_before_an_empty_reply_is_told() {
    let llm = ScriptedLlm::of([Answer::calls([("calculator", json!({"expression": "6 * 7"}))]), nothing()]).await;
    let server = server(&llm, "native").await;

    let turn = server.connect().await.ask("Calculate 6 * 7").await.failed("model-failed").says("calculator");

    assert_eq!(turn.end["attemptedTools"], json!(["calculator"]));
}

#[tokio::test]
async fn an_empty_decision_is_sent_back_like_any_that_cannot_be_read() {
    let arguments = json!({"expression": "6 * 7"});
    let answers = [nothing(), needs_tools(), nothing(), selects("calculator", arguments, None), nothing()];
    let llm = ScriptedLlm::of(answers.into_iter().chain([completes("It is 42.")])).await;
    let server = server(&llm, "staged").await;

    server.connect().await.ask("Calculate 6 * 7").await.answered().says("42");

    let sent_back = llm.asked(2).await.last_text().to_owned();
    assert!(sent_back.contains("contains no JSON object"), "{sent_back}");
}
