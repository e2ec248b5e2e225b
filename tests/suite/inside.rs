//! Specialists that a kill of the server cut off go on inside: their models are asked nothing twice, no call runs twice, and
//! what waits for the user waits on. So does what waits in several calls at once, and in calls of the user's own.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer};

use crate::agents::agent;

const SLOW: &str = "echo begun >> trace; echo begun; test -e go || sleep 50";

fn call(tool: &str, arguments: Value) -> Answer {
    Answer::calls([(tool, arguments)])
}

/// A server with the specialist `fixer`, that runs commands.
async fn with_fixer(llm: &ScriptedLlm, approve: &str) -> TestServer {
    let mut server = TestServer::prepare(ServerOptions::with(&["--approve", approve]).model(&llm.base_url(), "native"));
    agent(&server, &json!({"id": "fixer", "name": "Fixer", "instructions": "Fix it.", "tools": ["bash"]}));
    server.start_again().await;
    server
}

async fn killed(server: &mut TestServer, client: TestClient) -> TestClient {
    let (session, seen) = (client.session(), client.last_seq());
    drop(client);
    server.kill().await;
    server.start_again().await;
    server.connect_to(session, seen).await
}

fn pending(client: &TestClient) -> Vec<Value> {
    client.ready["pending"].as_array().cloned().unwrap_or_default()
}

async fn approve(client: &mut TestClient, asked: &Value) {
    client.send(json!({"type": "approve-tool", "callId": asked["callId"], "decision": "allow-once"})).await;
}

/// Allows what is asked about, a specialist say, until this tool is.
async fn allow_until(client: &mut TestClient, tool: &str) -> Value {
    loop {
        let asked = client.until_type("approval-request").await;
        if asked["tool"] == tool {
            return asked;
        }
        approve(client, &asked).await;
    }
}

#[tokio::test]
async fn a_specialist_that_waits_for_an_approval_waits_on_and_goes_on_with_the_answer() {
    let answers = [call("fixer", json!({"message": "Do it"})), call("bash", json!({"command": "echo ran >> trace"}))];
    let llm = ScriptedLlm::of(answers.into_iter().chain(["It ran.", "Done."].map(Answer::text))).await;
    let mut server = with_fixer(&llm, "ask").await;
    let mut client = server.connect().await;
    let turn = client.post("Have it done").await;
    let asked = allow_until(&mut client, "bash").await;

    let back = killed(&mut server, client).await;
    let mut back = killed(&mut server, back).await;
    assert_eq!(pending(&back), std::slice::from_ref(&asked));
    assert!(!server.workspace().join("trace").exists());
    approve(&mut back, &asked).await;
    back.end_of(&turn).await.answered().says("Done.");

    assert_eq!((server.content("trace").as_str(), llm.count()), ("ran\n", 4), "nobody is asked anything twice");
    let began = back.frames.iter().find(|f| f["type"] == "tool-call-start" && f["tool"] == "bash").expect("it began");
    assert_eq!(began["callId"], asked["callId"]);
}

#[tokio::test]
async fn after_the_users_word_about_a_call_inside_a_specialist_it_goes_on() {
    for (word, lines) in [("done", 1), ("not-done", 1), ("unknown", 1), ("retry", 2)] {
        let answers = [call("fixer", json!({"message": "Do it"})), call("bash", json!({"command": SLOW}))];
        let llm = ScriptedLlm::of(answers.into_iter().chain(["It is so.", "That is all."].map(Answer::text))).await;
        let mut server = with_fixer(&llm, "auto").await;
        let mut client = server.connect().await;
        let turn = client.post("Have it done").await;
        client.until("the command", |f| f["type"] == "tool-output-chunk" && f["stream"] == "stdout").await;
        server.file("go", "");

        let mut back = killed(&mut server, client).await;
        let asked = pending(&back)[0].clone();
        assert_eq!(asked["kind"], "outcome", "{word}");
        back.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": word})).await;
        back.end_of(&turn).await.says("That is all.");

        assert_eq!(server.content("trace").lines().count(), lines, "{word}");
        assert_eq!(llm.count(), 4, "{word}: nobody is asked anything twice");
        let seen = llm.asked(3).await.messages().last().expect("what came of the call").clone();
        assert_eq!(seen["role"], "tool", "{word}: {seen:#}");
    }
}

/// Two calls of one reply that ask at once.
#[tokio::test]
async fn several_approvals_wait_on_and_each_answer_counts() {
    let both = Answer::calls(["a.txt", "b.txt"].map(|path| ("file_read", json!({"file_paths": [path]}))));
    let llm = ScriptedLlm::of([both, Answer::text("Both.")]).await;
    let options = ServerOptions::with(&["--ask", "file_read"]).model(&llm.base_url(), "native");
    let mut server = TestServer::start_with(options).await;
    ["a.txt", "b.txt"].iter().for_each(|name| server.file(name, name));
    let mut client = server.connect().await;
    let turn = client.post("Read both").await;
    let first = client.until_type("approval-request").await;
    let second = client.until_type("approval-request").await;

    let mut back = killed(&mut server, client).await;
    assert_eq!(pending(&back), [first.clone(), second.clone()]);
    approve(&mut back, &second).await;
    back.until("the second's end", |f| f["type"] == "tool-call-end" && f["callId"] == second["callId"]).await;
    let mut back = killed(&mut server, back).await;
    assert_eq!(pending(&back), std::slice::from_ref(&first));
    approve(&mut back, &first).await;
    let end = back.end_of(&turn).await.answered().says("Both.");

    assert!(end.all("approval-request").is_empty(), "nothing is asked about twice");
    assert_eq!(llm.count(), 2);
    let results = llm.asked(2).await.messages().iter().filter(|message| message["role"] == "tool").count();
    assert_eq!(results, 2);
}

#[tokio::test]
async fn a_question_of_a_call_of_the_users_own_waits_on() {
    let mut server = TestServer::start().await;
    let mut client = server.connect().await;
    let arguments = json!({"question": "Which?", "choices": ["red", "blue"]});
    client.send(json!({"type": "call-tool", "callId": "own", "tool": "ask_user", "arguments": arguments})).await;
    let asked = client.until_type("user-query").await;

    let mut back = killed(&mut server, client).await;
    assert_eq!(pending(&back), std::slice::from_ref(&asked));
    back.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": "blue"})).await;
    let end = back.until("the end", |f| f["type"] == "tool-call-end" && f["callId"] == "own").await;

    assert_eq!(end["success"], true, "{end:#}");
    assert!(end["preview"].to_string().contains("blue"), "{end:#}");
    assert!(!back.frames.iter().any(|f| f["type"] == "user-query"), "it is not asked again");
}

/// Nothing goes on of a call of the user's own in which nothing waits: what its specialist has changed is asked about.
#[tokio::test]
async fn a_specialist_of_a_call_of_the_users_own_that_changed_something_is_asked_about() {
    let answers = [call("bash", json!({"command": "echo ran >> trace"})), Answer::silent()];
    let llm = ScriptedLlm::of(answers).await;
    let mut server = with_fixer(&llm, "auto").await;
    let mut client = server.connect().await;
    let arguments = json!({"message": "Do it"});
    client.send(json!({"type": "call-tool", "callId": "own", "tool": "fixer", "arguments": arguments})).await;
    client.until("its command's end", |f| f["type"] == "tool-call-end" && f["tool"] == "bash").await;
    llm.asked(2).await;

    let mut back = killed(&mut server, client).await;
    let asked = pending(&back)[0].clone();
    assert_eq!((asked["kind"].as_str(), asked["callId"].as_str()), (Some("outcome"), Some("own")), "{asked:#}");
    back.send(json!({"type": "answer-query", "queryId": asked["queryId"], "answer": "unknown"})).await;
    let end = back.until("the end", |f| f["type"] == "tool-call-end" && f["callId"] == "own").await;

    assert_eq!(end["success"], false, "{end:#}");
    assert!(!end["error"].to_string().contains("safely"), "{end:#}");
    assert_eq!(server.content("trace"), "ran\n");
}

/// What a call of the user's own had asked before a restart is closed when it ends without asking it again.
#[tokio::test]
async fn a_call_of_the_users_own_that_ends_leaves_no_request_behind() {
    let both = Answer::calls(["a.txt", "b.txt"].map(|path| ("file_read", json!({"file_paths": [path]}))));
    let llm = ScriptedLlm::of([both]).await;
    let options = ServerOptions::with(&["--ask", "file_read"]).model(&llm.base_url(), "native");
    let mut server = TestServer::prepare(options);
    agent(&server, &json!({"id": "skimmer", "name": "Skimmer", "instructions": "Read.", "tools": ["file_read"]}));
    server.start_again().await;
    ["a.txt", "b.txt"].iter().for_each(|name| server.file(name, name));
    let mut client = server.connect().await;
    let arguments = json!({"message": "Both"});
    client.send(json!({"type": "call-tool", "callId": "own", "tool": "skimmer", "arguments": arguments})).await;
    let first = allow_until(&mut client, "file_read").await;
    let second = client.until_type("approval-request").await;

    std::fs::remove_file(server.settings().with_file_name("agents/skimmer.json")).expect("it was there");
    let mut back = killed(&mut server, client).await;
    assert_eq!(pending(&back), [first.clone(), second.clone()]);
    approve(&mut back, &first).await;
    let end = back.until("the end", |f| f["type"] == "tool-call-end" && f["callId"] == "own").await;
    let closed = |f: &Value| f["type"] == "approval-resolved" && f["callId"] == second["callId"];
    let resolved = back.until("the second's end", closed).await;

    assert_eq!((&end["success"], &resolved["decision"]), (&json!(false), &json!("cancelled")), "{end:#}");
    let again = server.connect_to(back.session(), back.last_seq()).await;
    assert_eq!(pending(&again), Vec::<Value>::new());
}
