//! Files that the user brings: saved in the workspace, kept as variables, never in place of anything.

use serde_json::{Value, json};
use switchboard_tests::{Reply, TestClient, TestServer, request};
use uuid::Uuid;

/// The smallest PNG there is.
const CAT: &[u8] = &[
    0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
    0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 13, b'I', b'D', b'A', b'T', 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0,
    0x1f, 0, 5, 0, 1, 0xff, 0x56, 0xc7, 0x2f, 0x0d, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae, 0x42, 0x60, 0x82,
];

const KIND: (&str, &str) = ("content-type", "application/octet-stream");

async fn upload(server: &TestServer, session: &str, name: &str, content: &[u8]) -> Reply {
    let path = format!("/api/sessions/{session}/uploads?name={name}");
    request(server.address(), "POST", &path, &[KIND], content).await
}

async fn session(server: &TestServer) -> (TestClient, String) {
    let client = server.connect().await;
    let session = client.session().to_string();
    (client, session)
}

#[tokio::test]
async fn a_file_is_saved_and_kept() {
    let server = TestServer::start().await;
    let (mut client, session) = session(&server).await;

    let cat = upload(&server, &session, "cat.png", CAT).await;
    let notes = upload(&server, &session, "notes.txt", b"milk\nbread\n").await;

    assert_eq!(
        (cat.status, cat.json()),
        (201, json!({"path": "uploads/cat.png", "variable": "cat", "bytes": CAT.len()}))
    );
    assert_eq!(notes.json()["path"], "uploads/notes.txt");
    assert_eq!(std::fs::read(server.workspace().join("uploads/cat.png")).expect("it is saved"), CAT);
    client.ask("How many lines are in uploads/notes.txt?").await.answered().says("2");
    let kept: Vec<Value> = ["cat", "notes"].map(Value::from).to_vec();
    client.send(json!({"type": "get-context"})).await;
    let state = client.until_type("context-state").await;
    let names: Vec<Value> =
        state["variables"].as_array().expect("variables").iter().map(|variable| variable["name"].clone()).collect();
    assert!(kept.iter().all(|name| names.contains(name)), "{names:?}");
}

#[tokio::test]
async fn nothing_is_overwritten_and_nothing_lies_elsewhere() {
    let server = TestServer::start().await;
    server.file("uploads/a.txt", "mine\n");
    let (_client, session) = session(&server).await;

    let second = upload(&server, &session, "a.txt", b"yours").await.json();
    let third = upload(&server, &session, "a.txt", b"theirs").await.json();
    let outside = upload(&server, &session, "..%2F..%2Fb.txt", b"b").await.json();

    assert_eq!((&second["path"], &second["variable"]), (&json!("uploads/a_2.txt"), &json!("a")));
    assert_eq!(third["path"], "uploads/a_3.txt");
    assert_ne!(third["variable"], second["variable"]);
    assert_eq!(outside["path"], "uploads/b.txt");
    assert_eq!(std::fs::read(server.workspace().join("uploads/a.txt")).expect("it is there"), b"mine\n");
}

#[tokio::test]
async fn what_is_not_taken_is_told() {
    let server = TestServer::start().await;
    let (_client, session) = session(&server).await;
    let unknown = "7b0e4f6a-3c1d-4b5e-9f70-2a6c8d1e0b34";

    let large = upload(&server, &session, "a.bin", &vec![1; 16 * 1024 * 1024 + 1]).await;
    let empty = upload(&server, &session, "a.bin", b"").await;
    let elsewhere = upload(&server, unknown, "a.bin", b"a").await;

    assert_eq!((large.status, empty.status, elsewhere.status), (413, 400, 404));
    assert_eq!(empty.json()["detail"], "the file is empty");
    assert!(!server.workspace().join("uploads").exists());
}

#[tokio::test]
async fn an_upload_is_taken_back_as_long_as_nothing_was_made_of_it() {
    let server = TestServer::start().await;
    server.file("uploads/mine.txt", "mine\n");
    let (mut client, session) = session(&server).await;
    let back = async |session: &str, path: &str, variable: &str| {
        let path = format!("/api/sessions/{session}/uploads?path={path}&variable={variable}");
        request(server.address(), "DELETE", &path, &[], b"").await.status
    };
    for name in ["cat.png", "notes.txt", "sent.txt"] {
        assert_eq!(upload(&server, &session, name, CAT).await.status, 201);
    }

    assert_eq!(back(&session, "uploads%2Fcat.png", "cat").await, 204);
    client.until("it is gone", |frame| frame["removed"] == json!(["cat"])).await;
    assert!(!server.workspace().join("uploads/cat.png").exists());
    assert_eq!(back(&session, "uploads%2Fcat.png", "cat").await, 404, "once");

    // The file has changed, a message has the variable, or the two never belonged together.
    server.file("uploads/notes.txt", "changed");
    let id = Uuid::new_v4().to_string();
    client.send(json!({"type": "send-message", "text": "Hello", "messageId": id, "attachments": ["sent"]})).await;
    client.end_of(&id).await;
    client.send(json!({"type": "set-variable", "name": "other", "value": "mine"})).await;
    client.until("it is set", |frame| frame["set"][0]["name"] == "other").await;
    let unknown = "7b0e4f6a-3c1d-4b5e-9f70-2a6c8d1e0b34";
    for (session, path, variable, status) in [
        (session.as_str(), "uploads%2Fnotes.txt", "notes", 409),
        (&session, "uploads%2Fsent.txt", "sent", 409),
        (&session, "uploads%2Fmine.txt", "other", 409),
        (&session, "uploads%2Fnotes.txt", "nothing", 404),
        (&session, "uploads%2F..%2Fuploads%2Fnotes.txt", "notes", 404),
        (&session, "notes.txt", "notes", 404),
        (&session, "uploads", "notes", 404),
        (unknown, "uploads%2Fsent.txt", "sent", 404),
    ] {
        assert_eq!(back(session, path, variable).await, status, "{path} {variable}");
    }
    for name in ["mine.txt", "notes.txt", "sent.txt"] {
        assert!(server.workspace().join("uploads").join(name).exists(), "{name}");
    }
}
