//! What a model remembers is what happened: its replies as it wrote them, and what it is given is what is exported.

use std::process::Command;

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, TestServer, binary, request};

use super::{options, server};

async fn transcript(server: &TestServer, session: uuid::Uuid) -> Value {
    let path = format!("/api/sessions/{session}/transcript");
    request(server.address(), "GET", &path, &[], b"").await.json()["messages"].clone()
}

#[tokio::test]
async fn a_reply_with_words_and_calls_is_one_message_and_the_export_is_what_the_model_was_given() {
    let both = [("file_read", json!({"path": "a.txt"})), ("file_read", json!({"path": "b.txt"}))];
    let answers = [
        Answer::calls(both).saying("Let me look at both."),
        Answer::calls([("bash", json!({"command": "true"})), ("nothing", json!({}))]).saying("Now the rest."),
        Answer::text("\n\nThey are alike.\n"),
        Answer::text("You are welcome."),
    ];
    let llm = ScriptedLlm::of(answers).await;
    let server = server(&llm, "native").await;
    server.file("a.txt", "same\n");
    server.file("b.txt", "same\n");
    let mut client = server.connect().await;

    let turn = client.ask("Are a.txt and b.txt alike?").await;
    client.ask("Thanks").await.answered();

    let asked = llm.all().pop().expect("a request");
    let given = &asked.messages()[1..];
    let roles: Vec<&str> = given.iter().filter_map(|message| message["role"].as_str()).collect();
    let expected = ["user", "assistant", "tool", "tool", "assistant", "tool", "tool", "assistant", "user"];
    assert_eq!(roles, expected, "{given:#?}");
    assert_eq!(given[1]["content"], "Let me look at both.");
    let called: Vec<&Value> = given[1]["tool_calls"].as_array().expect("calls").iter().collect();
    let paths: Vec<String> = called.iter().map(|call| call["function"]["arguments"].to_string()).collect();
    assert!(paths[0].contains("a.txt") && paths[1].contains("b.txt"), "{paths:?}");
    assert_eq!(
        (&given[4]["content"], given[4]["tool_calls"].as_array().map(Vec::len)),
        (&json!("Now the rest."), Some(2))
    );
    assert_eq!(turn.end["text"], "They are alike.", "without the blank lines around it");
    assert_eq!(given[7]["content"], "They are alike.");
    assert!(turn.end["reasoning"].as_str().is_some_and(|why| why.contains("Let me look at both.")), "{:#}", turn.end);

    let exported = transcript(&server, client.session()).await;
    let exported = exported.as_array().expect("messages");
    assert_eq!(exported[..given.len()], *given, "what is exported is what the model was given");
    assert_eq!(exported.len(), given.len() + 1, "and its last reply");
}

#[tokio::test]
async fn a_conversation_of_another_program_is_imported_and_goes_on() {
    let llm = ScriptedLlm::of([Answer::text("It was 7.")]).await;
    let server = TestServer::start_with(options(&llm, "native")).await;
    let messages = json!([
        {"role": "system", "content": "You are somebody else."},
        {"role": "user", "content": "Roll a dice"},
        {"role": "assistant", "content": "I roll.", "tool_calls": [
            {"id": "call_a", "type": "function", "function": {"name": "dice", "arguments": "{\"sides\":6}"}},
        ]},
        {"role": "tool", "tool_call_id": "call_a", "content": "3"},
        {"role": "assistant", "content": "3."},
        {"role": "user", "content": [{"type": "text", "text": "And"}, {"type": "text", "text": " again"}]},
        {"role": "assistant", "content": "4."},
    ]);
    let file = server.data().with_file_name("talk.json");
    std::fs::write(&file, json!({"messages": messages}).to_string()).expect("a file");

    let url = format!("http://{}", server.address());
    let import = Command::new(binary())
        .args(["sessions", "import", "--format", "openai", "--url", &url])
        .arg(&file)
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&import.stderr).into_owned();
    assert!(import.status.success() && told.contains("left out 1 system message"), "{told}");
    let session: uuid::Uuid = String::from_utf8_lossy(&import.stdout).trim().parse().expect("a session");

    let exported = transcript(&server, session).await;
    let mut expected = messages.as_array().expect("a list")[1..].to_vec();
    expected[4]["content"] = json!("And again");
    assert_eq!(exported, json!(expected));

    let mut client = server.connect_to(session, 0).await;
    client.ask("And both together?").await.answered().says("It was 7.");
    let asked = llm.asked(1).await;
    assert_eq!(asked.messages()[1..=6], expected[..], "the model is given what was imported");
    let shown: Vec<&str> = client.frames.iter().filter_map(|frame| frame["type"].as_str()).collect();
    assert!(shown.contains(&"tool-call-end") && shown.contains(&"agent-response"), "{shown:?}");
}

#[tokio::test]
async fn a_file_that_is_no_conversation_is_refused_with_the_place() {
    let server = TestServer::start().await;
    let file = server.data().with_file_name("talk.json");
    let url = format!("http://{}", server.address());
    for (text, why) in [
        ("[", "not JSON"),
        ("{}", "neither"),
        (r#"[{"role": "user", "content": "a"}, {"role": "nobody", "content": "b"}]"#, "message 2"),
    ] {
        std::fs::write(&file, text).expect("a file");
        let import = Command::new(binary())
            .args(["sessions", "import", "--format", "openai", "--url", &url])
            .arg(&file)
            .output()
            .expect("it runs");
        let told = String::from_utf8_lossy(&import.stderr).into_owned();
        assert!(!import.status.success() && told.contains(why), "{told}");
    }
}
