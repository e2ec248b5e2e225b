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

    let transcript = to_transcript(&messages, &Pictures::new());

    let call =
        json!({"id": "c1", "type": "function", "function": {"name": "file_read", "arguments": "{\"path\":\"a.txt\"}"}});
    let expected = [
        json!({"role": "user", "content": "read a.txt"}),
        json!({"role": "assistant", "content": null, "tool_calls": [call]}),
        json!({"role": "tool", "content": "hello", "tool_call_id": "c1"}),
        json!({"role": "assistant", "content": "It says hello."}),
    ];
    assert_eq!(transcript, expected);
    assert_eq!(from_transcript(&transcript).map(|read| read.messages).as_deref(), Ok(messages.as_slice()));
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

/// Pictures of these sides.
fn pictures(sides: &[u8]) -> Vec<LoadedPicture> {
    let picture = |side: &u8| LoadedPicture::of([&b"GIF89a"[..], &[*side + 1, 0, 5, 0, 0, 0, 0]].concat().into());
    sides.iter().filter_map(picture).collect()
}

/// A text with these pictures between its halves and, for a result, behind it.
fn shown(role: u8, text: &str, loaded: &[LoadedPicture]) -> Content {
    let half = text.floor_char_boundary(text.len() / 2);
    let (first, second) = if role == 2 { (text, "") } else { text.split_at(half) };
    let mut content = Content::from(first);
    loaded.iter().for_each(|loaded| content.push_picture(loaded.picture.clone()));
    content.push_text(second);
    content
}

#[test]
fn a_result_keeps_its_pictures_and_the_request_behind_it_its_own() {
    let [one, two] = &pictures(&[1, 2])[..] else { panic!("two pictures") };
    let all = Pictures::from_iter([one, two].map(|shown| (shown.picture.hash.clone(), shown.data.clone())));
    let call = ToolCall { id: "c1".into(), name: "file_read".to_owned(), arguments: Map::new() };
    let messages = [
        ChatMessage::new(ChatRole::User, "read a.gif"),
        ChatMessage::calls(call),
        ChatMessage::result(&"c1".into(), shown(2, "a picture", std::slice::from_ref(one))),
        ChatMessage::new(ChatRole::User, shown(1, "compare it", std::slice::from_ref(two))),
    ];

    let transcript = to_transcript(&messages, &all);

    assert_eq!(transcript[2], json!({"role": "tool", "content": "a picture", "tool_call_id": "c1"}));
    let parts = transcript[3]["content"].as_array().expect("parts");
    let kinds: Vec<&str> = parts.iter().filter_map(|part| part["type"].as_str()).collect();
    assert_eq!(kinds, ["text", "image_url", "text", "image_url", "text"], "{parts:?}");
    let read = from_transcript(&transcript).expect("it is a transcript");
    assert_eq!((read.messages.as_slice(), read.pictures.len()), (&messages[..], 2));

    let without = to_transcript(&messages, &Pictures::new());
    assert_eq!(without[2]["content"], "a picture\n[GIF picture of 2 × 5 pixels, 13 bytes]");
    assert_eq!(without.len(), 4, "words take no message of their own");
}

proptest! {
    #[test]
    fn what_goes_out_comes_back(
        said in proptest::collection::vec(
            (0..4_u8, any::<String>(), any::<String>(), proptest::collection::vec(0..3_u8, 0..3)),
            0..8,
        ),
    ) {
        let mut all = Pictures::new();
        let messages: Vec<ChatMessage> = said
            .into_iter()
            .zip(0..)
            .map(|((role, text, other, sides), number)| {
                let loaded = pictures(&sides);
                all.extend(loaded.iter().map(|loaded| (loaded.picture.hash.clone(), loaded.data.clone())));
                match role {
                    0 => ChatMessage::new(ChatRole::System, text),
                    1 => ChatMessage::new(ChatRole::User, shown(role, &text, &loaded)),
                    2 => ChatMessage::result(&CallId(format!("{other}{number}")), shown(role, &text, &loaded)),
                    _ => {
                        let arguments = Map::from_iter([(text, json!(other))]);
                        ChatMessage::calls(ToolCall { id: "c".into(), name: other, arguments })
                    }
                }
            })
            .collect();

        let read = from_transcript(&to_transcript(&messages, &all)).map(|read| read.messages);

        prop_assert_eq!(read, Ok(messages));
    }
}
