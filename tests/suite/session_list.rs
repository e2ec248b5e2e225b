//! The list of sessions: pins, and what is told of changes in it to whoever asked.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{TestClient, TestServer, request, soon};

const JSON: (&str, &str) = ("Content-Type", "application/json");

async fn patch(server: &TestServer, session: &str, change: Value) -> Value {
    let path = format!("/api/sessions/{session}");
    let reply = request(server.address(), "PATCH", &path, &[JSON], change.to_string().as_bytes()).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

async fn list(server: &TestServer, query: &str) -> Vec<Value> {
    let reply = request(server.address(), "GET", &format!("/api/sessions{query}"), &[], b"").await;
    assert_eq!(reply.status, 200, "{query}: {}", reply.text());
    reply.json()["sessions"].as_array().cloned().unwrap_or_default()
}

/// Waits for news in which something fits.
async fn told(client: &mut TestClient, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
    client
        .until(what, |frame| {
            let changed = frame["changed"].as_array().map_or(&[][..], Vec::as_slice);
            frame["type"] == "sessions-update" && (changed.iter().any(&fits) || fits(&frame["removed"]))
        })
        .await
}

#[tokio::test]
async fn a_pinned_session_is_listed_so_and_stays_where_it_is_otherwise() {
    let server = TestServer::start().await;
    let mut first = server.connect().await;
    first.ask("Calculate 1 + 1").await.answered();
    let mut second = server.connect().await;
    second.ask("Calculate 2 + 2").await.answered();
    let (first, second) = (first.session().to_string(), second.session().to_string());
    let before = list(&server, "").await;

    let changed = patch(&server, &first, json!({"pinned": true})).await;

    assert_eq!((&changed["pinned"], &changed["updatedAt"]), (&json!(true), &before[1]["updatedAt"]));
    let ids = |rows: &[Value]| rows.iter().map(|row| row["sessionId"].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&list(&server, "").await), [json!(second), json!(first)]);
    assert_eq!(ids(&list(&server, "?pinned=true").await), [json!(first)]);
    let page = request(server.address(), "GET", "/api/sessions?limit=1", &[], b"").await.json();
    assert_eq!(ids(page["sessions"].as_array().expect("a list")), [json!(second)]);
    let next = list(&server, &format!("?limit=1&cursor={}", page["nextCursor"])).await;
    assert_eq!(ids(&next), [json!(first)], "and it is the last page: {page}");
    patch(&server, &first, json!({"pinned": false, "title": "Sums"})).await;
    assert_eq!(list(&server, "?pinned=true").await, Vec::<Value>::new());

    for (body, status) in [("{}", 422), (r#"{"pinned": "yes"}"#, 422), (r#"{"pinned": true, "x": 1}"#, 422)] {
        let path = format!("/api/sessions/{first}");
        assert_eq!(request(server.address(), "PATCH", &path, &[JSON], body.as_bytes()).await.status, status, "{body}");
    }
    assert_eq!(request(server.address(), "GET", "/api/sessions?pinned=1", &[], b"").await.status, 400);
}

#[tokio::test]
async fn whoever_shows_the_list_hears_what_changes_in_it() {
    let mut server = TestServer::start().await;
    let mut watcher = TestClient::connect(server.address(), "?list=1").await;
    let mut plain = server.connect().await;
    let mut client = server.connect().await;
    let session = client.session().to_string();

    client.ask("Calculate 1 + 1").await.answered();
    let news = told(&mut watcher, "the new session", |row| row["title"] == "Calculate 1 + 1").await;
    assert!(news.get("seq").is_none() && news.get("timestamp").is_some(), "{news:#}");
    patch(&server, &session, json!({"title": "Sums"})).await;
    told(&mut watcher, "its name", |row| row["sessionId"] == json!(session) && row["title"] == "Sums").await;
    patch(&server, &session, json!({"pinned": true})).await;
    told(&mut watcher, "its pin", |row| row["sessionId"] == json!(session) && row["pinned"] == true).await;
    let deleted = request(server.address(), "DELETE", &format!("/api/sessions/{session}"), &[], b"").await;
    assert_eq!(deleted.status, 204);
    told(&mut watcher, "its end", |removed| removed.as_array().is_some_and(|ids| ids.contains(&json!(session)))).await;

    // Whoever did not ask hears nothing of it, and the pin is gone with the session, over a new start too.
    plain.ask("Calculate 5 + 5").await.answered();
    assert!(plain.frames.iter().all(|frame| frame["type"] != "sessions-update"), "{:#?}", plain.frames);
    server.signal(rustix::process::Signal::TERM);
    assert!(server.ended().await.success());
    server.start_again().await;
    assert_eq!(list(&server, "?pinned=true").await, Vec::<Value>::new());
}

#[tokio::test]
async fn sessions_beyond_the_number_that_is_kept_are_deleted_but_for_pinned_ones() {
    let mut server = TestServer::start().await;
    let mut sessions = Vec::new();
    for number in 1..=4 {
        let mut client = server.connect().await;
        client.ask(&format!("Calculate {number} + 1")).await.answered();
        sessions.push(client.session().to_string());
        client.close().await;
    }
    patch(&server, &sessions[0], json!({"pinned": true})).await;
    server.signal(Signal::TERM);
    server.ended().await;
    server.set_arguments(&["--approve", "auto", "--keep-sessions", "2"]);
    server.start_again().await;

    let left = soon("the deletion", async {
        loop {
            let rows = list(&server, "").await;
            if rows.len() == 3 {
                return rows;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;

    let ids: Vec<&Value> = left.iter().map(|row| &row["sessionId"]).collect();
    assert_eq!(ids, [&sessions[3], &sessions[2], &sessions[0]]);
    let gone = request(server.address(), "GET", &format!("/api/sessions/{}/events", sessions[1]), &[], b"").await;
    assert_eq!(gone.status, 404, "{}", gone.text());
}
