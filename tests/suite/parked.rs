//! Approvals and questions that were open when the server ended: they are there again, and their turns go on with the
//! answer. No call runs twice, and none without its answer.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer, request, soon};

/// A server that asks, and waits for what runs.
async fn asking() -> TestServer {
    TestServer::start_with(ServerOptions::with(&["--approve", "ask", "--drain-seconds", "3600"])).await
}

/// Ends the server while `text` waits for its user, and starts it again; the turn, what waits, and a client.
async fn ended_at(server: &mut TestServer, signal: Signal, text: &str, kind: &str) -> (String, Value, TestClient) {
    let mut client = server.connect().await;
    let turn = client.post(text).await;
    let asked = client.until_type(kind).await;
    let (session, seen, began) = (client.session(), client.last_seq(), Instant::now());
    server.signal(signal);
    client.closed().await;
    drop(client);
    server.ended().await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    server.start_again().await;
    let back = server.connect_to(session, seen).await;
    assert_eq!(back.ready["pending"], json!([asked]));
    (turn, asked, back)
}

/// Kills the server while an edit waits for its approval, whose file was read for it, and starts it again.
async fn killed_at_an_edit(server: &mut TestServer) -> (String, Value, TestClient) {
    server.file("notes.txt", "the first line\n");
    let text = "Replace \"first\" with \"1st\" in notes.txt";
    ended_at(server, Signal::KILL, text, "approval-request").await
}

async fn approve(client: &mut TestClient, asked: &Value, decision: &str) {
    client.send(json!({"type": "approve-tool", "callId": asked["callId"], "decision": decision})).await;
}

#[tokio::test]
async fn n18_an_open_approval_is_there_after_the_restart_and_its_call_runs_once() {
    for signal in [Signal::KILL, Signal::TERM] {
        let mut server = asking().await;
        let command = "Run `echo ran >> trace; cat trace`";
        let (turn, asked, mut back) = ended_at(&mut server, signal, command, "approval-request").await;
        let behind = back.post("Calculate 6 * 7").await;
        let mut other = server.connect_to(back.session(), back.last_seq()).await;
        assert_eq!(other.ready["pending"], json!([asked]));
        assert!(!server.workspace().join("trace").exists());

        approve(&mut other, &asked, "allow-once").await;
        approve(&mut back, &asked, "allow-once").await;
        let turn = back.end_of(&turn).await.answered().says("ran");
        back.end_of(&behind).await.answered().says("42");
        other.end_of(&behind).await.answered();

        assert_eq!(server.content("trace"), "ran\n");
        assert_eq!(turn.first("tool-call-start")["callId"], asked["callId"]);
        let refused =
            [&back, &other].map(|client| client.frames.iter().filter(|f| f["code"] == "unknown-call").count());
        assert_eq!(refused.iter().sum::<usize>(), 1, "one of the two answers is late");
        assert_eq!(server.connect_to(back.session(), 0).await.ready["pending"], json!([]));
    }
}

#[tokio::test]
async fn an_open_approval_can_be_denied_and_edited_after_the_restart() {
    for signal in [Signal::KILL, Signal::TERM] {
        let mut server = asking().await;
        let (turn, asked, mut back) = ended_at(&mut server, signal, "Run `touch one`", "approval-request").await;
        approve(&mut back, &asked, "deny").await;
        let end = back.end_of(&turn).await.failed("tool-failed");
        assert_eq!(end.first("tool-call-end")["errorType"], "permission_error");
        drop(back);

        let (turn, asked, mut back) = ended_at(&mut server, signal, "Run `touch two`", "approval-request").await;
        let edited = json!({"command": "touch three"});
        let (kind, decision) = ("approve-tool", "allow-once");
        back.send(json!({"type": kind, "callId": asked["callId"], "decision": decision, "arguments": edited})).await;
        back.end_of(&turn).await.answered();

        let there = ["one", "two", "three"].map(|name| server.workspace().join(name).exists());
        assert_eq!(there, [false, false, true]);
    }
}

#[tokio::test]
async fn an_open_question_is_there_after_the_restart_and_its_answer_counts() {
    for signal in [Signal::KILL, Signal::TERM] {
        let mut server = asking().await;
        let text = r#"use ask_user {"question": "Which?", "choices": ["red", "blue"]}"#;
        let (turn, asked, mut back) = ended_at(&mut server, signal, text, "user-query").await;

        back.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": "blue"})).await;
        let turn = back.end_of(&turn).await.answered().says("blue");

        assert!(turn.all("user-query").is_empty(), "it is not asked again");
        assert_eq!(turn.stored(), ["user_answer"]);
    }
}

#[tokio::test]
async fn the_steps_behind_an_approval_follow_after_the_restart() {
    let mut server = asking().await;
    let text = "Run `echo a >> trace`, then run `echo b >> trace`";
    let (turn, asked, mut back) = ended_at(&mut server, Signal::KILL, text, "approval-request").await;

    approve(&mut back, &asked, "allow-once").await;
    let next = back.until_type("approval-request").await;
    approve(&mut back, &next, "allow-once").await;
    back.end_of(&turn).await.answered();

    assert_eq!(server.content("trace"), "a\nb\n");
}

#[tokio::test]
async fn an_edit_that_was_planned_is_made_after_the_restart() {
    let mut server = asking().await;
    let (turn, asked, mut back) = killed_at_an_edit(&mut server).await;

    approve(&mut back, &asked, "allow-once").await;
    let end = back.end_of(&turn).await.answered().says("1st");

    assert_eq!(server.content("notes.txt"), "the 1st line\n");
    assert_eq!(end.all("tool-call-start").len(), 1, "the file is not read again");
}

#[tokio::test]
async fn what_is_denied_after_something_was_done_has_not_run() {
    let mut server = asking().await;
    let (turn, asked, mut back) = killed_at_an_edit(&mut server).await;

    approve(&mut back, &asked, "deny").await;
    back.end_of(&turn).await.failed("tool-failed").says("did not run, because it is not allowed");

    assert_eq!(server.content("notes.txt"), "the first line\n");
}

#[tokio::test]
async fn a_model_goes_on_from_the_approval_and_is_asked_nothing_twice() {
    let native = [Answer::calls([("bash", json!({"command": "echo ran >> trace"}))]), Answer::text("It ran.")];
    let chosen = json!({"reasoning": "", "selectedTool": "bash", "parameters": {"command": "echo ran >> trace"},
        "outputVariable": null});
    let staged = [
        Answer::json(&json!({"reasoning": "", "needsTools": true})),
        Answer::json(&chosen),
        Answer::json(&json!({"reasoning": "", "complete": true, "userResponse": "It ran.", "nextAction": null})),
    ];
    for (kind, answers) in [("native", native.to_vec()), ("staged", staged.to_vec())] {
        let asked_in_all = answers.len();
        let llm = ScriptedLlm::of(answers).await;
        let options = ServerOptions::with(&["--approve", "ask"]).model(&llm.base_url(), kind);
        let mut server = TestServer::start_with(options).await;
        let (turn, asked, mut back) = ended_at(&mut server, Signal::KILL, "Do it", "approval-request").await;

        approve(&mut back, &asked, "allow-once").await;
        back.end_of(&turn).await.answered().says("It ran.");

        assert_eq!((llm.count(), server.content("trace").as_str()), (asked_in_all, "ran\n"), "{kind}");
    }
}

#[tokio::test]
async fn a_question_is_answered_over_http_with_nobody_attached_and_what_waits_behind_it_runs() {
    let mut server = asking().await;
    let mut client = server.connect().await;
    client.post(r#"use ask_user {"question": "Anybody?"}"#).await;
    let asked = client.until_type("user-query").await;
    let last = client.post("Calculate 6 * 7").await;
    client.until("the acknowledgement", |f| f["type"] == "user-message" && f["messageId"] == last.as_str()).await;
    let session = client.session();
    server.kill().await;
    server.start_again().await;

    let path = format!("/api/sessions/{session}/queries/{}", asked["queryId"].as_str().expect("an id"));
    let body = json!({"answer": "me"}).to_string();
    request(server.address(), "POST", &path, &[("content-type", "application/json")], body.as_bytes()).await;

    let path = format!("/api/sessions/{session}/events?after=0&limit=1000");
    soon("the answer to the last message", async {
        loop {
            let log = request(server.address(), "GET", &path, &[], b"").await.json();
            let ends = |frame: &Value| frame["messageIds"].as_array().is_some_and(|ids| ids.contains(&json!(last)));
            if log["events"].as_array().is_some_and(|events| events.iter().any(ends)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_is_killed_on_its_way_runs_its_call_once_or_not_at_all() {
    let mut server = asking().await;
    let command = "Run `echo ran >> trace`";
    for round in 0..12 {
        let (turn, asked, mut back) = ended_at(&mut server, Signal::KILL, command, "approval-request").await;
        let before = lines(&server);
        approve(&mut back, &asked, "allow-once").await;
        // Each round a step further, to the end of the turn.
        let mut has_ended = false;
        for _ in 0..round {
            has_ended = has_ended || ends(&back.next().await);
            if has_ended {
                break;
            }
        }
        let (session, seen) = (back.session(), back.last_seq());
        server.kill().await;
        server.start_again().await;

        let mut back = server.connect_to(session, seen).await;
        let pending = back.ready["pending"].as_array().cloned().unwrap_or_default();
        let mut next = pending.into_iter().next();
        while !has_ended {
            let frame = match next.take() {
                Some(asked) => asked,
                None => back.next().await,
            };
            match frame["type"].as_str() {
                // The answer had not come to its call: it is asked about anew.
                Some("approval-request") => approve(&mut back, &frame, "deny").await,
                Some("user-query") => {
                    let id = &frame["queryId"];
                    back.send(json!({"type": "answer-query", "queryId": id, "answer": "unknown"})).await;
                }
                _ => has_ended = ends(&frame) && frame["turnId"] == turn.as_str(),
            }
        }

        let ran = lines(&server) - before;
        assert!(ran <= 1, "round {round}: it ran {ran} times");
    }
}

fn ends(frame: &Value) -> bool {
    frame["type"] == "agent-response" || frame["type"] == "agent-error"
}

fn lines(server: &TestServer) -> usize {
    std::fs::read_to_string(server.workspace().join("trace")).unwrap_or_default().lines().count()
}
