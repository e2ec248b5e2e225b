//! Replies that come in pieces: every client gets the same text, whenever it came; secrets wait for their end.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, TestClient, TestServer};

use super::{KINDS, completes, needs_tools, one_tool, options, reply, reply_as, selects, server};

/// What the pieces amount to, each checked to join on.
fn joined(frames: &[Value]) -> String {
    let mut text = String::new();
    for frame in frames.iter().filter(|frame| frame["type"] == "agent-delta") {
        if frame["offset"] == 0 {
            text.clear();
        }
        assert_eq!(frame["offset"], text.len(), "a piece joins on: {frame}");
        assert!(frame.get("seq").is_none(), "a piece is not kept: {frame}");
        text.push_str(frame["text"].as_str().expect("a text"));
    }
    text
}

async fn until_shown(client: &mut TestClient, what: &str) {
    while !joined(&client.frames).contains(what) {
        client.next().await;
    }
}

#[tokio::test]
async fn a_reply_is_shown_while_it_is_written() {
    for kind in KINDS {
        let said = "Größe: 3 — *and* 😀 that is all.";
        let llm = ScriptedLlm::of(reply_as(kind, Answer::text(said).in_pieces_of(3).hold_after(5))).await;
        let server = server(&llm, kind).await;
        let mut client = server.connect().await;

        let id = client.post("How large is it?").await;
        until_shown(&mut client, "Größ").await;
        assert!(!client.frames.iter().any(|frame| frame["type"] == "agent-response"));
        llm.release();
        let turn = client.end_of(&id).await.answered();

        assert_eq!((turn.text(), joined(&turn.frames).as_str()), (said, said), "{kind}");
        let usage = &turn.end["usage"];
        let calls = if kind == "native" { 1 } else { 2 };
        assert_eq!(usage, &json!({"inputTokens": 11 * calls, "outputTokens": 7 * calls}), "{kind}");
    }
}

#[tokio::test]
async fn a_reply_after_a_tool_is_shown_while_it_is_written() {
    let said = "It says \"hello\",\nand no more.";
    for kind in KINDS {
        let llm = ScriptedLlm::of(one_tool(kind, "file_read", json!({"path": "a.txt"}), said)).await;
        let server = server(&llm, kind).await;
        server.file("a.txt", "hello");
        let mut client = server.connect().await;

        let turn = client.ask("Read the file a.txt").await.answered();

        assert_eq!((turn.text(), joined(&turn.frames).as_str()), (said, said), "{kind}");
    }
}

#[tokio::test]
async fn a_client_that_comes_back_gets_the_running_reply_once() {
    for kind in KINDS {
        let said = "one two three four five six seven";
        let llm = ScriptedLlm::of(reply_as(kind, Answer::text(said).in_pieces_of(4).hold_after(6))).await;
        let server = server(&llm, kind).await;
        let mut first = server.connect().await;
        let id = first.post("Count").await;
        until_shown(&mut first, "one two").await;
        let (session, after) = (first.session(), first.last_seq());
        first.close().await;

        let mut second = server.connect_to(session, after).await;
        until_shown(&mut second, "one two").await;
        let caught_up = second.frames.iter().find(|frame| frame["type"] == "agent-delta").expect("a piece").clone();
        llm.release();
        let turn = second.end_of(&id).await.answered();

        assert_eq!(caught_up["offset"], 0, "{kind}");
        assert_eq!((turn.text(), joined(&second.frames).as_str()), (said, said), "{kind}");
    }
}

#[tokio::test]
async fn a_secret_in_pieces_never_reaches_a_client() {
    let token = format!("ghp_{}", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2");
    for kind in KINDS {
        let llm = ScriptedLlm::of(reply_as(kind, Answer::text(format!("It is {token}, so.")).in_pieces_of(2))).await;
        let server = server(&llm, kind).await;
        let mut client = server.connect().await;

        let turn = client.ask("Tell me").await.answered().says("[redacted");

        let shown = joined(&turn.frames);
        assert!(shown.contains("[redacted") && shown.ends_with(", so."), "{kind}: {shown}");
        assert!(!format!("{:?}", client.frames).contains("aB3dE5"), "{kind}");
    }
}

#[tokio::test]
async fn a_call_that_the_model_writes_as_text_is_made_and_not_shown() {
    let call = "```json\n{{\"name\": \"file_read\", \"arguments\": {{\"path\": \"a.txt\"}}}}\n```";
    let llm = ScriptedLlm::of([Answer::text(call), completes("hello")]).await;
    let server = server(&llm, "native").await;
    server.file("a.txt", "hello");
    let mut client = server.connect().await;

    let turn = client.ask("Read the file a.txt").await.answered().says("hello");

    assert_eq!((turn.tools(), joined(&turn.frames).as_str()), (vec!["file_read"], "hello"));
}

#[tokio::test]
async fn a_decision_that_does_not_fit_is_asked_for_again_and_its_text_withdrawn() {
    let answers = [
        needs_tools(),
        selects("file_read", json!({"path": "a.txt"}), None),
        Answer::text("{\"complete\": \"yes\", \"userResponse\": \"wrong\"}"),
        completes("hello"),
    ];
    let llm = ScriptedLlm::of(answers).await;
    let server = server(&llm, "staged").await;
    server.file("a.txt", "hello");
    let mut client = server.connect().await;

    let turn = client.ask("Read the file a.txt").await.answered();

    assert_eq!((turn.text(), joined(&turn.frames).as_str()), ("hello", "hello"));
    assert!(llm.all()[3].last_text().contains("/complete"), "{}", llm.all()[3].last_text());
}

#[tokio::test]
async fn replies_are_written_as_the_settings_say_and_decisions_as_they_must() {
    for kind in KINDS {
        let llm = ScriptedLlm::of(reply(kind, "Fine.")).await;
        let mut options = options(&llm, kind);
        options.arguments.extend(["--temperature", "0.25", "--max-tokens", "99"].map(ToOwned::to_owned));
        let server = TestServer::start_with(options).await;

        server.connect().await.ask("How are you?").await.answered().says("Fine.");

        let asked = llm.all();
        let of = |body: &Value| (body["temperature"].as_f64(), body["max_tokens"].as_u64());
        assert_eq!(asked.last().map(|asked| of(&asked.body)), Some((Some(0.25), Some(99))), "{kind}");
        if kind == "staged" {
            assert_eq!(of(&asked[0].body), (Some(0.1), Some(1000)));
        }
    }
}
