//! What tools say of their work beside its result reaches the user and the model.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, ServerOptions, TestServer};

use super::{one_tool, options, server};

#[tokio::test]
async fn how_much_was_read_is_on_the_card_and_known_to_the_model() {
    for kind in super::KINDS {
        let llm =
            ScriptedLlm::of(one_tool(kind, "file_read", json!({"file_paths": ["a.txt", "b.txt"]}), "Read.")).await;
        let server = server(&llm, kind).await;
        server.file("a.txt", "one\ntwo\n");
        server.file("b.txt", "three\n");

        let turn = server.connect().await.ask("Read a.txt and b.txt").await.answered();

        let fields = &turn.first("tool-call-end")["fields"];
        assert_eq!((&fields["files_read"], &fields["lines"]), (&json!(2), &json!(3)), "{kind}");
        assert!(fields["estimated_tokens"].as_u64() > Some(0), "{kind}: {fields}");
        let last = llm.all().pop().expect("a request").body.to_string();
        assert!(last.contains("files_read: 2") && last.contains("lines: 3"), "{kind}: {last}");
    }
}

#[tokio::test]
async fn what_a_specialist_used_is_on_its_card() {
    let asks = Answer::calls([("reader", json!({"message": "What is in a.txt?"}))]);
    let reads = Answer::calls([("file_read", json!({"path": "a.txt"}))]);
    let llm = ScriptedLlm::of([asks, reads, Answer::text("hello"), Answer::text("It says hello.")]).await;
    let server = server(&llm, "native").await;
    server.file("a.txt", "hello\n");

    let turn = server.connect().await.ask("Ask the reader what is in a.txt").await.answered();

    let ends = turn.all("tool-call-end");
    let reader = ends.iter().find(|end| end["tool"] == "reader").expect("its end");
    assert_eq!(reader["fields"]["tools_used"], "file_read", "{reader:#}");
}

/// `file_write` changes only what was read in this conversation, and `/new` begins another.
#[tokio::test]
async fn a_new_conversation_has_read_nothing() {
    let read = || Answer::calls([("file_read", json!({"path": "a.txt"}))]);
    let write = || Answer::calls([("file_write", json!({"path": "a.txt", "content": "new", "overwrite": true}))]);
    let says = |text: &str| Answer::text(text);
    let llm = ScriptedLlm::of([read(), says("Read."), write(), says("Written."), write(), says("Not.")]).await;
    let server = server(&llm, "native").await;
    server.file("a.txt", "old\n");
    let mut client = server.connect().await;

    client.ask("Read a.txt").await;
    let before = client.ask("Overwrite it").await;
    client.command("/new").await;
    let after = client.ask("Overwrite a.txt").await;

    let worked = |turn: &switchboard_tests::Turn| turn.first("tool-call-end")["success"].clone();
    assert_eq!((worked(&before), worked(&after)), (json!(true), json!(false)));
}

#[tokio::test]
async fn what_is_set_to_always_confirm_asks_whatever_the_mode() {
    let calls =
        || Answer::calls([("calculator", json!({"expression": "6 * 7"})), ("bash", json!({"command": "true"}))]);
    for (names, asked) in [("calculator", vec!["calculator"]), ("shell", vec!["bash"]), ("glob", vec![])] {
        let llm = ScriptedLlm::of([calls(), Answer::text("Done.")]).await;
        let mut options: ServerOptions = options(&llm, "native");
        options.arguments.extend(["--always-confirm".to_owned(), names.to_owned()]);
        let server = TestServer::start_with(options).await;
        let mut client = server.connect().await;

        let id = client.post("Do both").await;
        for tool in &asked {
            let request = client.until_type("approval-request").await;
            assert_eq!(request["tool"], *tool);
            client.send(json!({"type": "approve-tool", "callId": request["callId"], "decision": "allow-once"})).await;
        }
        let turn = client.end_of(&id).await.answered();

        let requests: Vec<&Value> = turn.all("approval-request");
        assert_eq!(requests.len(), asked.len(), "{names}");
    }
}
