//! The provider's own web search: off unless it is asked for, in each provider's words, with its sources under the reply.

use serde_json::{Value, json};
use switchboard_tests::{Answer, Asked, ScriptedLlm, ServerOptions, TestServer};

use super::{needs_none, options};

const PAGES: [(&str, &str); 2] =
    [("Plums", "https://example.com/plums"), ("Pears (all)", "https://example.com/pears(1)")];

/// What stands under a reply that these pages are the sources of.
const SOURCES: &str =
    "Sources:\n- [Plums](https://example.com/plums)\n- [Pears (all)](https://example.com/pears%281%29)";

async fn searching(mut options: ServerOptions) -> TestServer {
    options.arguments.extend(["--llm-web-search", "on"].map(ToOwned::to_owned));
    TestServer::start_with(options).await
}

fn anthropic(llm: &ScriptedLlm) -> ServerOptions {
    ServerOptions::with(&["--approve", "auto"]).anthropic(&llm.base_url(), "native", "sk-ant-test")
}

fn searches(asked: &Asked) -> bool {
    let body = asked.body.to_string();
    ["web_search_options", "web_search_20250305", "openrouter:web_search"].iter().any(|word| body.contains(word))
}

#[tokio::test]
async fn it_is_off_unless_it_is_asked_for() {
    for anthropics in [false, true] {
        let llm = ScriptedLlm::of([Answer::text("Plums are blue.")]).await;
        let options = if anthropics { anthropic(&llm) } else { options(&llm, "native") };
        let server = TestServer::start_with(options).await;

        server.connect().await.ask("What are plums?").await.answered();

        assert!(!searches(&llm.asked(1).await));
    }
}

#[tokio::test]
async fn sources_stand_under_the_reply_and_are_remembered() {
    for kind in super::KINDS {
        let reply = Answer::text("Plums are blue.").citing(&PAGES);
        let answers = match kind {
            "native" => vec![reply, Answer::text("You are welcome.")],
            _ => vec![needs_none(), reply, needs_none(), Answer::text("You are welcome.")],
        };
        let llm = ScriptedLlm::of(answers).await;
        let server = searching(options(&llm, kind)).await;
        let mut client = server.connect().await;

        let turn = client.ask("What are plums?").await.answered();
        client.ask("Thanks").await.answered();

        assert_eq!(turn.text(), format!("Plums are blue.\n\n{SOURCES}"), "{kind}");
        let shown: String = turn.all("agent-delta").iter().filter_map(|delta| delta["text"].as_str()).collect();
        assert_eq!(shown, turn.text(), "{kind}: they are shown while the reply comes");
        let asked = llm.all();
        let searched: Vec<bool> = asked.iter().map(searches).collect();
        let expected: &[bool] = if kind == "native" { &[true, true] } else { &[false, true, false, true] };
        assert_eq!(searched, expected, "{kind}: a decision searches nothing");
        assert_eq!(asked.last().map(|asked| asked.body["web_search_options"].clone()), Some(json!({})));
        assert!(asked[expected.len() - 1].body.to_string().contains("https://example.com/plums"), "{kind}");
    }
}

#[tokio::test]
async fn anthropics_search_is_a_tool_of_its_own_and_not_a_call_of_ours() {
    let llm = ScriptedLlm::of([Answer::text("Plums are blue.").citing(&PAGES)]).await;
    let mut options = anthropic(&llm);
    let engine = ["--web-search", "searxng", "--web-search-url", "http://127.0.0.1:9/"];
    options.arguments.extend(engine.map(ToOwned::to_owned));
    let server = searching(options).await;

    let turn = server.connect().await.ask("What are plums?").await.answered();

    assert_eq!(turn.text(), format!("Plums are blue.\n\n{SOURCES}"));
    assert!(turn.all("tool-call-start").is_empty());
    let asked = llm.asked(1).await;
    let tools = asked.body["tools"].as_array().expect("tools");
    let searches: Vec<&Value> = tools.iter().filter(|tool| tool["name"] == "web_search").collect();
    assert_eq!(searches, [&json!({"type": "web_search_20250305", "name": "web_search", "max_uses": 5})]);
}

#[tokio::test]
async fn openrouters_search_is_a_tool() {
    let llm = ScriptedLlm::of([Answer::text("Plums are blue.").citing(&PAGES)]).await;
    let model = ["--llm-provider", "openrouter", "--llm-base-url", &llm.base_url(), "--llm-model", "a/b"];
    let mut options = ServerOptions::with(&model);
    options.environment.push(("OPENROUTER_API_KEY".to_owned(), "sk-or-test".to_owned()));
    let server = searching(options).await;

    server.connect().await.ask("What are plums?").await.answered().says(SOURCES);

    let asked = llm.asked(1).await;
    assert_eq!(
        asked.body["tools"].as_array().and_then(|tools| tools.last()),
        Some(&json!({"type": "openrouter:web_search"}))
    );
}

#[tokio::test]
async fn a_provider_that_has_none_is_asked_without_it() {
    let openai = Answer::status(400, "Unknown parameter: 'web_search_options'.");
    let llm = ScriptedLlm::of([openai, Answer::text("Blue."), Answer::text("Still blue.")]).await;
    let server = searching(options(&llm, "native")).await;
    let mut client = server.connect().await;
    client.ask("What are plums?").await.answered().says("Blue.");
    client.ask("And now?").await.answered().says("Still blue.");
    let searched: Vec<bool> = llm.all().iter().map(searches).collect();
    assert_eq!(searched, [true, false, false]);

    let refused =
        Answer::status(400, "tools.19: Input tag 'web_search_20250305' does not match any of the expected tags");
    let llm = ScriptedLlm::of([refused, Answer::text("Blue.")]).await;
    let server = searching(anthropic(&llm)).await;
    server.connect().await.ask("What are plums?").await.answered().says("Blue.");
    assert_eq!(llm.all().iter().map(searches).collect::<Vec<_>>(), [true, false]);
}
