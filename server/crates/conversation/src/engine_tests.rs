//! Claims about memory, window and tokens.

use proptest::prelude::*;
use serde_json::Map;
use switchboard_protocol::CallId;

use super::*;
use crate::test_support::assert_valid;
use switchboard_events::{Content, LoadedPicture, ToolCall};

fn engine(max_history: Option<usize>) -> ToolAwareChatEngine {
    ToolAwareChatEngine::new(Arc::new(ChatConfig { max_history, ..ChatConfig::default() }))
}

fn small(context_tokens: u64) -> ToolAwareChatEngine {
    let config = ChatConfig { context_tokens: Some(context_tokens), max_tokens: 0, ..ChatConfig::default() };
    ToolAwareChatEngine::new(Arc::new(ChatConfig { enable_summarization: true, ..config }))
}

fn call(id: &str) -> ChatMessage {
    calls(&[id])
}

fn calls(ids: &[&str]) -> ChatMessage {
    let call = |id: &&str| ToolCall { id: (*id).into(), name: "file_read".to_owned(), arguments: Map::new() };
    ChatMessage { tool_calls: ids.iter().map(call).collect(), ..ChatMessage::new(ChatRole::Assistant, "") }
}

fn result(id: &str) -> ChatMessage {
    ChatMessage::result(&CallId::from(id), format!("result of {id}"))
}

fn large(id: &str, bytes: usize) -> ChatMessage {
    let text = format!("{}\n(stored as @value_{id})", "some words of it\n".repeat(bytes / 17));
    ChatMessage::result(&CallId::from(id), text)
}

fn user(text: &str) -> ChatMessage {
    ChatMessage::new(ChatRole::User, text)
}

fn assistant(text: &str) -> ChatMessage {
    ChatMessage::new(ChatRole::Assistant, text)
}

fn given(engine: &ToolAwareChatEngine) -> Vec<ChatMessage> {
    engine.window().iter().map(|message| ChatMessage::clone(message)).collect()
}

/// Adds the messages and compares the window.
fn check(max_history: Option<usize>, messages: &[ChatMessage], expected: &[ChatMessage]) {
    let mut engine = engine(max_history);
    for message in messages {
        engine.add(message.clone());
    }
    assert_eq!(given(&engine), expected);
    assert_eq!(engine.messages().cloned().collect::<Vec<_>>(), messages);
    assert_eq!(engine.len(), messages.len());
}

fn cost(window: &[Arc<ChatMessage>]) -> u64 {
    window.iter().map(|message| tokens::estimate(message)).sum()
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
    let said = [user("first"), call("1"), result("1"), assistant("done"), user("next"), assistant("ok")];
    check(Some(4), &said, &[user("first"), assistant("done"), user("next"), assistant("ok")]);
    check(Some(5), &said, &[user("first"), assistant("done"), user("next"), assistant("ok")]);
    check(Some(6), &said, &said);
}

#[test]
fn the_newest_call_and_the_request_are_there_however_short_the_history() {
    let said = [user("first"), assistant("a"), user("read"), call("1"), result("1")];
    check(Some(0), &said, &[user("first"), user("read"), call("1"), result("1")]);
    check(Some(1), &[user("only")], &[user("only")]);
    check(Some(1), &[], &[]);
}

#[test]
fn calls_without_result_and_results_without_call_stay_out_of_the_window() {
    let said = [user("first"), call("1"), user("second"), result("9"), call("2"), result("2"), assistant(" ")];
    let expected = [user("first"), user("second"), call("2"), result("2")];
    check(None, &said, &expected);
    check(Some(9), &said, &expected);
}

#[test]
fn several_calls_and_all_their_results_are_one_unit() {
    let mut engine = engine(None);
    for message in [user("both"), calls(&["1", "2"]), result("2")] {
        engine.add(message);
    }
    assert_eq!(given(&engine), [user("both")], "one of two results is there");

    engine.add(user("and be quick"));
    engine.add(result("1"));
    let expected = [user("both"), calls(&["1", "2"]), result("2"), result("1"), user("and be quick")];
    assert_eq!(given(&engine), expected, "a result stands behind its call, whatever was said between");
}

#[test]
fn a_picture_costs_tokens_and_is_told_in_words_where_there_is_no_room_for_it() {
    let picture = |side: u32| {
        let sides = [side.to_be_bytes(), side.to_be_bytes()].concat();
        let png = [&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], &sides].concat();
        let mut content = Content::from("look at this");
        content.push_picture(LoadedPicture::of(png.into()).expect("a picture").picture);
        ChatMessage::new(ChatRole::User, content)
    };
    let window_of = |side: u32| {
        let mut engine = small(2000);
        engine.add(picture(side));
        (engine.tokens(), engine.window().remove(0))
    };

    let (tokens, shown) = window_of(300);
    assert!((200..300).contains(&tokens) && shown.content.has_pictures(), "{tokens}");
    let (tokens, told) = window_of(2000);
    assert!(tokens < 100 && !told.content.has_pictures(), "{tokens}");
    assert_eq!(told.content.text(), "look at this\n[PNG picture of 2000 × 2000 pixels, 24 bytes]");
}

#[test]
fn tokens_are_those_of_the_window_and_grow_with_what_is_said() {
    let mut all = engine(None);
    let mut short = engine(Some(2));
    for message in [user("twelve plus three"), assistant("fifteen"), user("thanks")] {
        all.add(message.clone());
        short.add(message);
    }
    assert_eq!(all.tokens() - short.tokens(), tokens::estimate(&assistant("fifteen")));

    let before = all.tokens();
    all.add(call("1"));
    assert_eq!(all.tokens(), before, "a call waits for its result");
    all.add(result("1"));
    assert_eq!(all.tokens(), before + tokens::estimate(&call("1")) + tokens::estimate(&result("1")));
}

#[test]
fn tokens_of_a_text() {
    for (text, count) in [
        ("", 0),
        ("The quick brown fox", 4),
        ("internationalization", 4),
        ("1234567890", 5),
        ("a, b", 3),
        ("----------------", 4),
        ("\n        x", 4),
        ("今天天气", 4),
        ("привет", 2),
        ("🙂", 2),
    ] {
        assert_eq!(tokens::text(text), count, "{text}");
    }
}

#[test]
fn an_estimate_is_0_8_to_2_times_what_a_model_counts() {
    let samples = include_str!("token_samples.jsonl").lines().map(|line| {
        serde_json::from_str::<serde_json::Value>(line).expect("a sample is an object with `name`, `text` and `o200k`")
    });
    let off: Vec<_> = samples
        .filter_map(|sample| {
            let (estimate, counted) = (tokens::text(sample["text"].as_str()?), sample["o200k"].as_u64()?);
            let fits = estimate * 10 >= counted * 8 && estimate <= counted * 2;
            (!fits).then(|| format!("{}: {estimate} for {counted}", sample["name"]))
        })
        .collect();
    assert!(off.is_empty(), "{off:#?}");
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

#[test]
fn a_large_result_is_whole_in_its_own_turn_and_a_preview_with_its_name_later() {
    let mut engine = engine(None);
    for message in [user("read it"), call("1"), large("1", 8000)] {
        engine.add(message);
    }
    assert_eq!(given(&engine)[2], large("1", 8000));

    engine.add(assistant("read"));
    engine.add(user("and now?"));
    let preview = &given(&engine)[2];
    assert!(preview.content.text().len() < 2200, "{}", preview.content.text().len());
    assert!(
        preview.content.text().ends_with("(stored as @value_1)") && preview.content.text().contains("bytes left out")
    );
}

#[test]
fn a_message_that_is_larger_than_the_window_is_cut() {
    let mut engine = small(1000);
    engine.add(user(&"many words ".repeat(50_000)));
    engine.add(calls(&["1", "2", "3"]));
    for id in ["1", "2", "3"] {
        engine.add(large(id, 20_000));
    }
    let window = engine.window();
    assert_valid(&window);
    assert_eq!(window.len(), 5);
    assert!(cost(&window) <= 1000, "{}", cost(&window));
    assert!(
        window[0].content.text().starts_with("many words")
            && window[4].content.text().ends_with("(stored as @value_3)")
    );
}

#[test]
fn two_thousand_messages_with_large_results_stay_inside_eight_thousand_tokens() {
    let mut engine = small(8000);
    let (mut looked_at, mut largest) = (0, 0);
    for turn in 0..500 {
        let id = format!("c{turn}");
        for message in [user(&format!("request {turn}")), call(&id), large(&id, 20_000), assistant("done")] {
            engine.add(message);
            crate::units::LOOKS.set(0);
            let window = engine.window();
            looked_at = looked_at.max(crate::units::LOOKS.get());
            assert_valid(&window);
            largest = largest.max(cost(&window));
        }
    }

    assert_eq!(engine.len(), 2000);
    assert!((6000..=8000).contains(&largest), "{largest}");
    // A unit is looked at only if it is taken or ends the walk: more messages do not make it longer.
    assert!(looked_at <= 200, "{looked_at}");
    let window = given(&engine);
    assert_eq!(window[0], user("request 0"));
    assert!(window.contains(&user("request 499")));
}

#[test]
fn adding_copies_a_page_at_most_however_long_the_conversation_is() {
    let mut engine = engine(None);
    for _ in 0..2000 {
        engine.add(user("something"));
    }
    let snapshot = engine.clone();
    engine.add(user("something else"));

    assert_eq!(snapshot.len(), 2000);
    let shared = snapshot.messages().zip(engine.messages()).filter(|(old, new)| std::ptr::eq(*old, *new)).count();
    assert_eq!(shared, 2000, "what was said before is shared, not copied");
}

#[test]
fn what_falls_out_is_summarised_once_and_the_summary_stands_in_the_window() {
    let mut engine = small(1000);
    engine.add_at(user("first of all"), 1);
    let mut seq = 1;
    while engine.overflow().is_none() {
        seq += 1;
        engine.add_at(user(&format!("request {seq} {}", "word ".repeat(20))), seq);
        assert!(seq < 1000, "nothing ever falls out");
    }
    let overflow = engine.overflow().expect("something has fallen out");
    assert_eq!(
        (overflow.from_seq, overflow.messages.first().map(|first| first.content.text().contains("request 2"))),
        (2, Some(true))
    );
    assert!(overflow.to_seq < seq);

    let text = crate::extract(&overflow);
    assert!(text.contains("- The user: request 2"), "{text}");
    engine.summarized(Summary { text, from_seq: overflow.from_seq, to_seq: overflow.to_seq });
    assert_eq!(engine.overflow(), None);
    let window = engine.window();
    assert_valid(&window);
    assert!(cost(&window) <= 1000);
    assert!(
        window[0].content.text().starts_with("first of all")
            && window[0].content.text().contains("Summary of what was said")
    );
    assert!(
        window[1].content.text().starts_with(&format!("request {} ", overflow.to_seq + 1)),
        "{}",
        window[1].content.text()
    );
    assert!(engine.tokens() < 800, "there is room again: {}", engine.tokens());
}

#[derive(Debug, Clone)]
enum Said {
    User(usize),
    Assistant(usize),
    Calls { count: usize, answered: usize, bytes: usize, interrupted: bool },
    Orphan,
    Summary,
}

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        3 => (0_usize..3000).prop_map(Said::User),
        1 => (20_000_usize..200_000).prop_map(Said::User),
        3 => (0_usize..5000).prop_map(Said::Assistant),
        6 => (1_usize..6, 0_usize..7, 0_usize..20_000, any::<bool>())
            .prop_map(|(count, answered, bytes, interrupted)| Said::Calls { count, answered, bytes, interrupted }),
        1 => Just(Said::Orphan),
        1 => Just(Said::Summary),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_window_is_valid_and_inside_its_limit(
        conversation in proptest::collection::vec(said(), 1..60),
        limit in 1000_u64..20_000,
        others in 0_u64..500,
    ) {
        let mut engine = small(limit);
        let mut asked = None;
        for (number, said) in conversation.into_iter().enumerate() {
            match said {
                Said::User(bytes) => {
                    engine.add(user(&format!("{number} {}", "a word".repeat(bytes / 6))));
                    asked = Some(format!("{number} "));
                }
                Said::Assistant(bytes) => engine.add(assistant(&"ab ".repeat(bytes / 3))),
                Said::Calls { count, answered, bytes, interrupted } => {
                    let ids: Vec<String> = (0..count).map(|call| format!("{number}-{call}")).collect();
                    engine.add(calls(&ids.iter().map(String::as_str).collect::<Vec<_>>()));
                    if interrupted {
                        engine.add(user("one more thing"));
                        asked = Some("one more thing".to_owned());
                    }
                    ids.iter().take(answered).for_each(|id| engine.add(large(id, bytes)));
                }
                Said::Orphan => engine.add(result("nobody called")),
                Said::Summary => {
                    if let Some(overflow) = engine.overflow() {
                        let text = crate::extract(&overflow);
                        engine.summarized(Summary { text, from_seq: overflow.from_seq, to_seq: overflow.to_seq });
                    }
                }
            }
            let window = engine.window_beside(others);
            assert_valid(&window);
            prop_assert!(cost(&window) + others <= limit, "{} and {others} of {limit}", cost(&window));
            if let Some(asked) = &asked {
                let heard = window.iter().any(|message| message.role == ChatRole::User && message.content.text().starts_with(asked));
                prop_assert!(heard, "the request that is being answered is not in the window");
            }
        }
    }
}
