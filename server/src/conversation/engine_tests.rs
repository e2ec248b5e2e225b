//! Claims about memory, window and tokens.

use serde_json::Map;
use switchboard_protocol::CallId;

use super::*;
use crate::events::ToolCall;

fn engine(max_history: Option<usize>) -> ToolAwareChatEngine {
    ToolAwareChatEngine::new(Arc::new(ChatConfig { max_history, ..ChatConfig::default() }))
}

fn call(id: &str) -> ChatMessage {
    ChatMessage::calls(ToolCall { id: id.into(), name: "file_read".to_owned(), arguments: Map::new() })
}

fn result(id: &str) -> ChatMessage {
    ChatMessage::result(&CallId::from(id), format!("result of {id}"))
}

fn user(text: &str) -> ChatMessage {
    ChatMessage::new(ChatRole::User, text)
}

fn assistant(text: &str) -> ChatMessage {
    ChatMessage::new(ChatRole::Assistant, text)
}

/// Adds the messages and compares the window.
fn check(max_history: Option<usize>, messages: &[ChatMessage], expected: &[ChatMessage]) {
    let mut engine = engine(max_history);
    for message in messages {
        engine.add(message.clone());
    }
    let window: Vec<ChatMessage> = engine.window().iter().map(|message| ChatMessage::clone(message)).collect();
    assert_eq!(window, expected);
    assert_eq!(engine.messages().cloned().collect::<Vec<_>>(), messages);
}

#[test]
fn every_message_is_kept_tool_messages_included() {
    let said = [user("read a"), call("1"), result("1"), assistant("done")];
    check(None, &said, &said);
}

#[test]
fn a_short_history_keeps_the_first_request_and_the_newest_messages() {
    let said = [user("first"), assistant("a"), user("second"), assistant("b"), user("third")];
    check(Some(3), &said, &[user("first"), assistant("b"), user("third")]);
}

#[test]
fn a_short_history_does_not_part_a_call_from_its_result() {
    let said = [user("first"), user("read"), call("1"), result("1"), assistant("done")];
    check(Some(3), &said, &[user("first"), assistant("done")]);
    check(Some(4), &said, &[user("first"), call("1"), result("1"), assistant("done")]);
}

#[test]
fn the_newest_call_is_there_however_short_the_history() {
    let said = [user("first"), user("read"), call("1"), result("1")];
    check(Some(0), &said, &[user("first"), call("1"), result("1")]);
    check(Some(1), &[user("only")], &[user("only")]);
    check(Some(1), &[], &[]);
}

#[test]
fn calls_without_result_and_results_without_call_stay_out_of_the_window() {
    let said = [user("first"), call("1"), user("second"), result("9"), call("2"), result("2")];
    let expected = [user("first"), user("second"), call("2"), result("2")];
    check(None, &said, &expected);
    check(Some(9), &said, &expected);
}

#[test]
fn tokens_are_those_of_the_window() {
    let mut all = engine(None);
    let mut short = engine(Some(2));
    for message in [user("12345678"), assistant("123456789"), user("1")] {
        all.add(message.clone());
        short.add(message);
    }
    assert_eq!((all.tokens(), short.tokens()), (2 + 3 + 1, 2 + 1));

    all.add(call("1"));
    assert_eq!(all.tokens(), 6 + 3, "file_read{{}} has 11 characters");
}

#[test]
fn a_snapshot_does_not_see_what_is_said_later() {
    let mut engine = engine(None);
    engine.add(user("first"));

    let snapshot = engine.clone();
    engine.add(assistant("second"));
    engine.new_conversation();
    engine.add(user("third"));

    assert_eq!(snapshot.messages().cloned().collect::<Vec<_>>(), [user("first")]);
    assert_eq!(engine.messages().cloned().collect::<Vec<_>>(), [user("third")]);
    assert_eq!(engine.tokens(), 2);
}

#[test]
fn recent_texts_are_those_of_user_and_assistant() {
    let mut engine = engine(None);
    for message in [user("a"), assistant("b"), call("1"), result("1"), user("c")] {
        engine.add(message);
    }
    assert_eq!(engine.recent(2), [&assistant("b"), &user("c")]);
    assert_eq!(engine.recent(9).len(), 3);
}
