//! Claims about the way out and back.

use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;

#[test]
fn a_conversation_with_a_call_is_what_other_programs_expect() {
    let arguments = Map::from_iter([("path".to_owned(), json!("a.txt"))]);
    let messages = [
        ChatMessage::new(ChatRole::User, "read a.txt"),
        ChatMessage::calls(ToolCall { id: "c1".into(), name: "file_read".to_owned(), arguments }),
        ChatMessage::result(&"c1".into(), "hello"),
        ChatMessage::new(ChatRole::Assistant, "It says hello."),
    ];

    let transcript = to_transcript(&messages);

    let call =
        json!({"id": "c1", "type": "function", "function": {"name": "file_read", "arguments": "{\"path\":\"a.txt\"}"}});
    let expected = [
        json!({"role": "user", "content": "read a.txt"}),
        json!({"role": "assistant", "content": null, "tool_calls": [call]}),
        json!({"role": "tool", "content": "hello", "tool_call_id": "c1"}),
        json!({"role": "assistant", "content": "It says hello."}),
    ];
    assert_eq!(transcript, expected);
    assert_eq!(from_transcript(&transcript).as_deref(), Ok(messages.as_slice()));
}

#[test]
fn a_wrong_message_is_named() {
    let call = json!({"id": "c1", "function": {"name": "glob", "arguments": "[]"}});
    let transcript = [json!({"role": "user", "content": "hi"}), json!({"role": "assistant", "tool_calls": [call]})];

    let error = from_transcript(&transcript).map_err(|error| error.to_string());

    let text = error.expect_err("a list is no object");
    assert!(
        text.starts_with("read message 2 of the transcript: the arguments of glob are not a JSON object"),
        "{text}"
    );
}

proptest! {
    #[test]
    fn what_goes_out_comes_back(texts in proptest::collection::vec((0..4_u8, any::<String>(), any::<String>()), 0..8)) {
        let messages: Vec<ChatMessage> = texts
            .into_iter()
            .map(|(role, text, other)| match role {
                0 => ChatMessage::new(ChatRole::System, text),
                1 => ChatMessage::new(ChatRole::User, text),
                2 => ChatMessage::result(&CallId(other), text),
                _ => {
                    let arguments = Map::from_iter([(text, json!(other))]);
                    ChatMessage::calls(ToolCall { id: "c".into(), name: other, arguments })
                }
            })
            .collect();

        prop_assert_eq!(from_transcript(&to_transcript(&messages)), Ok(messages));
    }
}
