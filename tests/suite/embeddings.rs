//! A sentence encoder by configuration: it finds what no word tells, and a search goes on without it when it is gone.

use serde_json::{Value, json};
use switchboard_tests::{Answer, Asked, ScriptedLlm, ServerOptions, TestServer, request, soon};

const KEY: &str = "k-embed-0123456789abcdef";

/// An encoder to which an overdue kettle is like a clock, and nothing else like anything.
async fn encoder() -> ScriptedLlm {
    ScriptedLlm::start(|asked: &Asked| {
        if !asked.path.ends_with("/embeddings") {
            return Answer::status(404, "only embeddings here");
        }
        let texts = asked.body["input"].as_array().cloned().unwrap_or_default();
        let vector = |text: &Value| {
            let text = text.as_str().unwrap_or_default();
            match text.contains("kettle") || text.starts_with("current time") {
                true => json!([1.0, 0.1]),
                false => json!([0.1, 1.0]),
            }
        };
        let data = texts.iter().enumerate().map(|(index, text)| json!({"index": index, "embedding": vector(text)}));
        Answer::status_with(200, json!({"data": data.collect::<Vec<_>>()}))
    })
    .await
}

async fn first(server: &TestServer) -> Value {
    let path = "/api/tools?query=overdue%20kettle&limit=1";
    request(server.address(), "GET", path, &[], b"").await.json()["tools"][0].clone()
}

fn with(url: &str) -> ServerOptions {
    ServerOptions::with(&["--approve", "auto", "--embeddings-url", url, "--embeddings-key", KEY])
}

#[tokio::test]
async fn an_encoder_finds_what_no_word_tells_and_its_key_stays_secret() {
    let encoder = encoder().await;
    let server = TestServer::start_with(with(&encoder.base_url())).await;

    soon("finding the clock", async { while first(&server).await["name"] != "current_time" {} }).await;

    let found = first(&server).await;
    assert!(found["reasons"].to_string().contains("similar meaning"), "{found}");
    assert!(encoder.all()[0].head.contains(KEY));
    let mut client = server.connect().await;
    client.ask("What is 6 * 7?").await.answered().says("42");
    assert!(!server.stderr().contains(KEY) && !server.stdout().contains(KEY));
}

#[tokio::test]
async fn without_the_encoder_tools_are_found_by_the_table_and_the_log_says_why() {
    let server = TestServer::start_with(with("http://127.0.0.1:1/v1")).await;
    let mut client = server.connect().await;

    client.ask("What is 6 * 7?").await.answered().says("42");

    let told = async {
        while !server.stderr().contains("embeddings are not available") {
            first(&server).await;
        }
    };
    soon("a line in the log", told).await;
}
