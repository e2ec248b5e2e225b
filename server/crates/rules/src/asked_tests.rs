//! Claims about turns whose user chose the tool: whichever reasoner runs, no other one is used before it has worked.

use std::sync::Arc;

use serde_json::json;
use switchboard_protocol::{Candidate, ReasonerKind, ServerMessage, Step};

use crate::Rules;
use switchboard_agent::test_support::TestSession;
use switchboard_agent::test_support::{ScriptedModel, calls, says};

/// The choices of the last turn: what was weighed, and what was chosen.
fn choices(session: &TestSession) -> Vec<(Vec<Candidate>, Vec<String>)> {
    let chosen = session.host.messages().into_iter().filter_map(|message| match message {
        ServerMessage::AgentThinking { step: Step::Selecting, candidates, selected, .. } => {
            Some((candidates.unwrap_or_default(), selected.unwrap_or_default()))
        }
        _ => None,
    });
    chosen.collect()
}

fn first_thoughts(session: &TestSession) -> Vec<String> {
    let said = session.host.messages().into_iter().filter_map(|message| match message {
        ServerMessage::AgentThinking { step: Step::Analyzing, message, .. } => Some(message),
        _ => None,
    });
    said.collect()
}

#[tokio::test]
async fn rules_use_the_tool_that_was_asked_for() {
    let session = TestSession::with_files(Arc::new(Rules), &[("src/a.rs", "// TODO: tea\n"), ("b.txt", "x")]);

    let found = session.say("Find files with TODO in their text").await;
    let turned = session.try_tool("grep", "Where does it say TODO?").await;

    assert_ne!(found.tools, Vec::<String>::new());
    assert_eq!((turned.tools, turned.complete), (vec!["grep".to_owned()], true), "{}", turned.text);
    assert!(turned.text.contains("src/a.rs"), "{}", turned.text);
    assert_eq!(first_thoughts(&session).last().map(String::as_str), Some("You asked for grep"));
    let (weighed, chosen) = choices(&session).pop().expect("a choice");
    assert_eq!((weighed[0].name.as_str(), chosen), ("grep", vec!["grep".to_owned()]));
    assert!(weighed[0].reasons.iter().any(|reason| reason == "you asked for it"), "{weighed:?}");
    assert!(weighed.len() > 1, "the others stay in sight: {weighed:?}");
}

#[tokio::test]
async fn rules_read_the_file_that_a_question_is_about() {
    let session = TestSession::with_files(Arc::new(Rules), &[("config.json", "{\"port\": 3000}")]);

    let turned = session.try_tool("file_read", "What is the port in config.json?").await;

    assert_eq!(turned.tools, ["file_read"]);
    assert!(turned.text.contains("3000"), "{}", turned.text);
}

#[tokio::test]
async fn rules_say_what_a_chosen_tool_lacks_and_use_no_other_one() {
    let session = TestSession::with_files(Arc::new(Rules), &[("a.txt", "1")]);

    let turned = session.try_tool("calculator", "List the files here").await;

    assert_eq!((turned.tools.len(), turned.complete), (0, false), "{}", turned.text);
    assert!(turned.text.contains("`calculator`, which you asked for"), "{}", turned.text);
    assert!(turned.text.contains("`expression`"), "{}", turned.text);
}

#[tokio::test]
async fn a_chosen_tool_that_fails_is_not_replaced() {
    let session = TestSession::with_files(Arc::new(Rules), &[("docs/a.txt", "1")]);

    let turned = session.try_tool("file_read", "Read docs").await;

    assert_eq!((turned.code.as_deref(), turned.tools.len()), (Some("tool-failed"), 1), "{}", turned.text);
    assert!(turned.text.contains("You asked for this tool"), "{}", turned.text);
}

#[tokio::test]
async fn a_tool_that_has_gone_ends_the_turn_with_a_word() {
    let session = TestSession::with_files(Arc::new(Rules), &[]);

    let turned = session.try_tool("weather", "The weather in Berlin").await;

    assert_eq!((turned.tools.len(), turned.complete), (0, false));
    assert!(turned.text.contains("`weather`, which you asked for, is not there any more"), "{}", turned.text);
}

#[tokio::test]
async fn a_model_that_calls_tools_is_offered_the_chosen_one_alone_until_it_has_worked() {
    let script = vec![
        calls(&[("1", "calculator", json!({"expression": "1"}))]),
        calls(&[("2", "file_read", json!({"path": "a.txt"}))]),
        calls(&[("3", "calculator", json!({"expression": "40 + 2"}))]),
        says("It is 42."),
    ];
    let model = ScriptedModel::of(script);
    let session = TestSession::with_files(model.reasoner(ReasonerKind::Native), &[("a.txt", "40")]);

    let turned = session.try_tool("file_read", "Read the file a.txt and calculate two more").await;

    assert_eq!((turned.text.as_str(), turned.operations), ("It is 42.", 2));
    assert_eq!(turned.tools, ["file_read", "calculator"]);
    let asked = model.asked();
    let offered: Vec<Vec<&str>> =
        asked.iter().map(|request| request.tools.iter().map(|tool| tool.name.as_str()).collect()).collect();
    assert_eq!(offered[..2], [vec!["file_read"], vec!["file_read"]]);
    assert!(offered[2].contains(&"find_tools") && offered[2].contains(&"calculator"), "{offered:?}");
    assert!(asked[0].situation.contains("The user asked for the tool `file_read`"), "{}", asked[0].situation);
    assert!(!asked[2].situation.contains("The user asked for the tool"), "{}", asked[2].situation);
    let refused = asked[1].messages.last().expect("an answer");
    assert!(refused.content.contains("the user asked for `file_read`"), "{}", refused.content);
}

#[tokio::test]
async fn a_model_asked_by_stages_chooses_the_parameters_of_the_chosen_tool() {
    let script = vec![
        says(&json!({"reasoning": "it is asked for", "selectedTool": "file_read", "parameters": {"path": "a.txt"}, "outputVariable": null}).to_string()),
        says(&json!({"reasoning": "so", "complete": true, "nextAction": null, "userResponse": "It says 40."}).to_string()),
    ];
    let model = ScriptedModel::of(script);
    let session = TestSession::with_files(model.reasoner(ReasonerKind::Staged), &[("a.txt", "40")]);

    let turned = session.try_tool("file_read", "What do my files say?").await;

    assert_eq!((turned.text.as_str(), turned.tools.as_slice()), ("It says 40.", &["file_read".to_owned()][..]));
    let first = &model.asked()[0].messages[0].content;
    assert!(first.contains("The user asked for file_read himself"), "{first}");
    assert!(!first.contains("list_directory"), "only the chosen one is shown: {first}");
    let (weighed, _) = choices(&session).pop().expect("a choice");
    assert!(weighed.iter().any(|tool| tool.name != "file_read"), "{weighed:?}");
}

#[tokio::test]
async fn each_choice_says_what_it_was_made_from() {
    let session = TestSession::with_files(Arc::new(Rules), &[("a.txt", "1")]);

    session.say("Read a.txt").await;
    session.say("Order me a pizza and a taxi").await;

    let all = choices(&session);
    let (weighed, chosen) = &all[0];
    assert_eq!(chosen, &["file_read"]);
    assert!(weighed.iter().any(|tool| tool.name == "file_read" && !tool.reasons.is_empty()), "{weighed:?}");
    assert_eq!(all[1].1, Vec::<String>::new(), "none of them");
}
