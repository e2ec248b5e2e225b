//! Secrets in what tools read and put out: marked for people, prompts and the log, whole for the tools.

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer, WebServer, page, request};

/// Made from parts, so that nobody takes this file for a leak.
fn secrets() -> [String; 4] {
    let random = "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2";
    [
        format!("AKIA{}", "IOSFODNN7EXAMPLE"),
        format!("eyJ{random}.eyJ{random}.{random}"),
        format!("ghp_{random}"),
        format!("{}\n{}", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj", "AgEAAoIBAQC7VJTUt9Us8cKjMzEfYyjiWA4R4"),
    ]
}

fn keys_file() -> String {
    let [aws, jwt, github, pem] = secrets();
    format!("aws={aws}\njwt: {jwt}\n{github}\n-----BEGIN PRIVATE KEY-----\n{pem}\n-----END PRIVATE KEY-----\nend\n")
}

/// Fails if a secret is in any frame, or in what the server said.
fn none_is_shown(server: &TestServer, client: &TestClient) {
    let shown = [Value::from(client.frames.clone()).to_string(), server.stderr(), server.stdout()].concat();
    for secret in secrets().iter().flat_map(|secret| secret.lines()) {
        assert!(!shown.contains(secret), "{secret} is shown");
    }
}

#[tokio::test]
async fn h04_a_file_with_secrets_is_marked_for_eyes_and_whole_for_tools() {
    let server = TestServer::start_with(ServerOptions::with(&["--approve", "auto", "--log", "debug"])).await;
    server.file("keys.txt", &keys_file());
    let mut client = server.connect().await;

    let read = client.ask("Read keys.txt and call it keys").await.answered();
    client.ask("Write @keys to copy.txt").await.answered();
    client.ask("Run `cat copy.txt; grep -c AKIA copy.txt`").await.answered();
    client.command("/context").await;

    // Baseline: the file is as it was, and the tools worked with all of it.
    assert_eq!((server.content("keys.txt"), server.content("copy.txt")), (keys_file(), keys_file()));
    for kind in ["AWS access key", "JSON web token", "GitHub token", "private key"] {
        assert!(read.text().contains(&format!("[redacted: {kind}]")), "no {kind} in {}", read.text());
    }
    none_is_shown(&server, &client);
}

#[tokio::test]
async fn h04_the_owner_can_have_the_value_itself() {
    let server = TestServer::start().await;
    server.file("keys.txt", &keys_file());
    let mut client = server.connect().await;
    client.ask("Read keys.txt and call it keys").await.answered();
    let session = client.session();

    let path = format!("/api/sessions/{session}/variables/keys");
    let value = request(server.address(), "GET", &path, &[], b"").await;

    assert!(value.text().contains(&secrets()[2]), "{}", value.text());
}

#[tokio::test]
async fn h04_a_secret_that_is_put_out_in_pieces_is_marked() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    let [.., github, _] = secrets();
    let (first, second) = github.split_at(12);
    server.file(
        "say.sh",
        &format!("printf 'it is {first}'; until [ -e go ]; do sleep 0.05; done; echo {second}; echo over"),
    );
    let turn = client.post("Run `sh say.sh`").await;
    client.until("the first piece", |frame| frame["type"] == "tool-output-chunk").await;

    server.file("go", "");
    client.end_of(&turn).await.answered().says("[redacted: GitHub token]").says("over");

    let chunks = client.frames.iter().filter(|frame| frame["type"] == "tool-output-chunk");
    let live: String = chunks.map(|frame| frame["chunk"].as_str().unwrap_or_default()).collect();
    assert_eq!(live, "it is [redacted: GitHub token]\nover\n");
    // Baseline: each piece shows no more than that, and both together are the secret.
    assert!(!first.contains(&github) && !second.contains(&github) && format!("{first}{second}") == github);
    none_is_shown(&server, &client);
}

#[tokio::test]
async fn h04_arguments_that_are_asked_about_show_no_secret() {
    let server = TestServer::start_with(ServerOptions::default()).await;
    let mut client = server.connect().await;
    let [.., github, _] = secrets();
    let arguments = json!({"path": "key.txt", "content": format!("key {github}")});
    let turn = client.post(&format!("Call file_write with {arguments}")).await;

    let asked = client.until_type("approval-request").await;
    let edited = json!({"path": "other.txt", "content": asked["arguments"]["content"]});
    let answer =
        json!({"type": "approve-tool", "callId": asked["callId"], "decision": "allow-once", "arguments": edited});
    client.send(answer).await;
    client.end_of(&turn).await.answered();

    // Baseline: the call itself has the secret; what was shown and not edited is meant as it was.
    assert_eq!(asked["arguments"]["content"], "key [redacted: GitHub token]");
    assert_eq!(server.content("other.txt"), format!("key {github}"));
    let shown =
        client.frames.iter().filter(|frame| frame["type"] != "user-message" && frame["type"] != "session-update");
    assert!(!shown.map(ToString::to_string).collect::<String>().contains(&github));
}

#[tokio::test]
async fn h02_a_secret_is_not_sent_to_the_web() {
    let web = WebServer::start(|_| page("text/plain", "got it")).await;
    let options = ServerOptions::with(&["--approve", "auto", "--web-allow-local", &web.address()]);
    let server = TestServer::start_with(options).await;
    let mut client = server.connect().await;
    let [aws, _, github, _] = secrets();

    for (place, query) in
        [format!("q={github}"), format!("a=1&b={aws}"), format!("q=ghp%5F{}", &github[4..])].iter().enumerate()
    {
        let url = web.url(&format!("/collect?{query}"));
        let call =
            json!({"type": "call-tool", "callId": format!("c{place}"), "tool": "web_fetch", "arguments": {"url": url}});
        client.send(call).await;
        let end = client.until_type("tool-call-end").await;
        assert_eq!((&end["errorType"], &end["started"]), (&json!("security_error"), &json!(false)), "{query}: {end:#}");
    }

    assert_eq!(web.requests(), Vec::<String>::new());
    none_is_shown(&server, &client);
    // Baseline: nothing else stops it.
    let sent = request(&web.address(), "GET", &format!("/collect?q={github}"), &[], b"").await;
    assert_eq!((sent.text().as_str(), web.requests().len()), ("got it", 1));
}

#[tokio::test]
async fn c12_the_servers_key_and_token_are_found_nowhere() {
    const KEY: &str = "known-key-of-the-provider-8713";
    const TOKEN: &str = "known-token-of-the-server-4711";
    let refusing = |status| Answer::status(status, &format!("the key {KEY} is not welcome"));
    let says_it = Answer::raw(format!("HTTP/1.1 200 OK\r\nx-key: {KEY}\r\n\r\nwith {KEY}"));
    let runs = Answer::calls([("bash", json!({"command": "env; cat /proc/1/environ /proc/$PPID/environ 2>&1; true"}))]);
    let llm = ScriptedLlm::of([runs, Answer::text("Done."), refusing(401), says_it, refusing(400)]).await;
    let mut options = ServerOptions::with(&["--approve", "auto", "--log", "trace", "--llm-retries", "0"]);
    options = options.anthropic(&llm.base_url(), "native", KEY);
    options.environment.push(("SWITCHBOARD_AUTH_TOKEN".to_owned(), TOKEN.to_owned()));
    let mut server = TestServer::start_with(options).await;
    let bearer = format!("Bearer {TOKEN}");
    let dialled = TestClient::dial(server.address(), "", &[("authorization", &bearer)]).await;
    let mut client = dialled.expect("the upgrade works");
    let ready = client.next().await;

    client.ask("Show the environment").await.answered();
    for text in ["one", "two", "three"] {
        assert_eq!(client.ask(text).await.end["type"], "agent-error");
    }
    let mut told = vec![("the session", json!(client.frames).to_string())];
    let session = ready["sessionId"].as_str().expect("an id");
    let export = format!("/api/sessions/{session}/export");
    for path in ["/api/providers", "/api/tools", "/api/sessions", "/readyz", &export] {
        let reply = request(server.address(), "GET", path, &[("Authorization", &bearer)], b"").await;
        assert_eq!(reply.status, 200, "{path}");
        told.push((path, format!("{:?} {}", reply.headers, reply.text())));
    }
    let wrong = request(server.address(), "GET", "/api/sessions", &[("Authorization", "Bearer wrong")], b"").await;
    told.push(("a refusal", wrong.text()));
    server.signal(Signal::TERM);
    let printed = server.stdout();
    server.ended().await;
    told.extend([("standard output", printed), ("the log", server.stderr())]);
    let mut folders = vec![server.data()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => {
                    let bytes = std::fs::read(&path).unwrap_or_default();
                    told.push(("the data folder", String::from_utf8_lossy(&bytes).into_owned()));
                }
            }
        }
    }

    // Baseline: the provider was shown the key, and the log tells much.
    assert!(llm.count() >= 4 && server.stderr().contains("TRACE"), "{}", llm.count());
    for (place, text) in told {
        for secret in [KEY, TOKEN] {
            let found = text.find(secret);
            let around = found.map(|at| String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(200)..at + 40]));
            assert!(found.is_none(), "{secret} is in {place}: {around:?}");
        }
    }
}
