//! `web_search` against servers that answer as each service documents it.

use serde_json::{Value, json};
use switchboard_protocol::ErrorType;

use super::{SearchProvider, WebSearch};
use crate::WebConfig;
use crate::test_support::Bench;
use switchboard_net::test_support::{WebServer, answer, ok, path};
use switchboard_net::{WebClient, WebLimits};
use switchboard_runtime::Secret;

const KEY: &str = "BSA-0123456789-key-of-the-test";

fn bench(provider: SearchProvider, server: &WebServer, key: Option<&str>) -> Bench<WebSearch> {
    let config = WebConfig {
        search: Some(provider),
        search_url: Some(server.url("").parse().expect("a URL")),
        search_key: key.map(Secret::new),
        ..WebConfig::default()
    };
    let client = WebClient::new(config.local.clone(), WebLimits::default());
    Bench::new(WebSearch::new(&config, client).expect("it is all set"))
}

async fn service(body: Value) -> WebServer {
    WebServer::start(move |_| ok("application/json", body.to_string())).await
}

fn searxng_answer() -> Value {
    json!({"query": "rust book", "number_of_results": 0, "results": [
        {"url": "https://doc.rust-lang.org/book/", "title": "The Book", "content": "Learn\n Rust.", "engine": "x", "score": 1.0},
        {"url": "https://example.org/", "title": "Another", "content": ""},
        {"title": "no address"},
    ], "answers": [], "suggestions": []})
}

#[tokio::test]
async fn its_definition_is_whole() {
    bench(SearchProvider::Searxng, &service(json!({})).await, None).definition_is_whole();
}

#[test]
fn without_a_service_there_is_no_such_tool() {
    let client = || WebClient::new("".parse().expect("a list"), WebLimits::default());
    let with =
        |search, key: Option<&str>| WebConfig { search, search_key: key.map(Secret::new), ..WebConfig::default() };

    assert!(WebSearch::new(&with(None, Some(KEY)), client()).is_none());
    for provider in [SearchProvider::Searxng, SearchProvider::Brave, SearchProvider::Tavily] {
        assert!(WebSearch::new(&with(Some(provider), None), client()).is_none());
        assert!(provider.check(None, None).is_err_and(|error| error.contains("--web-search-")));
    }
    assert!(WebSearch::new(&with(Some(SearchProvider::Brave), Some(KEY)), client()).is_some());
}

#[tokio::test]
async fn searxng_is_asked_for_json() {
    let server = service(searxng_answer()).await;
    let search = bench(SearchProvider::Searxng, &server, None);

    let result = search.run(json!({"query": "rust & book"})).await;

    assert_eq!(
        result.value.expect("a value").to_json(),
        json!([
            {"title": "The Book", "url": "https://doc.rust-lang.org/book/", "snippet": "Learn Rust."},
            {"title": "Another", "url": "https://example.org/", "snippet": ""},
        ])
    );
    let view = "2 results for \"rust & book\":\n\n1. The Book\n   https://doc.rust-lang.org/book/\n   Learn Rust.\n\n\
                2. Another\n   https://example.org/";
    assert_eq!(result.view.as_deref(), Some(view));
    assert_eq!(path(&server.requests()[0]), "/search?q=rust+%26+book&format=json");
}

#[tokio::test]
async fn brave_is_shown_the_key_and_its_marks_are_taken_off() {
    let server = service(json!({"type": "search", "query": {"original": "x"}, "web": {"results": [
        {"title": "A &amp; <strong>B</strong>", "url": "https://example.org/", "description": "<strong>Rust</strong> &#x27;book&#x27;"},
    ]}}))
    .await;
    let search = bench(SearchProvider::Brave, &server, Some(KEY));

    let value = search.json(json!({"query": "rust", "max_results": 3})).await;

    assert_eq!(value[0], json!({"title": "A & B", "url": "https://example.org/", "snippet": "Rust 'book'"}));
    let request = &server.requests()[0];
    assert_eq!(path(request), "/res/v1/web/search?q=rust&count=3");
    assert!(request.to_lowercase().contains(&format!("x-subscription-token: {}", KEY.to_lowercase())), "{request}");
}

#[tokio::test]
async fn tavily_is_sent_the_search_with_the_key_as_bearer() {
    let server = service(json!({"query": "x", "answer": null, "results": [
        {"title": "T", "url": "https://example.org/", "content": "C", "score": 0.9, "raw_content": null},
    ], "response_time": 1.2}))
    .await;
    let search = bench(SearchProvider::Tavily, &server, Some(KEY));

    let value = search.json(json!({"query": "rust"})).await;

    assert_eq!(value, json!([{"title": "T", "url": "https://example.org/", "snippet": "C"}]));
    let request = &server.requests()[0];
    let (head, body) = request.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.starts_with("POST /search ") && head.contains(&format!("Bearer {KEY}")), "{head}");
    let body: Value = serde_json::from_str(body).expect("JSON");
    assert_eq!((&body["query"], &body["max_results"]), (&json!("rust"), &json!(5)));
}

#[tokio::test]
async fn no_results_are_said() {
    let brave = service(json!({"type": "search", "query": {"original": "x"}})).await;
    let searxng = service(json!({"results": []})).await;

    for (provider, server) in [(SearchProvider::Brave, brave), (SearchProvider::Searxng, searxng)] {
        let result = bench(provider, &server, Some(KEY)).run(json!({"query": "x"})).await;
        assert_eq!(result.view.as_deref(), Some("Nothing was found for \"x\"."));
    }
}

#[tokio::test]
async fn a_services_refusal_is_told_without_the_key() {
    for (status, says, next) in [
        ("401 Unauthorized", "refused the search", "--web-search-key"),
        ("429 Too Many Requests", "not accept more searches", "later"),
        ("500 Internal Server Error", "answered 500", "--web-search-url"),
        ("200 OK", "did not return search results", "--web-search-url"),
    ] {
        let server = WebServer::start(move |_| answer(status, &[], format!("wrong key {KEY}"))).await;
        let search = bench(SearchProvider::Brave, &server, Some(KEY));

        let (error_type, message, suggestion) = search.failure(json!({"query": "x"})).await;

        assert_eq!(error_type, ErrorType::System);
        assert!(message.contains(says) && suggestion.contains(next), "{message} {suggestion}");
        assert!(!message.contains(KEY) && !suggestion.contains(KEY), "{message} {suggestion}");
    }
}

#[tokio::test]
async fn wrong_arguments_are_told() {
    let search = bench(SearchProvider::Searxng, &service(searxng_answer()).await, None);

    assert!(search.problems(json!({})).await.contains("query"));
    assert!(search.problems(json!({"query": ""})).await.contains("query"));
    assert!(search.problems(json!({"query": "x", "max_results": 21})).await.contains("20"));
    assert!(search.problems(json!({"query": "x", "max_results": 0})).await.contains("max_results"));
    assert!(search.problems(json!({"query": "x", "page": 2})).await.contains("page"));
}

#[tokio::test]
async fn its_preview_is_the_beginning_of_the_list() {
    let server = service(searxng_answer()).await;
    let search = bench(SearchProvider::Searxng, &server, None);

    assert_eq!(search.preview(json!({"query": "rust"})).await[0], "2 results for \"rust\":");
}
