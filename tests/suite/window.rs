//! The model's window: how full it is, and what becomes of what no longer fits. No model is needed to see it.

use serde_json::Value;
use switchboard_tests::{ServerOptions, TestClient, TestServer};

fn small_window() -> ServerOptions {
    let mut options = ServerOptions::with(&["--context-tokens", "1000", "--summarize", "on"]);
    options.arguments.extend(["--approve".to_owned(), "auto".to_owned()]);
    options
}

#[tokio::test]
async fn the_gauge_moves_and_what_falls_out_is_summarised() {
    let server = TestServer::start_with(small_window()).await;
    let mut client = server.connect().await;

    client.ask("Calculate 6 * 7 and call it answer").await.answered();
    let gauge = client.until("the gauge", |frame| frame["contextTokens"].is_object()).await;
    let mut summary = Value::Null;
    for round in 1..60 {
        client.ask(&format!("Calculate {round} + 1 {}", "and tell me what it is".repeat(3))).await;
        if let Some(found) = client.frames.iter().find(|frame| frame["type"] == "conversation-summary") {
            summary = found.clone();
            break;
        }
    }

    assert_eq!(gauge["contextTokens"]["limit"], 1000);
    assert!(gauge["contextTokens"]["used"].as_u64().is_some_and(|used| used > 0), "{gauge}");
    let text = summary["text"].as_str().expect("a summary within 60 turns");
    assert!(text.contains("- The user: Calculate 1 + 1") && text.contains("- Called `calculator`"), "{text}");
    assert!(
        summary["fromSeq"].as_u64() < summary["toSeq"].as_u64() && summary["toSeq"].as_u64() < summary["seq"].as_u64()
    );
    for frame in client.frames.iter().filter(|frame| frame["contextTokens"].is_object()) {
        let used = frame["contextTokens"]["used"].as_u64().expect("a number");
        assert!(used <= 1000, "{frame}");
    }
}

#[tokio::test]
async fn a_client_of_the_tail_hears_how_full_the_window_is() {
    let server = TestServer::start_with(small_window()).await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7").await.answered();
    let gauge = client.until("the gauge", |frame| frame["contextTokens"].is_object()).await;

    let late = TestClient::connect(server.address(), &format!("?session={}&tail=1", client.session())).await;

    assert_eq!(late.ready["snapshot"]["contextTokens"], gauge["contextTokens"]);
}

#[tokio::test]
async fn without_a_model_nobody_is_told_of_a_window() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    client.ask("Calculate 6 * 7").await.answered();
    client.ask("Calculate 6 * 8").await.answered();

    assert!(client.frames.iter().all(|frame| frame["contextTokens"].is_null()));
}
