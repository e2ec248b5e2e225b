//! A model that makes the same call again, over the socket: the earlier result stands and is marked, the third identical
//! failure ends the turn; and one allowance settles the calls that wait beside it.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestServer};

/// A server whose model calls tools itself.
async fn server(llm: &ScriptedLlm, arguments: &[&str]) -> TestServer {
    let url = llm.base_url();
    let model =
        ["--reasoner", "native", "--llm-provider", "compatible", "--llm-model", "scripted", "--llm-base-url", &url];
    TestServer::start_with(ServerOptions::with(&[&model, arguments].concat())).await
}

/// What the model is told of its calls, the last one last.
fn told(messages: &[Value]) -> Vec<&str> {
    let results = messages.iter().filter(|message| message["role"] == "tool");
    results.map(|message| message["content"].as_str().unwrap_or_default()).collect()
}

#[tokio::test]
async fn the_same_call_again_has_its_earlier_result_and_says_so() {
    let call = || Answer::calls([("calculator", json!({"expression": "6 * 7"}))]);
    let llm = ScriptedLlm::of([call(), call(), Answer::text("It is 42.")]).await;
    let server = server(&llm, &["--approve", "auto"]).await;
    let mut client = server.connect().await;

    let turn = client.ask("Calculate 6 * 7").await.answered().says("42");

    let ends: Vec<_> = turn.all("tool-call-end").into_iter().map(|end| (&end["started"], &end["success"])).collect();
    assert_eq!(turn.all("tool-call-start").len(), 1, "it ran once");
    assert_eq!(ends, [(&json!(true), &json!(true)), (&json!(false), &json!(true))]);
    let asked = llm.asked(3).await;
    let told = told(asked.messages());
    assert!(told[0].contains("42") && told[1].contains("42") && told[0] != told[1], "{told:?}");
    assert!(told[1].contains("same call"), "{told:?}");
}

#[tokio::test]
async fn after_a_write_the_same_call_runs_again() {
    let read = || Answer::calls([("file_read", json!({"file_paths": ["a.txt"]}))]);
    let write = Answer::calls([("file_write", json!({"path": "a.txt", "content": "new"}))]);
    let llm = ScriptedLlm::of([read(), write, read(), Answer::text("It says new.")]).await;
    let server = server(&llm, &["--approve", "auto"]).await;
    server.file("a.txt", "old");
    let mut client = server.connect().await;

    let turn = client.ask("Write new to a.txt").await.answered();

    assert_eq!(turn.all("tool-call-start").len(), 3);
    let asked = llm.asked(4).await;
    let told = told(asked.messages());
    assert!(told[0].contains("old") && told[2].contains("new"), "{told:?}");
}

#[tokio::test]
async fn the_third_identical_failure_stops_the_loop_and_says_so() {
    let call = || Answer::calls([("file_read", json!({"file_paths": ["missing.txt"]}))]);
    let llm = ScriptedLlm::of([call(), call(), call(), Answer::text("Nobody asks for this.")]).await;
    let server = server(&llm, &["--approve", "auto"]).await;
    let mut client = server.connect().await;

    let turn = client.ask("Read missing.txt").await.failed("loop-detected");

    let ends = turn.all("tool-call-end");
    assert_eq!((turn.all("tool-call-start").len(), ends.len()), (1, 3), "it ran once");
    assert!(ends.iter().all(|end| end["success"] == false));
    let last = ends[2]["error"].as_str().unwrap_or_default();
    assert!(last.contains("has now failed 3 times in this turn") && last.contains("Stop repeating it"), "{last}");
    assert_eq!(llm.count(), 3);
    assert!(turn.text().contains("the same call to file_read has now failed 3 times"), "{}", turn.text());
}

#[tokio::test]
async fn a_denied_call_that_is_made_again_and_again_ends_the_turn() {
    let write = json!({"path": "a.txt", "content": "x"});
    let llm = ScriptedLlm::start(move |_| Answer::calls([("file_write", write.clone())])).await;
    let server = server(&llm, &["--approve", "deny"]).await;
    let mut client = server.connect().await;

    let turn = client.ask("Write x to a.txt").await.failed("loop-detected");

    assert!(turn.all("tool-call-end").iter().all(|end| end["errorType"] == "permission_error"));
    assert_eq!((turn.all("tool-call-end").len(), llm.count()), (3, 3));
    assert!(!server.workspace().join("a.txt").exists());
}

#[tokio::test]
async fn an_allowance_for_the_session_settles_the_calls_that_wait_beside_it() {
    let calls = ["a.txt", "b.txt", "c.txt"].map(|path| ("file_read", json!({"file_paths": [path]})));
    let llm = ScriptedLlm::of([Answer::calls(calls), Answer::text("All three are read.")]).await;
    let server = server(&llm, &["--ask", "file_read"]).await;
    for name in ["a.txt", "b.txt", "c.txt"] {
        server.file(name, name);
    }
    let mut client = server.connect().await;
    let turn = client.post("Read a.txt, b.txt and c.txt").await;
    let mut asked = Vec::new();
    while asked.len() < 3 {
        asked.push(client.until_type("approval-request").await["callId"].clone());
    }

    client.send(json!({"type": "approve-tool", "callId": asked[1], "decision": "allow-session"})).await;
    let turn = client.end_of(&turn).await.answered();

    let resolved: Vec<_> = turn.all("approval-resolved").into_iter().cloned().collect();
    assert_eq!(resolved.len(), 3);
    assert!(resolved.iter().all(|frame| frame["decision"] == "allow-session"), "{resolved:#?}");
    let by: Vec<_> = resolved.iter().filter(|frame| frame["callId"] != asked[1]).map(|frame| &frame["by"]).collect();
    let wanted = json!(format!("call {}", asked[1].as_str().unwrap_or_default()));
    assert_eq!(by, [&wanted, &wanted]);
    assert!(turn.all("tool-call-end").iter().all(|end| end["success"] == true));
}
