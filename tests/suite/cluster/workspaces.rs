//! A session goes on where its workspace is.

use serde_json::json;
use switchboard_tests::{TestClient, request};

use super::{Cluster, events};
use crate::crash::check_log;

#[tokio::test]
async fn a_session_goes_on_only_where_its_workspace_is_and_can_be_read_everywhere() {
    let mut cluster = Cluster::start(0).await;
    for name in ["blue", "green", "green"] {
        cluster.add(&["--workspace-id", name]).await;
    }
    let mut client = cluster.servers[0].connect().await;
    let session = client.session();
    client.ask("What is 6 * 7?").await.answered();
    cluster.servers[0].kill().await;

    // Nobody has its workspace.
    let mut reader = cluster.client(1, session, 0).await;
    assert_eq!(reader.until_type("agent-response").await["text"], client.frames.last().expect("an answer")["text"]);
    reader.send(json!({"type": "send-message", "text": "What is 7 * 7?", "messageId": "m-1"})).await;
    let refused = reader.until_type("agent-error").await;
    assert_eq!((&refused["code"], &refused["turnId"]), (&json!("no-workspace"), &json!("m-1")), "{refused:#}");
    assert!(refused["suggestions"][0].as_str().is_some_and(|text| text.contains("--workspace-id blue")), "{refused:#}");
    let kind = [("content-type", "application/octet-stream")];
    let path = format!("/api/sessions/{session}/uploads?name=a.txt");
    let upload = request(cluster.servers[1].address(), "POST", &path, &kind, b"x").await;
    assert!(upload.status == 503 && upload.text().contains("--workspace-id blue"), "{}", upload.text());

    // As soon as somebody has, the clients of all servers are there.
    cluster.add(&["--workspace-id", "blue"]).await;
    let mut at_new = cluster.client(3, session, 0).await;
    assert_eq!(reader.closed().await.code, 4005);
    let mut at_other: TestClient = cluster.client(2, session, 0).await;
    at_other.ask("What is 7 * 7?").await.answered().says("49");
    at_new.ask("What is 8 * 8?").await.answered().says("64");
    check_log(&events(&cluster.servers[1], session).await);

    // A server that does not have the workspace passes a session that nobody has on to one that does.
    let idle = cluster.servers[3].connect().await.session();
    cluster.servers[3].kill().await;
    cluster.servers[3].start_again().await;
    cluster.client(1, idle, 0).await.ask("What is 9 * 9?").await.answered().says("81");
}
