//! Messages while the model is asked: behind it, into its turn, instead of it; and the end of what it was asked.

use serde_json::{Value, json};
use switchboard_tests::{Answer, ScriptedLlm, TestClient};

use super::{KINDS, cancel_and_ask_again, completes, needs_none, reply, reply_as, server};

async fn send(client: &mut TestClient, id: &str, text: &str, mode: &str) {
    client.send(json!({"type": "send-message", "messageId": id, "text": text, "mode": mode})).await;
    let taken = |frame: &Value| frame["type"] == "user-message" && frame["messageId"] == id;
    client.until("the acknowledgement", taken).await;
}

/// The requests to the model are valid: every call has its result behind it, and nothing answers no call.
fn valid(messages: &[Value]) {
    let mut open: Vec<&Value> = Vec::new();
    for message in messages {
        match message["role"].as_str() {
            Some("tool") => {
                let place = open.iter().position(|id| **id == message["tool_call_id"]);
                open.remove(place.unwrap_or_else(|| panic!("an orphan: {message}")));
            }
            _ => {
                assert!(open.is_empty(), "calls without results before {message}");
                open = message["tool_calls"].as_array().into_iter().flatten().map(|call| &call["id"]).collect();
            }
        }
    }
    assert!(open.is_empty(), "calls without results at the end");
}

#[tokio::test]
async fn a_cancelled_turn_lets_go_of_the_provider_and_leaves_a_valid_history() {
    for kind in KINDS {
        let held = reply_as(kind, Answer::text("one two three four").in_pieces_of(4).hold_after(3));
        let llm = ScriptedLlm::of(held.into_iter().chain(reply(kind, "Here again."))).await;

        cancel_and_ask_again(&server(&llm, kind).await, &llm).await;

        for asked in llm.all() {
            valid(asked.messages());
        }
    }
}

#[tokio::test]
async fn a_turn_cancelled_between_a_call_and_the_next_question_leaves_a_valid_history() {
    let answers = [
        Answer::calls([("file_read", json!({"path": "a.txt"})), ("bash", json!({"command": "sleep 600"}))]),
        Answer::text("Here again."),
    ];
    let llm = ScriptedLlm::of(answers).await;
    let server = server(&llm, "native").await;
    server.file("a.txt", "hello");
    let mut client = server.connect().await;
    let id = client.post("Read the file a.txt and run a command").await;
    client.until("the command's start", |f| f["type"] == "tool-call-start" && f["tool"] == "bash").await;

    client.send(json!({"type": "cancel", "messageId": id})).await;
    client.end_of(&id).await.failed("cancelled");
    client.ask("Are you there?").await.answered().says("Here again.");

    let asked = llm.asked(2).await;
    valid(asked.messages());
    assert_eq!(asked.last_text(), "Are you there?");
}

#[tokio::test]
async fn an_interrupting_message_replaces_the_question_to_the_model() {
    for kind in KINDS {
        let held = reply_as(kind, Answer::text("one two three").in_pieces_of(4).hold_after(2));
        let llm = ScriptedLlm::of(held.into_iter().chain(reply(kind, "42"))).await;
        let server = server(&llm, kind).await;
        let mut client = server.connect().await;
        let first = client.post("Count").await;
        client.until_type("agent-delta").await;

        send(&mut client, "now", "What is 6 * 7?", "interrupt").await;

        client.end_of(&first).await.failed("cancelled");
        client.end_of("now").await.answered().says("42");
        llm.dropped(1).await;
    }
}

#[tokio::test]
async fn a_steering_message_joins_the_turn_of_a_model_that_calls_tools() {
    let answers = [Answer::text("One.").hold_after(2), Answer::text("One, and 42.")];
    let llm = ScriptedLlm::of(answers).await;
    let server = server(&llm, "native").await;
    let mut client = server.connect().await;
    let first = client.post("Say one").await;
    llm.asked(1).await;

    send(&mut client, "joins", "And what is 6 * 7?", "steer").await;
    llm.release();
    let turn = client.end_of(&first).await.answered();

    assert_eq!((&turn.end["messageIds"], turn.text()), (&json!([first, "joins"]), "One, and 42."));
    assert_eq!(llm.asked(2).await.last_text(), "And what is 6 * 7?");
}

#[tokio::test]
async fn a_steering_message_joins_a_staged_turn_at_its_next_stage() {
    let llm = ScriptedLlm::start(|asked| match asked.schema() {
        Some("need") => super::needs_tools().hold_after(1),
        Some("selection") => super::selects("calculator", json!({"expression": "6 * 7"}), None),
        _ => super::completes("42, and hello."),
    })
    .await;
    let server = server(&llm, "staged").await;
    let mut client = server.connect().await;
    let first = client.post("Calculate 6 * 7").await;
    llm.asked(1).await;

    send(&mut client, "joins", "And say hello", "steer").await;
    llm.release();
    let turn = client.end_of(&first).await.answered();

    assert_eq!(turn.end["messageIds"], json!([first, "joins"]));
    assert!(llm.asked(2).await.last_text().contains("And say hello"));
}

#[tokio::test]
async fn a_queued_message_is_asked_after_the_running_turn() {
    for kind in KINDS {
        let held = reply_as(kind, Answer::text("First.").hold_after(1));
        let llm = ScriptedLlm::of(held.into_iter().chain(reply(kind, "Second."))).await;
        let server = server(&llm, kind).await;
        let mut client = server.connect().await;
        let first = client.post("One").await;
        llm.asked(if kind == "native" { 1 } else { 2 }).await;

        send(&mut client, "later", "Two", "queue").await;
        llm.release();

        client.end_of(&first).await.answered().says("First.");
        client.end_of("later").await.answered().says("Second.");
    }
}

#[tokio::test]
async fn e22_a_turn_goes_on_when_nobody_listens() {
    for kind in KINDS {
        let held = reply_as(kind, Answer::text("one two three").in_pieces_of(4).hold_after(2));
        let llm = ScriptedLlm::of(held).await;
        let server = server(&llm, kind).await;
        let mut client = server.connect().await;
        let id = client.post("Count").await;
        client.until_type("agent-delta").await;
        let (session, after) = (client.session(), client.last_seq());
        client.close().await;
        llm.release();

        let mut again = server.connect_to(session, after).await;
        let turn = again.end_of(&id).await;

        assert_eq!(turn.text(), "one two three", "{kind}");
        assert!(turn.end["usage"]["outputTokens"].as_u64() > Some(0), "what it cost is counted: {:#}", turn.end);
    }
}

#[tokio::test]
async fn the_session_says_which_model_reasons() {
    for kind in KINDS {
        let llm = ScriptedLlm::of([needs_none()]).await;
        let server = server(&llm, kind).await;
        let client = server.connect().await;
        assert_eq!(client.ready["reasoner"]["kind"], kind);
        assert_eq!(client.ready["reasoner"]["model"], "scripted");
    }
}

#[tokio::test]
async fn a_model_that_writes_its_calls_is_asked_stage_by_stage_from_then_on() {
    let written = json!({"name": "file_read", "arguments": {"path": "a.txt"}}).to_string();
    let llm = ScriptedLlm::start(move |asked| match (asked.schema(), asked.number) {
        (Some("need"), _) => needs_none(),
        (Some("decision"), _) => completes("It says hello."),
        (None, 1) => Answer::text(written.clone()),
        _ => Answer::text("You are welcome."),
    })
    .await;
    let server = server(&llm, "auto").await;
    server.file("a.txt", "hello");
    let mut client = server.connect().await;
    assert_eq!(client.ready["reasoner"]["kind"], "native");

    let turn = client.ask("Read the file a.txt").await.answered().says("It says hello.");
    assert_eq!(turn.tools(), ["file_read"]);
    let staged = |frame: &Value| frame["type"] == "session-update" && frame["reasoner"]["kind"] == "staged";
    if !client.frames.iter().any(staged) {
        client.until("the other reasoner", staged).await;
    }
    client.ask("Thank you").await.answered().says("You are welcome.");

    assert_eq!(llm.all()[2].schema(), Some("need"));
    assert_eq!(server.connect().await.ready["reasoner"]["kind"], "staged");
}
