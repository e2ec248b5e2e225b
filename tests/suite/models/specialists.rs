//! Specialists that may change something: they are asked about, kept apart, seen through and counted as their tools are.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestClient, TestServer, request, soon};

use super::options;
use crate::agents::agent;
use crate::shutdown::SOON;

/// A server with this model and a specialist that may run commands, `fixer`.
async fn with_fixer(options: ServerOptions) -> TestServer {
    with_agents(options, &[json!({"id": "fixer", "name": "Fixer", "instructions": "Fix it.", "tools": ["bash"]})]).await
}

async fn with_agents(options: ServerOptions, agents: &[Value]) -> TestServer {
    let mut server = TestServer::prepare(options);
    agents.iter().for_each(|definition| agent(&server, definition));
    server.start_again().await;
    server
}

fn delegates(tasks: &[&str]) -> Answer {
    Answer::calls(tasks.iter().map(|task| ("fixer", json!({"message": task}))))
}

fn runs(command: &str) -> Answer {
    Answer::calls([("bash", json!({"command": command}))])
}

fn reads(path: &str) -> Answer {
    Answer::calls([("file_read", json!({"path": path}))])
}

async fn usage_of(server: &TestServer, tool: &str) -> Value {
    let usage = request(server.address(), "GET", "/api/tools/usage", &[], b"").await.json();
    let all = usage["tools"].as_array().expect("a list");
    all.iter().find(|entry| entry["tool"] == tool).cloned().unwrap_or_default()
}

#[tokio::test]
async fn n32_what_a_specialist_changed_is_read_anew() {
    let fixes = [delegates(&["old to new"]), runs("sed -i s/old/new/ a.txt"), Answer::text("Fixed.")];
    let answers = [reads("a.txt")].into_iter().chain(fixes).chain([reads("a.txt"), Answer::text("Done.")]);
    let llm = ScriptedLlm::of(answers).await;
    let server = with_fixer(options(&llm, "native")).await;
    server.file("a.txt", "old text\n");

    server.connect().await.ask("Fix a.txt").await.answered().says("Done.");

    let last = llm.all().pop().expect("a request");
    let read = last.messages().last().expect("the result of the second reading").to_string();
    assert!(read.contains("new text") && !read.contains("old text"), "{read}");
}

#[tokio::test]
async fn n33_two_specialists_that_write_run_one_after_the_other() {
    let adds = || runs("n=$(cat n.txt); sleep 0.3; echo $((n + 1)) > n.txt");
    let answers = [delegates(&["Add 1", "Add 1 more"]), adds(), Answer::text("Added."), adds(), Answer::text("Added.")];
    let llm = ScriptedLlm::of(answers.into_iter().chain([Answer::text("Done.")])).await;
    let server = with_fixer(options(&llm, "native")).await;
    server.file("n.txt", "0\n");

    server.connect().await.ask("Add 1 twice").await.answered().says("Done.");

    assert_eq!(server.content("n.txt"), "2\n");
}

#[tokio::test]
async fn a_specialist_that_waits_for_its_user_holds_no_server_that_stops() {
    let answers = [delegates(&["Do it"]), runs("echo ran >> trace"), Answer::text("Fixed."), Answer::text("Done.")];
    let llm = ScriptedLlm::of(answers).await;
    let asking = ServerOptions::with(&["--approve", "ask"]).model(&llm.base_url(), "native");
    let mut server = with_fixer(asking).await;
    let mut client = server.connect().await;
    let turn = client.post("Have it done").await;
    allow(&mut client, "fixer").await;
    client.until("the request inside it", |f| f["type"] == "approval-request" && f["tool"] == "bash").await;

    let began = Instant::now();
    server.signal(Signal::TERM);
    client.closed().await;
    assert_eq!(server.ended().await.code(), Some(0));
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    server.start_again().await;

    let mut back = server.connect_to(client.session(), client.last_seq()).await;
    let waiting = back.ready["pending"][0].clone();
    assert_eq!(waiting["tool"], "bash");
    back.send(json!({"type": "approve-tool", "callId": waiting["callId"], "decision": "allow-once"})).await;
    back.end_of(&turn).await.answered().says("Done.");
    assert_eq!(server.content("trace"), "ran\n");
}

/// Allows the call of this tool that is asked about next.
async fn allow(client: &mut TestClient, tool: &str) {
    let asked = client.until("a request", |f| f["type"] == "approval-request" && f["tool"] == tool).await;
    client.send(json!({"type": "approve-tool", "callId": asked["callId"], "decision": "allow-once"})).await;
}

#[tokio::test]
async fn n34_after_a_crash_inside_a_specialists_command_the_user_is_asked_about_it() {
    let command = "echo begun >> trace; echo begun; test -e go || sleep 50";
    let answers = [delegates(&["Do it"]), runs(command), Answer::text("Fixed."), Answer::text("Done.")];
    let llm = ScriptedLlm::of(answers).await;
    let mut server = with_fixer(options(&llm, "native")).await;
    let mut client = server.connect().await;
    let turn = client.post("Have it done").await;
    client.until("its output", |f| f["type"] == "tool-output-chunk" && f["chunk"] == "begun\n").await;
    let session = client.session();
    server.kill().await;
    fs::write(server.workspace().join("go"), "").expect("a file");

    server.start_again().await;
    let mut client = server.connect_to(session, 0).await;
    let query = client.until("the question", |frame| frame["kind"] == "outcome").await;

    assert!(query["message"].as_str().is_some_and(|text| text.contains("echo begun >> trace")), "{query:#}");
    let ended = client.frames.iter().any(|frame| frame["type"] == "tool-call-end");
    assert!(!ended, "the specialist waits with its command");
    client.send(json!({"type": "answer-query", "queryId": query["queryId"], "answer": "done"})).await;
    client.end_of(&turn).await.answered().says("Done.");
    assert_eq!(server.content("trace"), "begun\n", "the command ran once");
    let told = llm.asked(3).await.last_text().to_owned();
    assert!(told.contains("said that it happened"), "{told}");
}

/// Only its model is asked anew for what it had not said yet; what the specialist had changed is not changed twice.
#[tokio::test]
async fn after_a_crash_while_a_specialists_model_thinks_it_is_asked_anew() {
    let answers = [
        delegates(&["Do it"]),
        runs("echo done >> trace"),
        Answer::silent(),
        Answer::text("Fixed."),
        Answer::text("Done."),
    ];
    let llm = ScriptedLlm::of(answers).await;
    let mut server = with_fixer(options(&llm, "native")).await;
    let mut client = server.connect().await;
    let turn = client.post("Have it done").await;
    client.until("its command's end", |f| f["type"] == "tool-call-end" && f["tool"] == "bash").await;
    llm.asked(3).await;
    let session = client.session();
    server.kill().await;

    server.start_again().await;
    let mut client = server.connect_to(session, 0).await;
    let end = client.end_of(&turn).await.answered().says("Done.");

    assert!(end.all("user-query").is_empty(), "nothing is unknown");
    assert_eq!(server.content("trace"), "done\n");
    assert_eq!(llm.asked(4).await.messages(), llm.asked(3).await.messages());
}

#[tokio::test]
async fn n35_a_primary_agent_has_the_tools_of_its_file_and_no_others() {
    let leader = json!({
        "id": "leader", "name": "Leader", "instructions": "Lead.", "isPrimary": true,
        "tools": ["file_read", "calculator"],
    });
    let llm = ScriptedLlm::of([runs("touch trace"), Answer::text("I cannot.")]).await;
    let server = with_agents(options(&llm, "native"), std::slice::from_ref(&leader)).await;

    let turn = server.connect().await.ask("Touch trace").await.says("I cannot.");

    assert_eq!(llm.all()[0].tools(), ["calculator", "file_read", "find_tools"]);
    assert!(turn.all("tool-call-start").is_empty());
    assert_eq!(turn.first("tool-call-end")["errorType"], "permission_error");
    assert!(!server.workspace().join("trace").exists());

    let server = with_agents(ServerOptions::auto(), &[leader]).await;
    let turn = server.connect().await.ask("Run `touch trace`").await;
    assert_eq!(turn.end["complete"], json!(false), "{:#}", turn.end);
    assert!(!server.workspace().join("trace").exists());
}

#[tokio::test]
async fn n35_a_primary_agent_with_a_model_of_its_own_is_refused() {
    let leader =
        json!({"id": "leader", "name": "Leader", "instructions": "Lead.", "isPrimary": true, "model": "large"});
    let server = with_agents(ServerOptions::auto(), &[leader]).await;

    let told = server.connect().await.command("/agents").await;

    let text = told["text"].as_str().expect("a text");
    assert!(text.contains("leader.json") && text.contains("--llm-model"), "{text}");
}

#[tokio::test]
async fn a_specialist_that_may_write_is_asked_about_like_a_writer() {
    let asks_both = Answer::calls([
        ("reader", json!({"message": "What is here?"})),
        ("overseer", json!({"message": "Have it fixed"})),
    ]);
    let llm = ScriptedLlm::of([asks_both, Answer::text("Nothing."), Answer::text("It was not allowed.")]).await;
    let fixer = json!({"id": "fixer", "name": "Fixer", "instructions": "Fix.", "tools": ["file_edit"]});
    let overseer = json!({"id": "overseer", "name": "Overseer", "instructions": "See.", "tools": ["fixer"]});
    let options = ServerOptions::with(&["--approve", "ask"]).model(&llm.base_url(), "native");
    let server = with_agents(options, &[fixer, overseer]).await;
    let mut client = server.connect().await;

    let turn = client.post("Have it fixed").await;
    let asked = client.until_type("approval-request").await;
    client.send(json!({"type": "approve-tool", "callId": asked["callId"], "decision": "deny"})).await;
    let turn = client.end_of(&turn).await.says("It was not allowed.");

    assert_eq!((&asked["tool"], &asked["risk"]), (&json!("overseer"), &json!("write")));
    assert_eq!(turn.all("approval-request").len(), 1, "nobody is asked about the reader");
    assert_eq!(llm.count(), 3, "the specialist that was not allowed asked no model");
}

#[tokio::test]
async fn what_a_specialist_costs_is_the_turns_and_is_kept() {
    let costs = |answer: Answer, input: u64, output: u64| {
        answer.usage(json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output}))
    };
    let answers = [
        costs(delegates(&["Do it"]), 100, 10),
        costs(runs("true"), 1000, 20),
        costs(Answer::text("Fixed."), 2000, 30),
        costs(Answer::text("Done."), 10, 1),
    ];
    let llm = ScriptedLlm::of(answers).await;
    let mut server = with_fixer(options(&llm, "native")).await;
    let mut client = server.connect().await;

    let turn = client.ask("Have it done").await.answered();
    let first = usage_of(&server, "fixer").await;
    client.command("/agents off fixer").await;
    client.command("/agents on fixer").await;
    let switched = usage_of(&server, "fixer").await;
    let file = server.data().join("tool-usage.json");
    soon("the file", async {
        while !fs::read_to_string(&file).is_ok_and(|text| text.contains("fixer")) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    server.kill().await;
    server.start_again().await;
    let again = usage_of(&server, "fixer").await;

    assert_eq!(turn.end["usage"], json!({"inputTokens": 3110, "outputTokens": 61}));
    assert_eq!((&first["calls"], &first["failures"]), (&json!(1), &json!(0)));
    assert_eq!((&first["inputTokens"], &first["outputTokens"]), (&json!(3000), &json!(50)));
    assert!(first["lastUsed"].is_string() && first["p50Ms"].is_u64() && first["p99Ms"].is_u64(), "{first:#}");
    assert_eq!((&switched, &again), (&first, &first));
}

#[tokio::test]
async fn a_file_with_tools_that_do_not_exist_says_so_with_the_nearest_name() {
    let agent = json!({"id": "looker", "name": "Looker", "instructions": "Look.", "tools": ["file_raed", "grep"]});
    let server = with_agents(ServerOptions::auto(), &[agent]).await;

    let told = server.connect().await.command("/agents").await;
    let list = request(server.address(), "GET", "/api/agents", &[], b"").await.json();

    let text = told["text"].as_str().expect("a text");
    assert!(text.contains("there is no tool `file_raed`; did you mean `file_read`?"), "{text}");
    let agents = list["agents"].as_array().expect("a list");
    let looker = agents.iter().find(|agent| agent["id"] == "looker").expect("the agent");
    assert!(looker["warnings"].to_string().contains("file_read"), "{looker:#}");
    let web = agents.iter().find(|agent| agent["id"] == "web_search").expect("the agent");
    assert!(web["warnings"].to_string().contains("no search engine"), "{web:#}");
}

#[tokio::test]
async fn a_wrong_call_of_a_specialist_is_told_an_example_made_from_its_schema() {
    let parameters = json!({
        "type": "object", "required": ["topic", "lines"],
        "properties": {"topic": {"type": "string"}, "lines": {"type": "integer", "minimum": 2}},
    });
    let poet = json!({"id": "poet", "name": "Poet", "instructions": "Write.", "tools": [], "parameters": parameters});
    let server = with_agents(ServerOptions::auto(), &[poet]).await;
    let mut client = server.connect().await;

    client.send(json!({"type": "call-tool", "callId": "c1", "tool": "poet", "arguments": {"topic": "plums"}})).await;
    let end = client.until("the end", |f| f["type"] == "tool-call-end" && f["callId"] == "c1").await;

    assert_eq!(end["suggestion"], "Example: poet(topic=\"…\", lines=2)", "{end:#}");
}
