//! A session that lived, out into a file, in again and out again over HTTP: the same but for its id.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer, request};

async fn export(server: &TestServer, session: &str) -> String {
    let reply = request(server.address(), "GET", &format!("/api/sessions/{session}/export"), &[], b"").await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.text()
}

async fn import(server: &TestServer, file: &str) -> String {
    let lines = [("Content-Type", "application/x-ndjson")];
    let reply = request(server.address(), "POST", "/api/sessions/import", &lines, file.as_bytes()).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()["sessionId"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn d13_a_session_of_a_model_with_artifacts_forks_and_undone_changes_comes_back_as_it_went() {
    let large = "plums and pears\n".repeat(4000);
    let read =
        || Answer::calls([("file_read", json!({"path": "large.txt"})), ("calculator", json!({"expression": "6 * 7"}))]);
    let write =
        Answer::calls([("file_write", json!({"path": "large.txt", "content": "nothing"}))]).saying("I shall write.");
    let answers = [read(), write, Answer::text("It is written."), read(), Answer::text("Read again.")];
    let llm = ScriptedLlm::of(answers).await;
    let options = ServerOptions::with(&["--approve", "auto"]).model(&llm.base_url(), "native");
    let server = TestServer::start_with(options).await;
    server.file("large.txt", &large);
    let mut client = server.connect().await;
    client.ask("Read the file large.txt, calculate, then write the file").await.answered();
    client.command("/undo").await;
    client.send(json!({"type": "set-variable", "name": "mine", "value": {"b": 1.0, "a": [0.1]}})).await;
    client.until_type("context-update").await;
    client.send(json!({"type": "rename-variable", "name": "mine", "newName": "ours"})).await;
    client.until_type("context-update").await;
    client.command("/save here").await;
    let forked = client.command("/fork").await["sessionId"].as_str().expect("a fork").to_owned();
    let mut fork = TestClient::connect(server.address(), &format!("?session={forked}&after=0")).await;
    fork.ask("Read the file large.txt again").await.answered();
    assert_eq!(server.content("large.txt"), large, "the change was put back");

    for session in [client.session().to_string(), forked] {
        let first = export(&server, &session).await;
        let imported = import(&server, &first).await;
        let second = export(&server, &imported).await;

        assert_ne!(imported, session);
        assert!(second.replacen(&imported, &session, 1) == first, "{session}");
        let lines: Vec<Value> = first.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let has = |fits: &dyn Fn(&Value) -> bool| lines.iter().any(fits);
        assert!(has(&|line| line.get("blob").is_some()), "large values are in it");
        assert!(
            has(&|line| line["private"]["messages"].to_string().contains("toolCalls")),
            "calls of the model are in it"
        );
        assert!(has(&|line| line["frame"]["undid"].is_array()), "the undo is in it");
    }
}
