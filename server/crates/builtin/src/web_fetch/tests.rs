//! `web_fetch` against a server of the test's own; pages are read in the real worker: `cargo build` makes it.

use std::time::Duration;

use serde_json::{Value, json};
use switchboard_protocol::{ErrorType, Stream};

use super::WebFetch;
use crate::test_support::{Bench, map};
use switchboard_events::ArtifactValue;
use switchboard_net::test_support::{WebServer, answer, ok, path, to};
use switchboard_net::{WebClient, WebLimits};
use switchboard_sandbox::test_support::built_server;
use switchboard_tools::Tool;

const PAGE: &str = "<!doctype html><html><head><title>Notes</title></head><body><h1>Head</h1><p>Some <b>text</b> and a \
                    <a href='/more'>link</a>.</p><script>steal()</script></body></html>";

async fn site() -> (WebServer, Bench<WebFetch>) {
    let server = WebServer::start(|request| match path(request) {
        "/page" => ok("text/html; charset=utf-8", PAGE),
        "/moved" => to("/page"),
        "/data" => ok("application/json", r#"{"port": 8080, "tags": ["a"]}"#),
        "/bad-data" => ok("application/json", "{not json"),
        "/text" => ok("text/plain; charset=iso-8859-1", b"gr\xfcn"),
        "/long" => ok("text/plain", "word ".repeat(10_000)),
        "/image" => ok("image/png", b"\x89PNG\r\n\x1a\n\0\0"),
        "/lie" => ok("text/html", b"MZ\x90\0\x03\0"),
        "/silent" => Vec::new(),
        _ => answer("404 Not Found", &[("Content-Type", "text/html")], "<h1>Nothing here</h1>"),
    })
    .await;
    let client = WebClient::new(server.address().to_string().parse().expect("a list"), WebLimits::default());
    (server, Bench::new(WebFetch::new(client, built_server())))
}

#[tokio::test]
async fn its_definition_is_whole() {
    site().await.1.definition_is_whole();
}

#[tokio::test]
async fn a_page_is_given_as_markdown() {
    let (server, fetch) = site().await;

    let result = fetch.run(json!({"url": server.url("/moved")})).await;

    let link = server.url("/more");
    let text = format!("# Head\n\nSome **text** and a [link]({link}).");
    assert_eq!(result.failure, None);
    assert_eq!(result.value, Some(ArtifactValue::Text(text.clone())));
    let head = format!("# Notes\n{} (status 200, HTML, {} bytes, after 1 redirect)", server.url("/page"), PAGE.len());
    assert_eq!(result.view, Some(format!("{head}\n\n{text}")));
    assert_eq!((&result.fields["title"], &result.fields["redirects"]), (&json!("Notes"), &json!(1)));
}

#[tokio::test]
async fn html_and_json_can_be_had_as_they_came() {
    let (server, fetch) = site().await;

    assert_eq!(
        fetch.value(json!({"url": server.url("/page"), "raw": true})).await,
        ArtifactValue::Text(PAGE.to_owned())
    );
    assert_eq!(fetch.json(json!({"url": server.url("/data"), "raw": true})).await, r#"{"port": 8080, "tags": ["a"]}"#);
}

#[tokio::test]
async fn other_kinds_become_data_text_or_bytes() {
    let (server, fetch) = site().await;

    assert_eq!(fetch.json(json!({"url": server.url("/data")})).await["port"], 8080);
    assert_eq!(fetch.json(json!({"url": server.url("/bad-data")})).await, "{not json");
    assert_eq!(fetch.json(json!({"url": server.url("/text")})).await, "grün");
    let image = fetch.run(json!({"url": server.url("/image")})).await;
    assert!(matches!(image.value, Some(ArtifactValue::Bytes(_))));
    assert!(image.view.expect("a view").contains("PNG image"));
}

#[tokio::test]
async fn g24_bytes_that_are_said_to_be_a_page_stay_bytes() {
    let (server, fetch) = site().await;

    let result = fetch.run(json!({"url": server.url("/lie")})).await;

    // Baseline: whoever believes what is said has a program for a text.
    let answer = switchboard_net::http_client().no_proxy().build().expect("a client").get(server.url("/lie"));
    let answer = answer.send().await.expect("it answers");
    assert_eq!(answer.headers()["content-type"], "text/html");
    assert!(answer.text().await.expect("it is taken for text").starts_with("MZ"));
    assert!(matches!(result.value, Some(ArtifactValue::Bytes(_))), "{result:?}");
    assert!(result.view.expect("a view").contains("not the text that it claims to be"));
}

#[tokio::test]
async fn of_a_long_page_the_view_shows_the_beginning() {
    let (server, fetch) = site().await;

    let result = fetch.run(json!({"url": server.url("/long")})).await;

    let view = result.view.expect("a view");
    assert!(view.len() < 9000 && view.contains("the first 8000 of 49999 characters"), "{}", view.len());
    assert_eq!(result.value.expect("a value").to_json().as_str().map(str::len), Some(50_000));
}

#[tokio::test]
async fn a_page_that_is_not_there_is_a_failure_that_shows_what_was_said() {
    let (server, fetch) = site().await;

    let result = fetch.run(json!({"url": server.url("/nothing")})).await;

    let failure = result.failure.expect("it is not there");
    assert_eq!((failure.error_type, failure.message.as_str()), (ErrorType::User, "the server answered 404 Not Found"));
    assert!(result.view.expect("a view").contains("Nothing here"));
}

#[tokio::test]
async fn nobody_listening_is_a_failure() {
    let client = WebClient::new("127.0.0.1".parse().expect("a list"), WebLimits::default());
    let fetch = Bench::new(WebFetch::new(client, built_server()));

    let (error_type, message, _) = fetch.failure(json!({"url": "http://127.0.0.1:9999/"})).await;

    assert_eq!(error_type, ErrorType::System);
    assert!(message.contains("cannot be reached"), "{message}");
}

#[tokio::test]
async fn g24_what_is_not_public_is_refused_before_anybody_is_asked() {
    let (server, _) = site().await;
    let tool = WebFetch::new(WebClient::new("".parse().expect("a list"), WebLimits::default()), built_server());

    for url in [server.url("/page"), "http://169.254.169.254/".to_owned(), "file:///etc/passwd".to_owned()] {
        let refused = tool.guard(&map(json!({"url": url}))).expect_err("it is not public");
        assert_eq!(refused.error_type, ErrorType::Security, "{url}");
        assert!(refused.suggestion.is_some_and(|next| next.contains("--web-allow-local")));
    }
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn wrong_arguments_are_told() {
    let (_server, fetch) = site().await;

    assert!(fetch.problems(json!({})).await.contains("url"));
    assert!(fetch.problems(json!({"url": ""})).await.contains("url"));
    assert!(fetch.problems(json!({"url": 5})).await.contains("url"));
    assert!(fetch.problems(json!({"url": format!("https://example.com/{}", "x".repeat(2000))})).await.contains("url"));
    assert!(fetch.problems(json!({"url": "https://example.com/", "raw": "yes"})).await.contains("raw"));
    assert!(fetch.problems(json!({"url": "https://example.com/", "method": "POST"})).await.contains("method"));
    assert!(fetch.problems(json!({"url": "no address"})).await.contains("not a web address"));
}

#[tokio::test]
async fn a_host_alone_is_a_page() {
    let (_server, fetch) = site().await;
    let normal = |url: &str| {
        let mut arguments = map(json!({"url": url}));
        fetch.tool.normalise(&mut arguments);
        fetch.tool.normalise(&mut arguments);
        arguments["url"].as_str().expect("a text").to_owned()
    };

    assert_eq!(normal("example.com/a?b"), "https://example.com/a?b");
    assert_eq!(normal("example.com:8443"), "https://example.com:8443");
    for url in ["http://example.com", "file:///etc/passwd", "unix:/run/x.sock", "mailto:a@b.org", "@page"] {
        assert_eq!(normal(url), url);
    }
}

#[tokio::test]
async fn it_says_that_it_goes_on_and_ends_when_it_is_cancelled() {
    let (server, fetch) = site().await;
    let cancel = fetch.cancellation.clone();

    let (result, ()) = tokio::join!(fetch.run(json!({"url": server.url("/silent")})), async {
        fetch.output.has(Stream::Progress, "received").await;
        cancel.cancel();
    });

    assert_eq!(result.failure.expect("it was cancelled").message, "was cancelled");
}

#[tokio::test]
async fn its_preview_is_the_beginning_of_the_page() {
    let (server, fetch) = site().await;

    let preview = fetch.preview(json!({"url": server.url("/page")})).await;

    assert_eq!(preview[0], "# Notes");
    assert_eq!(preview.len(), 3);
}

#[test]
fn its_time_limit_lets_the_client_say_more() {
    let tool = WebFetch::new(WebClient::new("".parse().expect("a list"), WebLimits::default()), built_server());

    assert!(tool.time_limit(&map(Value::Object(serde_json::Map::new()))) > Duration::from_secs(10));
}

#[tokio::test]
async fn an_allowance_is_for_one_host_and_port() {
    let tool = site().await.1.tool;
    let within = |url: &str| tool.granted_within(&map(json!({"url": url})));

    assert_eq!(within("https://Example.com/a?b#c").as_deref(), Some("https://example.com"));
    assert_eq!(within("https://example.com:443/other"), within("https://example.com/a"));
    assert_eq!(within("http://example.com:8080/").as_deref(), Some("http://example.com:8080"));
    assert_ne!(within("https://evil.example/"), within("https://example.com/"));
}
