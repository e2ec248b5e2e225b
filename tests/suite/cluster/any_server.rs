//! Whichever server a client comes to, it is served as if it had come to the one that has its session.

use std::sync::{Arc, OnceLock};

use rustix::process::Signal;
use serde_json::json;
use switchboard_tests::{TestClient, TestServer, request, soon};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{Cluster, events};
use crate::crash::check_log;

#[tokio::test]
async fn a_client_at_any_server_works_in_full() {
    let cluster = Cluster::start(2).await;
    let [first, second] = &cluster.servers[..] else { panic!("there are two") };
    let mut left = first.connect().await;
    let session = left.session();
    left.ask("What is 6 * 7?").await.answered().says("42");

    let mut right = second.connect_to(session, 0).await;
    right.ask("What is 7 * 7?").await.answered().says("49");
    left.until("what was asked at the other server", |frame| {
        frame["type"] == "agent-response" && frame["text"].as_str().is_some_and(|text| text.contains("49"))
    })
    .await;
    left.ask("Write \"shared\" to both.txt").await.answered();
    right.ask("Read both.txt").await.answered().says("shared");

    // And so does a program over HTTP.
    let at = |path: &str| format!("/api/sessions/{session}{path}");
    let asked = json!({"text": "What is 8 * 8?"}).to_string();
    let kind = [("content-type", "application/json")];
    let answer = request(second.address(), "POST", &at("/messages"), &kind, asked.as_bytes()).await;
    assert!(answer.status == 200 && answer.text().contains("64"), "{}", answer.text());
    let export = async |server: &TestServer| request(server.address(), "GET", &at("/export"), &[], b"").await.text();
    let exports = [export(first).await, export(second).await];
    let of_events =
        |export: &String| export.lines().filter(|line| line.starts_with("{\"seq\"")).map(str::to_owned).collect();
    let [own, passed_on]: [Vec<String>; 2] = exports.each_ref().map(of_events);
    assert_eq!(own, passed_on);
    assert!(own.iter().any(|line| line.contains("What is 8 * 8?")), "{own:#?}");
    let content = vec![b'x'; 3_000_000];
    let kind = [("content-type", "application/octet-stream")];
    let kept = request(second.address(), "POST", &at("/uploads?name=big.txt"), &kind, &content).await;
    assert_eq!(kept.status, 201, "{}", kept.text());
    let value = request(second.address(), "GET", &at("/variables/big"), &[], b"").await;
    assert_eq!((value.status, value.body.len()), (200, content.len()));
    let refused = request(second.address(), "POST", &at("/messages"), &[], b"{").await;
    assert_eq!(refused.status, 415, "the other server's refusal comes back: {}", refused.text());
    check_log(&events(second, session).await);

    let gone = request(second.address(), "DELETE", &at(""), &[], b"").await;

    assert_eq!(gone.status, 204, "{}", gone.text());
    assert_eq!((left.closed().await.code, right.closed().await.code), (4004, 4004));
}

/// Passes connections on to the server of this address, once it is known, and tells the heads of the requests that come over them.
async fn overheard(target: Arc<OnceLock<String>>) -> (String, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address").to_string();
    let (heard, heads) = tokio::sync::mpsc::unbounded_channel();
    #[expect(clippy::disallowed_methods, reason = "the task ends with the test")]
    tokio::spawn(async move {
        while let Ok((mut from, _)) = listener.accept().await {
            let mut head = vec![0; 16 * 1024];
            let read = from.read(&mut head).await.expect("a request");
            let _ = heard.send(String::from_utf8_lossy(&head[..read]).into_owned());
            let mut to =
                TcpStream::connect(target.get().expect("the server was started")).await.expect("the server listens");
            to.write_all(&head[..read]).await.expect("passed on");
            let _ = tokio::io::copy_bidirectional(&mut from, &mut to).await;
        }
    });
    (address, heads)
}

/// The line of a header in the head of a request.
fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[tokio::test]
async fn what_only_servers_may_say_is_believed_of_servers_only_and_no_request_goes_in_circles() {
    let mut cluster = Cluster::start(1).await;
    // The second one says that it is where somebody listens in.
    let own = Arc::default();
    let (address, mut heads) = overheard(Arc::clone(&own)).await;
    cluster.add(&["--cluster-address", &address]).await;
    let [first, second] = &cluster.servers[..] else { panic!("there are two") };
    own.set(second.address().to_owned()).expect("it is not known yet");
    let session = second.connect().await.session();
    let path = format!("/api/sessions/{session}/context");

    let headers =
        [("switchboard-client", "192.0.2.7"), ("x-own", "kept"), ("connection", "x-hop"), ("x-hop", "dropped")];
    let passed_on = request(first.address(), "GET", &path, &headers, b"").await;

    assert_eq!(passed_on.status, 200, "{}", passed_on.text());
    let head = soon("the request", heads.recv()).await.expect("it was passed on");
    assert_eq!(header(&head, "switchboard-client"), Some("127.0.0.1"), "{head}");
    assert_eq!((header(&head, "x-own"), header(&head, "x-hop")), (Some("kept"), None), "{head}");
    assert_eq!(header(&head, "host"), Some(first.address()), "{head}");
    let secret = header(&head, "switchboard-node").expect("a proof").to_owned();
    assert_eq!(passed_on.header("switchboard-node"), None);

    // Nobody else proves that.
    for forged in ["", "x", &"0".repeat(secret.len())] {
        let headers = [("switchboard-node", forged), ("switchboard-client", "192.0.2.7")];
        for server in [first, second] {
            let refused = request(server.address(), "GET", &path, &headers, b"").await;
            assert_eq!(refused.status, 403, "{forged}: {}", refused.text());
        }
    }
    // What was passed on once, is not passed on again.
    let circle = request(first.address(), "GET", &path, &[("switchboard-node", &secret)], b"").await;
    assert_eq!((circle.status, circle.header("retry-after")), (503, Some("1")), "{}", circle.text());
    let served = request(second.address(), "GET", &path, &[("switchboard-node", &secret)], b"").await;
    assert_eq!(served.status, 200, "{}", served.text());
}

#[tokio::test]
async fn rights_are_those_that_the_server_of_the_session_sees() {
    const TOKEN: &str = "correct-horse-battery";
    let mut cluster = Cluster::start(0).await;
    cluster.add(&["--auth-token", TOKEN]).await;
    cluster.add(&["--auth-token", "another-token-altogether"]).await;
    let [first, second] = &cluster.servers[..] else { panic!("there are two") };
    let bearer = |token: &str| format!("Bearer {token}");
    let (own, other) = (bearer(TOKEN), bearer("another-token-altogether"));
    let headers = [("authorization", own.as_str())];
    let made = request(first.address(), "POST", "/api/sessions", &headers, b"").await.json();
    let path = format!("/api/sessions/{}", made["sessionId"].as_str().expect("an id"));

    assert_eq!(request(first.address(), "GET", &path, &headers, b"").await.status, 200);
    assert_eq!(request(second.address(), "GET", &path, &headers, b"").await.status, 401, "who passes on looks");
    let passed_on = request(second.address(), "GET", &path, &[("authorization", &other)], b"").await;
    assert_eq!(passed_on.status, 401, "and so does the other one: {}", passed_on.text());
    let query = format!("?session={}", made["sessionId"].as_str().expect("an id"));
    let refused = TestClient::dial(second.address(), &query, &[("authorization", &other)]).await.err();
    assert!(refused.is_some_and(|error| error.to_string().contains("401")));
    let client = request(first.address(), "GET", &path, &headers, b"").await;
    assert_eq!(client.json()["title"], json!(null));
    first.signal(Signal::TERM);
}
