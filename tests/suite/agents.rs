//! Specialists over the socket and over HTTP.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestServer, request, soon};

async fn agents(server: &TestServer) -> Value {
    request(server.address(), "GET", "/api/agents", &[], b"").await.json()
}

/// The agents, once they are as wanted: their files and what a provider lists are looked at beside everything else.
async fn until_agents(server: &TestServer, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
    soon(what, async {
        loop {
            let list = agents(server).await;
            if fits(&list) {
                return list;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    })
    .await
}

fn one(list: &Value, id: &str) -> Value {
    let agents = list["agents"].as_array().expect("a list");
    agents.iter().find(|agent| agent["id"] == id).cloned().unwrap_or_default()
}

#[tokio::test]
async fn a_specialist_does_its_work_under_its_own_call() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let call =
        json!({"type": "call-tool", "callId": "c1", "tool": "reader", "arguments": {"message": "Calculate 6 * 7"}});
    client.send(call).await;
    let end = client.until("the end", |f| f["type"] == "tool-call-end" && f["callId"] == "c1").await;

    assert_eq!(end["success"], true, "{end}");
    assert!(end["preview"].to_string().contains("42"), "{end}");
    let nested = client.frames.iter().find(|f| f["tool"] == "calculator" && f["type"] == "tool-call-start");
    assert_eq!(nested.expect("it calculates")["parentCallId"], "c1");
    let usage = request(server.address(), "GET", "/api/tools/usage", &[], b"").await.json();
    let counted = usage["tools"].as_array().expect("a list").iter().find(|tool| tool["tool"] == "reader");
    assert_eq!(counted.map(|tool| (&tool["calls"], &tool["module"])), Some((&json!(1), &json!("agents"))));
}

#[tokio::test]
async fn a_specialist_talks_to_the_model_as_the_settings_say() {
    let reader = Answer::calls([("reader", json!({"message": "What is here?"}))]);
    let llm = ScriptedLlm::of([reader, Answer::text("Nothing."), Answer::text("Nothing is here.")]).await;
    let url = llm.base_url();
    let endpoint = ["--llm-provider", "compatible", "--llm-base-url", &url, "--llm-model", "scripted"];
    let style = ["--reasoner", "native", "--temperature", "0.25", "--max-tokens", "99"];
    let server = TestServer::start_with(ServerOptions::with(&[endpoint, style].concat())).await;
    let mut client = server.connect().await;

    client.ask("Ask the reader what is here").await.answered().says("Nothing is here.");

    let asked = llm.asked(2).await;
    assert!(
        asked.messages()[0]["content"].as_str().is_some_and(|text| text.contains("for another agent")),
        "{asked:?}"
    );
    assert_eq!((&asked.body["temperature"], &asked.body["max_tokens"]), (&json!(0.25), &json!(99)));
}

#[tokio::test]
async fn a_specialist_has_only_its_own_tools() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let message = "Write hello to note.txt";
    client
        .send(json!({"type": "call-tool", "callId": "c1", "tool": "reader", "arguments": {"message": message}}))
        .await;
    let end = client.until("the end", |f| f["type"] == "tool-call-end" && f["callId"] == "c1").await;

    assert_eq!(end["success"], false, "{end}");
    assert!(!server.workspace().join("note.txt").exists());
}

#[tokio::test]
async fn specialists_are_switched_by_command_and_over_http() {
    let server = TestServer::start().await;
    let mut client = server.connect().await;

    let off = client.command("/agents off reader").await;
    let without = agents(&server).await;
    let body = br#"{"enabled": true}"#;
    let headers = [("content-type", "application/json")];
    let on = request(server.address(), "POST", "/api/agents/reader", &headers, body).await;
    let unknown = request(server.address(), "POST", "/api/agents/raeder", &headers, body).await;

    assert!(off["text"].as_str().is_some_and(|text| text.contains("`reader`") && text.contains(": off")), "{off}");
    assert_eq!(one(&without, "reader")["available"], false);
    assert_eq!((on.status, &one(&on.json(), "reader")["available"]), (200, &json!(true)));
    assert_eq!(unknown.status, 404);
    assert!(unknown.text().contains("did you mean `reader`?"), "{}", unknown.text());
}

#[tokio::test]
async fn files_of_agents_are_taken_up_while_the_server_runs() {
    let server = TestServer::start().await;
    let folder = server.settings().parent().expect("a folder").join("agents");
    std::fs::create_dir_all(&folder).expect("a folder");

    std::fs::write(folder.join("bad.json"), "{").expect("a file");
    let agent = json!({"id": "sums", "name": "Sums", "instructions": "Calculate.", "tools": ["calculator"]});
    std::fs::write(folder.join("sums.json"), agent.to_string()).expect("a file");
    let list = until_agents(&server, "the new agent", |list| {
        one(list, "sums")["available"] == true && list["problems"].to_string().contains("bad.json")
    })
    .await;

    assert_eq!(one(&list, "sums")["file"], "sums.json");
    let mut client = server.connect().await;
    let call =
        json!({"type": "call-tool", "callId": "c1", "tool": "sums", "arguments": {"message": "Calculate 2 + 3"}});
    client.send(call).await;
    let end = client.until("the end", |f| f["type"] == "tool-call-end" && f["callId"] == "c1").await;
    assert_eq!(end["success"], true, "{end}");
}

/// Writes the file of an agent of the user's own, before the server starts.
pub(crate) fn agent(server: &TestServer, definition: &Value) {
    let folder = server.settings().parent().expect("a folder").join("agents");
    std::fs::create_dir_all(&folder).expect("a folder");
    let name = definition["id"].as_str().expect("an id");
    std::fs::write(folder.join(format!("{name}.json")), definition.to_string()).expect("a file");
}

#[tokio::test]
async fn a_specialist_thinks_with_a_model_of_its_own() {
    let asks = Answer::calls([("poet", json!({"message": "A line about plums"}))]);
    let llm = ScriptedLlm::of([asks, Answer::text("The poet says: blue.")]).await;
    let other = ScriptedLlm::of([Answer::text("Plums are blue.")]).await;
    let environment = vec![(
        "OLLAMA_HOST".to_owned(),
        other.base_url().trim_start_matches("http://").trim_end_matches("/v1").to_owned(),
    )];
    let options = ServerOptions { environment, ..ServerOptions::auto() }.model(&llm.base_url(), "native");
    let mut server = TestServer::prepare(options);
    agent(
        &server,
        &json!({"id": "poet", "name": "Poet", "instructions": "You write poems.", "provider": "ollama", "model": "small"}),
    );
    server.start_again().await;
    let mut client = server.connect().await;

    client.ask("Ask the poet for a line about plums").await.answered().says("The poet says: blue.");

    let asked = other.asked(1).await;
    assert_eq!((asked.body["model"].as_str(), other.count(), llm.count()), (Some("small"), 1, 2));
    assert!(
        asked.messages()[0]["content"].as_str().is_some_and(|text| text.starts_with("You write poems.")),
        "{asked:?}"
    );
    assert_eq!(llm.asked(1).await.body["model"], "scripted");
    let listed = one(&agents(&server).await, "poet");
    assert_eq!(
        (&listed["model"], &listed["provider"], &listed["available"]),
        (&json!("small"), &json!("ollama"), &json!(true))
    );
    let told = client.command("/agents").await;
    assert!(told["text"].as_str().is_some_and(|text| text.contains("with small of ollama")), "{told}");
}

#[tokio::test]
async fn a_specialist_whose_model_cannot_be_had_is_reported_and_the_rest_work() {
    let llm = ScriptedLlm::of([]).await;
    let mut server = TestServer::prepare(ServerOptions::auto().model(&llm.base_url(), "native"));
    let definition = |id: &str, more: Value| {
        let mut definition = json!({"id": id, "name": id, "instructions": "Think."});
        definition.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("an object"));
        definition
    };
    agent(&server, &definition("keyless", json!({"provider": "openai"})));
    agent(&server, &definition("misspelt", json!({"model": "scriptd"})));
    agent(&server, &definition("nowhere", json!({"provider": "opnai"})));
    server.start_again().await;

    let list = until_agents(&server, "the list of models", |list| one(list, "misspelt")["available"] == false).await;

    for (id, why) in
        [("keyless", "OPENAI_API_KEY"), ("misspelt", "did you mean scripted?"), ("nowhere", "did you mean openai")]
    {
        let agent = one(&list, id);
        assert!(agent["problem"].as_str().is_some_and(|problem| problem.contains(why)), "{agent}");
        assert_eq!((&agent["enabled"], &agent["available"]), (&json!(true), &json!(false)));
    }
    assert_eq!(one(&list, "reader")["available"], true);
}
