//! Messages that were edited or sent again: a fork says where it comes from, and each of the conversations where the other
//! versions of its messages are.

use serde_json::{Value, json};
use switchboard_tests::{TestClient, TestServer, request};

async fn opened(server: &TestServer, session: &str) -> TestClient {
    TestClient::connect(server.address(), &format!("?session={session}&after=0")).await
}

/// Sends a message in the place of the `nth` one of a session, and waits for the reply; the new session.
async fn edited(server: &TestServer, session: &str, nth: usize, text: &str) -> String {
    let mut client = opened(server, session).await;
    client.until("its end", |frame| frame["type"] == "agent-response").await;
    let id = messages(server, session).await[nth]["messageId"].as_str().expect("an id").to_owned();
    let answer = client.command(&format!("/rerun {id} {text}")).await;
    let fork = answer["sessionId"].as_str().expect("the new session").to_owned();
    let mut client = opened(server, &fork).await;
    let message = client.until("the message", |frame| frame["text"] == text).await;
    client.end_of(message["messageId"].as_str().expect("an id")).await.answered();
    fork
}

async fn get(server: &TestServer, path: &str) -> Value {
    let reply = request(server.address(), "GET", path, &[], b"").await;
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    reply.json()
}

/// The messages of a session, in order.
async fn messages(server: &TestServer, session: &str) -> Vec<Value> {
    let page = get(server, &format!("/api/sessions/{session}/events?after=0&limit=500")).await;
    let events = page["events"].as_array().expect("events").clone();
    events.into_iter().filter(|frame| frame["type"] == "user-message").collect()
}

/// For each message of a session that has versions: the texts of all of them, and which is its own. Each is read where it
/// is said to be.
async fn branches(server: &TestServer, session: &str) -> Vec<(Vec<String>, usize)> {
    let found = get(server, &format!("/api/sessions/{session}/branches")).await;
    let mut branches = Vec::new();
    for branch in found["branches"].as_array().expect("branches") {
        let versions = branch["versions"].as_array().expect("versions");
        let own = versions.iter().position(|version| version["sessionId"] == session).expect("its own version");
        assert_eq!(versions[own]["seq"], branch["seq"]);
        let mut texts = Vec::new();
        for version in versions {
            let there = messages(server, version["sessionId"].as_str().expect("a session")).await;
            let message = there.iter().find(|message| message["seq"] == version["seq"]).expect("the message is there");
            assert_eq!(message["messageId"], version["messageId"]);
            texts.push(message["text"].as_str().expect("a text").to_owned());
        }
        branches.push((texts, own));
    }
    branches
}

fn version(texts: &[&str], own: usize) -> (Vec<String>, usize) {
    (texts.iter().map(|text| (*text).to_owned()).collect(), own)
}

async fn delete(server: &TestServer, session: &str) {
    let reply = request(server.address(), "DELETE", &format!("/api/sessions/{session}"), &[], b"").await;
    assert_eq!(reply.status, 204);
}

#[tokio::test]
async fn a_fork_says_where_it_comes_from_also_after_a_restart_and_in_an_export() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 6 * 7 and call it answer").await.answered();
    let second = client.ask("Calculate @answer + 1").await.answered();
    let origin = client.session().to_string();
    let seq = messages(&server, &origin).await[1]["seq"].as_u64().expect("a seq");
    assert_eq!(second.frames[0]["seq"], seq);

    let fork = edited(&server, &origin, 1, "Calculate @answer + 100").await;

    let from = json!({"sessionId": origin, "seq": seq - 1});
    for restarted in [false, true] {
        if restarted {
            server.kill().await;
            server.start_again().await;
        }
        let mut client = opened(&server, &fork).await;
        assert_eq!(client.frames[0]["forkedFrom"], from, "restarted: {restarted}");
        client.until_type("agent-response").await;
        assert!(opened(&server, &origin).await.frames[0].get("forkedFrom").is_none());
        assert_eq!(get(&server, &format!("/api/sessions/{fork}")).await["forkedFrom"], from);
        let list = get(&server, "/api/sessions").await;
        let told: Vec<&Value> =
            list["sessions"].as_array().expect("a list").iter().filter_map(|one| one.get("forkedFrom")).collect();
        assert_eq!(told, [&from]);
        let texts = ["Calculate @answer + 1", "Calculate @answer + 100"];
        assert_eq!(branches(&server, &origin).await, [version(&texts, 0)]);
        assert_eq!(branches(&server, &fork).await, [version(&texts, 1)]);
    }

    let file = request(server.address(), "GET", &format!("/api/sessions/{fork}/export"), &[], b"").await.text();
    let lines = [("Content-Type", "application/x-ndjson")];
    let imported = request(server.address(), "POST", "/api/sessions/import", &lines, file.as_bytes()).await.json();
    assert_eq!(imported["forkedFrom"], from, "{imported}");
}

#[tokio::test]
async fn versions_of_versions_are_counted_and_deleted_ones_are_not() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1").await.answered();
    client.ask("Calculate 2 + 2").await.answered();
    let first = client.session().to_string();
    assert_eq!(branches(&server, &first).await, [], "one version is none");

    // The last message has three versions, the third made of the second; of the first message there are two.
    let second = edited(&server, &first, 1, "Calculate 3 + 3").await;
    let third = edited(&server, &second, 1, "Calculate 4 + 4").await;
    let other = edited(&server, &third, 0, "Calculate 5 + 5").await;

    let beginnings = ["Calculate 1 + 1", "Calculate 5 + 5"];
    let ends = ["Calculate 2 + 2", "Calculate 3 + 3", "Calculate 4 + 4"];
    for (at, session) in [&first, &second, &third].into_iter().enumerate() {
        assert_eq!(branches(&server, session).await, [version(&beginnings, 0), version(&ends, at)]);
    }
    assert_eq!(branches(&server, &other).await, [version(&beginnings, 1)]);

    // What is said first is still there where it was copied, and the rest where it was.
    delete(&server, &first).await;
    assert_eq!(branches(&server, &second).await, [version(&beginnings, 0), version(&ends[1..], 0)]);
    delete(&server, &second).await;
    assert_eq!(branches(&server, &third).await, [version(&beginnings, 0)]);
    delete(&server, &third).await;
    assert_eq!(branches(&server, &other).await, []);
}

#[tokio::test]
async fn a_fork_without_an_edit_has_the_versions_of_its_origin() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;
    client.ask("Calculate 1 + 1").await.answered();
    let first = client.session().to_string();
    let again = edited(&server, &first, 0, "Calculate 3 + 3").await;

    let mut client = opened(&server, &again).await;
    client.until_type("agent-response").await;
    let copy = client.command("/fork").await["sessionId"].as_str().expect("a session").to_owned();

    let texts = ["Calculate 1 + 1", "Calculate 3 + 3"];
    assert_eq!(branches(&server, &copy).await, [version(&texts, 1)]);
    delete(&server, &again).await;
    assert_eq!(branches(&server, &first).await, [version(&texts, 0)], "the copy has it");
    let unknown = "/api/sessions/7b0e4f6a-3c1d-4b5e-9f70-2a6c8d1e0b34/branches";
    assert_eq!(request(server.address(), "GET", unknown, &[], b"").await.status, 404);
}
