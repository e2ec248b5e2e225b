//! Claims about turns of a model that calls tools itself: real tools, a real workspace, a scripted model.

use std::sync::Arc;

use serde_json::json;
use switchboard_protocol::{ReasonerKind, ServerMessage, Step};

use crate::UserMessage;
use crate::test_support::TestSession;
use crate::test_support::{ScriptedModel, calls, ends, garbled, says};
use switchboard_events::ChatRole;
use switchboard_llm::{FinishReason, LlmError, LlmReply};

fn session(files: &[(&str, &str)], script: Vec<Result<LlmReply, LlmError>>) -> (TestSession, Arc<ScriptedModel>) {
    let model = ScriptedModel::of(script);
    (TestSession::with_files(model.reasoner(ReasonerKind::Native), files), model)
}

fn steps(session: &TestSession) -> Vec<Step> {
    let steps = session.host.messages().into_iter().filter_map(|message| match message {
        ServerMessage::AgentThinking { step, .. } => Some(step),
        _ => None,
    });
    steps.collect()
}

#[tokio::test]
async fn one_call_of_the_model_decides_and_the_next_one_answers() {
    let script = vec![calls(&[("call_1", "file_read", json!({"path": "a.txt"}))]), says("It says **hello**.")];
    let (session, model) = session(&[("a.txt", "hello\n")], script);

    let turned = session.say("Read the file a.txt").await;

    assert_eq!((turned.text.as_str(), turned.complete), ("It says **hello**.", true));
    assert_eq!((turned.tools, turned.updated), (vec!["file_read".to_owned()], vec!["file_content".to_owned()]));
    let [first, second] = &model.asked()[..] else { panic!("two questions") };
    assert!(first.tools.iter().any(|tool| tool.name == "file_read"));
    assert_eq!(first.tools.last().map(|tool| tool.name.as_str()), Some("find_tools"));
    let [user, call, result] = &second.messages[..] else { panic!("{:?}", second.messages) };
    assert_eq!((user.role, call.role, result.role), (ChatRole::User, ChatRole::Assistant, ChatRole::Tool));
    assert_eq!(call.tool_calls[0].id.0, "call_1");
    assert_eq!(result.tool_call_id.as_ref().map(|id| id.0.as_str()), Some("call_1"));
    assert!(result.content.text().contains("hello"), "{:?}", result.content);
    use Step::{Analyzing, Deciding, Executing, Searching, Selecting};
    assert_eq!(steps(&session), [Analyzing, Searching, Analyzing, Selecting, Executing, Deciding]);
    let text: String = session.host.deltas().into_iter().map(|(_, text)| text).collect();
    assert_eq!(text, "It says **hello**.");
}

#[tokio::test]
async fn an_id_that_the_session_has_seen_is_replaced() {
    let read = |path: &str| calls(&[("call_1", "file_read", json!({"path": path}))]);
    let (session, model) =
        session(&[("a.txt", "1"), ("b.txt", "2")], vec![read("a.txt"), says("1"), read("b.txt"), says("2")]);

    session.say("Read a.txt").await;
    session.say("Read b.txt").await;

    let last = model.asked().pop().expect("a question");
    let ids: Vec<&str> = last.messages.iter().flat_map(|m| &m.tool_calls).map(|call| call.id.0.as_str()).collect();
    assert_eq!(ids[0], "call_1");
    assert!(ids.len() == 2 && ids[1] != "call_1", "{ids:?}");
}

#[tokio::test]
async fn calls_that_read_run_together_and_others_in_order() {
    let both = calls(&[
        ("1", "file_read", json!({"path": "a.txt"})),
        ("2", "file_read", json!({"path": "b.txt", "output_variable": "second"})),
    ]);
    let write = calls(&[
        ("3", "calculator", json!({"expression": "6 * 7", "output_variable": "answer"})),
        ("4", "file_write", json!({"path": "c.txt", "content": "@second"})),
    ]);
    let (session, _) = session(&[("a.txt", "one"), ("b.txt", "two")], vec![both, write, says("Done.")]);

    let turned = session.say("Read the files a.txt and b.txt, and write b to c.txt").await;

    assert_eq!(turned.text, "Done.");
    assert_eq!(turned.operations, 4);
    assert_eq!(session.file("c.txt").as_deref(), Some("two"));
    assert_eq!(session.variable("second").await, Some(json!("two")));
}

#[tokio::test]
async fn calls_written_as_text_are_made_and_never_shown() {
    let written = "```json\n{\"name\": \"file_read\", \"arguments\": {\"path\": \"a.txt\"}}\n```";
    let (session, _) = session(&[("a.txt", "hello")], vec![says(written), says("hello")]);

    let turned = session.say("Read the file a.txt").await;

    assert_eq!((turned.tools, turned.text.as_str()), (vec!["file_read".to_owned()], "hello"));
    let text: String = session.host.deltas().into_iter().map(|(_, text)| text).collect();
    assert_eq!(text, "hello");
}

#[tokio::test]
async fn a_model_that_hands_the_question_back_is_told_to_answer_it() {
    let back = json!({"question": "What is the capital of France?", "choices": ["Paris", "London"]});
    let (session, model) = session(&[], vec![calls(&[("1", "ask_user", back)]), says("Paris")]);

    let turned = session.say("What is the capital of France? Answer in one word.").await;

    assert_eq!((turned.text.as_str(), turned.operations), ("Paris", 0));
    let answer = model.asked()[1].messages.last().expect("a message").content.text().to_owned();
    assert!(answer.contains("answer it yourself"), "{answer}");
}

#[tokio::test]
async fn the_model_may_search_for_tools() {
    let script = vec![
        calls(&[("1", "find_tools", json!({"query": "evaluate an arithmetic expression"}))]),
        calls(&[("2", "calculator", json!({"expression": "6 * 7"}))]),
        says("42"),
    ];
    let (session, model) = session(&[], script);

    let turned = session.say("Hello there").await;

    assert_eq!((turned.tools, turned.complete), (vec!["calculator".to_owned()], true));
    let asked = model.asked();
    assert!(asked[1].tools.iter().any(|tool| tool.name == "calculator"));
    let answer = asked[1].messages.last().expect("a message");
    assert!(answer.role == ChatRole::Tool && answer.content.text().contains("calculator"), "{answer:?}");
}

#[tokio::test]
async fn e13_a_tool_that_is_not_there_is_answered_with_suggestions_and_three_times_is_enough() {
    let wrong = |id: &str| calls(&[(id, "file_raed", json!({"path": "a.txt"}))]);
    let (session, model) = session(&[("a.txt", "x")], vec![wrong("1"), wrong("2"), wrong("3")]);

    let turned = session.say("Read the file a.txt").await;

    assert_eq!(turned.code.as_deref(), Some("unknown-tool"));
    let answer = model.asked()[1].messages.last().expect("a message").content.text().to_owned();
    assert!(answer.contains("there is no tool with this name") && answer.contains("file_read"), "{answer}");
}

#[tokio::test]
async fn e12_arguments_that_cannot_be_read_are_sent_back_and_never_run() {
    let wrong = || calls(&[("1", "file_read", json!({"path": 3}))]);
    let script = vec![garbled("1", "file_read"), wrong(), wrong(), wrong()];
    let (session, model) = session(&[("a.txt", "x")], script);

    let turned = session.say("Read the file a.txt").await;

    assert_eq!((turned.code.as_deref(), turned.operations), (Some("invalid-arguments"), 0));
    let answer = model.asked()[1].messages.last().expect("a message").content.text().to_owned();
    assert!(answer.contains("no JSON object"), "{answer}");
    assert_eq!(model.asked().len(), 4, "three corrections");
}

#[tokio::test]
async fn e14_more_than_sixteen_calls_at_once_are_not_made() {
    let many: Vec<_> = (0..500).map(|n| (format!("c{n}"), json!({"expression": format!("{n} + 1")}))).collect();
    let many: Vec<_> = many.iter().map(|(id, arguments)| (id.as_str(), "calculator", arguments.clone())).collect();
    let (session, model) = session(&[], vec![calls(&many), says("Enough.")]);

    let turned = session.say("Calculate a lot").await;

    assert_eq!((turned.operations, turned.text.as_str()), (16, "Enough."));
    let asked = model.asked().pop().expect("a question");
    let refused = asked.messages.iter().filter(|message| message.content.text().contains("too_many_calls")).count();
    let answers = asked.messages.iter().filter(|message| message.role == ChatRole::Tool).count();
    let called: usize = asked.messages.iter().map(|message| message.tool_calls.len()).sum();
    assert!(refused > 16, "{refused}");
    assert_eq!(called, answers, "each call that the window has room for has its answer");
}

#[tokio::test]
async fn e15_the_same_call_again_and_again_ends_the_turn() {
    let same = |n: u32| calls(&[(&n.to_string(), "calculator", json!({"expression": "6 * 7"}))]);
    let (session, _) = session(&[], (0..50).map(same).collect());

    let turned = session.say("Calculate 6 * 7").await;

    assert_eq!((turned.code.as_deref(), turned.tools.len()), (Some("loop-detected"), 1));
    assert!(turned.text.contains("kept repeating"), "{}", turned.text);
}

#[tokio::test]
async fn e15_the_third_identical_failure_ends_the_turn() {
    let call = |n: u32, name| calls(&[(&n.to_string(), "file_read", json!({"file_paths": [name]}))]);
    let write = calls(&[("w", "file_write", json!({"path": "other.txt", "content": "x"}))]);
    let mut script: Vec<_> = [call(1, "a.txt"), call(2, "a.txt"), write, call(3, "a.txt"), call(4, "b.txt")].into();
    script.extend((5..50).map(|n| call(n, "a.txt")));
    let (session, model) = session(&[], script);

    let turned = session.say("Read a.txt").await;

    // After the write it runs again, so it is a new one; its second and third failure are the sixth and seventh answer.
    assert_eq!((turned.code.as_deref(), model.asked().len()), (Some("loop-detected"), 7), "{}", turned.text);
    assert!(turned.text.contains("the same call to file_read has now failed 3 times"), "{}", turned.text);
}

#[tokio::test]
async fn e16_rounds_have_an_end() {
    let other = |n: u32| calls(&[(&n.to_string(), "calculator", json!({"expression": format!("{n} * 7")}))]);
    let (session, model) = session(&[], (0..50).map(other).collect());

    let turned = session.say("Calculate a lot").await;

    assert_eq!(turned.code.as_deref(), Some("max-iterations"));
    assert_eq!(model.asked().len(), 11);
    assert!(turned.text.contains("calculator_result"), "{}", turned.text);
}

#[tokio::test]
async fn e17_what_is_cut_off_or_filtered_is_no_success() {
    let cut = || {
        calls(&[("1", "file_write", json!({"path": "x", "content": "half"}))])
            .map(|reply| LlmReply { finish: FinishReason::Length, ..reply })
    };
    let script = vec![
        ends("The answer is", FinishReason::Length),
        ends("", FinishReason::Filtered),
        cut(),
        cut(),
        ends("Fine.", FinishReason::Unknown),
        says("  "),
    ];
    let (session, _) = session(&[], script);

    let cut = session.say("Say much").await;
    assert!(!cut.complete && cut.text.starts_with("The answer is…") && cut.text.contains("limit"), "{}", cut.text);
    assert_eq!(session.say("Say bad things").await.code.as_deref(), Some("provider-filtered"));
    assert_eq!(session.say("Write it").await.code.as_deref(), Some("model-reply-cut-off"));
    assert_eq!(session.file("x"), None);
    assert_eq!(session.say("How are you?").await.text, "Fine.");
    assert_eq!(session.say("Hm").await.code.as_deref(), Some("model-failed"));
}

#[tokio::test]
async fn e06_a_conversation_that_is_too_long_is_shortened_once() {
    let long = || Err(LlmError::ContextTooLong("8192 tokens".to_owned()));
    let script = vec![says("one"), says("two"), says("three"), long(), says("four"), long(), long()];
    let (session, model) = session(&[], script);
    for text in ["1", "2", "3"] {
        session.say(text).await;
    }

    assert_eq!(session.say("4").await.text, "four");
    let asked = model.asked();
    assert!(asked[4].messages.len() < asked[3].messages.len());
    assert_eq!(asked[4].messages.last().map(|message| message.content.text()), Some("4"));
    assert_eq!(session.say("5").await.code.as_deref(), Some("context-too-long"));
}

#[tokio::test]
async fn what_the_user_says_while_the_reply_is_written_is_answered_too() {
    let (session, model) = session(&[], vec![says("One."), says("One and two.")]);
    let later = UserMessage { id: "later".to_owned(), text: "and two".to_owned(), ..UserMessage::default() };
    // Nothing joins at the search and at the first question; the message comes while the model answers.
    session.host.will_steer(vec![vec![], vec![], vec![later]]);

    let turned = session.say("Say one").await;

    assert_eq!(turned.text, "One and two.");
    let last = model.asked().pop().expect("a question");
    assert_eq!(last.messages.last().map(|message| message.content.text()), Some("and two"));
}

#[tokio::test]
async fn a_secret_in_a_reply_is_marked_in_its_pieces_too() {
    let token = format!("ghp_{}", "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2");
    let (session, _) = session(&[], vec![says(&format!("It is {token}, keep it."))]);

    session.say("What is the token?").await;

    let text: String = session.host.deltas().into_iter().map(|(_, text)| text).collect();
    assert_eq!(text, "It is [redacted: GitHub token], keep it.");
}

#[tokio::test]
async fn a_small_window_is_offered_every_function_in_few_words() {
    let find = calls(&[("1", "find_tools", json!({"query": "what time is it in Tokyo"}))]);
    let (session, model) = session(&[], vec![find, says("Done.")]);

    session.say("Do something nice").await;

    let asked = model.asked();
    let names = |at: usize| asked[at].tools.iter().map(|tool| tool.name.clone()).collect::<Vec<_>>();
    assert!(names(0).len() > 15 && names(0).last().is_some_and(|last| last == "find_tools"), "{:?}", names(0));
    assert_eq!(names(0), names(1), "what a provider keeps of the prompt stays the same");
}
